//! `canter completions SHELL`.

use std::process::ExitCode;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::failure::Failure;
use crate::output::Output;

/// Print a completion script for a shell.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  canter completions bash > ~/.local/share/bash-completion/completions/canter
  canter completions zsh > ~/.zfunc/_canter
  canter completions fish > ~/.config/fish/completions/canter.fish")]
pub(crate) struct Arguments {
    /// The shell.
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut crate::Cli::command(), "canter", &mut script);
    output.text(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
