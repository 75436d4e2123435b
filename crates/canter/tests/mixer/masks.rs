//! Masks: which joints an action moves.

use std::sync::Arc;

use proptest::prelude::*;

use canter::glam::Vec3;
use canter::{Clip, JointMask, Mixer, Play, Pose, Skeleton, Track, Transform};
use canter_testing::random::Random;
use canter_testing::rig::Rig;
use canter_testing::spec::{KINDS, Spec};
use canter_testing::{bits, cases, chain};

/// A clip in which every joint stands at a height.
fn all_at(skeleton: &Skeleton, name: &str, height: f32) -> Arc<Clip> {
    let mut clip = Clip::builder(name, skeleton);
    for joint in skeleton.joints() {
        clip.translation(joint, Track::linear(vec![0.0, 1.0], vec![Vec3::Y * height; 2]));
    }
    Arc::new(clip.build().unwrap())
}

fn heights(mixer: &mut Mixer) -> Vec<f32> {
    let skeleton = Arc::clone(mixer.skeleton());
    let mut pose = Pose::rest(&skeleton);
    mixer.sample(&mut pose);
    skeleton.joints().map(|joint| pose.joint(joint).translation.y).collect()
}

#[test]
fn a_masked_action_leaves_the_other_joints_alone() {
    let skeleton = chain(4);
    let top = skeleton.joint("joint_2").unwrap();
    let upper = Arc::new(JointMask::subtree(&skeleton, top));
    let mut mixer = Mixer::new(&skeleton);
    let wave = Play { mask: Some(upper), ..Play::default() };
    mixer.play(&all_at(&skeleton, "walk", 10.0), Play::default());
    mixer.play(&all_at(&skeleton, "wave", 20.0), wave.clone());
    assert_eq!(heights(&mut mixer), [10.0, 10.0, 15.0, 15.0]);
    // By itself it moves its joints fully, and the others are at rest.
    let mut alone = Mixer::new(&skeleton);
    let id = alone.play(&all_at(&skeleton, "wave", 20.0), wave);
    assert_eq!(heights(&mut alone), [0.0, 1.0, 20.0, 20.0]);
    alone.get_mut(id).unwrap().set_mask(None);
    assert_eq!(heights(&mut alone), [20.0; 4]);
}

#[test]
fn mask_weights_are_normalised_joint_by_joint() {
    let skeleton = chain(3);
    let mut mask = JointMask::joints(&skeleton, skeleton.joints());
    mask.set(skeleton.joint("joint_1").unwrap(), 0.5);
    mask.set(skeleton.joint("joint_2").unwrap(), 0.05);
    let mut mixer = Mixer::new(&skeleton);
    let id =
        mixer.play(&all_at(&skeleton, "wave", 20.0), Play { mask: Some(Arc::new(mask)), ..Play::default() });
    // By itself it is all there is, however faint.
    assert_eq!(heights(&mut mixer), [20.0, 20.0, 20.0]);
    mixer.get_mut(id).unwrap().set_weight(0.1).unwrap();
    assert_eq!(heights(&mut mixer), [20.0, 20.0, 20.0]);
    mixer.play(&all_at(&skeleton, "walk", 5.0), Play { weight: 0.05, ..Play::default() });
    assert_eq!(heights(&mut mixer)[1], 12.5);
}

/// The rest pose comes and leaves joint by joint: where the only action that moves a joint fades, it fills
/// up.
#[test]
fn a_joint_that_one_action_moves_fades_evenly_from_and_to_rest() {
    let skeleton = chain(2);
    let mask = |name| Some(Arc::new(JointMask::names(&skeleton, [name]).unwrap()));
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&all_at(&skeleton, "legs", 10.0), Play { mask: mask("joint_0"), ..Play::default() });
    let wave = Play { mask: mask("joint_1"), fade: 1.0.into(), ..Play::default() };
    let wave = mixer.play(&all_at(&skeleton, "wave", 11.0), wave);
    for part in [0.25, 0.5, 0.75, 1.0] {
        mixer.advance(0.25);
        let heights = heights(&mut mixer);
        assert!(
            (heights[0] - 10.0).abs() < 1e-5 && (heights[1] - (1.0 + 10.0 * part)).abs() < 1e-5,
            "{heights:?}"
        );
    }
    mixer.fade_out(wave, 1.0);
    for part in [0.75, 0.5, 0.25, 0.0] {
        mixer.advance(0.25);
        let heights = heights(&mut mixer);
        assert!(
            (heights[0] - 10.0).abs() < 1e-5 && (heights[1] - (1.0 + 10.0 * part)).abs() < 1e-5,
            "{heights:?}"
        );
    }
}

#[test]
fn masks_are_made_from_names_subtrees_joints_and_tracks() {
    let mut builder = Skeleton::builder();
    builder.joint("hips", None, Transform::IDENTITY);
    builder.joint("chest", Some(0), Transform::IDENTITY);
    builder.joint("hand", Some(1), Transform::IDENTITY);
    let face = builder.morph_set("face", vec![0.0]);
    let skeleton = builder.build().unwrap();
    let weights = |mask: &JointMask| skeleton.joints().map(|joint| mask.weight(joint)).collect::<Vec<_>>();
    let chest = skeleton.joint("chest").unwrap();
    assert_eq!(weights(&JointMask::none(&skeleton)), [0.0, 0.0, 0.0]);
    assert_eq!(weights(&JointMask::subtree(&skeleton, chest)), [0.0, 1.0, 1.0]);
    assert_eq!(weights(&JointMask::joints(&skeleton, [chest])), [0.0, 1.0, 0.0]);
    assert_eq!(weights(&JointMask::names(&skeleton, ["hand", "hips"]).unwrap()), [1.0, 0.0, 1.0]);
    let error = JointMask::names(&skeleton, ["hand", "tail", "wing"]).unwrap_err();
    assert_eq!(error.to_string(), "the skeleton has no joint \"tail\"; expected the names of its joints");
    assert_eq!(weights(&JointMask::all(&skeleton)), [1.0; 3]);
    assert_eq!(JointMask::all(&skeleton).morph_weight(face), 1.0);
    assert_eq!(JointMask::none(&skeleton).morph_weight(face), 0.0);
    assert!(JointMask::none(&skeleton).fits(&skeleton) && !JointMask::none(&chain(2)).fits(&skeleton));
    let mut clip = Clip::builder("clip", &skeleton);
    clip.scale(chest, Track::step(vec![0.0], vec![Vec3::ONE]));
    clip.morph_weights(face, Track::step(vec![0.0], vec![1.0]));
    let mask = JointMask::tracks(&skeleton, &clip.build().unwrap());
    let mut expected = JointMask::joints(&skeleton, [chest]);
    expected.set_morph(face, 1.0);
    assert_eq!(mask, expected);
}

#[test]
fn masks_are_made_from_patterns_of_names() {
    let mut builder = Skeleton::builder();
    for name in ["hips", "hand_L", "hand_R", "finger_1_L", "finger_12_L", "*", ""] {
        builder.joint(name, None, Transform::IDENTITY);
    }
    let skeleton = builder.build().unwrap();
    let moved = |patterns: &[&str]| {
        let mask = JointMask::matching(&skeleton, patterns.iter().copied()).unwrap();
        let joints = skeleton.joints().filter(|joint| mask.weight(*joint) > 0.0);
        joints.map(|joint| skeleton.name(joint)).collect::<Vec<_>>()
    };
    assert_eq!(moved(&["*_L"]), ["hand_L", "finger_1_L", "finger_12_L"]);
    assert_eq!(moved(&["hand_?", "hips"]), ["hips", "hand_L", "hand_R"]);
    assert_eq!(moved(&["finger_?_L", "hand_R", "hand_R"]), ["hand_R", "finger_1_L"]);
    assert_eq!(
        (moved(&["*"]).len(), moved(&[""]), moved(&["?"]), moved(&[])),
        (7, vec![""], vec!["*"], vec![])
    );
    let error = |pattern| JointMask::matching(&skeleton, ["*", pattern]).unwrap_err().to_string();
    assert_eq!(
        error("tail*"),
        "no joint of the skeleton matches \"tail*\"; expected a name in which * stands for any characters and \
         ? for one"
    );
    assert_eq!(
        error("*_l"),
        "no joint of the skeleton matches \"*_l\"; expected the case of its names, such as \"hand_L\""
    );
}

#[test]
fn a_feather_comes_in_branch_by_branch() {
    // Two arms on a chest, of which the right one has a joint without weight.
    let mut builder = Skeleton::builder();
    for (name, parent) in [
        ("hips", None),
        ("chest", Some(0)),
        ("arm_L", Some(1)),
        ("hand_L", Some(2)),
        ("finger_L", Some(3)),
        ("arm_R", Some(1)),
        ("hand_R", Some(5)),
        ("finger_R", Some(6)),
    ] {
        builder.joint(name, parent, Transform::IDENTITY);
    }
    let face = builder.morph_set("face", vec![0.0]);
    let skeleton = builder.build().unwrap();
    let joint = |name| skeleton.joint(name).unwrap();
    let mut mask = JointMask::subtree(&skeleton, joint("chest"));
    mask.set(joint("arm_R"), 0.0);
    mask.set(joint("hand_L"), 0.5);
    mask.set_morph(face, 0.75);
    let feathered = mask.feathered(&skeleton, 3);
    for (name, weight) in [
        ("hips", 0.0),
        ("chest", 0.25),
        ("arm_L", 0.5),
        ("hand_L", 0.5 * 0.75),
        ("finger_L", 1.0),
        ("arm_R", 0.0),
        ("hand_R", 0.25),
        ("finger_R", 0.5),
    ] {
        assert_eq!(feathered.weight(joint(name)), weight, "{name}");
    }
    assert_eq!(feathered.morph_weight(face), 0.75);
    // However long the feather is, what has a weight keeps some.
    let faint = JointMask::all(&skeleton).feathered(&skeleton, usize::MAX);
    assert!(skeleton.joints().all(|joint| faint.weight(joint) > 0.0));
}

#[test]
#[should_panic(expected = "the masks were made for different skeletons")]
fn masks_of_different_skeletons_are_not_combined() {
    let _ = JointMask::none(&chain(2)).max(&JointMask::none(&chain(3)));
}

#[test]
#[should_panic(expected = "the mask was made for another skeleton")]
fn a_mask_is_feathered_on_its_own_skeleton() {
    let _ = JointMask::none(&chain(2)).feathered(&chain(3), 1);
}

#[test]
fn mask_weights_are_brought_into_0_to_1() {
    let skeleton = chain(1);
    let joint = skeleton.joint_at(0).unwrap();
    let mut mask = JointMask::none(&skeleton);
    for (given, expected) in
        [(0.3, 0.3), (-1.0, 0.0), (7.0, 1.0), (f32::NAN, 0.0), (f32::INFINITY, 1.0), (f32::NEG_INFINITY, 0.0)]
    {
        mask.set(joint, given);
        assert_eq!(mask.weight(joint), expected);
    }
}

#[test]
fn morph_sets_are_masked_like_joints() {
    let mut builder = Skeleton::builder();
    builder.joint("joint", None, Transform::IDENTITY);
    let face = builder.morph_set("face", vec![0.5]);
    let skeleton = Arc::new(builder.build().unwrap());
    let clip = |name: &str, weight: f32| {
        let mut clip = Clip::builder(name, &skeleton);
        clip.morph_weights(face, Track::linear(vec![0.0], vec![weight]));
        Arc::new(clip.build().unwrap())
    };
    let weight = |mixer: &mut Mixer| {
        let mut pose = Pose::rest(&skeleton);
        mixer.sample(&mut pose);
        pose.morph_weights(face)[0]
    };
    let mut mixer = Mixer::new(&skeleton);
    let blind = Arc::new(JointMask::none(&skeleton));
    mixer.play(&clip("blink", 1.0), Play { mask: Some(blind), ..Play::default() });
    assert_eq!(weight(&mut mixer), 0.5);
    mixer.play(&clip("stare", 0.25), Play::default());
    assert_eq!(weight(&mut mixer), 0.25);
}

#[test]
#[should_panic(expected = "the mask was made for another skeleton")]
fn a_mask_of_another_skeleton_is_refused() {
    let (short, long) = (chain(2), chain(3));
    let mask = Some(Arc::new(JointMask::none(&short)));
    Mixer::new(&long).play(&all_at(&long, "clip", 1.0), Play { mask, ..Play::default() });
}

proptest! {
    #![proptest_config(cases(60))]

    /// Joints that a mask leaves out are what they were without the action, bit for bit.
    #[test]
    fn a_joint_outside_of_a_mask_does_not_notice_the_action(
        seed in any::<u64>(),
        joints in 1_usize..30,
        count in 0_usize..4,
    ) {
        let mut random = Random(seed);
        let rig = Rig::random(&mut random, joints);
        let mut with = Mixer::new(&rig.skeleton);
        let clip = |random: &mut Random| {
            let kind = random.pick(&KINDS);
            Arc::new(Spec::random(random, &rig, kind).build(&rig, "clip"))
        };
        for _ in 0..count {
            let weight = random.between(0.01, 1.0);
            with.play(&clip(&mut random), Play { weight, ..Play::default() });
        }
        let mut without = with.clone();
        let mut mask = JointMask::none(&rig.skeleton);
        for joint in rig.skeleton.joints() {
            mask.set(joint, random.pick(&[0.0, 0.0, 0.7]));
        }
        let mask = Arc::new(mask);
        with.play(&clip(&mut random), Play { mask: Some(Arc::clone(&mask)), ..Play::default() });
        let (mut a, mut b) = (Pose::rest(&rig.skeleton), Pose::rest(&rig.skeleton));
        with.sample(&mut a);
        without.sample(&mut b);
        for joint in rig.skeleton.joints().filter(|joint| mask.weight(*joint) > 0.0) {
            a.set_joint(joint, Transform::IDENTITY);
            b.set_joint(joint, Transform::IDENTITY);
        }
        prop_assert_eq!(bits(&rig.skeleton, &a), bits(&rig.skeleton, &b));
    }
}
