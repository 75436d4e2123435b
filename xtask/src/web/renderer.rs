//! The example `browser` of `crates/canter-wgpu`, as a page; and the native programs that tests compare pages and modules
//! with.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::module::{TARGET, add_target};
use super::page::copy;
use super::progress;
use crate::test::finish;

/// Puts the page into `target/web/site/rust`.
pub(super) fn build(root: &Path) -> Result<()> {
    add_target()?;
    progress::say("native programs");
    // With the features of the workspace's tests: then they are built already.
    let mut programs = cargo(root, &["build", "--workspace", "--all-features"]);
    programs.args(["browser", "pose_hashes", "motion_hashes"].map(|name| format!("--example={name}")));
    finish(programs)?;
    progress::say("the Rust renderer as a page");
    let mut page = cargo(root, &["build", "-p", "canter-wgpu", "--example", "browser", "--target", TARGET]);
    // What debuggers want would be most of the module.
    page.env("CARGO_PROFILE_DEV_DEBUG", "0");
    // As nearly all browsers can; the compiler takes minutes for kernels whose lanes are single numbers.
    page.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-Ctarget-feature=+simd128");
    finish(page)?;
    let site = root.join("target/web/site/rust");
    let manifest = "xtask/bindgen/Cargo.toml";
    let mut bindgen =
        cargo(root, &["run", "--manifest-path", manifest, "--target-dir", "target/tools", "--"]);
    bindgen.arg(root.join("target").join(TARGET).join("debug/examples/browser.wasm")).arg(&site);
    finish(bindgen)?;
    copy(&root.join("crates/canter-wgpu/examples/browser/index.html"), &site.join("index.html"))
}

fn cargo(root: &Path, arguments: &[&str]) -> Command {
    println!("cargo {}", arguments.join(" "));
    let mut command = Command::new("cargo");
    command.current_dir(root).arg(arguments[0]).arg("--quiet").args(&arguments[1..]);
    command
}
