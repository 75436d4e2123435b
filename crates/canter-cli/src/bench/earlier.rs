//! An earlier run, written by `canter bench --json`, and how the present one compares with it.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::measure::{Measured, Mode};
use super::report::Report;
use crate::failure::Failure;
use crate::output::{Output, QUIET, printable};
use crate::table::{Table, section};

/// What is read of an earlier run.
#[derive(Debug, Deserialize)]
pub(super) struct Earlier {
    file: String,
    clips: [String; 2],
    machine: EarlierMachine,
    results: Vec<EarlierResult>,
}

#[derive(Debug, Deserialize)]
struct EarlierMachine {
    cpu: String,
    simd: String,
    build: String,
}

#[derive(Debug, Deserialize)]
struct EarlierResult {
    characters: usize,
    threads: usize,
    mode: Mode,
    ns_per_character_frame: f64,
    /// How noisy the machine was; files of before did not tell.
    #[serde(default)]
    spread: f64,
}

/// One kind of frame, then and now.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Comparison {
    characters: usize,
    threads: usize,
    mode: Mode,
    earlier_ns: f64,
    now_ns: f64,
    /// Below one: it is faster now.
    ratio: f64,
    /// Whether the difference is larger than the noise of both runs.
    certain: bool,
}

impl Earlier {
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let failure = |what: &dyn std::fmt::Display| {
            let message = format!("--compare {}: {what}", path.display());
            Failure::new(message, "give a file that `canter bench --json > FILE` wrote")
        };
        let text = std::fs::read(path).map_err(|error| failure(&format_args!("cannot be read: {error}")))?;
        let earlier: Self = serde_json::from_slice(&text)
            .map_err(|error| failure(&format_args!("is no such run: {error}")))?;
        match earlier.results.iter().find(|result| result.ns_per_character_frame <= 0.0) {
            Some(_) => Err(failure(&"has a time that is not above zero")),
            None => Ok(earlier),
        }
    }

    /// Every kind of frame that both runs measured.
    pub(super) fn compare(&self, now: &[Measured]) -> Vec<Comparison> {
        let compare = |now: &Measured| {
            let key = (now.characters, now.threads, now.mode);
            let mut earlier = self.results.iter();
            let earlier = earlier.find(|result| (result.characters, result.threads, result.mode) == key)?;
            let ratio = now.ns_per_character_frame / earlier.ns_per_character_frame;
            let noise = 1.0 + now.spread.max(earlier.spread);
            Some(Comparison {
                characters: now.characters,
                threads: now.threads,
                mode: now.mode,
                earlier_ns: earlier.ns_per_character_frame,
                now_ns: now.ns_per_character_frame,
                ratio,
                certain: ratio > noise || ratio < 1.0 / noise,
            })
        };
        now.iter().filter_map(compare).collect()
    }

    /// What else differs between both runs, so that their times tell little: one line each.
    fn differences(&self, now: &Report) -> Vec<String> {
        let machine = &now.machine;
        let pairs = [
            ("file", &*self.file, &*now.file),
            ("first clip", &self.clips[0], &now.clips[0]),
            ("second clip", &self.clips[1], &now.clips[1]),
            ("CPU", &self.machine.cpu, &machine.cpu),
            ("SIMD", &self.machine.simd, machine.simd),
            ("build", &self.machine.build, machine.build),
        ];
        let other = pairs.into_iter().filter(|(_, earlier, now)| earlier != now);
        other.map(|(what, earlier, now)| format!("another {what}: {earlier} then, {now} now")).collect()
    }

    /// The table for people.
    pub(super) fn print(&self, now: &Report, output: &mut Output) -> io::Result<()> {
        let mut table = Table::new(["characters", "threads", "mode", "earlier", "now", "ratio", "verdict"]);
        for row in &now.compared {
            table.row([
                row.characters.to_string(),
                row.threads.to_string(),
                row.mode.name().to_owned(),
                format!("{:.0}", row.earlier_ns),
                format!("{:.0}", row.now_ns),
                format!("{:.2}", row.ratio),
                row.verdict().to_owned(),
            ]);
        }
        section(output, "Beside the earlier run", &table)?;
        if now.compared.is_empty() {
            output
                .line("\nThe earlier run measured nothing that this one did: were there other --threads?")?;
        }
        for line in self.differences(now) {
            output.line(format_args!("{QUIET}{}{QUIET:#}", printable(&line)))?;
        }
        Ok(())
    }
}

impl Comparison {
    fn verdict(&self) -> &'static str {
        match (self.certain, self.ratio < 1.0) {
            (false, _) => "the same, within the spread",
            (true, true) => "faster",
            (true, false) => "slower",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::measure::Stages;
    use super::*;

    fn measured(nanos: f64, spread: f64) -> Measured {
        Measured {
            characters: 1,
            threads: 1,
            mode: Mode::Play,
            ns_per_character_frame: nanos,
            stages: Stages { sample: nanos, blend: 0.0, compose: 0.0, palette: 0.0 },
            allocations_per_frame: 0,
            spread,
        }
    }

    #[test]
    fn a_difference_is_certain_if_it_is_larger_than_the_spread_of_both_runs() {
        let cases = [
            (100.0, 0.0, 100.0, 0.0, "the same, within the spread"),
            (100.0, 0.0, 101.0, 0.0, "slower"),
            (100.0, 0.05, 104.0, 0.0, "the same, within the spread"),
            (100.0, 0.0, 97.0, 0.04, "the same, within the spread"),
            (100.0, 0.04, 90.0, 0.04, "faster"),
        ];
        for (earlier, earlier_spread, now, spread, verdict) in cases {
            let result = EarlierResult {
                characters: 1,
                threads: 1,
                mode: Mode::Play,
                ns_per_character_frame: earlier,
                spread: earlier_spread,
            };
            let machine = EarlierMachine { cpu: String::new(), simd: String::new(), build: String::new() };
            let run =
                Earlier { file: String::new(), clips: Default::default(), machine, results: vec![result] };
            let compared = run.compare(&[measured(now, spread)]);
            assert_eq!(compared[0].verdict(), verdict, "{earlier} and {now}");
            let other = Measured { threads: 2, ..measured(now, spread) };
            assert!(run.compare(&[other]).is_empty(), "another number of threads");
        }
    }
}
