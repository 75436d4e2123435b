//! The WebAssembly modules: with SIMD and without, each once for clips alone, once for
//! three.js, and once with meshes.

use std::fs;
use std::io::IsTerminal as _;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::progress;
use crate::test::finish;

pub(super) const TARGET: &str = "wasm32-unknown-unknown";

/// The standard library is built with the rest, so that it is optimised for size and a panic needs no text: a
/// third of the module. Cargo calls that unstable; it changes no result.
const UNSTABLE: [&str; 2] = ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"];
const FLAGS: &str = "-Zunstable-options -Cpanic=immediate-abort -Cstrip=symbols -Clink-arg=--compress-relocations --cfg canter_web";

/// What is left for wasm-opt: a twentieth of the module. It may take the first kilobyte of memory for unused: that is
/// the far end of the stack.
const SMALLER: [&str; 9] = [
    "-Oz",
    "--converge",
    "--low-memory-unused",
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

pub(super) fn build(root: &Path) -> Result<()> {
    add_target()?;
    let dist = root.join("packages/canter/dist");
    fs::create_dir_all(&dist)?;
    for (name, flags, simd) in
        [("simd", "-Ctarget-feature=+simd128", "--enable-simd"), ("plain", "", "--disable-simd")]
    {
        // In one folder: what comes before the glTF loader is the same.
        let folder = root.join("target/web").join(name);
        for (prefix, features) in [("canter", ""), ("canter-three", "three"), ("canter-meshes", "meshes")] {
            progress::say(&format!("cargo build -p canter-wasm-module ({prefix}, {name})"));
            let mut command = Command::new("cargo");
            command.current_dir(root).args(["build", "-p", "canter-wasm-module", "--profile=wasm"]);
            if !std::io::stderr().is_terminal() {
                // Nobody watches: crate by crate would fill a log.
                command.arg("--quiet");
            }
            command.args(["--features", features, "--target", TARGET, "--target-dir"]).arg(&folder);
            command.args(UNSTABLE).env("RUSTFLAGS", format!("{FLAGS} {flags}")).env("RUSTC_BOOTSTRAP", "1");
            finish(command)?;
            let module = folder.join(TARGET).join("wasm/canter_wasm_module.wasm");
            progress::say(&format!("wasm-opt ({prefix}, {name})"));
            let mut command = Command::new("node");
            command.current_dir(root).arg("node_modules/binaryen/bin/wasm-opt").arg(module);
            command.args(SMALLER).arg(simd).arg("-o").arg(dist.join(format!("{prefix}.{name}.wasm")));
            finish(command)?;
        }
    }
    Ok(())
}

/// What the compiler needs for another machine than this one.
pub(super) fn add_target() -> Result<()> {
    let rustup = |arguments: &[&str]| {
        let mut command = Command::new("rustup");
        command.args(arguments);
        command
    };
    let has = |arguments: &[&str], wanted: &str| {
        rustup(arguments)
            .output()
            .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(wanted))
    };
    if !has(&["target", "list", "--installed"], TARGET) {
        finish(rustup(&["target", "add", TARGET]))?;
    }
    if !has(&["component", "list", "--installed"], "rust-src") {
        finish(rustup(&["component", "add", "rust-src"]))?;
    }
    Ok(())
}
