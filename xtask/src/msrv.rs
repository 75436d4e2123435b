//! The oldest compiler that Canter promises to work with: `rust-version` in `Cargo.toml`.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::test::finish;

/// All other steps show it if that compiler is the one in use. Otherwise it checks the libraries if it is
/// installed, and where it is not, which is said, the one in use must at least be as new. Nothing is
/// downloaded.
pub(crate) fn check(root: &Path) -> Result<()> {
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).context("Cargo.toml cannot be read")?;
    let wanted = promised(&manifest).context("Cargo.toml has no rust-version")?;
    let used = said_by(Command::new("rustc").arg("--version")).context("rustc does not start")?;
    let used = version(&used).context("rustc does not say its version")?;
    ensure!(used >= wanted, "rustc {} is older than {}", text(used), text(wanted));
    if used == wanted {
        println!("rustc {} is in use", text(used));
        return Ok(());
    }
    let list = said_by(Command::new("rustup").args(["toolchain", "list"]));
    let Some(name) = list.and_then(|list| toolchain(&list, wanted)) else {
        println!("SKIPPED: rustc {} is not installed; {} is in use", text(wanted), text(used));
        return Ok(());
    };
    println!("rustup run {name} cargo check");
    let mut command = Command::new("rustup");
    command.current_dir(root).args(["run", &name, "cargo", "check"]);
    finish(command)
}

/// The parts of a version that a promise is about: 1 and 95 of 1.95.0.
type Version = (u32, u32);

fn text((major, minor): Version) -> String {
    format!("{major}.{minor}")
}

/// What a program prints, if it runs.
fn said_by(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The promise of a manifest.
fn promised(manifest: &str) -> Option<Version> {
    let line = manifest.lines().find(|line| line.starts_with("rust-version ="))?;
    version(&line.replace('"', " "))
}

/// The first version that is named in a text.
fn version(text: &str) -> Option<Version> {
    text.split([' ', '-', '\n']).find_map(|word| {
        let mut parts = word.split('.').map(str::parse);
        Some((parts.next()?.ok()?, parts.next()?.ok()?))
    })
}

/// The installed toolchain of a version.
fn toolchain(list: &str, wanted: Version) -> Option<String> {
    let is_it =
        |name: &&str| name.starts_with(|first: char| first.is_ascii_digit()) && version(name) == Some(wanted);
    list.lines().filter_map(|line| line.split(' ').next()).find(is_it).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_where_they_stand() {
        assert_eq!(version("rustc 1.95.0 (59807616e 2026-04-14)"), Some((1, 95)));
        assert_eq!(version("rustc 1.96.0-nightly (abc 2026-04-14)"), Some((1, 96)));
        assert_eq!(version("no version"), None);
        assert_eq!(promised("edition = \"2024\"\nrust-version = \"1.95\"\n"), Some((1, 95)));
        assert_eq!(promised("edition = \"2024\"\n"), None);
    }

    #[test]
    fn a_toolchain_is_found_by_its_version() {
        let list = "stable-x86_64-unknown-linux-gnu (active, default)\n1.94.1-x86_64-unknown-linux-gnu\n\
                    1.95.0-x86_64-unknown-linux-gnu\n";
        assert_eq!(toolchain(list, (1, 95)).as_deref(), Some("1.95.0-x86_64-unknown-linux-gnu"));
        assert_eq!(toolchain(list, (1, 93)), None);
    }
}
