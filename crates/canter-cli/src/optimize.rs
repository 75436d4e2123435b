//! `canter optimize FILE -o OUT`: smaller files.

mod report;

use std::collections::HashMap;
use std::fmt::Display;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use canter_gltf::{Folder, LoadError, OptimizeOptions, WriteError};
use clap::Args;

use crate::batch::{Batch, COULD_NOT_RUN, Finding, Record as _, SOME_FAILED, Verdict};
use crate::embedded;
use crate::failure::Failure;
use crate::loading::Loading;
use crate::output::{Output, bytes};
use report::{Report, Totals};

/// Make files smaller: animation first, and nothing moves farther than you allow.
///
/// Keys that interpolation restores, tracks that do nothing, and bits that nobody sees are left out; tracks share
/// the times of their keys; equal vertices become one, and data that nothing uses is dropped. Extensions, extras
/// and names stay. The error is measured in what is written, in millimetres: at points 3 cm around every joint (and
/// as far as meshes reach that hang on nodes), at keys and at three times between any two. A unit of a file is a
/// metre, as glTF says.
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

    /// Compress all buffers by `EXT_meshopt_compression`, without loss; readers must know it then.
    #[arg(long)]
    meshopt: bool,

    /// Fewer bits for vertices: normals, tangents, colours and weights 8, texture coordinates 16. Readers must know
    /// `KHR_mesh_quantization` then.
    #[arg(long)]
    quantize: bool,

    /// Say what would be saved, and write nothing.
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    loading: Loading,
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
    if let Some(file) = batch.single().filter(|_| !batch.is_for_programs()) {
        let report = arguments.optimize(file, arguments.target(file));
        let report = report.map_err(|refusal| refusal.into_failure(file).with_code(SOME_FAILED))?;
        report.write_tables(output, arguments.unit)?;
        return Ok(ExitCode::SUCCESS);
    }
    let files = batch.files()?;
    arguments.check_targets(&files.paths)?;
    let work = |path: &Path| {
        arguments.optimize(path, arguments.target(path)).unwrap_or_else(|refusal| refusal.into_report(path))
    };
    let mut totals = Totals::default();
    let tally = batch.run(&files, output, work, |report| totals.add(report))?;
    let words = format!(
        "; {} became {}, error {:.4} mm",
        bytes(totals.bytes_before),
        bytes(totals.bytes_after),
        totals.error_mm
    );
    batch.summarize(&tally, output, &[Verdict::Smaller, Verdict::Unchanged], (totals, &words))
}

/// Why a file was not optimized.
enum Refusal {
    Load(LoadError),
    Write(String),
}

impl Refusal {
    fn into_failure(self, path: &Path) -> Failure {
        match self {
            Self::Load(error) => Failure::load(path, &error),
            Self::Write(message) => Failure::new(message, "give another path, or leave the file as it is"),
        }
    }

    fn into_report(self, path: &Path) -> Report {
        match self {
            Self::Load(error) => Report::failed(path, Verdict::of_error(&error), (&error).into()),
            Self::Write(message) => {
                Report::failed(path, Verdict::NotWritten, Finding::new("not-written", message))
            }
        }
    }
}

impl Arguments {
    fn options(&self) -> OptimizeOptions {
        let mut options = OptimizeOptions::default();
        options.error_mm = self.error;
        options.metres_per_unit = self.unit;
        options.meshopt = self.meshopt;
        options.quantize = self.quantize;
        options.load = self.loading.options().without_images();
        options
    }

    /// Optimizes a file, and writes it where there is a target.
    fn optimize(&self, path: &Path, target: Option<PathBuf>) -> Result<Report, Refusal> {
        let options = self.options();
        let bytes = embedded::bytes(path, &options.load).map_err(Refusal::Load)?;
        let folder = Folder::new(path.parent().unwrap_or(Path::new("")));
        let mut optimized =
            canter_gltf::optimize(&bytes, &folder, &options).map_err(|error| match error {
                WriteError::Load(error) => Refusal::Load(error),
                error => Refusal::Write(format!("{}: {error}", path.display())),
            })?;
        if let Some(target) = &target {
            let refusal = |error: &dyn Display| Refusal::Write(error.to_string());
            optimized.document.save(path, target).map_err(|error| refusal(&error))?;
            copy_markers(path, target).map_err(|error| refusal(&error))?;
        }
        Ok(Report::new(path, target.as_deref(), &optimized))
    }

    /// Where a file goes: a single one where it is said, or into a folder under its own name; the files of a folder
    /// keep their places below it; all others keep their whole paths.
    fn target(&self, path: &Path) -> Option<PathBuf> {
        let output = self.output.as_ref().filter(|_| !self.dry_run)?;
        let target = if self.batch.single().is_some() {
            let is_folder = output.is_dir() || output.as_os_str().to_string_lossy().ends_with(['/', '\\']);
            if !is_folder {
                return Some(output.clone());
            }
            output.join(path.file_name().unwrap_or_default())
        } else {
            let relative = self.batch.only_folder().and_then(|folder| path.strip_prefix(folder).ok());
            // No way leads out of the folder.
            let parts = relative.unwrap_or(path).components();
            output.join(parts.filter(|part| matches!(part, Component::Normal(_))).collect::<PathBuf>())
        };
        // The models of the program have no ending.
        Some(if target.extension().is_none() { target.with_extension("glb") } else { target })
    }

    /// Two files must not become one.
    fn check_targets(&self, paths: &[PathBuf]) -> Result<(), Failure> {
        if self.batch.single().is_some() {
            return Ok(());
        }
        if let Some(folder) = self.output.as_deref().filter(|path| path.is_file()) {
            let message = format!("{} is a file, and there are several to be written", folder.display());
            return Err(Failure::new(message, "give a folder with --output").with_code(COULD_NOT_RUN));
        }
        let mut seen = HashMap::new();
        for path in paths {
            let Some(target) = self.target(path) else { return Ok(()) };
            if let Some(other) = seen.insert(target, path).filter(|&other| other != path) {
                let message = format!("{} and {} would be one file", other.display(), path.display());
                let hint = "optimize them one after the other, into different folders";
                return Err(Failure::new(message, hint).with_code(COULD_NOT_RUN));
            }
        }
        Ok(())
    }
}

/// The markers beside a model come along.
fn copy_markers(from: &Path, to: &Path) -> io::Result<()> {
    let [from, to] = [from, to].map(canter_gltf::markers_path);
    if !from.is_file() || fs::canonicalize(&from).ok() == fs::canonicalize(&to).ok() {
        return Ok(());
    }
    fs::copy(&from, &to).map(|_| ())
}
