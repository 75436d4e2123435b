//! `canter optimize FILE -o OUT`: smaller files.

mod report;

use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use canter_gltf::{LoadOptions, OptimizeOptions};
use clap::Args;

use crate::batch::{self, Batch, COULD_NOT_RUN, SOME_FAILED};
use crate::embedded;
use crate::failure::Failure;
use crate::output::{Output, bytes, count};
use crate::save;
use report::{Report, Totals};

/// Make files smaller: animation first, and nothing moves farther than you allow.
///
/// Keys that interpolation restores, tracks that do nothing, and bits that nobody sees are left out; tracks share
/// the times of their keys; equal vertices become one, and data that nothing uses is dropped. Extensions, extras
/// and names stay. The error is measured in what is written, in millimetres: at points 3 cm around every joint (and as far as meshes reach
/// that hang on nodes), at keys and at three times between any two. A unit of a file is a metre, as glTF says.
///
/// A file that would not get smaller is written as it was. The exit code is 0, 2 (some files failed) or 3 (it
/// could not run).
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  canter optimize hero.glb -o small.glb              Within a tenth of a millimetre
  canter optimize hero.glb --error 1 --dry-run       What a millimetre would save; nothing is written
  canter optimize fox.glb --unit 0.01 -o small.glb   A model in centimetres
  canter optimize hero.glb --meshopt -o small.glb    For readers that know EXT_meshopt_compression
  canter optimize assets/ -o smaller/                A folder, on all cores
  canter optimize --files-from list.txt -o smaller/ --log done.jsonl --resume
                                                     A library; what is in the log is not done again")]
pub(crate) struct Arguments {
    #[command(flatten)]
    batch: Batch,

    /// Where to: a .glb or .gltf file, or a folder for several.
    #[arg(short, long, value_name = "PATH", required_unless_present = "dry_run")]
    output: Option<PathBuf>,

    /// How far anything may be off, in millimetres.
    #[arg(long, value_name = "MM", default_value_t = 0.1, value_parser = positive_or_zero)]
    error: f64,

    /// The unit of the files, in metres.
    #[arg(long, value_name = "METRES", default_value_t = 1.0, value_parser = positive)]
    unit: f64,

    /// Compress all buffers by EXT_meshopt_compression, without loss; readers must know it then.
    #[arg(long)]
    meshopt: bool,

    /// Fewer bits for vertices: normals, tangents, colours and weights 8, texture coordinates 16. Readers must know
    /// KHR_mesh_quantization then.
    #[arg(long)]
    quantize: bool,

    /// Say what would be saved, and write nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn positive(text: &str) -> Result<f64, String> {
    positive_or_zero(text)
        .and_then(|number| if number > 0.0 { Ok(number) } else { Err("expected more than 0".into()) })
}

fn positive_or_zero(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if number.is_finite() && number >= 0.0 { Ok(number) } else { Err("expected a number from 0".into()) }
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let batch = &arguments.batch;
    if let (Some(file), false) = (batch.single(), batch.is_for_programs()) {
        let report = arguments.optimize(file, arguments.target_of_single(file));
        let report = report.map_err(|failure| failure.with_code(SOME_FAILED))?;
        report.write_tables(output, arguments.unit)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let (None, Some(folder)) = (batch.single(), &arguments.output)
        && folder.is_file()
    {
        let message = format!("{} is a file, and there are several to be written", folder.display());
        return Err(Failure::new(message, "give a folder with --output").with_code(COULD_NOT_RUN));
    }
    let files = batch.files()?;
    let mut totals = Totals { files: files.len(), ..Totals::default() };
    for (folder, error) in &files.closed {
        totals.failed += 1;
        let report = Report::failed(folder, format!("cannot read the folder: {error}"), true);
        if batch.is_for_programs() { output.json(&report)? } else { batch::Record::write(&report, output)? }
    }
    let work = |path: &Path| {
        let target = arguments.target_of(path);
        arguments.optimize(path, target).unwrap_or_else(|failure| {
            Report::failed(path, failure.message().to_owned(), failure.is_about_reading())
        })
    };
    batch.run(&files, output, work, |report| totals.add(report))?;
    let text = format!(
        "{}: {} smaller, {} as they were, {} failed; {} became {}, error {:.3} mm",
        count(totals.files, "file"),
        totals.smaller,
        totals.unchanged,
        totals.failed,
        bytes(totals.bytes_before),
        bytes(totals.bytes_after),
        totals.error_mm,
    );
    batch.summarize(&files, output, &totals, &text)?;
    Ok(batch::exit_code(totals.failed))
}

impl Arguments {
    fn options(&self) -> OptimizeOptions {
        let mut options = OptimizeOptions::default();
        options.error_mm = self.error;
        options.metres_per_unit = self.unit;
        options.meshopt = self.meshopt;
        options.quantize = self.quantize;
        options.load = LoadOptions::default().without_images();
        options
    }

    /// Optimizes a file, and writes it unless this is a dry run.
    fn optimize(&self, path: &Path, target: Option<PathBuf>) -> Result<Report, Failure> {
        let bytes = embedded::bytes(path)?;
        let folder = save::folder(path);
        let mut optimized =
            canter_gltf::optimize(&bytes, &folder, &self.options()).map_err(|error| match error {
                canter_gltf::WriteError::Load(error) => Failure::load(path, &error),
                error => Failure::new(format!("{}: {error}", path.display()), "leave it as it is"),
            })?;
        if let Some(target) = &target {
            save::save(&mut optimized.document, path, target)?;
        }
        Ok(Report::new(path, target.as_deref(), &optimized))
    }

    /// The one file goes where it is said, into a folder under its own name.
    fn target_of_single(&self, path: &Path) -> Option<PathBuf> {
        let output = self.output.as_ref().filter(|_| !self.dry_run)?;
        let is_folder = output.is_dir() || output.as_os_str().to_string_lossy().ends_with(['/', '\\']);
        Some(if is_folder { output.join(path.file_name().unwrap_or_default()) } else { output.clone() })
    }

    /// Several keep their places below the folder that was given, or their whole paths.
    fn target_of(&self, path: &Path) -> Option<PathBuf> {
        if self.batch.single().is_some() {
            return self.target_of_single(path);
        }
        let output = self.output.as_ref().filter(|_| !self.dry_run)?;
        let folders = self.batch.paths.iter().filter(|given| given.is_dir());
        let relative = folders.filter_map(|folder| path.strip_prefix(folder).ok()).next().unwrap_or(path);
        // No way leads out of the folder.
        let parts = relative.components().filter(|part| matches!(part, Component::Normal(_)));
        Some(output.join(parts.collect::<PathBuf>()))
    }
}
