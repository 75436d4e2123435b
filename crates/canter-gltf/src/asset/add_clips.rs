//! A character in one file, its motions in others.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use canter::{Clip, ClipError, Skeleton};

use super::Asset;

/// What [`Asset::add_clips`] did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedClips {
    /// Where the clips are now in [`Asset::clips`].
    pub indices: Range<usize>,
    /// Joints and morph sets that some of the clips move and this skeleton does not have, each once. Their
    /// tracks were left out.
    pub unmatched: Vec<String>,
}

/// Why clips of another file cannot be taken over. None was then.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AddClipsError {
    /// A clip has tracks, and none of them is for a joint of this skeleton.
    NothingMatches {
        /// The name of the clip.
        clip: String,
    },
    /// A track that matches cannot be played here.
    Clip(ClipError),
}

impl fmt::Display for AddClipsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingMatches { clip } => {
                write!(f, "clip \"{clip}\" moves no bone of this skeleton: their names differ")
            }
            Self::Clip(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AddClipsError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NothingMatches { .. } => None,
            Self::Clip(error) => Some(error),
        }
    }
}

impl Asset {
    /// Takes over the clips of another file, matching joints by name: a character in one file, its motions in
    /// others. They come after the clips that there are, in the other file's order and with its names and
    /// extras.
    ///
    /// ```no_run
    /// let mut hero = canter_gltf::load("hero.glb")?;
    /// let added = hero.add_clips(&canter_gltf::load("swimming.glb")?)?;
    /// for name in &added.unmatched {
    ///     println!("the hero has no joint {name}");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If one of the clips moves nothing here, because all names differ, or a track does not fit, for
    /// instance because a mesh has another number of morph targets. Nothing is added then.
    pub fn add_clips(&mut self, other: &Self) -> Result<AddedClips, AddClipsError> {
        let start = self.clips.len();
        let (clips, unmatched) = bind_clips(&other.clips, &other.skeleton, &self.skeleton)?;
        self.clips.extend(clips);
        self.clip_extras.resize(start, None);
        self.clip_extras.extend(other.clip_extras.iter().cloned());
        self.clip_extras.resize(self.clips.len(), None);
        Ok(AddedClips { indices: start..self.clips.len(), unmatched })
    }
}

/// Makes clips of one skeleton into clips of another, by the names of joints, as [`Asset::add_clips`] does;
/// and the names that found no match.
///
/// # Errors
/// As with [`Asset::add_clips`].
///
/// # Panics
/// If a clip was not made for `from`.
pub fn bind_clips(
    clips: &[Arc<Clip>],
    from: &Skeleton,
    to: &Skeleton,
) -> Result<(Vec<Arc<Clip>>, Vec<String>), AddClipsError> {
    let mut unmatched: Vec<String> = Vec::new();
    let mut bound = Vec::with_capacity(clips.len());
    for theirs in clips {
        let ours = theirs.data(from).bind(to).map_err(AddClipsError::Clip)?;
        if ours.clip.tracks().len() == 0 && theirs.tracks().len() > 0 {
            return Err(AddClipsError::NothingMatches { clip: theirs.name().to_owned() });
        }
        for name in ours.unmatched {
            if !unmatched.contains(&name) {
                unmatched.push(name);
            }
        }
        bound.push(Arc::new(ours.clip));
    }
    Ok((bound, unmatched))
}
