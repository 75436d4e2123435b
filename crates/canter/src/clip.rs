//! An animation: tracks of keyframes that together give a full pose at any instant.

mod additive;
mod builder;
mod compile;
mod contacts;
mod curve;
mod data;
pub(crate) mod interpolate;
mod keys;
pub(crate) mod marker;
mod merge;
mod mirrored;
mod morph;
mod pack;
pub(crate) mod packed;
mod prepare;
mod reader;
pub(crate) mod root_motion;
pub(crate) mod rows;
mod slerp;
#[cfg(test)]
mod tests;
mod times;
mod track;

use std::fmt;
use std::sync::{Arc, OnceLock};

use fearless_simd::Level;

use crate::fingerprint::{Fingerprint, Fnv};
use crate::pose::{Pose, RestPose};
use crate::skeleton::{JointId, MorphId, Skeleton};
use keys::{Keys, Source};
use marker::Markers;
use rows::{Rows, Segment};

pub use additive::{AdditiveError, AdditiveReference};
pub use builder::{ClipBuilder, ClipError, ClipFault};
pub use contacts::{Contact, Contacts};
pub use curve::{Curve, TrackError};
pub use data::{BoundClip, ClipData};
pub use marker::{Marker, MarkerError, MarkerName};
pub use pack::{PackError, PackMode, PackOptions, Packed, PackedBytesError};
pub use root_motion::{RootCurve, RootMotion, RootMotionError, RootMotionFault};
pub use track::{Interpolation, Property, Track};

/// An animation of a [`Skeleton`]: immutable, of a name and a length, with tracks of keyframes.
///
/// A clip is a full pose at every instant: a joint without a track is at rest in it. Playing it gives what
/// the formulas of glTF 2.0 give. It is compiled when it is first used, so that sampling is quick; characters
/// share it behind an [`Arc`]. [`Clip::additive`] makes one of differences, to be added to other poses.
///
/// ```
/// use canter::{Clip, Pose, Skeleton, Track, Transform, glam::Vec3};
///
/// let mut joints = Skeleton::builder();
/// joints.joint("lift", None, Transform::IDENTITY);
/// let skeleton = joints.build()?;
/// let lift = skeleton.joint("lift").unwrap();
///
/// let mut clip = Clip::builder("Rise", &skeleton);
/// clip.translation(lift, Track::linear(vec![0.0, 2.0], vec![Vec3::ZERO, Vec3::Y * 4.0]));
/// let rise = clip.build()?;
///
/// let mut pose = Pose::rest(&skeleton);
/// rise.sample(1.0, &mut pose);
/// assert_eq!(pose.joint(lift).translation, Vec3::Y * 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Clip {
    name: String,
    duration_secs: f32,
    /// Those of joints first.
    keys: Keys,
    /// What has no track is so: at rest, or in an additive clip not changed.
    rest_pose: Arc<RestPose>,
    /// Whether its values are deltas that are added to another pose.
    is_additive: bool,
    markers: Arc<Markers>,
    /// The way that was taken out of its pose.
    root: Option<Arc<RootCurve>>,
    /// How fast it walks on the spot, if somebody said so.
    ground_speed: Option<f32>,
    /// Of the skeleton that it was built for.
    pub(crate) skeleton: u64,
    /// Made when the clip is first used: files have many clips, of which a program plays a few.
    rows: OnceLock<Rows>,
    fingerprint: OnceLock<u64>,
}

impl fmt::Debug for Clip {
    /// Without its keys: events and actions have their clip with them, and would print thousands of numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Clip")
            .field("name", &self.name)
            .field("duration_secs", &self.duration_secs)
            .finish_non_exhaustive()
    }
}

/// What a track drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TrackTarget {
    /// A property of a joint.
    Joint(JointId, Property),
    /// The weights of a morph set.
    Morph(MorphId),
}

/// A track of a clip: what it drives, and the keys.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipTrack {
    /// What it drives.
    pub target: TrackTarget,
    /// The keys, as they were given.
    pub curve: Curve,
}

impl Clone for Clip {
    fn clone(&self) -> Self {
        // A web page copies clips to give them markers, before they play: what copies rows would be all for nothing there.
        let rows = if cfg!(canter_web) { OnceLock::new() } else { self.rows.clone() };
        Self {
            name: self.name.clone(),
            keys: self.keys.clone(),
            rest_pose: Arc::clone(&self.rest_pose),
            markers: Arc::clone(&self.markers),
            root: self.root.clone(),
            rows,
            fingerprint: self.fingerprint.clone(),
            ..*self
        }
    }
}

impl Clip {
    /// Starts a clip for a skeleton.
    #[must_use]
    pub fn builder<'a>(name: impl Into<String>, skeleton: &'a Skeleton) -> ClipBuilder<'a> {
        ClipBuilder::new(name.into(), skeleton)
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The time of the last key of all tracks.
    #[must_use]
    pub fn duration_secs(&self) -> f32 {
        self.duration_secs
    }

    /// Whether it was built for this skeleton, or for one just like it.
    #[must_use]
    pub fn fits(&self, skeleton: &Skeleton) -> bool {
        self.skeleton == skeleton.fingerprint()
    }

    /// Its tracks, in the order in which they were added; those of joints first.
    ///
    /// A clip that was compiled has its keys in the form in which they are played, and puts each track
    /// together again when it is asked for, with the bits that it was given: that allocates.
    pub fn tracks(&self) -> impl ExactSizeIterator<Item = ClipTrack> {
        let source = self.keys.source();
        (0..source.len()).map(move |index| match &*source {
            Source::Given(tracks) => tracks[index].clone(),
            Source::Rows(keys) if cfg!(not(canter_web)) => keys.track(index, self.rows()),
            Source::Packed(keys) if cfg!(not(canter_web)) => keys.track(index, self),
            Source::Rows(_) | Source::Packed(_) => unreachable!("keys of a web page stay as they are"),
        })
    }

    /// What its tracks drive, in the order of [`tracks`](Self::tracks).
    pub fn targets(&self) -> impl ExactSizeIterator<Item = TrackTarget> {
        let source = self.keys.source();
        (0..source.len()).map(move |index| source.target(index))
    }

    /// Its markers, in the order of their times.
    #[must_use]
    pub fn markers(&self) -> &[Marker] {
        &self.markers.list
    }

    /// The same clip with these markers instead of those that it had.
    ///
    /// # Errors
    /// If one of them lies outside of the clip, or if there are more than 64 windows.
    pub fn with_markers(mut self, markers: impl IntoIterator<Item = Marker>) -> Result<Self, ClipError> {
        let markers = Markers::new(markers.into_iter().collect(), self.duration_secs);
        self.markers =
            Arc::new(markers.map_err(|(name, error)| builder::marker_error(&self.name, &name, error))?);
        Ok(self)
    }

    /// The same clip under another name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    pub(crate) fn marker_edges(&self) -> &Markers {
        &self.markers
    }

    /// Whether a mixer has something to tell of it beside its pose: markers, or a way.
    pub(crate) fn tells(&self) -> bool {
        !self.markers.is_empty() || self.root.is_some()
    }

    /// Writes the pose at a time into `pose`. Before the first and after the last key of a track its
    /// end values hold; any time is safe. Of an additive clip these are deltas: see [`Clip::additive`].
    ///
    /// This is the plain way, for tools; a [`Mixer`](crate::Mixer) plays, loops and blends. It allocates only
    /// for clips whose tracks have many different key times.
    ///
    /// # Panics
    /// If the pose was made for a skeleton of another size.
    pub fn sample(&self, time_secs: f32, pose: &mut Pose) {
        self.sample_at(Level::new(), time_secs, pose);
    }

    /// Compiles the clip now, if it is not yet. A mixer does so when it makes an action for the clip.
    pub fn compile(&self) {
        self.rows();
    }

    /// Compiles many clips now, with the feature `rayon` on all cores: those of a file that is about to be played.
    pub fn compile_all(clips: &[Arc<Self>]) {
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            clips.par_iter().for_each(|clip| clip.compile());
        }
        #[cfg(not(feature = "rayon"))]
        clips.iter().for_each(|clip| clip.compile());
    }

    #[inline]
    pub(crate) fn rows(&self) -> &Rows {
        match self.rows.get() {
            Some(rows) => rows,
            None => self.compile_rows(),
        }
    }

    #[cold]
    fn compile_rows(&self) -> &Rows {
        let compile = || {
            let tracks: Vec<ClipTrack> = self.tracks().collect();
            compile::compile(&self.rest_pose, &tracks, self.sign_slack())
        };
        let rows = self.rows.get_or_init(compile);
        // While the keys are at hand: to put them together again would allocate, in the middle of a frame.
        self.fingerprint();
        // Not before the rows are there for everyone: keys are read back from them.
        self.keys.move_to(rows);
        rows
    }

    pub(crate) fn sample_at(&self, level: Level, time_secs: f32, pose: &mut Pose) {
        assert!(
            pose.fits(&self.rest_pose),
            "clip \"{}\" and the pose are of skeletons of different sizes",
            self.name
        );
        let mut few = [Segment::EMPTY; 1];
        match few.get_mut(..self.rows().timelines.len()) {
            Some(segments) => interpolate::sample(level, self, time_secs, segments, pose),
            None => {
                let mut many = vec![Segment::EMPTY; self.rows().timelines.len()];
                interpolate::sample(level, self, time_secs, &mut many, pose);
            }
        }
    }

    fn sign_slack(&self) -> f64 {
        if self.is_additive { prepare::DELTA_SIGN_SLACK } else { 0.0 }
    }

    /// How much memory it takes, in bytes, once it is compiled: the rows that are read when it plays, and what
    /// else its keys need to be read back.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let rows = self.rows();
        let root = self.root.as_ref().map_or(0, |root| root.bytes());
        size_of::<Self>()
            + rows.bytes()
            + self.keys.source().bytes(rows)
            + root
            + size_of_val(&self.markers.list[..])
            + size_of_val(&self.markers.edges[..])
    }

    /// From which group on translations and scales are those of a rest pose, and from which one on all is.
    #[inline]
    pub(crate) fn at_rest_from(&self, rest: &RestPose) -> [usize; 2] {
        if !self.rest_pose.has_joints_of(rest) {
            return [usize::MAX; 2];
        }
        let rows = self.rows();
        [rows.resting_from as usize, rows.idle_from as usize]
    }

    /// A number that tells clips of different content apart, whatever they are called; the same on every
    /// machine.
    pub(crate) fn fingerprint(&self) -> u64 {
        *self.fingerprint.get_or_init(|| self.compute_fingerprint())
    }
}

impl Fingerprint for Clip {
    fn write(&self, hasher: &mut Fnv) {
        if self.is_additive {
            hasher.write(b"additive");
        }
        for ClipTrack { target, curve } in self.tracks() {
            match target {
                TrackTarget::Joint(joint, property) => {
                    hasher.write(&joint.0.to_le_bytes());
                    hasher.write(&[property as u8, curve.interpolation as u8]);
                }
                TrackTarget::Morph(morph) => {
                    hasher.write(&morph.0.to_le_bytes());
                    hasher.write(&[curve.interpolation as u8]);
                }
            }
            hasher.write_floats(curve.times());
            hasher.write_floats(curve.numbers());
        }
        if let Some(root) = &self.root {
            hasher.write(b"root");
            hasher.write(&root.joint().0.to_le_bytes());
            hasher.write_floats(root.curve().times());
            hasher.write_floats(root.curve().numbers());
        }
    }
}
