//! Random rigs and clips for the tests beside the code, which look inside.
//!
//! They see another copy of this crate than `canter-testing` does, so that its types are not theirs: what it
//! gave to its builders is built once more here.

mod levels;

use std::sync::Arc;

use canter_testing::random::Random;
use canter_testing::rig;
use canter_testing::spec::{self, Keys, Kind};

use crate::glam::{Mat4, Quat, Vec3};
use crate::{Clip, Interpolation, JointId, Pose, Skeleton, Skin, Track, Transform};

pub(crate) use levels::levels;

/// A skeleton with a skin.
pub(crate) struct Rig {
    pub(crate) skeleton: Arc<Skeleton>,
    pub(crate) skin: Skin,
    plan: rig::Rig,
}

impl Rig {
    pub(crate) fn random(random: &mut Random, joints: usize) -> Self {
        let plan = rig::Rig::random(random, joints);
        let mut builder = Skeleton::builder();
        for (joint, (parent, rest)) in plan.parents.iter().zip(&plan.rest).enumerate() {
            let rest =
                Transform { translation: rest.translation, rotation: rest.rotation, scale: rest.scale };
            builder.joint(format!("joint {joint}"), *parent, rest);
        }
        for (set, rest) in plan.morph_rest.iter().enumerate() {
            builder.morph_set(format!("set {set}"), rest.clone());
        }
        let skeleton = Arc::new(builder.build().unwrap());
        let (joints, matrices): (Vec<JointId>, Vec<Mat4>) = plan
            .bound
            .iter()
            .map(|&(source, matrix)| (skeleton.joint_from_source(source).unwrap(), matrix))
            .unzip();
        let skin = Skin::new(&skeleton, joints, &matrices).unwrap();
        Self { skeleton, skin, plan }
    }

    pub(crate) fn joint(&self, source: usize) -> JointId {
        self.skeleton.joint_from_source(source).unwrap()
    }
}

/// The keys of a clip.
pub(crate) struct Spec(spec::Spec);

impl Spec {
    pub(crate) fn random(random: &mut Random, rig: &Rig, kind: Kind) -> Self {
        Self(spec::Spec::random(random, &rig.plan, kind))
    }

    /// Makes all scales the same along all axes.
    pub(crate) fn even_scales(&mut self) {
        let scales = self.0.joints.iter_mut().filter_map(|tracks| tracks[spec::SCALE].as_mut());
        for value in scales.flat_map(|keys| &mut keys.values) {
            let first = value[0];
            value.fill(first);
        }
    }

    /// Lets translations swing to and fro: few points of a spline make many keys of that.
    pub(crate) fn swing_translations(&mut self) {
        let translations = self.0.joints.iter_mut().filter_map(|tracks| tracks[spec::TRANSLATION].as_mut());
        for Keys { times, values, .. } in translations {
            let middle = values[0].clone();
            for (secs, value) in times.iter().zip(values) {
                for (number, middle) in value.iter_mut().zip(&middle) {
                    *number = middle + 0.1 * (5.0 * secs + middle).sin();
                }
            }
        }
    }

    pub(crate) fn interesting_times(&self, random: &mut Random) -> Vec<f32> {
        self.0.interesting_times(random)
    }

    pub(crate) fn build(&self, rig: &Rig, name: &str) -> Clip {
        let mut clip = Clip::builder(name, &rig.skeleton);
        let vector = |numbers: &[f32]| Vec3::from_slice(numbers);
        for (source, [translation, rotation, scale]) in self.0.joints.iter().enumerate() {
            let joint = rig.joint(source);
            if let Some(keys) = translation {
                clip.translation(joint, track(keys, vector));
            }
            if let Some(keys) = rotation {
                clip.rotation(joint, track(keys, Quat::from_slice));
            }
            if let Some(keys) = scale {
                clip.scale(joint, track(keys, vector));
            }
        }
        for (keys, morph) in self.0.morphs.iter().zip(rig.skeleton.morphs()) {
            if let Some(keys) = keys {
                let values = keys.values.iter().flatten().copied().collect();
                clip.morph_weights(morph, Track::new(interpolation(keys), keys.times.clone(), values));
            }
        }
        clip.build().unwrap()
    }
}

fn track<T>(keys: &Keys, value: impl Fn(&[f32]) -> T) -> Track<T> {
    let values = keys.values.iter().map(|numbers| value(numbers)).collect();
    Track::new(interpolation(keys), keys.times.clone(), values)
}

fn interpolation(keys: &Keys) -> Interpolation {
    match keys.interpolation {
        canter_testing::Interpolation::Step => Interpolation::Step,
        canter_testing::Interpolation::Linear => Interpolation::Linear,
        canter_testing::Interpolation::CubicSpline => Interpolation::CubicSpline,
    }
}

/// Joints that hang on each other, each a metre above the one before.
pub(crate) fn chain(joints: usize) -> Arc<Skeleton> {
    let mut builder = Skeleton::builder();
    for joint in 0..joints {
        let rest = if joint == 0 { Transform::IDENTITY } else { Transform::from_translation(Vec3::Y) };
        builder.joint(format!("joint_{joint}"), joint.checked_sub(1), rest);
    }
    Arc::new(builder.build().unwrap())
}

/// The first joint of a skeleton.
pub(crate) fn root(skeleton: &Skeleton) -> JointId {
    skeleton.joint_at(0).unwrap()
}

/// Every number of a pose: ten per joint, then the morph weights.
pub(crate) fn numbers(skeleton: &Skeleton, pose: &Pose) -> Vec<f32> {
    let joint = |joint| {
        let Transform { translation, rotation, scale } = pose.joint(joint);
        [translation.to_array().as_slice(), &rotation.to_array(), &scale.to_array()].concat()
    };
    let weights = |morph| pose.morph_weights(morph).iter().copied();
    skeleton.joints().flat_map(joint).chain(skeleton.morphs().flat_map(weights)).collect()
}

/// The same as bits: equal only if every number is, down to the sign of zero.
pub(crate) fn bits(skeleton: &Skeleton, pose: &Pose) -> Vec<u32> {
    numbers(skeleton, pose).into_iter().map(f32::to_bits).collect()
}
