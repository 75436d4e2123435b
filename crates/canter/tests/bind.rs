//! A clip on another skeleton, by the names of joints.

use std::sync::Arc;

use canter::glam::Vec3;
use canter::{Clip, ClipFault, Mixer, Play, Pose, Skeleton, Track, Transform};

fn skeleton(joints: &[(&str, Option<usize>)], morphs: &[(&str, usize)]) -> Arc<Skeleton> {
    let mut builder = Skeleton::builder();
    for (name, parent) in joints {
        builder.joint(*name, *parent, Transform::from_translation(Vec3::X));
    }
    for (name, weights) in morphs {
        builder.morph_set(*name, vec![0.0; *weights]);
    }
    Arc::new(builder.build().unwrap())
}

/// Every joint rises to its own height, every morph weight to 1.
fn rise(skeleton: &Skeleton) -> Clip {
    let mut clip = Clip::builder("Rise", skeleton);
    for joint in skeleton.joints() {
        let height = 1.0 + f32::from(u8::try_from(skeleton.source_index(joint)).unwrap());
        clip.translation(joint, Track::linear(vec![0.0, 1.0], vec![Vec3::ZERO, Vec3::Y * height]));
        clip.scale(joint, Track::step(vec![0.0], vec![Vec3::splat(2.0)]));
    }
    for morph in skeleton.morphs() {
        let weights = skeleton.morph_rest(morph).len();
        clip.morph_weights(morph, Track::linear(vec![0.0], vec![1.0; weights]));
    }
    clip.build().unwrap()
}

#[test]
fn joints_that_match_by_name_move_and_the_others_are_named_once() {
    let hero =
        skeleton(&[("hips", None), ("tail", Some(0)), ("head", Some(0))], &[("face", 2), ("belly", 1)]);
    let other = skeleton(&[("head", Some(2)), ("neck", Some(2)), ("hips", None)], &[("face", 2)]);
    let bound = rise(&hero).data(&hero).bind(&other).unwrap();
    assert_eq!(bound.unmatched, ["tail", "belly"]);
    assert_eq!(bound.clip.name(), "Rise");
    let mut mixer = Mixer::new(&other);
    mixer.play(&Arc::new(bound.clip), Play { start_secs: Some(1.0), ..Play::default() });
    let mut pose = Pose::rest(&other);
    mixer.sample(&mut pose);
    let place = |name: &str| pose.joint(other.joint(name).unwrap()).translation;
    assert_eq!((place("hips"), place("head"), place("neck")), (Vec3::Y, Vec3::Y * 3.0, Vec3::X));
    assert_eq!(pose.morph_weights(other.morph("face").unwrap()), [1.0, 1.0]);
}

#[test]
fn bound_to_its_own_skeleton_a_clip_is_the_same_even_with_equal_names() {
    let twins =
        skeleton(&[("twin", Some(1)), ("twin", None), ("twin", Some(0))], &[("face", 1), ("face", 1)]);
    let clip = rise(&twins);
    let bound = clip.data(&twins).bind(&twins).unwrap();
    assert!(bound.unmatched.is_empty());
    let (mut a, mut b) = (Pose::rest(&twins), Pose::rest(&twins));
    clip.sample(0.7, &mut a);
    bound.clip.sample(0.7, &mut b);
    assert_eq!(canter_testing::bits(&twins, &a), canter_testing::bits(&twins, &b));
}

/// The clip was refused because of two tracks for one property, or moved whatever else had no name.
#[test]
fn namesakes_match_one_after_another_and_the_nameless_at_their_place_only() {
    let hero = skeleton(
        &[("bone", None), ("", Some(0)), ("bone", Some(0)), ("bone", Some(0)), ("", Some(0))],
        &[("face", 1), ("face", 1), ("face", 1)],
    );
    let other = skeleton(
        &[("hips", None), ("", Some(0)), ("hand", None), ("bone", Some(0)), ("bone", Some(0)), ("", None)],
        &[("belly", 1), ("face", 1), ("face", 1)],
    );
    let bound = rise(&hero).data(&hero).bind(&other).unwrap();
    assert_eq!(bound.unmatched, ["bone", "", "face"]);
    let mut pose = Pose::rest(&other);
    bound.clip.sample(1.0, &mut pose);
    let heights = (0..6).map(|place| pose.joint(other.joint_from_source(place).unwrap()).translation.y);
    assert!(heights.eq([0.0, 2.0, 0.0, 1.0, 3.0, 0.0]));
    assert!(other.morphs().map(|morph| pose.morph_weights(morph)[0]).eq([0.0, 1.0, 1.0]));
}

#[test]
fn a_morph_set_of_another_size_is_an_error() {
    let (hero, other) = (skeleton(&[], &[("face", 2)]), skeleton(&[], &[("face", 3)]));
    let error = rise(&hero).data(&hero).bind(&other).unwrap_err();
    assert!(matches!(error.fault, ClipFault::Track(_)), "{error}");
    assert!(error.to_string().contains("\"face\""));
}

#[test]
#[should_panic(expected = "is of another skeleton")]
fn the_data_of_a_clip_is_asked_of_its_own_skeleton() {
    let (hero, other) = (skeleton(&[("hips", None)], &[]), skeleton(&[("head", None)], &[]));
    let _ = rise(&hero).data(&other);
}
