//! An animation: tracks of keyframes that together give a full pose at any instant.

mod builder;
mod compile;
mod data;
pub(crate) mod interpolate;
mod merge;
mod morph;
mod prepare;
pub(crate) mod rows;
mod slerp;
#[cfg(test)]
mod tests;
mod times;
mod track;

use std::sync::{Arc, OnceLock};

use fearless_simd::Level;

use crate::fingerprint::{Fingerprint, Fnv};
use crate::pose::{Pose, RestPose};
use crate::skeleton::{JointId, MorphId, Skeleton};
use rows::{Rows, Segment};

pub use builder::{ClipBuilder, ClipError, ClipFault};
pub use data::{BoundClip, ClipData};
pub use track::{Interpolation, Property, Track, TrackError};

/// An animation of a [`Skeleton`]: immutable, of a name and a length, with tracks of keyframes.
///
/// A clip is a full pose at every instant: a joint without a track is at rest in it. Playing it gives what the formulas
/// of glTF 2.0 give. It is compiled when it is first used, so that sampling is quick; characters share it behind
/// an [`Arc`].
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
#[derive(Clone, Debug)]
pub struct Clip {
    name: String,
    duration_secs: f32,
    joint_tracks: Vec<JointTrack>,
    morph_tracks: Vec<MorphTrack>,
    rest_pose: Arc<RestPose>,
    /// Of the skeleton that it was built for.
    pub(crate) skeleton: u64,
    compiled: OnceLock<Compiled>,
}

/// What is worked out when a clip is first used: files have many clips, of which a program plays a few.
#[derive(Clone, Debug)]
struct Compiled {
    rows: Rows,
    fingerprint: u64,
}

/// A joint's track as it was given. Many share their times.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JointTrack {
    pub(crate) joint: JointId,
    pub(crate) property: Property,
    pub(crate) interpolation: Interpolation,
    pub(crate) secs: Arc<[f32]>,
    pub(crate) values: Vec<f32>,
}

/// A track of morph weights as it was given.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MorphTrack {
    pub(crate) morph: MorphId,
    pub(crate) interpolation: Interpolation,
    pub(crate) secs: Arc<[f32]>,
    pub(crate) values: Vec<f32>,
}

/// What a track drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackTarget {
    /// A property of a joint.
    Joint(JointId, Property),
    /// The weights of a morph set.
    Morph(MorphId),
}

/// What can be told of a track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackInfo<'a> {
    /// What it drives.
    pub target: TrackTarget,
    /// How it runs between keys.
    pub interpolation: Interpolation,
    /// The times of its keys in seconds.
    pub times: &'a [f32],
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
    pub fn tracks(&self) -> impl ExactSizeIterator<Item = TrackInfo<'_>> {
        (0..self.joint_tracks.len() + self.morph_tracks.len()).map(|index| {
            match self.joint_tracks.get(index) {
                Some(track) => TrackInfo {
                    target: TrackTarget::Joint(track.joint, track.property),
                    interpolation: track.interpolation,
                    times: &track.secs,
                },
                None => {
                    let track = &self.morph_tracks[index - self.joint_tracks.len()];
                    TrackInfo {
                        target: TrackTarget::Morph(track.morph),
                        interpolation: track.interpolation,
                        times: &track.secs,
                    }
                }
            }
        })
    }

    /// Writes the pose at a time into `pose`. Before the first and after the last key of a track its
    /// end values hold; any time is safe.
    ///
    /// This is the plain way, for tools; a [`Mixer`](crate::Mixer) plays, loops and blends. It allocates only for
    /// clips whose tracks have many different key times.
    ///
    /// # Panics
    /// If the pose was made for a skeleton of another size.
    pub fn sample(&self, time_secs: f32, pose: &mut Pose) {
        self.sample_at(Level::new(), time_secs, pose);
    }

    /// Compiles the clip now, if it is not yet. A mixer does so when it makes an action for the clip.
    pub fn compile(&self) {
        self.compiled();
    }

    fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| Compiled {
            rows: compile::compile(&self.rest_pose, &self.joint_tracks, &self.morph_tracks),
            fingerprint: self.compute_fingerprint(),
        })
    }

    #[inline]
    pub(crate) fn rows(&self) -> &Rows {
        &self.compiled().rows
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

    /// How much memory it takes, in bytes: the keys as given, and the rows that are read when it plays.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let joints = self.joint_tracks.iter().map(|track| size_of_val(track.values.as_slice()));
        let morphs = self.morph_tracks.iter().map(|track| size_of_val(track.values.as_slice()));
        size_of::<Self>() + joints.chain(morphs).sum::<usize>() + self.rows().bytes()
    }

    /// A number that tells clips of different content apart, the same on every machine.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.compiled().fingerprint
    }
}

impl Fingerprint for Clip {
    fn write(&self, hasher: &mut Fnv) {
        hasher.write_name(&self.name);
        for track in &self.joint_tracks {
            hasher.write(&track.joint.0.to_le_bytes());
            hasher.write(&[track.property as u8, track.interpolation as u8]);
            hasher.write_floats(&track.secs);
            hasher.write_floats(&track.values);
        }
        for track in &self.morph_tracks {
            hasher.write(&track.morph.0.to_le_bytes());
            hasher.write(&[track.interpolation as u8]);
            hasher.write_floats(&track.secs);
            hasher.write_floats(&track.values);
        }
    }
}
