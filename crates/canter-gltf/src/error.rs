//! Why a file cannot be loaded.

#[cfg(feature = "files")]
use std::path::PathBuf;

use crate::resolver::ResolveError;

/// Why a file cannot be loaded: what was found, where, and what was expected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file itself cannot be read.
    #[cfg(feature = "files")]
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The path that was given.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },

    /// The bytes are no glTF at all.
    #[error(
        "this is no glTF file: it starts with {found}; expected a .glb (\"glTF\") or a JSON object (.gltf)"
    )]
    NotGltf {
        /// The first bytes, printable.
        found: String,
    },

    /// The frame of a .glb file is broken.
    #[error("broken .glb container at byte {offset}: found {found}, expected {expected}")]
    Container {
        /// Offset from the start of the file.
        offset: usize,
        /// What is there.
        found: String,
        /// What should be there.
        expected: String,
    },

    /// The JSON does not parse, or a value has the wrong type.
    #[error("{}line {line}, column {column}: {message}", at(place))]
    Json {
        /// The JSON place, empty when the text is no JSON at all.
        place: String,
        /// Line in the JSON text, from 1.
        line: usize,
        /// Column in the JSON text, from 1.
        column: usize,
        /// What the parser found and expected.
        message: String,
    },

    /// The file needs a version of glTF that this loader does not read.
    #[error("{place}: glTF {found} is not supported; expected 2.0")]
    Version {
        /// The JSON place.
        place: String,
        /// The version in the file.
        found: String,
    },

    /// The file is not broken, but it requires extensions that this loader does not read and that can change
    /// where joints or vertices are.
    #[error(
        "extensionsRequired: {} not supported; export the file without, or load it with \
         `LoadOptions::ignore_required_extensions`, and it may look wrong",
        list(names)
    )]
    RequiredExtensions {
        /// The names of all of them.
        names: Vec<String>,
    },

    /// Something in the file contradicts the specification in a way that cannot be mended.
    #[error("{place}: found {found}, expected {expected}")]
    Invalid {
        /// The JSON place.
        place: String,
        /// What is there.
        found: String,
        /// What should be there.
        expected: String,
    },

    /// A buffer that the file names cannot be read.
    #[error("{place}: {source}")]
    Resource {
        /// The JSON place.
        place: String,
        /// Why.
        source: ResolveError,
    },

    /// The file is larger, or asks for more memory, than [`Limits`](crate::Limits) allow.
    #[error("{place}: {what} is {found}, the limit is {limit}")]
    Limit {
        /// The JSON place, or the file.
        place: String,
        /// What is counted.
        what: &'static str,
        /// How much there is.
        found: u64,
        /// How much is allowed.
        limit: u64,
    },

    /// The nodes do not make a skeleton.
    #[error("nodes: {0}")]
    Skeleton(#[from] canter::SkeletonError),

    /// A skin does not fit the skeleton.
    #[error("{place}: {source}")]
    Skin {
        /// The JSON place.
        place: String,
        /// Why.
        source: canter::SkinError,
    },

    /// The keys of an animation make no clip.
    #[error("{place}: {source}")]
    Clip {
        /// The JSON place.
        place: String,
        /// Why.
        source: canter::ClipError,
    },
}

impl LoadError {
    /// A name of its kind for programs, such as `required-extensions`. It stays the same when the words of the
    /// message change.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            #[cfg(feature = "files")]
            Self::Read { source, .. } if source.kind() == std::io::ErrorKind::NotFound => "not-found",
            #[cfg(feature = "files")]
            Self::Read { .. } => "unreadable",
            Self::NotGltf { .. } => "not-gltf",
            Self::Container { .. } => "container",
            Self::Json { .. } => "json",
            Self::Version { .. } => "version",
            Self::RequiredExtensions { .. } => "required-extensions",
            Self::Invalid { .. } => "invalid",
            Self::Resource { .. } => "resource",
            Self::Limit { .. } => "limit",
            Self::Skeleton(_) => "skeleton",
            Self::Skin { .. } => "skin",
            Self::Clip { .. } => "clip",
        }
    }

    /// The JSON place, such as `accessors[3].bufferView`; empty where it is about the whole file.
    #[must_use]
    pub fn place(&self) -> &str {
        match self {
            Self::Json { place, .. }
            | Self::Version { place, .. }
            | Self::Invalid { place, .. }
            | Self::Resource { place, .. }
            | Self::Limit { place, .. }
            | Self::Skin { place, .. }
            | Self::Clip { place, .. } => place,
            Self::RequiredExtensions { .. } => "extensionsRequired",
            Self::Skeleton(_) => "nodes",
            Self::NotGltf { .. } | Self::Container { .. } => "",
            #[cfg(feature = "files")]
            Self::Read { .. } => "",
        }
    }

    /// Whether the file may be fine, but is not of the kind that this loader reads: of another version, or with
    /// extensions that are not supported.
    #[must_use]
    pub fn is_unsupported(&self) -> bool {
        matches!(self, Self::Version { .. } | Self::RequiredExtensions { .. })
    }
}

/// The error inside of the loader: behind a pointer, since nearly every function can return one and hardly
/// any does.
pub(crate) type Failure = Box<LoadError>;

/// `place: `, or nothing where there is no place.
fn at(place: &str) -> String {
    if place.is_empty() || place == "." { String::new() } else { format!("{place}: ") }
}

/// `A is`, `A and B are`, `A, B and C are`.
fn list(names: &[String]) -> String {
    match names {
        [] => "nothing is".to_owned(),
        [name] => format!("{name} is"),
        [names @ .., last] => format!("{} and {last} are", names.join(", ")),
    }
}
