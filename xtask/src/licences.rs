//! Under which licences everything comes that Canter is built from, and where it comes from.
//!
//! Cargo knows all of it, and `spdx` reads the expressions: that takes a second, where a tool of its own would
//! have to be built first, for minutes.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};
use serde::Deserialize;

/// What may be used. draco-core, ktx2 and basisu are under Apache-2.0 alone: optional for users of the
/// libraries. The last two are those of the fonts in the viewer.
const ALLOWED: &[&str] = &[
    "MIT",
    "Apache-2.0",
    "Unicode-3.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "Zlib",
    "ISC",
    "MIT-0",
    "OFL-1.1",
    "Ubuntu-font-1.0",
];
/// How cargo names the registry that everything is from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    /// None of those in this checkout.
    source: Option<String>,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    req: String,
    path: Option<String>,
}

pub(crate) fn check(root: &Path) -> Result<()> {
    let mut command = Command::new("cargo");
    command.current_dir(root).args(["metadata", "--format-version=1", "--all-features"]);
    let output = command.output().context("cargo does not start")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let Metadata { packages } = serde_json::from_slice(&output.stdout)?;
    let faults: Vec<String> = packages.iter().flat_map(faults).collect();
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    println!("{} packages, all under licences that Canter allows", packages.len());
    Ok(())
}

/// What is wrong with a package, a line each.
fn faults(package: &Package) -> Vec<String> {
    let Package { name, version, .. } = package;
    let mut faults = Vec::new();
    if let Err(why) = licence_fault(package.license.as_deref()) {
        faults.push(format!("{name} {version}: {why}"));
    }
    match package.source.as_deref() {
        None | Some(REGISTRY) => {}
        Some(other) => faults.push(format!("{name} {version} is from {other}, not from crates.io")),
    }
    // What others ask for is theirs; Canter itself says which versions it works with.
    let wildcards = package.dependencies.iter().filter(|_| package.source.is_none());
    faults.extend(
        wildcards
            .filter(|dependency| dependency.req == "*" && dependency.path.is_none())
            .map(|dependency| format!("{name} asks for any version of {}", dependency.name)),
    );
    faults
}

fn licence_fault(licence: Option<&str>) -> Result<()> {
    let text = licence.context("it names no licence")?;
    let expression = spdx::Expression::parse_mode(text, spdx::ParseMode::LAX)
        .map_err(|error| anyhow::anyhow!("its licence \"{text}\" cannot be read: {}", error.reason))?;
    let is_allowed = |licence: &spdx::LicenseReq| {
        licence.addition.is_none() && licence.license.id().is_some_and(|id| ALLOWED.contains(&id.name))
    };
    ensure!(expression.evaluate(is_allowed), "its licence is \"{text}\", which is not among those allowed");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_is_allowed_if_a_choice_in_it_is() {
        let allowed =
            ["MIT", "MIT/Apache-2.0", "(MIT OR Apache-2.0) AND Unicode-3.0", "Apache-2.0 OR GPL-2.0-only"];
        for text in allowed {
            assert!(licence_fault(Some(text)).is_ok(), "{text}");
        }
        for text in
            ["GPL-3.0-only", "MIT AND AGPL-3.0-only", "Apache-2.0 WITH LLVM-exception", "nonsense", ""]
        {
            assert!(licence_fault(Some(text)).is_err(), "{text}");
        }
        assert!(licence_fault(None).is_err());
    }

    #[test]
    fn other_sources_and_wildcards_of_ours_are_faults() {
        let package = |source: Option<&str>, req: &str| Package {
            name: "a".to_owned(),
            version: "1.0.0".to_owned(),
            license: Some("MIT".to_owned()),
            source: source.map(str::to_owned),
            dependencies: vec![Dependency { name: "b".to_owned(), req: req.to_owned(), path: None }],
        };
        assert!(faults(&package(None, "^1")).is_empty());
        assert_eq!(faults(&package(None, "*")), ["a asks for any version of b"]);
        assert!(faults(&package(Some(REGISTRY), "*")).is_empty());
        assert_eq!(faults(&package(Some("git+https://example.org/a"), "^1")).len(), 1);
    }
}
