//! What became of a file.

use std::io;
use std::path::Path;

use canter_gltf::{Optimized, Unchanged};
use serde::Serialize;

use crate::batch::{Finding, Record, Verdict};
use crate::output::{ERROR, GOOD, NAME, Output, QUIET, WARNING, bytes, name_or_dash, printable};
use crate::table::{self, Table};

/// A file that was optimized, or why not.
#[derive(Serialize)]
pub(super) struct Report {
    path: String,
    verdict: Verdict,
    errors: Vec<Finding>,
    /// What was written.
    output: Option<String>,
    /// Why it is unchanged.
    reason: Option<String>,
    bytes_before: u64,
    bytes_after: u64,
    error_mm: f64,
    clips: Vec<ClipFacts>,
    /// From the lowest to the highest joint at rest, in units of the file.
    #[serde(skip)]
    height: f64,
}

#[derive(Serialize)]
struct ClipFacts {
    name: String,
    tracks: [usize; 2],
    keys: [usize; 2],
    bytes: [usize; 2],
    error_mm: f64,
}

/// All files together.
#[derive(Default, Serialize)]
pub(super) struct Totals {
    pub(super) bytes_before: u64,
    pub(super) bytes_after: u64,
    /// The largest error of all.
    pub(super) error_mm: f64,
}

impl Totals {
    pub(super) fn add(&mut self, report: &Report) {
        self.bytes_before += report.bytes_before;
        self.bytes_after += report.bytes_after;
        self.error_mm = self.error_mm.max(report.error_mm);
    }
}

impl Report {
    pub(super) fn new(path: &Path, target: Option<&Path>, optimized: &Optimized<'_>) -> Self {
        let reason = optimized.unchanged.as_ref().map(|unchanged| match unchanged {
            Unchanged::UnknownExtensions(names) => {
                format!("{} may hold indices, which would not fit any more", names.join(", "))
            }
            _ => "it would not be smaller".to_owned(),
        });
        let clips = optimized.clips.iter().map(|clip| ClipFacts {
            name: clip.name.clone(),
            tracks: clip.tracks,
            keys: clip.keys,
            bytes: clip.bytes,
            error_mm: clip.error_mm,
        });
        Self {
            path: path.to_string_lossy().into_owned(),
            verdict: if reason.is_some() { Verdict::Unchanged } else { Verdict::Smaller },
            errors: Vec::new(),
            output: target.map(|target| target.to_string_lossy().into_owned()),
            reason,
            bytes_before: optimized.bytes_before,
            bytes_after: optimized.bytes_after,
            error_mm: optimized.clips.iter().fold(0.0, |most, clip| most.max(clip.error_mm)),
            clips: clips.collect(),
            height: optimized.height,
        }
    }

    /// All clips, and all in all.
    pub(super) fn write_tables(&self, output: &mut Output, metres_per_unit: f64) -> io::Result<()> {
        let mut table = Table::new(["clip", "tracks", "now", "keys", "now", "bytes", "now", "error in mm"]);
        let mut row = |name: String, tracks: [usize; 2], keys: [usize; 2], bytes: [usize; 2], error: f64| {
            table.row([
                name,
                tracks[0].to_string(),
                tracks[1].to_string(),
                keys[0].to_string(),
                keys[1].to_string(),
                bytes[0].to_string(),
                bytes[1].to_string(),
                format!("{error:.4}"),
            ]);
        };
        let sum = |part: fn(&ClipFacts) -> [usize; 2]| {
            self.clips.iter().map(part).fold([0, 0], |sum, two| [sum[0] + two[0], sum[1] + two[1]])
        };
        for clip in &self.clips {
            row(name_or_dash(Some(&clip.name)), clip.tracks, clip.keys, clip.bytes, clip.error_mm);
        }
        if self.clips.len() > 1 {
            let all = (sum(|clip| clip.tracks), sum(|clip| clip.keys), sum(|clip| clip.bytes));
            row("all".to_owned(), all.0, all.1, all.2, self.error_mm);
        }
        table::section(output, "Clips", &table)?;
        output.line("")?;
        self.write(output)?;
        let metres = self.height * metres_per_unit;
        if metres > TALL {
            output.line(format_args!(
                "{QUIET}Its joints span {metres:.0} m: if its unit is no metre, say so with --unit{QUIET:#}"
            ))?;
        }
        Ok(())
    }
}

/// Figures that are taller are more likely in centimetres.
const TALL: f64 = 20.0;

impl Record for Report {
    fn failed(path: &Path, verdict: Verdict, error: Finding) -> Self {
        Self {
            path: path.to_string_lossy().into_owned(),
            verdict,
            errors: vec![error],
            output: None,
            reason: None,
            bytes_before: 0,
            bytes_after: 0,
            error_mm: 0.0,
            clips: Vec::new(),
            height: 0.0,
        }
    }

    fn verdict(&self) -> Verdict {
        self.verdict
    }

    fn line(&self) -> String {
        serde_json::to_string(self).expect("its keys are texts")
    }

    fn write(&self, output: &mut Output) -> io::Result<()> {
        let (path, verdict) = (printable(&self.path), self.verdict.words());
        if self.verdict.is_error() {
            output.line(format_args!("{NAME}{path}{NAME:#}: {ERROR}{verdict}{ERROR:#}"))?;
            for error in &self.errors {
                output.line(format_args!("  {ERROR}error{ERROR:#}: {}", printable(&error.to_string())))?;
            }
            return Ok(());
        }
        if let Some(reason) = &self.reason {
            let reason = printable(reason);
            return output.line(format_args!(
                "{NAME}{path}{NAME:#}: {WARNING}{verdict}{WARNING:#}: {reason} ({})",
                bytes(self.bytes_before)
            ));
        }
        #[expect(clippy::cast_precision_loss, reason = "for people")]
        let percent = 100.0 * self.bytes_after as f64 / self.bytes_before.max(1) as f64;
        output.line(format_args!(
            "{NAME}{path}{NAME:#}: {} became {GOOD}{}{GOOD:#} ({percent:.0} %), error {:.4} mm",
            bytes(self.bytes_before),
            bytes(self.bytes_after),
            self.error_mm,
        ))
    }
}
