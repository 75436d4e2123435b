//! Additive clips by example: references, zero and negative scales, errors, storing and binding.

use canter::glam::{Quat, Vec3};
use canter::{
    AdditiveError, AdditiveReference, Clip, Interpolation, Pose, Property, Skeleton, Track, TrackTarget,
    Transform,
};
use canter_testing::random::Random;
use canter_testing::rig::Rig;
use canter_testing::spec::{KINDS, Spec};
use canter_testing::{bits, chain, one_joint, rise, root, stand};

fn delta_at(clip: &Clip, skeleton: &Skeleton, secs: f32) -> Pose {
    let mut delta = Pose::rest(skeleton);
    clip.sample(secs, &mut delta);
    delta
}

/// A clip that scales the first joint.
fn scaling(skeleton: &Skeleton, track: Track<Vec3>) -> Clip {
    let mut clip = Clip::builder("Grow", skeleton);
    clip.scale(root(skeleton), track);
    clip.build().unwrap()
}

#[test]
fn an_ordinary_clip_is_not_additive_and_an_additive_one_keeps_name_length_and_times() {
    let skeleton = chain(3);
    let clip = rise(&skeleton, "Rise", 2.0, 4.0);
    assert!(!clip.is_additive());
    let additive = clip.additive(AdditiveReference::Rest).unwrap();
    assert!(additive.is_additive() && additive.fits(&skeleton));
    assert_eq!((additive.name(), additive.duration_secs()), ("Rise", 2.0));
    let [track] = &additive.tracks().collect::<Vec<_>>()[..] else { panic!("one track") };
    assert_eq!((track.curve.times(), track.curve.interpolation()), (&[0.0, 2.0][..], Interpolation::Linear));
    // What it does not move is not moved back to rest: the identity stands for it.
    for joint in skeleton.joints().skip(1) {
        assert_eq!(delta_at(&additive, &skeleton, 1.0).joint(joint), Transform::IDENTITY);
    }
}

#[test]
fn what_the_reference_moves_and_the_clip_does_not_gets_a_single_key() {
    let mut builder = Skeleton::builder();
    builder.joint("hips", None, Transform::from_translation(Vec3::Y));
    builder.joint("hand", Some(0), Transform::from_rotation(Quat::from_xyzw(0.0, 1.0, 0.0, 0.0)));
    let [face, belly] = ["face", "belly"].map(|name| builder.morph_set(name, vec![0.25]));
    let skeleton = builder.build().unwrap();
    let [hips, hand] = ["hips", "hand"].map(|name| skeleton.joint(name).unwrap());
    let mut lean = Clip::builder("Lean", &skeleton);
    lean.translation(hips, Track::step(vec![0.0, 3.0], vec![Vec3::X, Vec3::Z]));
    lean.morph_weights(belly, Track::linear(vec![1.0], vec![1.0]));
    let lean = lean.build().unwrap();
    let mut stand = Clip::builder("Stand", &skeleton);
    // The same as at rest, and the opposite quaternion of it: neither is a change.
    stand.translation(hips, Track::step(vec![0.0], vec![Vec3::Y]));
    stand.rotation(hips, Track::step(vec![0.0], vec![-Quat::IDENTITY]));
    stand.rotation(hand, Track::step(vec![0.0], vec![Quat::IDENTITY]));
    stand.scale(hand, Track::step(vec![0.0], vec![Vec3::splat(2.0)]));
    stand.morph_weights(face, Track::step(vec![0.0], vec![1.0]));
    let stand = stand.build().unwrap();
    let reference = AdditiveReference::Clip { clip: &stand, secs: 0.0 };
    let additive = lean.additive(reference).unwrap();
    assert_eq!(additive.duration_secs(), 3.0);
    // Those of joints first.
    assert_eq!(
        additive.tracks().map(|track| track.target).collect::<Vec<_>>(),
        [
            TrackTarget::Joint(hips, Property::Translation),
            TrackTarget::Joint(hand, Property::Rotation),
            TrackTarget::Joint(hand, Property::Scale),
            TrackTarget::Morph(belly),
            TrackTarget::Morph(face),
        ]
    );
    let delta = delta_at(&additive, &skeleton, 3.0);
    assert_eq!(delta.joint(hips), Transform::from_translation(Vec3::Z - Vec3::Y));
    let expected = Transform {
        rotation: Quat::from_xyzw(0.0, 1.0, 0.0, 0.0),
        scale: Vec3::splat(0.5),
        ..Transform::IDENTITY
    };
    assert_eq!(delta.joint(hand), expected);
    assert_eq!((delta.morph_weights(face), delta.morph_weights(belly)), (&[-0.75][..], &[0.75][..]));
}

#[test]
fn of_keys_at_time_0_the_one_that_is_seen_is_the_first() {
    let skeleton = one_joint();
    let mut clip = Clip::builder("clip", &skeleton);
    let values = [7.0, 5.0, 3.0, 4.0].map(|height| Vec3::Y * height);
    clip.translation(root(&skeleton), Track::linear(vec![0.0, 0.0, 0.0, 1.0], values.to_vec()));
    let additive = clip.build().unwrap().additive(AdditiveReference::FirstKey).unwrap();
    for (secs, height) in [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0)] {
        assert_eq!(delta_at(&additive, &skeleton, secs).joint(root(&skeleton)).translation, Vec3::Y * height);
    }
    // A first key that comes later holds from the start.
    let mut late = Clip::builder("late", &skeleton);
    late.translation(root(&skeleton), Track::linear(vec![2.0, 3.0], vec![Vec3::X, Vec3::X * 2.0]));
    let additive = late.build().unwrap().additive(AdditiveReference::FirstKey).unwrap();
    assert_eq!(delta_at(&additive, &skeleton, 9.0).joint(root(&skeleton)).translation, Vec3::X);
}

#[test]
fn scales_are_divided_with_their_signs_and_from_zero_nothing_changes() {
    let skeleton = one_joint();
    let reference = Vec3::new(-2.0, 0.0, 4.0);
    let reference = scaling(&skeleton, Track::step(vec![0.0], vec![reference]));
    let reference = AdditiveReference::Clip { clip: &reference, secs: 0.0 };
    let (from, to) = (Vec3::new(2.0, 3.0, 0.0), Vec3::new(-4.0, -5.0, -2.0));
    let (start, end) = (Vec3::new(-1.0, 1.0, 0.0), Vec3::new(2.0, 1.0, -0.5));
    let spline = vec![Vec3::ONE, from, Vec3::ZERO, Vec3::new(0.0, 8.0, 0.0), to, Vec3::ONE];
    for (track, middle) in [
        (Track::step(vec![0.0, 1.0], vec![from, to]), start),
        (Track::linear(vec![0.0, 1.0], vec![from, to]), (start + end) / 2.0),
        (Track::cubic(vec![0.0, 1.0], spline), (start + end) / 2.0),
    ] {
        let additive = scaling(&skeleton, track).additive(reference).unwrap();
        for (secs, expected) in [(0.0, start), (0.5, middle), (1.0, end)] {
            let scale = delta_at(&additive, &skeleton, secs).joint(root(&skeleton)).scale;
            assert_eq!(scale, expected, "at {secs} s");
        }
    }
}

#[test]
fn additive_clips_are_not_made_additive_again_nor_taken_as_a_reference() {
    let skeleton = one_joint();
    let clip = rise(&skeleton, "Rise", 1.0, 1.0);
    let additive = clip.additive(AdditiveReference::Rest).unwrap();
    let error = additive.additive(AdditiveReference::Rest).unwrap_err();
    assert_eq!(error, AdditiveError::AlreadyAdditive { clip: "Rise".to_owned() });
    assert_eq!(error.to_string(), "clip \"Rise\" is additive already; expected one of full poses");
    let error = stand(&skeleton, "Stand", 1.0)
        .additive(AdditiveReference::Clip { clip: &additive, secs: 0.0 })
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "clip \"Stand\": the reference clip \"Rise\" is additive; expected one of full poses"
    );
    let other = rise(&chain(2), "Climb", 1.0, 1.0);
    let error = clip.additive(AdditiveReference::Clip { clip: &other, secs: 0.0 }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "clip \"Rise\": the reference clip \"Climb\" is of another skeleton; expected one of the same"
    );
}

#[test]
fn a_delta_that_is_too_large_is_an_error_that_names_the_key() {
    let skeleton = one_joint();
    let reference = scaling(&skeleton, Track::step(vec![0.0], vec![Vec3::new(1.0, 1e-20, 1.0)]));
    let clip = scaling(&skeleton, Track::step(vec![0.0, 1.0], vec![Vec3::Y * 1e-20, Vec3::ONE]));
    let error = clip.additive(AdditiveReference::Clip { clip: &reference, secs: 0.0 }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "clip \"Grow\", scale of joint 0: key 1 is too far from the reference; expected deltas of at most \
         10¹⁸"
    );
}

#[test]
fn clips_of_one_key_of_no_length_and_of_nothing_at_all() {
    let skeleton = chain(2);
    let empty = Clip::builder("Empty", &skeleton).build().unwrap();
    let mut still = Clip::builder("Still", &skeleton);
    still.translation(root(&skeleton), Track::cubic(vec![0.0], vec![Vec3::Z, Vec3::Y, Vec3::Z]));
    let still = still.build().unwrap();
    let of_empty = |reference| empty.additive(reference).unwrap();
    for reference in [AdditiveReference::Rest, AdditiveReference::FirstKey] {
        assert_eq!((of_empty(reference).tracks().len(), of_empty(reference).duration_secs()), (0, 0.0));
    }
    let additive = of_empty(AdditiveReference::Clip { clip: &still, secs: f32::NAN });
    assert_eq!(delta_at(&additive, &skeleton, 0.0).joint(root(&skeleton)).translation, -Vec3::Y);
    let additive = still.additive(AdditiveReference::Rest).unwrap();
    assert_eq!((additive.tracks().len(), additive.duration_secs()), (1, 0.0));
    assert_eq!(delta_at(&additive, &skeleton, 7.0).joint(root(&skeleton)).translation, Vec3::Y);
    // A skeleton without joints has clips, too.
    let nobody = Skeleton::builder().build().unwrap();
    let nothing = Clip::builder("Nothing", &nobody).build().unwrap();
    assert!(nothing.additive(AdditiveReference::FirstKey).unwrap().is_additive());
}

/// An additive clip on every kind of keys, and its rig.
fn additive(kind: usize) -> (Rig, Clip) {
    let mut random = Random(40 + kind as u64);
    let rig = Rig::random(&mut random, 12);
    let [clip, other] = [kind, (kind + 1) % KINDS.len()]
        .map(|kind| Spec::random(&mut random, &rig, KINDS[kind]).build(&rig, "clip"));
    let clip = clip.additive(AdditiveReference::Clip { clip: &other, secs: 0.3 }).unwrap();
    (rig, clip)
}

fn assert_same(skeleton: &Skeleton, clip: &Clip, again: &Clip) {
    assert!(again.is_additive());
    assert!(clip.tracks().eq(again.tracks()));
    for step in 0..20_u8 {
        let secs = f32::from(step) / 10.0;
        let [a, b] = [clip, again].map(|clip| bits(skeleton, &delta_at(clip, skeleton, secs)));
        assert_eq!(a, b);
    }
}

#[test]
fn bound_to_its_own_skeleton_an_additive_clip_is_the_same() {
    for kind in 0..KINDS.len() {
        let (rig, clip) = additive(kind);
        let data = clip.data(&rig.skeleton);
        assert!(data.is_additive());
        let bound = data.bind(&rig.skeleton).unwrap();
        assert!(bound.unmatched.is_empty());
        assert_same(&rig.skeleton, &clip, &bound.clip);
    }
}

#[test]
fn on_another_skeleton_the_deltas_are_the_same_whatever_the_rest_pose() {
    let (short, mut tall) = (one_joint(), Skeleton::builder());
    tall.joint("joint_0", None, Transform::from_translation(Vec3::Y * 9.0));
    tall.joint("tail", Some(0), Transform::from_translation(Vec3::Y));
    let tall = tall.build().unwrap();
    let additive = rise(&short, "Rise", 1.0, 2.0).additive(AdditiveReference::Rest).unwrap();
    let bound = additive.data(&short).bind(&tall).unwrap().clip;
    let delta = delta_at(&bound, &tall, 0.5);
    assert_eq!(delta.joint(root(&tall)), Transform::from_translation(Vec3::Y));
    assert_eq!(delta.joint(tall.joint("tail").unwrap()), Transform::IDENTITY);
}

#[test]
fn a_builder_makes_additive_clips_of_deltas() {
    for kind in 0..KINDS.len() {
        let (rig, clip) = additive(kind);
        let mut builder = Clip::builder("clip", &rig.skeleton);
        for track in clip.tracks() {
            let curve = &track.curve;
            let keys = Track::new(curve.interpolation(), curve.times().to_vec(), curve.numbers().to_vec());
            match track.target {
                TrackTarget::Joint(joint, property) => builder.numbers(joint, property, keys),
                TrackTarget::Morph(morph) => builder.morph_weights(morph, keys),
            };
        }
        // At the end as well as at the start.
        builder.additive();
        assert_same(&rig.skeleton, &clip, &builder.build().unwrap());
    }
}

#[cfg(feature = "serde")]
#[test]
fn stored_clips_keep_whether_they_are_additive_and_those_of_old_are_not() {
    let (rig, clip) = additive(7);
    let data = clip.data(&rig.skeleton);
    let text = serde_json::to_string(&data).unwrap();
    let again: canter::ClipData = serde_json::from_str(&text).unwrap();
    assert_eq!(again, data);
    assert_same(&rig.skeleton, &clip, &again.bind(&rig.skeleton).unwrap().clip);
    let mut old = serde_json::to_value(&data).unwrap();
    assert!(old.as_object_mut().unwrap().remove("is_additive").is_some());
    let old: canter::ClipData = serde_json::from_value(old).unwrap();
    assert!(!old.is_additive() && old != data);
    assert!(!old.bind(&rig.skeleton).unwrap().clip.is_additive());
}
