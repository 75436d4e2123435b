//! `cargo xtask web`: builds the npm package and the demo page, and tests them.
//!
//! [`module`] compiles `crates/canter-wasm` with and without SIMD; [`shaders`] hands on the skinning
//! functions of `crates/canter-wgpu`; [`renderer`] compiles its example for pages; [`written`] writes models for
//! tests to look at; [`node`] runs npm, the TypeScript compiler and tests. The package is built where it is published
//! from, in `packages/canter/dist`, the page in `target/web/site`.

mod module;
mod node;
mod options;
mod page;
mod progress;
mod renderer;
mod shaders;
mod written;

use std::path::Path;

use anyhow::Result;

use self::options::{Address, Options};
use crate::driver;

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let options = Options::parse(arguments)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    build(&root)?;
    match options.serve {
        Some(Address { port, host }) => node::run(&root, &["web/serve.mjs", &port.to_string(), &host]),
        None => Ok(()),
    }
}

/// Builds the package and the page.
pub(crate) fn build(root: &Path) -> Result<()> {
    progress::say("the npm package and the page");
    node::install(root)?;
    progress::say("shaders");
    shaders::write(root)?;
    module::build(root)?;
    page::build(root)
}

/// Writes the reference of the npm package to `target/doc/typescript`. `TypeDoc` does not know the compiler that the
/// package is built with yet, and brings an older one.
pub(crate) fn write_reference(root: &Path) -> Result<()> {
    node::install(root)?;
    node::install_apart(root, "typedoc")?;
    shaders::write(root)?;
    progress::say("typedoc");
    let options = "--tsconfig packages/canter/tsconfig.json --name canter --readme packages/canter/README.md \
                   --excludeInternal --excludeExternals --disableGit --sourceLinkTemplate none --logLevel Error \
                   --out target/doc/typescript";
    let mut arguments = vec!["target/web/typedoc/node_modules/typedoc/bin/typedoc"];
    arguments.extend(["packages/canter/src/index.ts", "packages/canter/src/three.ts"]);
    arguments.extend(["packages/canter/src/graph.ts", "packages/canter/src/rig.ts"]);
    arguments.extend(options.split_whitespace());
    node::run(root, &arguments)
}

/// Builds everything, and the Rust renderer as a page; then tests the package in Node and the pages in a
/// browser.
pub(crate) fn test(root: &Path) -> Result<()> {
    build(root)?;
    driver::install();
    renderer::build(root)?;
    page::install_browser();
    node::install_apart(root, "bundlers")?;
    let tests = root.join("target/web/tests");
    if tests.exists() {
        // What was compiled from a file that has another name by now would run, too.
        std::fs::remove_dir_all(&tests)?;
    }
    node::compile(root, "web/tests")?;
    written::write(root)?;
    node::run(root, &["web/guide.mjs"])?;
    // Most files wait for a browser half of the time.
    let mut arguments =
        ["--test", "--test-reporter=spec", "--test-concurrency=2"].map(str::to_owned).to_vec();
    let mut files: Vec<_> = std::fs::read_dir(tests)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.to_string_lossy().ends_with(".test.js"))
        .map(|path| path.to_string_lossy().into_owned())
        .collect();
    files.sort();
    arguments.append(&mut files);
    node::run(root, &arguments.iter().map(String::as_str).collect::<Vec<_>>())
}
