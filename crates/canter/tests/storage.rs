//! With the feature `serde`: what is stored and read back plays the same bits; what was tampered with is an
//! error.
#![cfg(feature = "serde")]

use std::sync::Arc;

use canter::{
    Clip, ClipData, Easing, Fade, JointMask, LoopMode, Mixer, MixerState, Play, Pose, Skeleton,
    SkeletonBuilder,
};
use canter_testing::random::Random;
use canter_testing::rig::Rig;
use canter_testing::spec::{KINDS, Spec};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

fn through_json<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

fn setup() -> (Rig, Vec<Arc<Clip>>, Mixer) {
    let mut random = Random(23);
    let rig = Rig::random(&mut random, 33);
    let clips: Vec<Arc<Clip>> = (0..4)
        .map(|index| {
            Arc::new(Spec::random(&mut random, &rig, KINDS[index + 4]).build(&rig, &format!("clip {index}")))
        })
        .collect();
    let mut mixer = Mixer::new(&rig.skeleton);
    let mut mask = JointMask::subtree(&rig.skeleton, rig.skeleton.joint_at(1).unwrap());
    mask.set(rig.skeleton.joint_at(0).unwrap(), 0.3);
    mixer.play(&clips[0], Play { loop_mode: LoopMode::PingPong, speed: -0.3, ..Play::default() });
    mixer.play(&clips[1], Play { mask: Some(Arc::new(mask)), weight: 0.7, ..Play::default() });
    mixer.advance(0.771);
    mixer.crossfade_to(&clips[2], Fade { secs: 0.7, easing: Easing::SmootherStep, ..Fade::default() });
    mixer.advance(0.0313);
    (rig, clips, mixer)
}

fn future(mixer: &mut Mixer) -> Vec<Vec<u32>> {
    let skeleton = Arc::clone(mixer.skeleton());
    let mut pose = Pose::rest(&skeleton);
    let frame = |_| {
        mixer.advance(1.0 / 60.0);
        mixer.sample(&mut pose);
        canter_testing::bits(&skeleton, &pose)
    };
    (0..90).map(frame).collect()
}

#[test]
fn a_whole_scene_plays_on_with_the_same_bits() {
    let (rig, clips, mut mixer) = setup();
    let skeleton: Arc<Skeleton> = Arc::new(through_json(&*rig.skeleton));
    for (joint, again) in rig.skeleton.joints().zip(skeleton.joints()) {
        assert_eq!(rig.skeleton.rest(joint), skeleton.rest(again));
        assert_eq!(rig.skeleton.source_index(joint), skeleton.source_index(again));
    }
    let clips: Vec<Arc<Clip>> = clips
        .iter()
        .map(|clip| {
            let data = clip.data(&rig.skeleton);
            let again: ClipData = through_json(&data);
            assert_eq!(again, data);
            let bound = again.bind(&skeleton).unwrap();
            assert!(bound.unmatched.is_empty());
            Arc::new(bound.clip)
        })
        .collect();
    let state: MixerState = through_json(&mixer.state());
    let mut again = Mixer::from_state(&skeleton, &state, &clips).unwrap();
    assert_eq!(future(&mut again), future(&mut mixer));
}

#[test]
fn a_mask_and_ids_come_back() {
    let (rig, _, mixer) = setup();
    let mask = mixer.actions().find_map(|(_, action)| action.mask().cloned()).unwrap();
    assert_eq!(through_json(&*mask), *mask);
    for (id, _) in mixer.actions() {
        assert!(mixer.get(through_json(&id)).is_some());
    }
    let joint = rig.skeleton.joint_at(5).unwrap();
    assert_eq!(through_json(&joint), joint);
}

/// The JSON of a value, changed at a place, and read again.
fn tampered<T: Serialize + DeserializeOwned>(
    value: &T,
    pointer: &str,
    with: impl Into<Value>,
) -> Result<T, String> {
    let mut json = serde_json::to_value(value).unwrap();
    *json.pointer_mut(pointer).unwrap_or_else(|| panic!("there is no {pointer}")) = with.into();
    serde_json::from_value(json).map_err(|error| error.to_string())
}

#[test]
fn a_skeleton_that_was_tampered_with_is_an_error() {
    let skeleton = canter_testing::chain(3);
    for (pointer, with, part) in [
        ("/joints/1/parent", Value::from(9), "has parent 9"),
        ("/joints/0/parent", Value::from(2), "ring"),
        ("/joints/2/rest/rotation", Value::from(vec![0.0; 4]), "length zero"),
        ("/joints/2/rest/translation", Value::from(vec![0.0, 1e30, 0.0]), "not a finite number"),
        ("/joints/2/rest/translation", Value::from(vec![0.0]), ""),
        ("/joints", Value::Null, ""),
    ] {
        let error = tampered(&*skeleton, pointer, with).unwrap_err();
        assert!(error.contains(part), "{error}");
    }
    // The builder itself can be stored, too: it is checked when it is built.
    let builder = SkeletonBuilder::from(Skeleton::clone(&skeleton));
    assert!(tampered(&builder, "/joints/1/parent", 9).unwrap().build().is_err());
}

#[test]
fn a_clip_that_was_tampered_with_is_an_error() {
    let skeleton = canter_testing::chain(1);
    let clip = canter_testing::rise(&skeleton, "Rise", 1.0, 1.0);
    let data = clip.data(&skeleton);
    for (pointer, with) in [
        ("/tracks/0/keys/times", Value::from(vec![1.0, 0.0])),
        ("/tracks/0/keys/times", Value::from(vec![0.0])),
        ("/tracks/0/keys/times/1", Value::from(-1.0)),
        ("/tracks/0/keys/values/0", Value::from(1e30)),
        ("/tracks/0/keys/interpolation", Value::from("CubicSpline")),
        ("/tracks/0/target/Joint/1", Value::from("Rotation")),
    ] {
        let data = tampered(&data, pointer, with).unwrap();
        assert!(data.bind(&skeleton).is_err(), "{pointer}");
    }
    let strange = tampered(&data, "/tracks/0/target/Joint/0/index", u64::MAX).unwrap();
    assert!(strange.bind(&skeleton).unwrap().unmatched.is_empty());
    let strange = tampered(&data, "/tracks/0/target/Joint/0/name", "tail").unwrap();
    assert_eq!(strange.bind(&skeleton).unwrap().unmatched, ["tail"]);
}

#[test]
fn a_state_that_was_tampered_with_is_an_error_or_plays_without_harm() {
    let (rig, clips, mixer) = setup();
    let put_back = |pointer: &str, with: Value| {
        let state = tampered(&mixer.state(), pointer, with).unwrap();
        Mixer::from_state(&rig.skeleton, &state, &clips)
    };
    for (pointer, with) in [
        ("/base/slots/0/action/clip", serde_json::json!({ "name": "clip 9", "fingerprint": 0, "copy": 0 })),
        ("/base/slots/0/action/weight", Value::from(-1.0)),
        ("/base/slots/0/action/weight", Value::from(1e30)),
        ("/base/slots/0/action/secs", Value::from((-1.0_f64).to_bits())),
        ("/base/slots/0/action/secs", Value::from(1e30_f64.to_bits())),
        ("/base/slots/0/action/secs", Value::from(f64::NAN.to_bits())),
        ("/base/slots/0/action/range_secs", Value::from(vec![0.0, 1e30])),
        ("/base/rest/from_share", Value::from(-1.0)),
        ("/base/slots/1/action/mask/joints", Value::from(vec![1.0])),
        ("/base/slots/1/action/mask/morphs", Value::from(vec![1.0; 9])),
        ("/base/slots/2/action/fader/from_level", Value::from(2.0)),
        ("/base/slots/2/action/fader/from_share", Value::from(-2.0)),
        ("/base/slots/2/action/fader/tween/passed_secs", Value::from((-2.0_f64).to_bits())),
        ("/base/slots/2/action/fader/tween/passed_secs", Value::from(f64::NAN.to_bits())),
        ("/base/slots/2/action/fader/tween/secs", Value::from(-5.0)),
    ] {
        assert!(put_back(pointer, with).is_err(), "{pointer}");
    }
    for (pointer, with) in [
        ("/speed", Value::from(-7.0)),
        ("/base/rest_sides", Value::from(vec![1, 255])),
        ("/base/slots/0/generation", Value::from(u32::MAX)),
        ("/base/slots/0/action/loops", Value::from(i64::MIN)),
        ("/base/slots/0/action/loops", Value::from(i64::MAX)),
        ("/base/slots/1/action/mask/joints/0", Value::from(-5.0)),
        ("/base/slots/2/action/sides", Value::from(vec![7; 900])),
    ] {
        let mut mixer = put_back(pointer, with).unwrap();
        let mut pose = Pose::rest(&rig.skeleton);
        for _ in 0..10 {
            mixer.advance(0.3);
            mixer.sample(&mut pose);
            assert!(
                canter_testing::numbers(&rig.skeleton, &pose).iter().all(|number| number.is_finite()),
                "{pointer}"
            );
        }
    }
}
