//! `canter bench [FILE]`: how many of this character fit into a frame.

mod chart;
mod clock;
mod earlier;
mod job;
mod measure;
mod paint;
mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use canter::Clip;
use canter_gltf::Asset;
use clap::Args;

use crate::clip;
use crate::embedded;
use crate::failure::Failure;
use crate::loading::Loading;
use crate::output::{Output, WARNING};
use earlier::Earlier;
use job::Job;
use report::Report;

/// Measure what a character costs: how many of them fit into a frame?
///
/// Every character plays two clips in the middle of a crossfade: both are sampled, blended, composed, and
/// multiplied into the palettes of all skins, 60 times a second. Machines are noisy: each figure is the min
/// of many runs; the spread says how far the median lies above it. Above 20 % the machine was busy: it is
/// measured for up to four times as long then, and you are told if that did not help.
#[derive(Debug, Args)]
#[command(after_help = "\
The modes: play runs on by 1/60 s per frame; seek puts both clips to random times before each frame.
The stages: sample is the reading of both clips; blend is all else that the mixer does; compose makes model matrices; palette
multiplies by the inverse bind matrices. They are measured one by one on one thread, and add up to the whole.

The JSON:
  file, clips    the file and the names of the two clips
  machine        cpu, threads, simd (what the kernels use), os, build
  results        for each number of characters, number of threads and mode:
                 characters, threads, mode (play or seek), ns_per_character_frame,
                 stages (sample, blend, compose, palette, in ns), allocations_per_frame,
                 spread (how far the median lies above the min, as a part of it)
  compared       with --compare, for each of them that both runs have:
                 characters, threads, mode, earlier_ns, now_ns, ratio,
                 certain (the difference is larger than the spread of both runs)

Examples:
  canter bench                                  The hero
  canter bench fox.glb --clips Walk,Run         Another character, and which clips
  canter bench --json > before.json             For a program
  canter bench --compare before.json            Is it faster than it was?
  canter bench --chart cost.svg --seconds 30    With a picture, measured longer")]
pub(crate) struct Arguments {
    /// A .glb, .gltf or .vrm file; `hero` and `sword` are part of the program.
    #[arg(default_value = "hero")]
    file: PathBuf,

    /// Two clips, by name or index; otherwise a walk and a run if there are any, or the first two.
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    clips: Vec<String>,

    /// How many threads to use beside one; all that the machine has if it is not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// How long to measure, all in all.
    #[arg(long, default_value_t = 12.0, value_name = "SECS", allow_negative_numbers = true)]
    seconds: f64,

    /// Draw a bar chart: a .svg or .png file.
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,

    /// Show what has changed since an earlier run: a file that --json wrote.
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,

    /// JSON for programs instead of a table for people.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    loading: Loading,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    if !(0.0..=86_400.0).contains(&arguments.seconds) {
        return Err(Failure::new(
            format!("--seconds {} is no use", arguments.seconds),
            "give a number from 0 to 86400",
        ));
    }
    // Before minutes of measuring.
    let format = arguments.chart.as_deref().map(chart::Format::of).transpose()?;
    let earlier = arguments.compare.as_deref().map(Earlier::read).transpose()?;
    let model = embedded::model(&arguments.file, &arguments.loading.options())?;
    let clips = clips(&model.asset, &arguments.clips, &arguments.file)?;
    let job = Job::new(&model.asset, clips);
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.map_or(all, usize::from);
    let results = measure::measure(&job, threads, arguments.seconds)?;
    let report = Report::new(&arguments.file, &job, results, earlier.as_ref());
    if let (Some(path), Some(format)) = (&arguments.chart, format) {
        chart::write(path, format, &report)?;
    }
    if arguments.json {
        output.json(&report)?;
    } else {
        report.print(&job, output)?;
        if let Some(earlier) = &earlier {
            earlier.print(&report, output)?;
        }
    }
    if let Some(doubt) = report.doubt() {
        anstream::eprintln!("{WARNING}warning{WARNING:#}: {doubt}");
    }
    Ok(ExitCode::SUCCESS)
}

/// The two clips to fade between.
fn clips(asset: &Asset, wanted: &[String], path: &Path) -> Result<[Arc<Clip>; 2], Failure> {
    let inspect = format!("`canter inspect {}` lists the clips", path.display());
    let [a, b] = match wanted {
        [] => {
            let like = |word: &str| asset.clips.iter().find(|clip| clip.name().to_lowercase().contains(word));
            match (like("walk"), like("run"), asset.clips.as_slice()) {
                (Some(walk), Some(run), _) => [walk, run],
                (.., [only]) => [only, only],
                (.., [first, second, ..]) => [first, second],
                (.., []) => {
                    return Err(Failure::new(format!("{}: it has no clips", path.display()), inspect));
                }
            }
        }
        [a, b] => [clip::find(asset, a, path)?, clip::find(asset, b, path)?],
        _ => {
            return Err(Failure::new(
                format!("--clips names {} clips", wanted.len()),
                "give two: --clips Walk,Run",
            ));
        }
    };
    Ok([Arc::clone(a), Arc::clone(b)])
}
