//! Composing: shear, overflow, levels.

use canter_testing::cases;
use canter_testing::random::Random;
use proptest::prelude::*;

use super::{ModelPose, Subtree};
use crate::glam::{Mat4, Quat, Vec3};
use crate::pose::Pose;
use crate::testing::{Rig, chain, levels, root};
use crate::transform::{LARGEST, Transform};

fn bits(model: &ModelPose) -> Vec<u32> {
    model.joints().iter().flat_map(|matrix| matrix.rows).flatten().map(f32::to_bits).collect()
}

proptest! {
    #![proptest_config(cases(150))]

    /// `wild`: scales that overflow along a limb.
    #[test]
    fn composing_is_the_same_at_every_level(seed in any::<u64>(), joints in 1_usize..100, wild in any::<bool>()) {
        let mut random = Random(seed);
        let rig = Rig::random(&mut random, joints);
        let mut pose = Pose::rest(&rig.skeleton);
        for joint in rig.skeleton.joints() {
            let size = if wild { random.pick(&[1.0, 1e9, LARGEST, 3e35]) } else { 2.0 };
            pose.set_joint(joint, Transform {
                translation: random.vector(size),
                rotation: random.turn(180.0),
                scale: random.vector(size),
            });
        }
        let mut first = None;
        for (name, level) in levels("compose") {
            let mut model = ModelPose::rest(&rig.skeleton);
            model.compose_at(level, &rig.skeleton, &pose);
            let bits = bits(&model);
            prop_assert!(*first.get_or_insert_with(|| bits.clone()) == bits, "{} differs", name);
            for number in model.joints().iter().flat_map(|matrix| matrix.rows).flatten() {
                prop_assert!(number.abs() <= LARGEST, "{}", number);
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn recomposing_a_subtree_is_composing_all(seed in any::<u64>(), joints in 1_usize..60, wild in any::<bool>()) {
        let mut random = Random(seed);
        let rig = Rig::random(&mut random, joints);
        let tops: Vec<_> = (0..1 + random.below(3))
            .map(|_| rig.skeleton.joint_at(random.below(joints)).unwrap())
            .collect();
        let mut pose = Pose::rest(&rig.skeleton);
        let mut model = ModelPose::rest(&rig.skeleton);
        let subtree = Subtree::new(&rig.skeleton, &tops);
        for joint in subtree.joints() {
            let size = if wild { random.pick(&[1.0, 1e9, LARGEST, 3e35, f32::NAN]) } else { 2.0 };
            let (translation, scale) = (random.vector(size), random.vector(size));
            pose.set_joint(joint, Transform { translation, rotation: random.turn(180.0), scale });
        }
        let mut whole = ModelPose::rest(&rig.skeleton);
        whole.compose(&rig.skeleton, &pose);
        for (name, level) in levels("recompose") {
            model.recompose_at(level, &subtree, &pose);
            prop_assert_eq!(bits(&model), bits(&whole), "{}", name);
        }
        // As do those of a group, each with its own pose; more than are composed at once, and not all of them.
        let rest = (ModelPose::rest(&rig.skeleton), Pose::rest(&rig.skeleton));
        for (name, level) in levels("recompose_group") {
            let mut characters = vec![rest.clone(); 11];
            for (_, own) in characters.iter_mut().step_by(2) {
                own.clone_from(&pose);
            }
            let mut members: Vec<_> =
                characters.iter_mut().map(|(model, pose)| Some((model, &*pose))).collect();
            members[3] = None;
            ModelPose::recompose_group_at(level, &mut members, &subtree);
            for (index, (model, _)) in characters.iter().enumerate() {
                let expected = if index % 2 == 0 { &whole } else { &rest.0 };
                prop_assert_eq!(bits(model), bits(expected), "{} of {}", index, name);
            }
        }
    }
}

#[test]
fn shear_under_uneven_scale_survives() {
    let skeleton = chain(2);
    let mut pose = Pose::rest(&skeleton);
    pose.joint_mut(root(&skeleton)).scale = Vec3::new(4.0, 1.0, 1.0);
    let tip = skeleton.joint_at(1).unwrap();
    pose.joint_mut(tip).rotation = Quat::from_rotation_z(std::f32::consts::FRAC_PI_4);
    let mut model = ModelPose::rest(&skeleton);
    model.compose(&skeleton, &pose);
    let [x, y] = [Vec3::X, Vec3::Y].map(|axis| model.joint(tip).transform_vector3(axis));
    assert!(x.dot(y).abs() > 1.0, "axes {x} and {y} are still at a right angle");
}

#[test]
fn large_numbers_that_still_fit_are_not_cut() {
    let skeleton = chain(3);
    let mut pose = Pose::rest(&skeleton);
    for joint in skeleton.joints() {
        pose.joint_mut(joint).scale = Vec3::splat(1e5);
    }
    let mut model = ModelPose::rest(&skeleton);
    model.compose(&skeleton, &pose);
    let last = model.joint(skeleton.joint_at(2).unwrap());
    assert!((last.x_axis.x / 1e15 - 1.0).abs() < 1e-6, "{last}");
}

/// Whatever a user writes into a pose, no infinity and no NaN comes out: wherever it stands among the joints,
/// since they are checked four matrices at a time.
#[test]
fn what_is_no_number_in_an_edited_pose_becomes_zero() {
    for joints in 1..12 {
        let skeleton = chain(joints);
        for broken in skeleton.joints() {
            for bad in [f32::NAN, f32::INFINITY, f32::MAX] {
                let mut pose = Pose::rest(&skeleton);
                pose.joint_mut(broken).translation.y = bad;
                pose.joint_mut(broken).rotation.x = bad;
                let mut model = ModelPose::rest(&skeleton);
                model.compose(&skeleton, &pose);
                for matrix in model.joints() {
                    assert!(matrix.rows.as_flattened().iter().all(|number| number.abs() <= LARGEST));
                }
            }
        }
    }
}

#[test]
fn the_rest_pose_is_composed_at_once() {
    let skeleton = chain(3);
    let model = ModelPose::rest(&skeleton);
    assert_eq!(model.joint_count(), 3);
    assert_eq!(model.joint(skeleton.joint_at(2).unwrap()), Mat4::from_translation(Vec3::Y * 2.0));
}

#[test]
#[should_panic(expected = "a model pose of 2 joints for a skeleton of 3")]
fn a_model_pose_of_another_size_is_refused() {
    let skeleton = chain(3);
    ModelPose::rest(&chain(2)).compose(&skeleton, &Pose::rest(&skeleton));
}
