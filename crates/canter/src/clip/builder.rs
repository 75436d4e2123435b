//! Collects tracks, and refuses those that cannot be played.

use std::fmt;
use std::sync::{Arc, OnceLock};

use glam::{Quat, Vec3};

use super::keys::Keys;
use super::marker::Markers;
use super::track::Numbers;
use super::{
    Clip, ClipTrack, Curve, Marker, MarkerError, Property, RootCurve, Track, TrackError, TrackTarget, compile,
};
use crate::skeleton::{JointId, MorphId, Skeleton};

/// Collects the tracks of a [`Clip`].
#[derive(Clone, Debug)]
pub struct ClipBuilder<'a> {
    name: String,
    skeleton: &'a Skeleton,
    joint_tracks: Vec<ClipTrack>,
    morph_tracks: Vec<ClipTrack>,
    /// Times that were seen, for tracks that share them.
    times: Vec<Arc<[f32]>>,
    is_additive: bool,
    markers: Vec<Marker>,
    root: Option<(JointId, Curve)>,
    ground_speed: Option<f32>,
}

impl<'a> ClipBuilder<'a> {
    pub(super) fn new(name: String, skeleton: &'a Skeleton) -> Self {
        Self {
            name,
            skeleton,
            joint_tracks: Vec::new(),
            morph_tracks: Vec::new(),
            times: Vec::new(),
            is_additive: false,
            markers: Vec::new(),
            root: None,
            ground_speed: None,
        }
    }

    /// Adds a marker: an instant with a name, or a window.
    pub fn marker(&mut self, marker: Marker) -> &mut Self {
        self.markers.push(marker);
        self
    }

    /// Says how fast the clip walks on the spot, in metres per second; see [`Clip::with_ground_speed`].
    pub fn ground_speed(&mut self, metres_per_sec: f32) -> &mut Self {
        self.ground_speed = Some(metres_per_sec);
        self
    }

    /// The way of a clip that was split: three numbers, or four.
    pub(super) fn root(&mut self, joint: JointId, track: Track<f32>, width: usize) -> &mut Self {
        let curve = self.curve(track, width);
        self.root = Some((joint, curve));
        self
    }

    /// Says that the keys are deltas, as those of [`Clip::additive`], whenever they are added. What has no
    /// track is then not changed, instead of being at rest.
    ///
    /// ```
    /// # use canter::{Clip, Pose, Skeleton, Track, Transform, glam::Vec3};
    /// # let mut joints = Skeleton::builder();
    /// # joints.joint("chest", None, Transform::from_translation(Vec3::Y));
    /// # let skeleton = joints.build()?;
    /// # let chest = skeleton.joint("chest").unwrap();
    /// let mut breath = Clip::builder("Breath", &skeleton);
    /// breath.additive();
    /// breath.scale(chest, Track::linear(vec![0.0, 2.0], vec![Vec3::ONE, Vec3::splat(1.1)]));
    /// let breath = breath.build()?;
    ///
    /// let mut delta = Pose::rest(&skeleton);
    /// breath.sample(2.0, &mut delta);
    /// assert_eq!(delta.joint(chest), Transform::from_scale(Vec3::splat(1.1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn additive(&mut self) -> &mut Self {
        self.is_additive = true;
        self
    }

    /// Moves a joint.
    pub fn translation(&mut self, joint: JointId, track: Track<Vec3>) -> &mut Self {
        self.joint_track(joint, Property::Translation, track)
    }

    /// Turns a joint. Quaternions need not be of unit length; they are made so.
    pub fn rotation(&mut self, joint: JointId, track: Track<Quat>) -> &mut Self {
        self.joint_track(joint, Property::Rotation, track)
    }

    /// Scales a joint.
    pub fn scale(&mut self, joint: JointId, track: Track<Vec3>) -> &mut Self {
        self.joint_track(joint, Property::Scale, track)
    }

    /// Sets the weights of a morph set. A value of the track is all weights of the set, one after another;
    /// with a cubic spline a key has all in-tangents, then all weights, then all out-tangents.
    pub fn morph_weights(&mut self, morph: MorphId, track: Track<f32>) -> &mut Self {
        // A set that is not there is found when the clip is built.
        let is_known = morph.index() < self.skeleton.morph_count();
        let width = if is_known { self.skeleton.morph_rest(morph).len() } else { 0 };
        let curve = self.curve(track, width);
        self.morph_tracks.push(ClipTrack { target: TrackTarget::Morph(morph), curve });
        self
    }

    fn joint_track<T: Numbers>(&mut self, joint: JointId, property: Property, track: Track<T>) -> &mut Self {
        let mut values = Vec::with_capacity(track.values.len() * property.width());
        for value in track.values {
            value.append_to(&mut values);
        }
        self.numbers(joint, property, Track::new(track.interpolation, track.times, values))
    }

    /// Drives a property of a joint with values that are given number by number, as they lie in files: three
    /// or four numbers each.
    pub fn numbers(&mut self, joint: JointId, property: Property, track: Track<f32>) -> &mut Self {
        let curve = self.curve(track, property.width());
        self.joint_tracks.push(ClipTrack { target: TrackTarget::Joint(joint, property), curve });
        self
    }

    fn curve(&mut self, track: Track<f32>, width: usize) -> Curve {
        let Track { interpolation, times, values } = track;
        Curve { interpolation, times: self.shared(times), values: values.into(), width }
    }

    /// One copy of times that several tracks have. The latest ones are the likeliest.
    fn shared(&mut self, times: Vec<f32>) -> Arc<[f32]> {
        const LOOK_BACK: usize = 16;
        // -0 is 0: keys are compared by their bits from here on.
        let times: Vec<f32> = times.into_iter().map(|secs| secs + 0.0).collect();
        match self.times.iter().rev().take(LOOK_BACK).find(|seen| ***seen == *times) {
            Some(seen) => Arc::clone(seen),
            None => {
                let shared: Arc<[f32]> = times.into();
                self.times.push(Arc::clone(&shared));
                shared
            }
        }
    }

    /// Checks the tracks.
    ///
    /// # Errors
    /// If a track's times are unsorted, negative or not finite; if there are not as many values as its times
    /// call for; if a value is not finite or a rotation has no direction; if a joint or morph set does not
    /// exist in the skeleton or has two tracks for one property; if a marker lies outside of the clip.
    pub fn build(self) -> Result<Clip, ClipError> {
        self.check()?;
        let numbers = self.joint_tracks.iter().map(|track| track.curve.numbers().len()).sum::<usize>();
        if numbers > compile::MOST_NUMBERS {
            return Err(self.error("all tracks", ClipFault::TooLarge { numbers }));
        }
        let duration_secs = self.duration_secs();
        let mut tracks = self.joint_tracks;
        tracks.extend(self.morph_tracks);
        let markers = Markers::new(self.markers, duration_secs);
        let markers = markers.map_err(|(name, error)| marker_error(&self.name, &name, error))?;
        if duration_secs <= 0.0 {
            log::warn!("clip \"{}\" has no length: it holds its only pose", self.name);
        }
        let rest_pose = self.skeleton.rest_pose();
        let clip = Clip {
            name: self.name,
            duration_secs,
            keys: Keys::new(tracks),
            rest_pose: if self.is_additive { Arc::new(rest_pose.identity()) } else { Arc::clone(rest_pose) },
            is_additive: self.is_additive,
            markers: Arc::new(markers),
            root: self.root.map(|(joint, curve)| Arc::new(RootCurve::new(joint, curve))),
            ground_speed: None,
            skeleton: self.skeleton.fingerprint(),
            rows: OnceLock::new(),
            fingerprint: OnceLock::new(),
        };
        Ok(match self.ground_speed {
            Some(speed) => clip.with_ground_speed(speed),
            None => clip,
        })
    }

    /// The time of the last key so far.
    #[must_use]
    pub fn duration_secs(&self) -> f32 {
        let tracks = self.joint_tracks.iter().chain(&self.morph_tracks);
        tracks.filter_map(|track| track.curve.times().last().copied()).fold(0.0, f32::max)
    }

    fn check(&self) -> Result<(), ClipError> {
        let mut is_joint_driven = vec![[false; 3]; self.skeleton.joint_count()];
        let mut is_morph_driven = vec![false; self.skeleton.morph_count()];
        for ClipTrack { target, curve } in self.joint_tracks.iter().chain(&self.morph_tracks) {
            let name = || describe(self.skeleton, *target);
            let (is_driven, property) = match *target {
                TrackTarget::Joint(joint, property) => {
                    let driven = is_joint_driven.get_mut(joint.index());
                    (driven.map(|driven| &mut driven[property as usize]), Some(property))
                }
                TrackTarget::Morph(morph) => (is_morph_driven.get_mut(morph.index()), None),
            };
            let Some(is_driven) = is_driven else {
                let (joints, morphs) = (self.skeleton.joint_count(), self.skeleton.morph_count());
                let is_joint = property.is_some();
                let missing = if is_joint {
                    ClipFault::NoSuchJoint { joints }
                } else {
                    ClipFault::NoSuchMorph { morphs }
                };
                return Err(self.error(name(), missing));
            };
            if std::mem::replace(is_driven, true) {
                return Err(self.error(name(), ClipFault::Twice));
            }
            curve.check(property).map_err(|error| self.error(name(), ClipFault::Track(error)))?;
        }
        if let Some((joint, curve)) = &self.root {
            let joints = self.skeleton.joint_count();
            if joint.index() >= joints {
                return Err(self.error("root motion", ClipFault::NoSuchJoint { joints }));
            }
            curve.check(None).map_err(|error| self.error("root motion", ClipFault::Track(error)))?;
        }
        Ok(())
    }

    fn error(&self, target: impl Into<String>, fault: ClipFault) -> ClipError {
        ClipError { clip: self.name.clone(), target: target.into(), fault }
    }
}

pub(super) fn marker_error(clip: &str, marker: &str, error: MarkerError) -> ClipError {
    let target = if marker.is_empty() { "all markers".to_owned() } else { format!("marker \"{marker}\"") };
    ClipError { clip: clip.to_owned(), target, fault: ClipFault::Marker(error) }
}

/// What a track drives, in words.
fn describe(skeleton: &Skeleton, target: TrackTarget) -> String {
    match target {
        TrackTarget::Joint(joint, property) if joint.index() < skeleton.joint_count() => {
            format!("{property} of joint \"{}\"", skeleton.name(joint))
        }
        TrackTarget::Joint(joint, property) => format!("{property} of joint {}", joint.index()),
        TrackTarget::Morph(morph) if morph.index() < skeleton.morph_count() => {
            format!("weights of morph set \"{}\"", skeleton.morph_name(morph))
        }
        TrackTarget::Morph(morph) => format!("weights of morph set {}", morph.index()),
    }
}

/// Why tracks and markers make no clip: which clip, which of them, what is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipError {
    /// The clip's name.
    pub clip: String,
    /// What the track drives, or which marker it is, in words.
    pub target: String,
    /// What is wrong.
    pub fault: ClipFault,
}

/// What is wrong with a track of a clip.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ClipFault {
    /// Its keys cannot be played.
    Track(TrackError),
    /// The skeleton has no such joint.
    NoSuchJoint {
        /// How many joints the skeleton has.
        joints: usize,
    },
    /// The skeleton has no such set of morph weights.
    NoSuchMorph {
        /// How many sets the skeleton has.
        morphs: usize,
    },
    /// Another track drives the same.
    Twice,
    /// A marker lies where it cannot.
    Marker(MarkerError),
    /// There are more keys than can be counted.
    TooLarge {
        /// How many numbers they have.
        numbers: usize,
    },
}

impl fmt::Display for ClipError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "clip \"{}\", {}: ", self.clip, self.target)?;
        match &self.fault {
            ClipFault::Track(error) => error.fmt(f),
            ClipFault::Marker(error) => error.fmt(f),
            ClipFault::NoSuchJoint { joints } => write!(f, "the skeleton has only {joints} joints"),
            ClipFault::NoSuchMorph { morphs } => write!(f, "the skeleton has only {morphs} morph sets"),
            ClipFault::Twice => write!(f, "there are two tracks; expected one"),
            ClipFault::TooLarge { numbers } => {
                write!(f, "the keys have {numbers} numbers; expected at most {}", compile::MOST_NUMBERS)
            }
        }
    }
}

impl std::error::Error for ClipError {}
