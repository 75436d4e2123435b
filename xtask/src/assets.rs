//! `cargo xtask assets`: writes the figures that the project ships, or compares them with what the code
//! makes.

use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use canter_assets::File;

/// Everyone who clones the repository downloads these files.
const LARGEST_FILE: usize = 1_100_000;

/// `--check` compares with the committed files and writes nothing.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let check = match arguments {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => bail!("usage: cargo xtask assets [--check]"),
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets");
    for file in canter_assets::build()? {
        if check {
            compare(&folder, &file)?;
        } else {
            write(&folder, &file)?;
        }
    }
    Ok(())
}

fn compare(folder: &Path, File { name, bytes }: &File) -> Result<()> {
    let committed =
        std::fs::read(folder.join(name)).with_context(|| format!("assets/{name} cannot be read"))?;
    let size = bytes.len();
    ensure!(size < LARGEST_FILE, "assets/{name} has {size} bytes; {LARGEST_FILE} are too many");
    ensure!(
        committed == *bytes,
        "assets/{name} is not what the code builds; run `cargo xtask assets` and commit the result"
    );
    println!("assets/{name}: as built, {size} bytes");
    Ok(())
}

fn write(folder: &Path, File { name, bytes }: &File) -> Result<()> {
    std::fs::write(folder.join(name), bytes).with_context(|| format!("assets/{name} cannot be written"))?;
    println!("assets/{name}: {} bytes", bytes.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn committed_files_are_what_the_code_builds() {
        run(&["--check".into()]).unwrap();
    }
}
