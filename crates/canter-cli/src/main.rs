//! The program `canter`.
//!
//! Each subcommand is a file: `view`, [`render`], [`inspect`], [`markers`], [`check`],
//! [`optimize`], [`compare`], [`mirror`], [`sample`], [`mod@run`], [`mod@bench`],
//! [`completions`]; without one, [`first`]. Results go to the standard output, everything else to the
//! standard error output.
#![forbid(unsafe_code)]

mod batch;
mod bench;
mod check;
mod clip;
mod compare;
mod completions;
mod embedded;
mod failure;
mod first;
mod graph;
mod inspect;
mod joint;
mod layer;
mod letters;
mod loading;
mod markers;
mod mirror;
mod optimize;
mod output;
#[cfg(any(feature = "gpu", feature = "view"))]
mod quiet_drivers;
mod render;
mod rewrite;
mod root_motion;
mod run;
mod sample;
mod script;
mod table;
#[cfg(feature = "view")]
mod view;

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use failure::Failure;
use output::Output;

/// Skeletal animation: show and render glTF characters, look into them, check them, sample their poses,
/// measure what they cost.
///
/// Without a command, the hero walks.
#[derive(Debug, Parser)]
#[command(name = "canter", version, after_help = EXAMPLES, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  canter                                             The hero walks: in a window, or in a file if there is no display
  canter render hero.glb --clip Run -o run.gif       A film of a clip
  canter inspect hero.glb                            What is in the file
  canter markers hero.glb --detect                   Finds footfalls, and keeps them beside the file
  canter check assets/                               Errors and warnings of all models in a folder
  canter optimize hero.glb -o small.glb              Smaller clips, within a tenth of a millimetre
  canter sample hero.glb --clip Walk --time 0.5 --json   The pose half a second into the clip Walk
  canter run hero.graph.json --model hero.glb --script input.json   What a graph does with parameters over time
  canter bench hero.glb                              How many of these characters fit into a frame

The guide is in docs/guide of the repository: `cargo xtask guide --serve` shows it.";

#[derive(Debug, Subcommand)]
enum Command {
    #[cfg(feature = "view")]
    View(view::Arguments),
    // Boxed: it has far more options than the others.
    Render(Box<render::Arguments>),
    Inspect(inspect::Arguments),
    Markers(markers::Arguments),
    Check(check::Arguments),
    Optimize(optimize::Arguments),
    Compare(compare::Arguments),
    Mirror(mirror::Arguments),
    Sample(sample::Arguments),
    Run(run::Arguments),
    Bench(bench::Arguments),
    Completions(completions::Arguments),
}

impl Command {
    /// Whether graphics drivers are loaded for it.
    #[cfg(any(feature = "gpu", feature = "view"))]
    fn draws(&self) -> bool {
        match self {
            #[cfg(feature = "view")]
            Self::View(_) => true,
            Self::Render(_) => true,
            _ => false,
        }
    }
}

fn main() -> ExitCode {
    let matches = Cli::command().try_get_matches().unwrap_or_else(|error| refuse(&error));
    let mut output = Output::stdout();
    let result = match Cli::from_arg_matches(&matches) {
        Ok(cli) => run(&cli, &matches, &mut output),
        Err(error) => error.exit(),
    };
    // What is still in the buffer may meet a closed pipe, too.
    let result = result.and_then(|code| output.flush().map(|()| code).map_err(Failure::from));
    match result {
        Ok(code) => code,
        // Somebody looked at the first lines and left (`canter ... | head`): that is no error.
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            failure.print();
            failure.exit_code()
        }
    }
}

/// Prints what is wrong with the arguments, or help. Commands that tell by their exit code that files are bad
/// have another one for that.
fn refuse(error: &clap::Error) -> ! {
    let _ = error.print();
    let is_batch =
        std::env::args().nth(1).is_some_and(|name| ["check", "optimize", "inspect"].contains(&&*name));
    let code = if is_batch && error.use_stderr() { batch::COULD_NOT_RUN.into() } else { error.exit_code() };
    std::process::exit(code)
}

fn run(cli: &Cli, matches: &clap::ArgMatches, output: &mut Output) -> Result<ExitCode, Failure> {
    #[cfg(any(feature = "gpu", feature = "view"))]
    if cli.command.as_ref().is_none_or(Command::draws) {
        quiet_drivers::restart_without_device_select();
    }
    match &cli.command {
        #[cfg(feature = "view")]
        Some(Command::View(arguments)) => view::run(arguments),
        Some(Command::Render(arguments)) => render::run(arguments, output),
        Some(Command::Inspect(arguments)) => inspect::run(arguments, output),
        Some(Command::Markers(arguments)) => markers::run(arguments, output),
        Some(Command::Check(arguments)) => check::run(arguments, output),
        Some(Command::Optimize(arguments)) => optimize::run(arguments, output),
        Some(Command::Compare(arguments)) => compare::run(arguments, output),
        Some(Command::Mirror(arguments)) => mirror::run(arguments, output),
        Some(Command::Sample(arguments)) => {
            let (_, matches) = matches.subcommand().expect("there is a subcommand");
            sample::run(arguments, matches, output)
        }
        Some(Command::Run(arguments)) => run::run(arguments, output),
        Some(Command::Bench(arguments)) => bench::run(arguments, output),
        Some(Command::Completions(arguments)) => completions::run(arguments, output),
        None => first::run(output),
    }
}
