//! Orders, names, sources.

use std::sync::Arc;

use canter::glam::Quat;
use canter::{Clip, Mixer, Play, Pose, Skeleton, Track, Transform};
use canter_testing::cases;
use canter_testing::random::Random;
use canter_testing::rig::Rig;
use proptest::prelude::*;

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn parents_come_before_children_and_sources_lead_back(seed in any::<u64>(), joints in 1_usize..200) {
        let mut random = Random(seed);
        let rig = Rig::random(&mut random, joints);
        let skeleton = &rig.skeleton;
        prop_assert_eq!(skeleton.joint_count(), joints);
        let mut sources: Vec<usize> = skeleton.joints().map(|joint| skeleton.source_index(joint)).collect();
        for joint in skeleton.joints() {
            let source = skeleton.source_index(joint);
            prop_assert_eq!(skeleton.joint_from_source(source), Some(joint));
            prop_assert_eq!(skeleton.joint_at(joint.index()), Some(joint));
            prop_assert_eq!(skeleton.joint(skeleton.name(joint)), Some(joint));
            prop_assert_eq!(skeleton.name(joint), format!("joint {source}"));
            let parent = skeleton.parent(joint);
            prop_assert!(parent.is_none_or(|parent| parent < joint));
            prop_assert_eq!(parent.map(|parent| skeleton.source_index(parent)), rig.parents[source]);
            let (rest, given) = (skeleton.rest(joint), rig.rest[source]);
            prop_assert_eq!((rest.translation, rest.scale), (given.translation, given.scale));
            prop_assert!(rest.rotation.abs_diff_eq(given.rotation.normalize(), 1e-6));
        }
        sources.sort_unstable();
        prop_assert!(sources.into_iter().eq(0..joints));
    }

    #[test]
    fn a_subtree_is_all_that_hangs_on_a_joint(seed in any::<u64>(), joints in 1_usize..60) {
        let rig = Rig::random(&mut Random(seed), joints);
        for top in rig.skeleton.joints() {
            let subtree = rig.skeleton.subtree(top);
            for joint in rig.skeleton.joints() {
                let mut above = Some(joint);
                while above.is_some_and(|above| above != top) {
                    above = above.and_then(|above| rig.skeleton.parent(above));
                }
                prop_assert_eq!(subtree.contains(&joint), above.is_some());
            }
            prop_assert!(subtree.is_sorted());
        }
    }
}

#[test]
fn a_skeleton_may_be_empty() {
    let skeleton = Skeleton::builder().build().unwrap();
    assert_eq!((skeleton.joint_count(), skeleton.joints().len(), skeleton.joint_at(0)), (0, 0, None));
}

#[test]
fn of_joints_with_one_name_the_one_that_was_added_first_is_found() {
    let mut builder = Skeleton::builder();
    builder.joint("twin", Some(1), Transform::IDENTITY);
    builder.joint("twin", None, Transform::IDENTITY);
    let skeleton = builder.build().unwrap();
    assert_eq!(skeleton.source_index(skeleton.joint("twin").unwrap()), 0);
}

#[test]
fn morph_sets_have_names_and_rest_weights() {
    let mut builder = Skeleton::builder();
    let face = builder.morph_set("face", vec![0.25, 0.5]);
    let empty = builder.morph_set("empty", vec![]);
    let belly = builder.morph_set("belly", vec![1.0]);
    let skeleton = builder.build().unwrap();
    assert_eq!(skeleton.morph_count(), 3);
    assert_eq!((skeleton.morph("belly"), skeleton.morph("tail")), (Some(belly), None));
    assert_eq!(skeleton.morph_name(face), "face");
    assert_eq!(skeleton.morph_rest(face), [0.25, 0.5]);
    assert!(skeleton.morph_rest(empty).is_empty());
    assert_eq!(skeleton.morph_rest(belly), [1.0]);
}

#[test]
fn roots_on_which_nothing_hangs_come_last_and_stay_exactly_at_rest() {
    let mut joints = Skeleton::builder();
    let odd = Transform { rotation: Quat::from_xyzw(0.1, 0.2, 0.3, 0.9), ..Transform::IDENTITY };
    joints.joint("mesh", None, odd);
    let mut parent = joints.joint("root", None, Transform::IDENTITY);
    for limb in 1..16 {
        parent = joints.joint(format!("limb {limb}"), Some(parent), Transform::IDENTITY);
    }
    let skeleton = Arc::new(joints.build().unwrap());
    let mesh = skeleton.joint("mesh").unwrap();
    assert_eq!((skeleton.joint("root").unwrap().index(), mesh.index()), (0, 16));

    let mut mixer = Mixer::new(&skeleton);
    for angle in [0.5, 1.5] {
        let mut clip = Clip::builder("turn", &skeleton);
        for joint in skeleton.joints().filter(|joint| *joint != mesh) {
            clip.rotation(
                joint,
                Track::linear(vec![0.0, 1.0], vec![Quat::IDENTITY, Quat::from_rotation_x(angle)]),
            );
        }
        mixer.play(&Arc::new(clip.build().unwrap()), Play { weight: 0.3, ..Play::default() });
    }
    let mut pose = Pose::rest(&skeleton);
    for _ in 0..7 {
        mixer.advance(0.13);
        mixer.sample(&mut pose);
        assert_eq!(pose.joint(mesh), skeleton.rest(mesh));
    }
}
