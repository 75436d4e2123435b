//! What tells clips apart.

use glam::Vec3;

use crate::{AdditiveReference, Clip, Skeleton, Track, Transform};

/// Rises from 0 to 1, where it rests at 0: the keys and the deltas are the same numbers.
fn rise(skeleton: &Skeleton, is_additive: bool) -> Clip {
    let mut clip = Clip::builder("Rise", skeleton);
    if is_additive {
        clip.additive();
    }
    let lift = skeleton.joint("lift").unwrap();
    clip.translation(lift, Track::linear(vec![0.0, 1.0], vec![Vec3::ZERO, Vec3::Y]));
    clip.build().unwrap()
}

#[test]
fn deltas_are_told_from_an_ordinary_clip_with_the_same_keys() {
    let mut joints = Skeleton::builder();
    joints.joint("lift", None, Transform::IDENTITY);
    let skeleton = joints.build().unwrap();
    let (ordinary, deltas) = (rise(&skeleton, false), rise(&skeleton, true));
    assert!(ordinary.tracks().eq(deltas.tracks()));
    assert_ne!(ordinary.fingerprint(), deltas.fingerprint());
    let additive = ordinary.additive(AdditiveReference::Rest).unwrap();
    assert_eq!(additive.fingerprint(), deltas.fingerprint());
    let empty = Clip::builder("Empty", &skeleton).build().unwrap();
    assert_ne!(empty.fingerprint(), empty.additive(AdditiveReference::Rest).unwrap().fingerprint());
    // Stored states name clips by it: it stays what it was before there were additive clips.
    assert_eq!(ordinary.fingerprint(), 2_587_744_710_287_083_514);
}
