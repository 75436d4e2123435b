//! Why a file cannot be changed as it should.

use crate::error::LoadError;

/// Why a file cannot be changed, or not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// What was written does not load.
    #[error("{0}")]
    Load(#[from] LoadError),
    /// There is no animation of that index.
    #[error("there is no animation {index}; the file has {count}")]
    NoAnimation {
        /// The index that was given.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// The clip belongs to another skeleton.
    #[error("the clip \"{clip}\" was made for another skeleton than that of the file")]
    OtherSkeleton {
        /// Its name.
        clip: String,
    },
    /// The clip is a difference, or its root motion was taken out: files have whole poses.
    #[error("the clip \"{clip}\" {what}; a file has whole poses")]
    NotAPose {
        /// Its name.
        clip: String,
        /// Why not.
        what: &'static str,
    },
    /// The clip moves nothing: an animation of a file has at least one channel.
    #[error("the clip \"{clip}\" has no tracks; an animation in a file needs at least one")]
    NoTracks {
        /// Its name.
        clip: String,
    },
    /// There is no room for markers: the `extras` of an animation are something else than an object.
    #[error("animations[{animation}].extras: found something else, expected an object to put markers into")]
    Extras {
        /// Its index.
        animation: usize,
    },
    /// Renumbering would break extensions that may hold indices.
    #[error("nothing can be renumbered: {} may hold indices, and nobody here knows where", names.join(", "))]
    UnknownExtensions {
        /// Their names.
        names: Vec<String>,
    },
    /// A file cannot be written.
    #[error("{} cannot be written: {source}", path.display())]
    File {
        /// The path that was given.
        path: std::path::PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file would be larger than the format allows, 4 GiB.
    #[error("the file would have 4 GiB or more, which the format does not allow")]
    TooLarge,
}
