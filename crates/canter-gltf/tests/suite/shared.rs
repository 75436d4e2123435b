//! The real models in `../shared/assets`, beside the project.

use std::path::{Path, PathBuf};

/// The folder of the models, if it is there. In CI it must be.
pub(crate) fn assets() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/assets");
    if root.join("manifest.json").is_file() {
        return Some(root.canonicalize().expect("the folder exists"));
    }
    assert!(std::env::var_os("CI").is_none(), "{} is missing: CI cannot test real models", root.display());
    // To the terminal itself: the test harness hides what passing tests print.
    let banner = "=".repeat(80);
    let text =
        format!("{banner}\nSKIPPED: {} is missing: real models are NOT tested\n{banner}\n", root.display());
    let _ = std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes());
    None
}

/// Prints a line of figures that must be seen even when tests pass.
pub(crate) fn say(line: &str) {
    let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{line}\n").as_bytes());
}

/// Reads a JSON file of the test data.
pub(crate) fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> T {
    let text = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
