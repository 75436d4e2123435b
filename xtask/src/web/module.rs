//! The WebAssembly modules: with SIMD once for clips alone, once for three.js, once with meshes, and once with graphs
//! and solvers beside all that; and one without SIMD that has everything.

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

/// What is left for wasm-opt: a twentieth of the module. A second round would find nothing that is left once the module
/// is compressed, and functions that are called once are not drawn into others: what is short repeats itself more. It
/// may take the first kilobyte of memory for unused: that is the far end of the stack.
const SMALLER: [&str; 9] = [
    "-Oz",
    "--one-caller-inline-max-function-size=0",
    "--low-memory-unused",
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Both kinds at once, and each module is made smaller while the next is built: the linker, wasm-opt and zopfli use one
/// core each.
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

/// A kind of processor, what is told to compiler and wasm-opt about it, and the modules for it with their features.
struct Kind {
    name: &'static str,
    rustflags: &'static str,
    wasm_opt: &'static str,
    modules: &'static [(&'static str, &'static str)],
}

const SIMD: Kind = Kind {
    name: "simd",
    rustflags: "-Ctarget-feature=+simd128",
    wasm_opt: "--enable-simd",
    // The largest first: it takes longest to make smaller.
    modules: &[
        ("canter-motion", "meshes,motion"),
        ("canter-meshes", "meshes"),
        ("canter-three", "three"),
        ("canter", ""),
    ],
};
const PLAIN: Kind = Kind {
    name: "plain",
    rustflags: "",
    wasm_opt: "--disable-simd",
    modules: &[("canter", "meshes,motion")],
};

fn build_kind(root: &Path, dist: &Path, kind: &Kind) -> Result<()> {
    // In one folder: what comes before the glTF loader is the same.
    let folder = root.join("target/web").join(kind.name);
    thread::scope(|scope| {
        let mut shrinking = Vec::new();
        for (prefix, features) in kind.modules {
            let name = format!("{prefix}.{}.wasm", kind.name);
            compile(root, &folder, kind, features, &name)?;
            let module = folder.join(TARGET).join("wasm/canter_wasm_module.wasm");
            // The next one is built into the same place.
            let large = folder.join(&name);
            let bytes = fs::read(module)?;
            if fs::read(&large).is_ok_and(|before| before == bytes)
                && is_newer_than_tools(&dist.join(format!("{name}.gz")), root)
            {
                continue;
            }
            fs::write(&large, bytes)?;
            shrinking.push(scope.spawn(move || shrink(root, kind, &large, &dist.join(name))));
        }
        shrinking.into_iter().try_for_each(|thread| thread.join().expect("making smaller does not panic"))
    })
}

fn compile(root: &Path, folder: &Path, kind: &Kind, features: &str, name: &str) -> Result<()> {
    progress::say(&format!("cargo build -p canter-wasm-module ({name})"));
    let mut command = Command::new("cargo");
    command.current_dir(root).args(["build", "-p", "canter-wasm-module", "--profile=wasm"]);
    if !std::io::stderr().is_terminal() {
        // Nobody watches: crate by crate would fill a log.
        command.arg("--quiet");
    }
    command.args(["--features", features, "--target", TARGET, "--target-dir"]).arg(folder);
    let rustflags = format!("{FLAGS} {}", kind.rustflags);
    command.args(UNSTABLE).env("RUSTFLAGS", rustflags).env("RUSTC_BOOTSTRAP", "1");
    finish(command)
}

fn shrink(root: &Path, kind: &Kind, large: &Path, small: &Path) -> Result<()> {
    progress::say(&format!("wasm-opt ({})", small.display()));
    let mut command = Command::new("node");
    command.current_dir(root).arg("node_modules/binaryen/bin/wasm-opt").arg(large);
    command.args(SMALLER).arg(kind.wasm_opt).arg("-o").arg(small);
    finish(command)?;
    progress::say(&format!("gzip ({})", small.display()));
    let mut command = Command::new("node");
    command.current_dir(root).arg("web/compress.mjs").arg(small);
    finish(command)
}

/// Whether a compressed file was made by all that makes one as it is now: that takes a minute.
fn is_newer_than_tools(compressed: &Path, root: &Path) -> bool {
    let time = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    let tools = [
        "web/compress.mjs",
        "web/order-functions.mjs",
        "packages/canter/src/wasm-streams.ts",
        "xtask/src/web/module.rs",
    ];
    let Some(made) = time(compressed) else { return false };
    tools.iter().all(|tool| time(&root.join(tool)).is_some_and(|time| time < made))
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
