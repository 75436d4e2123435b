//! How the files that a .gltf names are found. No other file is ever opened.

#[cfg(feature = "files")]
mod folder;

#[cfg(feature = "files")]
pub use folder::Folder;
#[cfg(feature = "files")]
pub(crate) use folder::read_file;

/// Finds the files that a .gltf names: its buffers and images.
///
/// A closure from a URI to bytes is a resolver, too: on the web, a table of files that were dropped on the
/// page.
pub trait Resolver {
    /// The bytes behind `uri`, as it is written in the file (never a data URI), if they are at most
    /// `limit_bytes`.
    ///
    /// # Errors
    /// When there is no such file, or when it must not be read.
    fn read(&self, uri: &str, limit_bytes: u64) -> Result<Vec<u8>, ResolveError>;
}

impl<F: Fn(&str) -> Option<Vec<u8>>> Resolver for F {
    fn read(&self, uri: &str, _limit_bytes: u64) -> Result<Vec<u8>, ResolveError> {
        self(uri).ok_or_else(|| ResolveError::new(uri, Refusal::Missing))
    }
}

/// Why a file that a .gltf names was not read.
#[derive(Debug, thiserror::Error)]
#[error("\"{uri}\" {reason}")]
pub struct ResolveError {
    /// The URI as it is written in the file, shortened.
    pub uri: String,
    /// Why.
    pub reason: Refusal,
}

impl ResolveError {
    /// An error about `uri`.
    pub fn new(uri: &str, reason: Refusal) -> Self {
        // A data URI is as long as its data.
        const SHOWN: usize = 80;
        let shown: String = uri.chars().take(SHOWN).collect();
        let dots = if shown.len() < uri.len() { "..." } else { "" };
        Self { uri: shown + dots, reason }
    }
}

/// The reasons for which a URI is not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// There is no such file.
    #[error("is missing; expected a file beside the .gltf")]
    Missing,
    /// Nothing but data URIs and .glb chunks can be read, because the caller gave no folder.
    #[error(
        "is a file of its own, and the asset was loaded from bytes alone; give a resolver, or pack it into a .glb"
    )]
    NoFolder,
    /// The path leaves the folder of the .gltf.
    #[error("leads out of the folder of the .gltf; only files inside it are read")]
    Outside,
    /// The path is absolute.
    #[error("is an absolute path; only files inside the folder of the .gltf are read")]
    Absolute,
    /// The URI has a scheme: the network is never asked.
    #[error("is a URL; only files inside the folder of the .gltf are read, nothing is fetched")]
    Url,
    /// The URI is not well formed.
    #[error("is no valid URI: {0}")]
    Malformed(&'static str),
    /// It is a folder, a device or a pipe.
    #[error("is a folder or a device, no file")]
    NotAFile,
    /// The file is too large.
    #[error("has {found} bytes; the limit is {limit}")]
    TooLarge {
        /// Bytes in the file.
        found: u64,
        /// Bytes that are allowed.
        limit: u64,
    },
    /// The system refuses.
    #[cfg(feature = "files")]
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
}

/// The resolver of an asset that has no files beside it: every URI is refused.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Resolver for NoFiles {
    fn read(&self, uri: &str, _limit_bytes: u64) -> Result<Vec<u8>, ResolveError> {
        Err(ResolveError::new(uri, Refusal::NoFolder))
    }
}
