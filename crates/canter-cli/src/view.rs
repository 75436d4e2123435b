//! `canter view [FILE]`: a window with a character.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use canter_gltf::LoadOptions;
use canter_graph::GraphData;
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
  canter view hero --graph FILE  With a graph that decides what plays
  canter view --software       Without the help of a GPU")]
pub(crate) struct Arguments {
    /// A .glb, .gltf or .vrm file; `hero` and `sword` are part of the program.
    #[arg(default_value = "hero")]
    file: PathBuf,
    /// A graph that decides what plays, as JSON; `hero` is part of the program. One beside the file, such as
    /// hero.graph.json beside hero.glb, is offered in the window.
    #[arg(long, value_name = "FILE")]
    graph: Option<PathBuf>,
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
    let mut session = if arguments.file.exists() {
        Session::load_with(&arguments.file, &options)
            .map_err(|error| Failure::load(&arguments.file, &error))?
    } else {
        let name = arguments.file.display().to_string();
        with_graph(Session::new(&embedded::model(&arguments.file, &options)?, &name))
    };
    if let Some(graph) = &arguments.graph {
        run_graph(&mut session, graph)?;
    }
    open(session, arguments.software)?.map_err(|error| Failure::new(&error, error.hint()))?;
    Ok(ExitCode::SUCCESS)
}

/// The hero's graph is part of the program, too.
fn with_graph(mut session: Session) -> Session {
    if session.name() == "hero"
        && let Ok(data) = GraphData::from_json(embedded::HERO_GRAPH)
    {
        session.offer_graph(data, "hero.graph.json");
    }
    session
}

fn run_graph(session: &mut Session, path: &Path) -> Result<(), Failure> {
    let hint = "the format is in crates/canter-graph/graph.schema.json";
    let is_of_program = path.to_str() == Some("hero") && !path.exists();
    let is_open = if is_of_program { session.open_offered_graph() } else { session.open_graph(path) };
    if is_open {
        return Ok(());
    }
    Err(Failure::new(session.error().unwrap_or("the graph cannot be used"), hint).with_code(2))
}

/// The hero in a window, for the first command.
pub(crate) fn open_hero() -> Result<Result<(), ViewError>, Failure> {
    let mut session = with_graph(Session::new(&of_program("hero")?, "hero"));
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
