//! `canter view [FILE]`: a window with a character.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use canter_gltf::LoadOptions;
use canter_scene::Model;
use canter_view::{Session, ViewError, ViewOptions};
use clap::Args;

use crate::embedded;
use crate::failure::Failure;
use crate::loading::Loading;

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

    #[command(flatten)]
    loading: Loading,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    if !canter_view::has_display() {
        return Err(Failure::new(
            "there is no display for a window",
            format!("`canter render {}` draws into a file", arguments.file.display()),
        ));
    }
    let options = arguments.loading.options();
    let session = if arguments.file.exists() {
        Session::load_with(&arguments.file, &options)
            .map_err(|error| Failure::load(&arguments.file, &error))?
    } else {
        Session::new(&embedded::model(&arguments.file, &options)?, &arguments.file.display().to_string())
    };
    open(session, arguments.software)?.map_err(|error| Failure::new(&error, error.hint()))?;
    Ok(ExitCode::SUCCESS)
}

/// The hero in a window, for the first command.
pub(crate) fn open_hero() -> Result<Result<(), ViewError>, Failure> {
    let mut session = Session::new(&of_program("hero")?, "hero");
    session.attach(&of_program("sword")?, "sword");
    open(session, false)
}

fn open(session: Session, software: bool) -> Result<Result<(), ViewError>, Failure> {
    let sword = of_program("sword")?;
    Ok(canter_view::run(session, ViewOptions { sword, screenshots: PathBuf::new(), software }))
}

/// The hero or the sword.
fn of_program(name: &str) -> Result<Arc<Model>, Failure> {
    embedded::model(Path::new(name), &LoadOptions::default())
}
