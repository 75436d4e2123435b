//! `canter view [FILE]`: a window with a character.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use canter_view::{Session, ViewError, ViewOptions};
use clap::Args;

use crate::embedded;
use crate::failure::Failure;

/// Show a character in a window: its clips, its skeleton, and what it holds.
///
/// Other files can be dropped on the window. Files are read again when they change. H shows the keys.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  canter view                  The hero
  canter view robot.glb        Another file
  canter view --software       Without the help of a GPU")]
pub(crate) struct Arguments {
    /// A .glb, .gltf or .vrm file; `hero` and `sword` are part of the program.
    #[arg(default_value = "hero")]
    file: PathBuf,
    /// Draw the figure on the CPU even where there is a GPU.
    #[arg(long)]
    software: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    if !canter_view::has_display() {
        return Err(Failure::new(
            "there is no display for a window",
            format!("`canter render {}` draws into a file", arguments.file.display()),
        ));
    }
    let session = if arguments.file.exists() {
        Session::load(&arguments.file).map_err(|error| Failure::load(&arguments.file, &error))?
    } else {
        Session::new(&embedded::model(&arguments.file)?, &arguments.file.display().to_string())
    };
    open(session, arguments.software)?.map_err(|error| Failure::new(&error, error.hint()))?;
    Ok(ExitCode::SUCCESS)
}

/// The hero in a window, for the first command.
pub(crate) fn open_hero() -> Result<Result<(), ViewError>, Failure> {
    let mut session = Session::new(&embedded::model(Path::new("hero"))?, "hero");
    session.attach(&embedded::model(Path::new("sword"))?, "sword");
    open(session, false)
}

fn open(session: Session, software: bool) -> Result<Result<(), ViewError>, Failure> {
    let sword = embedded::model(Path::new("sword"))?;
    Ok(canter_view::run(session, ViewOptions { sword, screenshots: PathBuf::new(), software }))
}
