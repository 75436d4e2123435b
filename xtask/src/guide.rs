//! `cargo xtask guide`: builds the guide in `docs/guide` into `target/doc/guide`, beside the pages of the API.
//!
//! [`book`] has the pages; [`links`] looks for links that lead nowhere; [`pictures`] draws what the pages show.
//! Snippets are run elsewhere: those in Rust as doctests of `docs/guide/lib.rs`, those in TypeScript by
//! `web/guide.mjs`, command lines by `crates/canter-cli/tests/cli/guide.rs`.

mod book;
mod links;
mod pictures;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

use crate::test::finish;
use crate::web;
use book::Book;

const MDBOOK: &str = "0.5.4";

/// The file that is asked for says which bytes are accepted.
const PIP: &str = "-m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps \
                   --only-binary=:all: --require-hashes --upgrade --target";

const USAGE: &str = "\
usage: cargo xtask guide [--serve | --typescript | --pictures | --check]

  --serve       show the guide when it is built, on localhost:8081; needs Node
  --typescript  write the reference of the npm package beside it, to target/doc/typescript; needs Node
  --pictures    draw the pictures of the guide anew, as docs/guide/pictures.txt says
  --check       look for dead links only; builds nothing";

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => build(&root),
        ["--check"] => check(&root),
        ["--typescript"] => web::write_reference(&root),
        ["--pictures"] => pictures::draw(&root),
        ["--serve"] => {
            build(&root)?;
            let mut command = Command::new("node");
            command.current_dir(&root).args(["web/serve.mjs", "8081", "127.0.0.1", "target/doc", "guide/"]);
            finish(command)
        }
        _ => bail!("{USAGE}"),
    }
}

/// All pages are in the table of contents, all snippets are among those that are run, and no link is dead.
pub(crate) fn check(root: &Path) -> Result<()> {
    let book = Book::read(&root.join("docs/guide/src"))?;
    book.check_contents()?;
    let doctests = std::fs::read_to_string(root.join("docs/guide/lib.rs"))?;
    book.check_doctests(&doctests)?;
    let faults = links::faults(root, &book)?;
    ensure!(faults.is_empty(), "the guide has dead links:\n  {}", faults.join("\n  "));
    println!("{} pages, no dead link", book.pages.len());
    Ok(())
}

/// Also what the tests do: whatever mdBook warns of is a fault.
pub(crate) fn build(root: &Path) -> Result<()> {
    check(root)?;
    let output = Command::new(tool(root)?).arg("build").arg(root.join("docs/guide")).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    print!("{said}");
    ensure!(output.status.success() && !said.contains("WARN"), "mdBook does not like the guide");
    println!("the guide is at {}", root.join("target/doc/guide/index.html").display());
    Ok(())
}

/// mdBook, from the packages of Python where they have it for this machine, else built once.
fn tool(root: &Path) -> Result<PathBuf> {
    let tools = root.join("target/tools");
    let program = tools.join("bin").join(format!("mdbook{}", std::env::consts::EXE_SUFFIX));
    let is_there = || {
        let version = Command::new(&program).arg("--version").output();
        version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(MDBOOK))
    };
    if !is_there() {
        println!("taking mdBook {MDBOOK} from the packages of Python");
        let _ = Command::new("python3")
            .args(PIP.split(' '))
            .arg(&tools)
            .arg("--requirement")
            .arg(root.join("docs/guide/mdbook.txt"))
            .output();
    }
    if !is_there() {
        println!("they do not have it here: building it into target/tools, once");
        finish(cargo_install(&tools)).context("mdBook cannot be built")?;
    }
    Ok(program)
}

/// Without its server and in debug mode, which takes a third of the time and builds the guide in a second.
fn cargo_install(tools: &Path) -> Command {
    let mut command = Command::new("cargo");
    command.args(["install", "mdbook", "--version", MDBOOK, "--no-default-features", "--features", "search"]);
    command.args(["--debug", "--quiet", "--root"]).arg(tools).arg("--target-dir").arg(tools.join("build"));
    command
}
