//! What was measured, for programs and for people.

use std::io;
use std::path::Path;

use serde::Serialize;

use super::clock::BUSY;
use super::earlier::{Comparison, Earlier};
use super::job::Job;
use super::measure::{Measured, Mode};
use crate::output::{NAME, Output, QUIET, bytes, printable};
use crate::table::{Table, section};

#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) file: String,
    pub(super) clips: [String; 2],
    pub(super) machine: Machine,
    pub(super) results: Vec<Measured>,
    /// Beside an earlier run, if one was given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) compared: Vec<Comparison>,
}

/// Where it was measured.
#[derive(Debug, Serialize)]
pub(super) struct Machine {
    pub(super) cpu: String,
    threads: usize,
    pub(super) simd: &'static str,
    os: &'static str,
    pub(super) build: &'static str,
}

impl Machine {
    fn this() -> Self {
        Self {
            cpu: cpu(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            simd: simd(),
            os: std::env::consts::OS,
            build: if cfg!(debug_assertions) { "debug" } else { "release" },
        }
    }
}

/// The processor's name where the system tells it, else its architecture.
fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}

#[cfg(target_arch = "x86_64")]
fn simd() -> &'static str {
    if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma") {
        "AVX2"
    } else {
        "SSE2"
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn simd() -> &'static str {
    if cfg!(target_arch = "aarch64") { "NEON" } else { "none" }
}

impl Report {
    pub(super) fn new(file: &Path, job: &Job, results: Vec<Measured>, earlier: Option<&Earlier>) -> Self {
        let compared = earlier.map_or_else(Vec::new, |earlier| earlier.compare(&results));
        Self {
            file: file.display().to_string(),
            clips: [0, 1].map(|clip| job.clips[clip].name().to_owned()),
            machine: Machine::this(),
            results,
            compared,
        }
    }

    /// What to tell if the machine was too busy to trust the times.
    pub(super) fn doubt(&self) -> Option<String> {
        let spread = self.results.iter().map(|result| result.spread).fold(0.0, f64::max);
        (spread > BUSY).then(|| {
            format!(
                "the machine was busy: a median lies {:.0} % above its min, however long it was measured. \
                 Close other programs, or give more --seconds",
                spread * 100.0
            )
        })
    }

    /// The table for people.
    pub(super) fn print(&self, job: &Job, output: &mut Output) -> io::Result<()> {
        let [a, b] = self.clips.each_ref().map(|name| printable(name));
        let joints = job.skeleton.joint_count();
        output.line(format_args!(
            "{NAME}{}{NAME:#}: {joints} joints, {} matrices, crossfading \"{a}\" and \"{b}\"",
            printable(&self.file),
            job.palette_len()
        ))?;
        let Machine { cpu, threads, simd, build, .. } = &self.machine;
        output.line(format_args!("{QUIET}{cpu}, {threads} threads, {simd}, {build} build{QUIET:#}"))?;
        if cfg!(debug_assertions) {
            output.line("This is a debug build, which is many times slower: use `cargo run --release`.")?;
        }
        let mut table = Table::new([
            "characters",
            "threads",
            "mode",
            "ns each",
            "spread",
            "sample",
            "blend",
            "compose",
            "palette",
            "allocations",
        ]);
        for result in &self.results {
            let stages = result.stages;
            table.row([
                result.characters.to_string(),
                result.threads.to_string(),
                result.mode.name().to_owned(),
                format!("{:.0}", result.ns_per_character_frame),
                format!("{:.0} %", result.spread * 100.0),
                format!("{:.0}", stages.sample),
                format!("{:.0}", stages.blend),
                format!("{:.0}", stages.compose),
                format!("{:.0}", stages.palette),
                result.allocations_per_frame.to_string(),
            ]);
        }
        section(output, "Nanoseconds per character and frame", &table)?;
        self.print_capacity(output)?;
        let mut table = Table::new(["what", "memory"]);
        for clip in &job.clips {
            table.row([format!("clip \"{}\"", printable(clip.name())), bytes(clip.memory_bytes() as u64)]);
        }
        table.row(["each further character".to_owned(), bytes(job.character_bytes() as u64)]);
        section(output, "Memory", &table)
    }

    /// How many characters fit, by what each of a thousand cost.
    fn print_capacity(&self, output: &mut Output) -> io::Result<()> {
        let mut table = Table::new(["threads", "in 1 ms", "in 16.6 ms"]);
        for result in self.playing().filter(|result| result.characters == 1_000) {
            let fit = |nanos: f64| format!("{:.0}", (nanos / result.ns_per_character_frame).floor());
            table.row([result.threads.to_string(), fit(1e6), fit(16.6e6)]);
        }
        section(output, "How many characters fit", &table)
    }

    pub(super) fn playing(&self) -> impl Iterator<Item = &Measured> {
        self.results.iter().filter(|result| result.mode == Mode::Play)
    }
}
