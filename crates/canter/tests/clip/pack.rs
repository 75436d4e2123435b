//! Packed clips play, blend and are stored as others are.

use std::sync::Arc;

use canter::glam::{Quat, Vec3};
use canter::{
    AdditiveReference, Clip, Mixer, PackError, PackMode, PackOptions, PackedBytesError, Play, Pose, Skeleton,
    Track, Transform,
};
use canter_testing::numbers;
use canter_testing::packing::apart_mm;

/// Joints in a row, 15 cm from each other.
fn chain(joints: usize) -> Arc<Skeleton> {
    let mut builder = Skeleton::builder();
    for joint in 0..joints {
        let bone = Transform::from_translation(Vec3::new(0.02, 0.15, -0.01));
        builder.joint(format!("joint {joint}"), joint.checked_sub(1), bone);
    }
    Arc::new(builder.build().unwrap())
}

/// A smooth motion of all joints, with a key in each of 31 frames.
#[expect(clippy::disallowed_methods, reason = "made for the test")]
fn wave(skeleton: &Skeleton, is_full: bool) -> Clip {
    let times: Vec<f32> = (0..31_u8).map(|key| f32::from(key) / 30.0).collect();
    let mut clip = Clip::builder("Wave", skeleton);
    for (joint, index) in skeleton.joints().zip(0_u8..) {
        let phase = f32::from(index);
        let wave = |secs: &f32| (secs * std::f32::consts::TAU + phase).sin();
        let axis = Vec3::new(1.0, phase.sin(), phase.cos()).normalize();
        let turns = times.iter().map(|secs| Quat::from_axis_angle(axis, 0.4 * wave(secs))).collect();
        clip.rotation(joint, Track::linear(times.clone(), turns));
        if is_full || index == 0 {
            let places = times.iter().map(|secs| Vec3::new(0.02, 0.1, 0.01) * wave(secs)).collect();
            clip.translation(joint, Track::linear(times.clone(), places));
        }
        if is_full {
            let scales = times.iter().map(|secs| Vec3::splat(1.0 + 0.05 * wave(secs))).collect();
            clip.scale(joint, Track::linear(times.clone(), scales));
        }
    }
    clip.build().unwrap()
}

fn options(error_mm: f32, mode: PackMode) -> PackOptions {
    PackOptions { error_mm, mode, ..PackOptions::default() }
}

#[test]
fn no_point_is_off_by_more_than_was_asked_for() {
    for joints in [1_u8, 7, 16, 24] {
        let skeleton = chain(joints.into());
        for is_full in [false, true] {
            let clip = wave(&skeleton, is_full);
            for mode in [PackMode::Small, PackMode::Fast] {
                for error_mm in [0.05, 0.1, 1.0, 10.0] {
                    let packed = clip.pack(&skeleton, options(error_mm, mode)).unwrap();
                    let measured = apart_mm(&skeleton, &clip, &packed.clip, 407);
                    assert!(measured <= error_mm.into(), "{joints} joints, {mode:?}: {measured} mm");
                    assert!(packed.error_mm <= error_mm);
                    let (before, after) = (clip.memory_bytes(), packed.clip.memory_bytes());
                    // Half of the memory at most, and more where less than a millimetre may be off at the end
                    // of metres of joints.
                    let (part, of) = if error_mm < 1.0 { (7, 10) } else { (1, 2) };
                    assert!(
                        after * of < before * part,
                        "{joints} joints, {mode:?}, {error_mm} mm: {before} to {after}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_packed_clip_is_mixed_like_any_other() {
    let skeleton = chain(9);
    let clip = wave(&skeleton, true);
    let packed = Arc::new(clip.pack(&skeleton, options(0.1, PackMode::Small)).unwrap().clip);
    let clip = Arc::new(clip);
    let pose = |clip: &Arc<Clip>| {
        let mut mixer = Mixer::new(&skeleton);
        mixer.play(clip, Play::default());
        mixer.advance(0.3);
        mixer.crossfade_to(clip, 0.5);
        mixer.play(clip, Play { weight: 0.5, ..Play::default() });
        mixer.advance(0.21);
        let mut pose = Pose::rest(&skeleton);
        mixer.sample(&mut pose);
        numbers(&skeleton, &pose)
    };
    let most = pose(&clip).iter().zip(pose(&packed)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(most < 2e-3, "{most}");
}

#[test]
fn its_keys_are_those_that_it_plays() {
    let skeleton = chain(9);
    let clip = wave(&skeleton, true);
    let packed = clip.pack(&skeleton, options(0.1, PackMode::Fast)).unwrap().clip;
    assert_eq!(packed.tracks().len(), clip.tracks().len());
    let bound = packed.data(&skeleton).bind(&skeleton).unwrap();
    assert!(bound.unmatched.is_empty() && bound.clip.duration_secs() == clip.duration_secs());
    assert!(apart_mm(&skeleton, &packed, &bound.clip, 407) < 0.02);
    // What is made of it is made of these keys.
    let additive = packed.additive(AdditiveReference::FirstKey).unwrap();
    assert!(!additive.is_packed() && additive.tracks().len() >= packed.tracks().len());
    let deltas = additive.pack(&skeleton, options(0.1, PackMode::Small)).unwrap();
    assert!(deltas.clip.is_packed() && deltas.clip.is_additive() && deltas.error_mm <= 0.1);
}

#[test]
fn packing_twice_changes_nothing() {
    let skeleton = chain(5);
    let once = wave(&skeleton, false).pack(&skeleton, PackOptions::default()).unwrap().clip;
    let twice = once.pack(&skeleton, options(5.0, PackMode::Small)).unwrap();
    assert_eq!((twice.error_mm, twice.clip.to_packed_bytes()), (0.0, once.to_packed_bytes()));
}

#[test]
fn what_does_not_get_smaller_stays_as_it_is() {
    let skeleton = chain(2);
    let joint = canter_testing::root(&skeleton);
    let mut clip = Clip::builder("Jump", &skeleton);
    clip.translation(joint, Track::step(vec![0.0, 1.0], vec![Vec3::ZERO, Vec3::X]));
    let clip = clip.build().unwrap();
    let packed = clip.pack(&skeleton, PackOptions::default()).unwrap();
    assert!(!packed.clip.is_packed() && packed.error_mm == 0.0 && packed.clip.to_packed_bytes().is_none());
}

#[test]
fn options_are_checked() {
    let skeleton = chain(2);
    let clip = wave(&skeleton, false);
    for error_mm in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let error = clip.pack(&skeleton, options(error_mm, PackMode::Small)).unwrap_err();
        assert!(matches!(error, PackError::BadError { .. }), "{error}");
    }
    let unit = PackOptions { metres_per_unit: 0.0, ..PackOptions::default() };
    assert!(matches!(clip.pack(&skeleton, unit), Err(PackError::BadUnit { .. })));
    let error = clip.pack(&chain(3), PackOptions::default()).unwrap_err();
    assert!(matches!(error, PackError::OtherSkeleton { .. }), "{error}");
}

#[test]
fn broken_bytes_are_refused() {
    let skeleton = chain(3);
    let clip = wave(&skeleton, true).pack(&skeleton, PackOptions::default()).unwrap().clip;
    let bytes = clip.to_packed_bytes().unwrap();
    assert!(Clip::from_packed_bytes(&skeleton, &bytes).unwrap().is_packed());
    assert_eq!(Clip::from_packed_bytes(&chain(4), &bytes).unwrap_err(), PackedBytesError::OtherSkeleton);
    assert_eq!(Clip::from_packed_bytes(&skeleton, b"glTF").unwrap_err(), PackedBytesError::NotPacked);
    for length in (0..bytes.len()).step_by(3) {
        assert!(Clip::from_packed_bytes(&skeleton, &bytes[..length]).is_err(), "cut at {length}");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(
        Clip::from_packed_bytes(&skeleton, &longer).unwrap_err(),
        PackedBytesError::TooLong { left: 1 }
    );
    // Whatever else is changed: it is refused, or plays.
    let mut pose = Pose::rest(&skeleton);
    for place in (0..bytes.len()).step_by(2) {
        let mut changed = bytes.clone();
        changed[place] = changed[place].wrapping_mul(31).wrapping_add(129);
        if let Ok(clip) = Clip::from_packed_bytes(&skeleton, &changed) {
            for secs in [-1.0, 0.0, 0.013, 0.5, 0.99, 1e9, f32::NAN] {
                clip.sample(secs, &mut pose);
                assert!(numbers(&skeleton, &pose).iter().all(|number| number.is_finite()), "byte {place}");
            }
        }
    }
}
