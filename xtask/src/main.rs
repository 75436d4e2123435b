//! `cargo xtask COMMAND`: the project's own tools, one file per command.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line")]

use std::process::ExitCode;

mod api;
mod assets;
mod bench;
mod documents;
mod driver;
mod guide;
mod licences;
mod msrv;
mod test;
mod web;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.first().map(String::as_str) {
        Some("api") => api::run(&arguments[1..]),
        Some("assets") => assets::run(&arguments[1..]),
        Some("bench") => bench::run(&arguments[1..]),
        Some("guide") => guide::run(&arguments[1..]),
        Some("test") => test::run(&arguments[1..]),
        Some("web") => web::run(&arguments[1..]),
        _ => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

const HELP: &str = "\
cargo xtask COMMAND

  test [STEP…]      everything that must hold before a change lands; or only the steps named
  api [--check]     write the public API of each library to its api.txt; --check shows what has changed
  assets [--check]  build assets/hero.glb and assets/sword.glb; --check compares them with the committed files
  bench             Canter and its peers side by side, written to docs/performance.md; builds Bevy, takes a while
  guide [--serve | --typescript | --pictures | --check]
                    build the guide, into target/doc/guide; --serve shows it, --typescript writes the reference of the
                    npm package beside it, --pictures draws its pictures anew
  web [--serve [--port PORT] [--host HOST]]
                    build the npm package and the demo page; --serve shows it, on localhost:8080 unless told otherwise
";
