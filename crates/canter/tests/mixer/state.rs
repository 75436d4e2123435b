//! State: a plain value that can be kept and put back.

use std::sync::Arc;

use canter::{Clip, Easing, Fade, JointMask, LoopMode, Mixer, Play, Pose};
use canter_testing::random::Random;
use canter_testing::rig::Rig;
use canter_testing::spec::{KINDS, Spec};
use canter_testing::{bits, chain, one_joint, rise};

/// A mixer in the midst of fades, with masks, and a slot that is free.
fn busy(rig: &Rig, clips: &[Arc<Clip>]) -> Mixer {
    let mut mixer = Mixer::new(&rig.skeleton);
    mixer.set_rest_threshold(0.3);
    let gone = mixer.play(&clips[0], Play::default());
    mixer.play(&clips[1], Play { loop_mode: LoopMode::PingPong, speed: -0.7, ..Play::default() });
    let mask = Some(Arc::new(JointMask::subtree(&rig.skeleton, rig.skeleton.joint_at(0).unwrap())));
    mixer.play(&clips[2], Play { loop_mode: LoopMode::Times(3), weight: 0.4, mask, ..Play::default() });
    mixer.stop(gone);
    mixer.advance(0.31);
    mixer.crossfade_to(&clips[3], Fade { secs: 0.9, easing: Easing::SmoothStep });
    mixer.advance(0.123);
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
    let find = |name: &str| clips.iter().find(|clip| clip.name() == name).cloned();
    let mut again = Mixer::from_state(&rig.skeleton, &state, find).unwrap();
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
    let error = Mixer::from_state(&skeleton, &state, |_| None).unwrap_err();
    assert_eq!(error.clip, "Rise");
    assert!(
        error.to_string().contains("\"Rise\"") && error.to_string().contains("expected a clip of that name")
    );
    // A clip of another skeleton is none.
    let other = rise(&chain(2), "Rise", 1.0, 1.0);
    assert!(Mixer::from_state(&skeleton, &state, |_| Some(Arc::clone(&other))).is_err());
    // Nor is one that is too short for where the action was.
    mixer.seek(id, 0.9);
    let short = rise(&skeleton, "Rise", 0.5, 1.0);
    assert!(Mixer::from_state(&skeleton, &mixer.state(), |_| Some(Arc::clone(&short))).is_err());
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
