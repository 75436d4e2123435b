//! A clip as a mirror shows it.

use std::sync::{Arc, OnceLock};

use glam::Vec3;

use super::keys::Keys;
use super::{Clip, ClipTrack, Curve, Property, RootCurve, TrackTarget};
use crate::mirror::{Mirror, MirrorError, Side};
use crate::skeleton::JointId;

impl Clip {
    /// The clip as a mirror shows it: a step to the left becomes one to the right. Key by key, so that it is
    /// exact at every instant, and plays, blends and adds at no further cost.
    ///
    /// The way of its root is mirrored with it. Markers are called what `rename` makes of their names, such
    /// as `foot_R` of `foot_L`; `None` leaves a name as it is. Name, length, key times and morph weights are
    /// those of the clip.
    ///
    /// # Errors
    /// If the mirror was made for another skeleton.
    pub fn mirrored(
        &self,
        mirror: &Mirror,
        rename: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, MirrorError> {
        mirror.check(self.skeleton, self.rest_pose.joint_count)?;
        let tracks = self.tracks().map(|track| self.mirrored_track(mirror, track)).collect();
        let root = self.root.as_deref().map(|root| {
            let joint = mirror.partner(root.joint()).unwrap_or(root.joint());
            Arc::new(RootCurve::new(joint, mirrored_way(root.curve())))
        });
        let mut markers = (*self.markers).clone();
        for marker in &mut markers.list {
            if let Some(name) = rename(&marker.name) {
                marker.name = name.as_str().into();
            }
        }
        Ok(Self {
            name: self.name.clone(),
            duration_secs: self.duration_secs,
            keys: Keys::new(tracks),
            rest_pose: Arc::clone(&self.rest_pose),
            is_additive: self.is_additive,
            markers: Arc::new(markers),
            root,
            ground_speed: self.ground_speed,
            skeleton: self.skeleton,
            rows: OnceLock::new(),
            fingerprint: OnceLock::new(),
        })
    }

    fn mirrored_track(&self, mirror: &Mirror, track: ClipTrack) -> ClipTrack {
        let TrackTarget::Joint(partner, property) = track.target else { return track };
        let Some((joint, side)) = mirror.side_of_partner(partner) else { return track };
        let curve = track.curve;
        let mut values = curve.values.to_vec();
        let parts = curve.interpolation.values_per_key();
        for (index, value) in values.chunks_exact_mut(curve.width).enumerate() {
            // The middle one of three is the value, those beside it are tangents.
            let is_value = index % parts == parts / 2;
            self.mirror_value(side, property, is_value, value);
        }
        ClipTrack {
            target: TrackTarget::Joint(joint, property),
            curve: Curve { values: values.into(), ..curve },
        }
    }

    fn mirror_value(&self, side: &Side, property: Property, is_value: bool, value: &mut [f32]) {
        let vector = |value: &[f32]| Vec3::new(value[0], value[1], value[2]);
        // Deltas and tangents have no rest to be measured from; one is no change of a scale.
        let is_difference = self.is_additive || !is_value;
        match property {
            Property::Translation if is_difference => {
                value.copy_from_slice(&side.way(vector(value)).to_array());
            }
            Property::Translation => value.copy_from_slice(&side.translation(vector(value)).to_array()),
            Property::Scale if is_value && self.is_additive => {
                let stretched = Vec3::ONE + side.stretch(vector(value) - Vec3::ONE);
                value.copy_from_slice(&stretched.to_array());
            }
            Property::Scale if is_difference => {
                value.copy_from_slice(&side.stretch(vector(value)).to_array());
            }
            Property::Scale => value.copy_from_slice(&side.scale(vector(value)).to_array()),
            Property::Rotation => {
                let turned = side.rotation([value[0], value[1], value[2], value[3]], self.is_additive);
                value.copy_from_slice(&turned);
            }
        }
    }
}

impl Mirror {
    fn check(&self, skeleton: u64, joints: usize) -> Result<(), MirrorError> {
        if self.skeleton == skeleton { Ok(()) } else { Err(MirrorError::OtherSkeleton { joints }) }
    }

    /// The joint that gets what this one has.
    fn side_of_partner(&self, partner: JointId) -> Option<(JointId, &Side)> {
        let joint = self.partner(partner)?;
        self.side(joint).map(|side| (joint, side))
    }
}

/// The way of a root: to the other side, turning the other way.
fn mirrored_way(curve: &Curve) -> Curve {
    let mut values = curve.values.to_vec();
    for value in values.chunks_exact_mut(curve.width) {
        for (index, number) in value.iter_mut().enumerate() {
            if index == 0 || index == 3 {
                *number = -*number;
            }
        }
    }
    Curve { values: values.into(), ..curve.clone() }
}
