//! State: a plain value that can be kept and put back.

use std::sync::Arc;

#[cfg(feature = "serde")]
use canter::MixerState;
use canter::{Clip, Easing, Fade, JointMask, LoopMode, Mixer, Play, Pose, StateError};
use canter_testing::random::Random;
use canter_testing::rig::Rig;
use canter_testing::spec::{KINDS, Spec};
use canter_testing::{bits, chain, one_joint, rise};

/// A mixer in the midst of fades, with masks, and a slot that is free.
fn busy(rig: &Rig, clips: &[Arc<Clip>]) -> Mixer {
    let mut mixer = Mixer::new(&rig.skeleton);
    mixer.set_speed(0.7);
    mixer.set_fades_follow_speed(true);
    let gone = mixer.play(&clips[0], Play::default());
    mixer.play(&clips[1], Play { loop_mode: LoopMode::PingPong, speed: -0.7, ..Play::default() });
    let mask = Some(Arc::new(JointMask::subtree(&rig.skeleton, rig.skeleton.joint_at(0).unwrap())));
    mixer.play(&clips[2], Play { loop_mode: LoopMode::Times(3), weight: 0.4, mask, ..Play::default() });
    mixer.stop(gone);
    mixer.advance(0.31);
    mixer.crossfade_to(&clips[3], Fade { secs: 0.9, easing: Easing::SmoothStep, ..Fade::default() });
    mixer.advance(0.123);
    mixer.sample(&mut Pose::rest(&rig.skeleton));
    mixer
}

fn setup() -> (Rig, Vec<Arc<Clip>>) {
    let mut random = Random(11);
    let rig = Rig::random(&mut random, 21);
    let clips = (0..4)
        .map(|index| {
            Arc::new(Spec::random(&mut random, &rig, KINDS[index + 4]).build(&rig, &format!("clip {index}")))
        })
        .collect();
    (rig, clips)
}

/// What plays from here on, frame by frame.
fn future(mixer: &mut Mixer) -> Vec<Vec<u32>> {
    let skeleton = Arc::clone(mixer.skeleton());
    let mut pose = Pose::rest(&skeleton);
    (0..60)
        .map(|_| {
            mixer.advance(1.0 / 60.0);
            mixer.sample(&mut pose);
            bits(&skeleton, &pose)
        })
        .collect()
}

#[test]
fn a_clone_plays_on_as_the_mixer_does() {
    let (rig, clips) = setup();
    let mut mixer = busy(&rig, &clips);
    let mut clone = mixer.clone();
    let mut taken_over = Mixer::new(&chain(2));
    taken_over.clone_from(&mixer);
    let expected = future(&mut mixer);
    assert_eq!(future(&mut clone), expected);
    assert_eq!(future(&mut taken_over), expected);
}

#[test]
fn a_state_that_is_put_back_plays_on_and_keeps_its_ids() {
    let (rig, clips) = setup();
    let mut mixer = busy(&rig, &clips);
    let state = mixer.state();
    let mut again = Mixer::from_state(&rig.skeleton, &state, &clips).unwrap();
    assert_eq!(again.state(), state);
    let ids = |mixer: &Mixer| mixer.actions().map(|(id, _)| id).collect::<Vec<_>>();
    assert_eq!(ids(&again), ids(&mixer));
    assert_eq!(future(&mut again), future(&mut mixer));
}

#[test]
fn a_state_without_its_clip_is_an_error_that_names_it() {
    let skeleton = one_joint();
    let clip = rise(&skeleton, "Rise", 1.0, 1.0);
    let mut mixer = Mixer::new(&skeleton);
    let id = mixer.play(&clip, Play::default());
    let state = mixer.state();
    let error = Mixer::from_state(&skeleton, &state, []).unwrap_err();
    assert_eq!(error, StateError::ClipNotFound { clip: "Rise".into() });
    assert!(error.to_string().contains("\"Rise\" of a stored action is not there"), "{error}");
    // A clip of another skeleton is none.
    let other = rise(&chain(2), "Rise", 1.0, 1.0);
    assert!(Mixer::from_state(&skeleton, &state, [&other]).is_err());
    // One that is too short for where the action was cannot play on.
    mixer.get_mut(id).unwrap().seek(0.9).unwrap();
    let short = rise(&skeleton, "Rise", 0.5, 1.0);
    let error = Mixer::from_state(&skeleton, &mixer.state(), [&short]).unwrap_err();
    assert_eq!(error, StateError::Invalid { clip: Some("Rise".into()) });
}

#[test]
fn clips_are_found_by_content_then_by_name() {
    let skeleton = one_joint();
    let low = rise(&skeleton, "Rise", 1.0, 1.0);
    let high = rise(&skeleton, "Rise", 1.0, 4.0);
    let copy = Arc::new((*high).clone());
    let mut mixer = Mixer::new(&skeleton);
    let ids = [&low, &high, &copy].map(|clip| mixer.play(clip, Play::default()));
    let put_back = |clips: &[&Arc<Clip>]| {
        let mixer = Mixer::from_state(&skeleton, &mixer.state(), clips.iter().copied()).unwrap();
        ids.map(|id| Arc::clone(mixer.get(id).unwrap().clip()))
    };
    let are = |found: [Arc<Clip>; 3], expected: [&Arc<Clip>; 3]| {
        found.iter().zip(expected).all(|(found, expected)| Arc::ptr_eq(found, expected))
    };
    assert!(are(put_back(&[&high, &copy, &low]), [&low, &high, &copy]));
    // A copy less: both actions play the one that there is.
    assert!(are(put_back(&[&high, &low]), [&low, &high, &high]));
    // Under other names.
    let renamed =
        [("a", 4.0), ("b", 4.0), ("c", 1.0)].map(|(name, height)| rise(&skeleton, name, 1.0, height));
    let [a, b, c] = &renamed;
    assert!(are(put_back(&[a, b, c]), [c, a, b]));
    // With other keys under the same name.
    let edited = rise(&skeleton, "Rise", 1.0, 7.0);
    assert!(are(put_back(&[&edited, c]), [c, &edited, &edited]));
}

#[cfg(feature = "serde")]
#[test]
fn a_state_survives_json_bit_for_bit() {
    let (rig, clips) = setup();
    let mut random = Random(5);
    let mut mixer = busy(&rig, &clips);
    for _ in 0..300 {
        mixer.crossfade_to(&clips[random.below(4)], random.between(0.1, 0.9));
        mixer.advance(random.between(0.0, 0.1));
        let text = serde_json::to_string(&mixer.state()).unwrap();
        let state: MixerState = serde_json::from_str(&text).unwrap();
        assert_eq!(state, mixer.state());
        mixer = Mixer::from_state(&rig.skeleton, &state, &clips).unwrap();
        assert_eq!(mixer.state(), state);
    }
}

#[test]
fn a_mixer_of_two_actions_takes_less_than_a_kibibyte() {
    let skeleton = one_joint();
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&rise(&skeleton, "A", 1.0, 1.0), Play::default());
    mixer.crossfade_to(&rise(&skeleton, "B", 1.0, 1.0), 0.3);
    assert!(mixer.memory_bytes() < 1024, "{} bytes", mixer.memory_bytes());
    assert!(mixer.clone().memory_bytes() < 1024);
}
