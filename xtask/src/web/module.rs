//! The WebAssembly modules: with SIMD and without, each once for clips alone, once for
//! three.js, once with meshes, and once with graphs and solvers beside all that.

use std::fs;
use std::io::IsTerminal as _;
use std::path::Path;
use std::process::Command;
use std::thread;

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

/// Both kinds at once: the linker, wasm-opt and zopfli use one core each.
pub(super) fn build(root: &Path) -> Result<()> {
    add_target()?;
    let dist = root.join("packages/canter/dist");
    fs::create_dir_all(&dist)?;
    thread::scope(|scope| {
        let plain = scope.spawn(|| build_kind(root, &dist, &PLAIN));
        build_kind(root, &dist, &SIMD)?;
        plain.join().expect("building does not panic")
    })
}

/// A kind of processor, and what is told to compiler and wasm-opt about it.
struct Kind {
    name: &'static str,
    rustflags: &'static str,
    wasm_opt: &'static str,
}

const SIMD: Kind = Kind { name: "simd", rustflags: "-Ctarget-feature=+simd128", wasm_opt: "--enable-simd" };
const PLAIN: Kind = Kind { name: "plain", rustflags: "", wasm_opt: "--disable-simd" };

fn build_kind(root: &Path, dist: &Path, kind: &Kind) -> Result<()> {
    let name = kind.name;
    // In one folder: what comes before the glTF loader is the same.
    let folder = root.join("target/web").join(name);
    for (prefix, features) in [
        ("canter", ""),
        ("canter-three", "three"),
        ("canter-meshes", "meshes"),
        ("canter-motion", "meshes,motion"),
    ] {
        progress::say(&format!("cargo build -p canter-wasm-module ({prefix}, {name})"));
        let mut command = Command::new("cargo");
        command.current_dir(root).args(["build", "-p", "canter-wasm-module", "--profile=wasm"]);
        if !std::io::stderr().is_terminal() {
            // Nobody watches: crate by crate would fill a log.
            command.arg("--quiet");
        }
        command.args(["--features", features, "--target", TARGET, "--target-dir"]).arg(&folder);
        let rustflags = format!("{FLAGS} {}", kind.rustflags);
        command.args(UNSTABLE).env("RUSTFLAGS", rustflags).env("RUSTC_BOOTSTRAP", "1");
        finish(command)?;
        let module = folder.join(TARGET).join("wasm/canter_wasm_module.wasm");
        progress::say(&format!("wasm-opt ({prefix}, {name})"));
        let mut command = Command::new("node");
        command.current_dir(root).arg("node_modules/binaryen/bin/wasm-opt").arg(module);
        let smaller = dist.join(format!("{prefix}.{name}.wasm"));
        command.args(SMALLER).arg(kind.wasm_opt).arg("-o").arg(&smaller);
        finish(command)?;
        progress::say(&format!("gzip ({prefix}, {name})"));
        let mut command = Command::new("node");
        command.current_dir(root).arg("web/compress.mjs").arg(smaller);
        finish(command)?;
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
