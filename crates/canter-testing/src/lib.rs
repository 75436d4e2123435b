//! What the tests of several crates need: random rigs and clips with a float64 twin to compare them with, an
//! allocator that counts, files made in memory, and the models of others. [The
//! guide](../guide/made/tests.html) says what is tested how.
//!
//! The tests beside the code of `canter` see another copy of that crate: for them only what has no type of
//! `canter` in it is of use, and `canter/src/testing.rs` builds the rest once more.
#![allow(missing_docs, clippy::len_without_is_empty, reason = "only the project's own tests use this")]

pub mod allocator;
pub mod compare;
pub mod glb;
pub mod models;
pub mod packing;
pub mod random;
pub mod requirement;
pub mod rig;
pub mod spec;
pub mod twin;

use std::sync::Arc;

use canter::glam::{Quat, Vec3};
use canter::{Clip, JointId, Pose, Skeleton, Track, Transform};
use proptest::test_runner::{Config, RngSeed};

pub use canter::Interpolation;

/// How laws are tried: on so many cases, the same in every run. `PROPTEST_CASES` and `PROPTEST_RNG_SEED` look
/// further.
pub fn cases(count: u32) -> Config {
    let from_environment = Config::default();
    let is_set = |variable| std::env::var_os(variable).is_some();
    Config {
        cases: if is_set("PROPTEST_CASES") { from_environment.cases } else { count },
        rng_seed: match from_environment.rng_seed {
            RngSeed::Random => RngSeed::Fixed(7),
            fixed @ RngSeed::Fixed(_) => fixed,
        },
        failure_persistence: None,
        ..from_environment
    }
}

/// A skeleton of one joint, at rest at the origin.
pub fn one_joint() -> Arc<Skeleton> {
    chain(1)
}

/// Joints `joint_0`, `joint_1` and so on that hang on each other, each a metre above the one before.
pub fn chain(joints: usize) -> Arc<Skeleton> {
    let mut builder = Skeleton::builder();
    for joint in 0..joints {
        let rest = if joint == 0 { Transform::IDENTITY } else { Transform::from_translation(Vec3::Y) };
        builder.joint(format!("joint_{joint}"), joint.checked_sub(1), rest);
    }
    Arc::new(builder.build().unwrap())
}

/// The first joint of a skeleton.
pub fn root(skeleton: &Skeleton) -> JointId {
    skeleton.joint_at(0).unwrap()
}

/// A clip in which the first joint rises in a straight line from 0 to `height` in `secs`.
pub fn rise(skeleton: &Skeleton, name: &str, secs: f32, height: f32) -> Arc<Clip> {
    let mut clip = Clip::builder(name, skeleton);
    let track = Track::linear(vec![0.0, secs], vec![Vec3::ZERO, Vec3::Y * height]);
    clip.translation(root(skeleton), track);
    Arc::new(clip.build().unwrap())
}

/// A clip of a second in which the first joint stands at a height.
pub fn stand(skeleton: &Skeleton, name: &str, height: f32) -> Arc<Clip> {
    let mut clip = Clip::builder(name, skeleton);
    clip.translation(root(skeleton), Track::step(vec![0.0, 1.0], vec![Vec3::Y * height; 2]));
    Arc::new(clip.build().unwrap())
}

/// A clip of a second in which the first joint is turned.
pub fn turned(skeleton: &Skeleton, name: &str, rotation: Quat) -> Arc<Clip> {
    let mut clip = Clip::builder(name, skeleton);
    clip.rotation(root(skeleton), Track::step(vec![0.0, 1.0], vec![rotation; 2]));
    Arc::new(clip.build().unwrap())
}

/// How high the first joint stands.
pub fn height(pose: &Pose, skeleton: &Skeleton) -> f32 {
    pose.joint(root(skeleton)).translation.y
}

/// Every number of a pose: ten per joint, then the morph weights.
pub fn numbers(skeleton: &Skeleton, pose: &Pose) -> Vec<f32> {
    let mut numbers = Vec::new();
    for joint in skeleton.joints() {
        let Transform { translation, rotation, scale } = pose.joint(joint);
        numbers.extend(translation.to_array());
        numbers.extend(rotation.to_array());
        numbers.extend(scale.to_array());
    }
    for morph in skeleton.morphs() {
        numbers.extend(pose.morph_weights(morph));
    }
    numbers
}

/// The same as bits: equal only if every number is, down to the sign of zero.
pub fn bits(skeleton: &Skeleton, pose: &Pose) -> Vec<u32> {
    numbers(skeleton, pose).into_iter().map(f32::to_bits).collect()
}

/// The largest distance between numbers of two poses, rotations compared as rotations.
pub fn distance(skeleton: &Skeleton, a: &Pose, b: &Pose) -> f32 {
    let mut largest = 0.0_f32;
    for joint in skeleton.joints() {
        let (a, b) = (a.joint(joint), b.joint(joint));
        let side = if a.rotation.dot(b.rotation) < 0.0 { -1.0 } else { 1.0 };
        largest = largest
            .max((a.translation - b.translation).abs().max_element())
            .max((a.scale - b.scale).abs().max_element());
        for (a, b) in a.rotation.to_array().into_iter().zip(b.rotation.to_array()) {
            largest = largest.max((a - side * b).abs());
        }
    }
    for morph in skeleton.morphs() {
        for (a, b) in a.morph_weights(morph).iter().zip(b.morph_weights(morph)) {
            largest = largest.max((a - b).abs());
        }
    }
    largest
}
