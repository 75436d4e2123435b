//! Files inside one folder.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::{Refusal, ResolveError, Resolver};
use crate::uri;

/// The default resolver: files inside one folder, wherever its links lead.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder at `path`; an empty path is the current folder.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self { path: if path.as_os_str().is_empty() { PathBuf::from(".") } else { path } }
    }

    fn open(&self, uri: &str, limit: u64) -> Result<Vec<u8>, Refusal> {
        let mut path = self.path.clone();
        let mut has_links = false;
        for part in &uri::relative_path(uri)? {
            path.push(part);
            has_links |= path.symlink_metadata().map_err(missing)?.is_symlink();
        }
        // The path has no way up: only a symbolic link can lead out of the folder, and would read anything.
        if has_links && !path.canonicalize().map_err(missing)?.starts_with(self.path.canonicalize()?) {
            return Err(Refusal::Outside);
        }
        read_file(&path, limit)
    }
}

impl Resolver for Folder {
    fn read(&self, uri: &str, limit_bytes: u64) -> Result<Vec<u8>, ResolveError> {
        self.open(uri, limit_bytes).map_err(|reason| ResolveError::new(uri, reason))
    }
}

fn missing(error: std::io::Error) -> Refusal {
    if error.kind() == std::io::ErrorKind::NotFound { Refusal::Missing } else { error.into() }
}

/// Reads a regular file of bounded size.
pub(crate) fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, Refusal> {
    // Before opening it: to open a pipe waits for its other end.
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(Refusal::NotAFile);
    }
    let found = metadata.len();
    if found > limit {
        return Err(Refusal::TooLarge { found, limit });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(found).unwrap_or(0));
    // The file may grow while it is read.
    let read = File::open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if read as u64 > limit {
        return Err(Refusal::TooLarge { found: read as u64, limit });
    }
    Ok(bytes)
}
