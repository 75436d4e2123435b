//! The file of markers beside a model.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use canter_gltf::Asset;
use serde_json::Value;

use super::Arguments;
use crate::embedded;
use crate::failure::Failure;

/// Where markers are written.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    Standard,
    File(PathBuf),
}

impl Target {
    pub(super) fn new(arguments: &Arguments) -> Result<Self, Failure> {
        match &arguments.output {
            Some(path) if path.as_os_str() == "-" => Ok(Self::Standard),
            Some(path) => Ok(Self::File(path.clone())),
            None if !arguments.file.exists() && embedded::is_there(&arguments.file) => Err(Failure::new(
                format!("{} is part of the program, not a file", arguments.file.display()),
                "say where the markers go with --output, or look at them with --dry-run",
            )),
            None => Ok(Self::File(canter_gltf::markers_path(&arguments.file))),
        }
    }

    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::Standard => None,
            Self::File(path) => Some(path),
        }
    }
}

/// What a file of markers has that the model does not know.
#[derive(Debug, Default)]
pub(super) struct MarkersFile {
    /// Entries of other clips, which are not lost.
    others: Vec<Value>,
}

impl MarkersFile {
    /// Gives the clips of a model the markers of a file, if it is there.
    ///
    /// # Errors
    /// If it is anything else than such a file: it must not be written over then.
    pub(super) fn read(path: &Path, asset: &mut Asset) -> Result<Self, Failure> {
        let broken = |why: &dyn std::fmt::Display| {
            Failure::new(
                format!("{} is no file of markers of this model: {why}", path.display()),
                "mend it or take it away, or write elsewhere with --output",
            )
        };
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(broken(&error)),
        };
        let unknown = asset.read_markers(&bytes).map_err(|error| broken(&error))?;
        let mut others = Vec::new();
        if !unknown.is_empty() {
            let mut json: Value = serde_json::from_slice(&bytes).map_err(|error| broken(&error))?;
            if let Value::Array(clips) = json["clips"].take() {
                let is_other = |clip: &Value| unknown.iter().any(|name| clip["name"] == name.as_str());
                others = clips.into_iter().filter(is_other).collect();
            }
        }
        Ok(Self { others })
    }

    /// The text of a file with the markers of all clips of a model, and of those that it does not have.
    pub(super) fn with_markers_of(&self, asset: &Asset) -> String {
        const END: &str = "\n  ]\n}\n";
        let mut json = asset.markers_json();
        if let Some(clips) = json.strip_suffix(END).map(str::len) {
            json.truncate(clips);
            for other in &self.others {
                json.push_str(&format!(",\n    {other}"));
            }
            json.push_str(END);
        }
        json
    }

    pub(super) fn write(&self, path: &Path, asset: &Asset) -> Result<(), Failure> {
        fs::write(path, self.with_markers_of(asset)).map_err(|error| {
            let message = format!("{} cannot be written: {error}", path.display());
            Failure::new(message, "give another --output, or - for the standard output")
        })
    }
}
