//! Clips of differences from a reference pose, which are added to whatever else plays: breathing, recoil, a
//! lean into a curve.

mod error;
mod removal;

use std::sync::{Arc, OnceLock};

use super::keys::Keys;
use super::{Clip, ClipTrack, Curve, Interpolation, Property, TrackTarget};
use crate::pose::{Pose, RestPose};
use crate::skeleton::{JointId, MorphId};
use crate::transform::in_range;
use removal::Removal;

pub use error::AdditiveError;

/// The pose that an additive clip is the difference from; see [`Clip::additive`].
#[derive(Clone, Copy, Debug)]
pub enum AdditiveReference<'a> {
    /// The rest pose.
    Rest,
    /// The clip's own pose at its start: the first key of each track, and rest where there is no track. Of
    /// several keys at time 0 it is the last, which is the one that is seen.
    FirstKey,
    /// The pose of a clip at a time; any time is safe, as in [`Clip::sample`].
    Clip {
        /// A clip of the same skeleton; it may be the same clip.
        clip: &'a Clip,
        /// When.
        secs: f32,
    },
}

impl Clip {
    /// Whether its values are deltas; see [`additive`](Self::additive).
    #[must_use]
    pub fn is_additive(&self) -> bool {
        self.is_additive
    }

    /// The clip as differences from a reference pose, of the same name, length and key times. Added in full
    /// to the reference pose they give the clip again, to any other pose the same change:
    ///
    /// | part | delta | added |
    /// |---|---|---|
    /// | translation | value - reference | base + delta |
    /// | rotation | reference⁻¹ · value | base · delta |
    /// | scale | value / reference | base × delta, axis by axis |
    /// | morph weights | value - reference | base + delta |
    ///
    /// Nothing grows from a scale of zero by a factor: where the reference scale is zero, the delta is 1.
    ///
    /// Since the clip is a full pose at every instant, a joint that it leaves at rest has a delta, too, if
    /// the reference moves it: a track of a single key. [`Clip::sample`] of the result writes the deltas;
    /// what has no track is translation 0, no rotation, scale 1, morph weight 0.
    ///
    /// ```
    /// use canter::{AdditiveReference, Clip, Pose, Skeleton, Track, Transform, glam::Vec3};
    ///
    /// let mut joints = Skeleton::builder();
    /// joints.joint("chest", None, Transform::from_translation(Vec3::Y));
    /// let skeleton = joints.build()?;
    /// let chest = skeleton.joint("chest").unwrap();
    /// let mut breathe = Clip::builder("Breathe", &skeleton);
    /// breathe.translation(chest, Track::linear(vec![0.0, 2.0], vec![Vec3::Y, Vec3::Y * 1.5]));
    /// let breath = breathe.build()?.additive(AdditiveReference::FirstKey)?;
    ///
    /// let mut delta = Pose::rest(&skeleton);
    /// breath.sample(2.0, &mut delta);
    /// assert_eq!(delta.joint(chest), Transform::from_translation(Vec3::Y * 0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If this clip or that of the reference is additive already, if the two are of different skeletons, or
    /// if a delta is larger than [`LARGEST`](crate::LARGEST), such as that of a scale from almost zero.
    pub fn additive(&self, reference: AdditiveReference<'_>) -> Result<Self, AdditiveError> {
        let reference = self.reference_pose(reference)?;
        let mut tracks = Vec::with_capacity(self.tracks().len());
        for ClipTrack { target, curve } in self.tracks() {
            let values = Removal::new(target, &numbers(&reference, target)).curve(&curve);
            tracks.push(ClipTrack { target, curve: Curve { values: values.into(), ..curve } });
        }
        tracks.extend(self.deltas_of_rest(&reference));
        tracks.sort_by_key(|track| matches!(track.target, TrackTarget::Morph(_)));
        if let Some((target, key)) = tracks.iter().find_map(too_large) {
            return Err(AdditiveError::TooLarge { clip: self.name.clone(), target, key });
        }
        Ok(Self {
            name: self.name.clone(),
            duration_secs: self.duration_secs,
            keys: Keys::new(tracks),
            rest_pose: Arc::new(self.rest_pose.identity()),
            is_additive: true,
            markers: Arc::clone(&self.markers),
            root: self.root.clone(),
            ground_speed: self.ground_speed,
            skeleton: self.skeleton,
            rows: OnceLock::new(),
            fingerprint: OnceLock::new(),
        })
    }

    /// As it is sampled, so that what is added to a sampled pose gives the clip to the last bits.
    fn reference_pose(&self, reference: AdditiveReference<'_>) -> Result<Pose, AdditiveError> {
        if self.is_additive {
            return Err(AdditiveError::AlreadyAdditive { clip: self.name.clone() });
        }
        let mut pose = self.rest_pose.to_pose();
        let (clip, secs) = match reference {
            AdditiveReference::Rest => return Ok(pose),
            AdditiveReference::FirstKey => (self, 0.0),
            AdditiveReference::Clip { clip, secs } => (clip, secs),
        };
        let names = || (self.name.clone(), clip.name.clone());
        if clip.is_additive {
            let (clip, reference) = names();
            return Err(AdditiveError::ReferenceIsAdditive { clip, reference });
        }
        if clip.skeleton != self.skeleton {
            let (clip, reference) = names();
            return Err(AdditiveError::OtherSkeleton { clip, reference });
        }
        clip.sample(secs, &mut pose);
        Ok(pose)
    }

    /// Single keys for what the clip leaves at rest and the reference does not.
    fn deltas_of_rest(&self, reference: &Pose) -> Vec<ClipTrack> {
        let (rest, times) = (self.rest_pose.to_pose(), Arc::from([0.0]));
        let place = |target: TrackTarget| match target {
            TrackTarget::Joint(joint, property) => 3 * joint.index() + property as usize,
            TrackTarget::Morph(morph) => 3 * self.rest_pose.joint_count + morph.index(),
        };
        let mut has_track = vec![false; 3 * self.rest_pose.joint_count + self.rest_pose.morph_ends.len()];
        for target in self.targets() {
            has_track[place(target)] = true;
        }
        let mut tracks = Vec::new();
        for target in targets(&self.rest_pose).filter(|target| !has_track[place(*target)]) {
            let mut delta = Vec::new();
            Removal::new(target, &numbers(reference, target)).value(&numbers(&rest, target), &mut delta);
            if is_identity(target, &delta) {
                continue;
            }
            let curve = Curve {
                interpolation: Interpolation::Step,
                times: Arc::clone(&times),
                width: delta.len(),
                values: delta.into(),
            };
            tracks.push(ClipTrack { target, curve });
        }
        tracks
    }
}

/// Everything that a track can drive.
fn targets(rest: &RestPose) -> impl Iterator<Item = TrackTarget> {
    let properties = [Property::Translation, Property::Rotation, Property::Scale];
    let of_joint = move |joint| properties.map(|property| TrackTarget::Joint(joint, property));
    let joints = (0..).map(JointId).take(rest.joint_count).flat_map(of_joint);
    joints.chain((0..).map(MorphId).take(rest.morph_ends.len()).map(TrackTarget::Morph))
}

/// The value that something has in a pose.
fn numbers(pose: &Pose, target: TrackTarget) -> Vec<f32> {
    match target {
        TrackTarget::Joint(joint, Property::Translation) => pose.joint(joint).translation.to_array().to_vec(),
        TrackTarget::Joint(joint, Property::Rotation) => pose.joint(joint).rotation.to_array().to_vec(),
        TrackTarget::Joint(joint, Property::Scale) => pose.joint(joint).scale.to_array().to_vec(),
        TrackTarget::Morph(morph) => pose.morph_weights(morph).to_vec(),
    }
}

/// Whether a delta changes nothing.
fn is_identity(target: TrackTarget, delta: &[f32]) -> bool {
    match (target, delta) {
        (TrackTarget::Joint(_, Property::Rotation), [imaginary @ .., _]) => imaginary == [0.0; 3],
        (TrackTarget::Joint(_, Property::Scale), factors) => factors == [1.0; 3],
        (_, differences) => differences.iter().all(|difference| *difference == 0.0),
    }
}

/// The key that has a number that no clip may have.
fn too_large(track: &ClipTrack) -> Option<(TrackTarget, usize)> {
    let numbers_per_key = track.curve.width * track.curve.interpolation.values_per_key();
    let number = track.curve.values.iter().position(|number| !in_range(&[*number]))?;
    Some((track.target, number / numbers_per_key))
}
