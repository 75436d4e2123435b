//! The package's JavaScript, and the demo page.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::{node, progress};

/// What the page is made of besides compiled code: from where, to where below `target/web/site`.
const FILES: &[(&str, &str)] = &[
    ("web/index.html", "index.html"),
    ("web/style.css", "style.css"),
    ("web/three.html", "three.html"),
    ("web/graph.html", "graph.html"),
    ("assets/hero.glb", "hero.glb"),
    ("assets/hero.graph.json", "hero.graph.json"),
    ("assets/sword.glb", "sword.glb"),
    ("node_modules/three/build/three.module.js", "vendor/three.module.js"),
    ("node_modules/three/build/three.core.js", "vendor/three.core.js"),
    ("node_modules/three/LICENSE", "vendor/LICENSE"),
    ("node_modules/three/examples/jsm/loaders/GLTFLoader.js", "vendor/jsm/loaders/GLTFLoader.js"),
    (
        "node_modules/three/examples/jsm/utils/BufferGeometryUtils.js",
        "vendor/jsm/utils/BufferGeometryUtils.js",
    ),
    ("node_modules/three/examples/jsm/utils/SkeletonUtils.js", "vendor/jsm/utils/SkeletonUtils.js"),
];

pub(super) fn build(root: &Path) -> Result<()> {
    let package = root.join("packages/canter");
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&root.join(licence), &package.join(licence))?;
    }
    node::compile(root, "packages/canter")?;
    progress::say("bundles and their sizes");
    node::run(root, &["web/bundle.mjs"])?;
    node::run(root, &["web/size.mjs"])?;

    let site = root.join("target/web/site");
    node::compile(root, "web")?;
    node::run(root, &["web/page.mjs"])?;
    for (from, to) in FILES {
        copy(&root.join(from), &site.join(to))?;
    }
    for entry in fs::read_dir(package.join("dist"))? {
        let entry = entry?;
        let name = entry.file_name();
        // Types are for compilers, and so is all that lies in folders.
        if name.to_string_lossy().ends_with(".d.ts") || entry.file_type()?.is_dir() {
            continue;
        }
        if name.to_string_lossy().ends_with(".wasm.gz") {
            // The page's own script has the package in it, and looks for the modules beside itself.
            copy(&entry.path(), &site.join(&name))?;
        }
        copy(&entry.path(), &site.join("canter").join(name))?;
    }
    progress::say(&format!("the page is in {}; `cargo xtask web --serve` shows it", site.display()));
    Ok(())
}

pub(super) fn copy(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(from, to).with_context(|| format!("{} cannot be copied", from.display()))?;
    Ok(())
}

/// Debian's browser, where it can be installed. The tests look for one and say so if there is none.
pub(super) fn install_browser() {
    let is_there = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if std::env::var_os("CANTER_CHROMIUM").is_some() || is_there("chromium") {
        return;
    }
    progress::say("apt-get install chromium");
    for arguments in
        [&["update", "-qq"][..], &["install", "-y", "-qq", "--no-install-recommends", "chromium"]]
    {
        let _ = Command::new("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive").output();
    }
}
