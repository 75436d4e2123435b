//! Ids: one action per clip, and never another action behind an old id.

use std::sync::Arc;

use canter::glam::Vec3;
use canter::{LoopMode, Mixer, Play, Skeleton, Transform};
use canter_testing::{chain, one_joint, rise, stand};

#[test]
fn a_clip_has_one_action_that_is_found_again() {
    let skeleton = one_joint();
    let (a, b) = (rise(&skeleton, "A", 1.0, 1.0), rise(&skeleton, "B", 1.0, 1.0));
    let mut mixer = Mixer::new(&skeleton);
    let first = mixer.play(&a, Play::default());
    assert_eq!(mixer.action(&a), first);
    assert_eq!(mixer.play(&a, Play { speed: 2.0, ..Play::default() }), first);
    assert_eq!(mixer.crossfade_to(&a, 0.2), first);
    assert_ne!(mixer.action(&b), first);
    assert_eq!(mixer.actions().count(), 2);
    assert_eq!(mixer.get(first).unwrap().speed(), 2.0);
}

#[test]
fn playing_again_starts_over_with_the_new_settings() {
    let skeleton = one_joint();
    let clip = rise(&skeleton, "A", 1.0, 1.0);
    let mut mixer = Mixer::new(&skeleton);
    let once = Play { loop_mode: LoopMode::Once, speed: 3.0, weight: 0.2, ..Play::default() };
    let id = mixer.play(&clip, once);
    mixer.advance(5.0);
    mixer.fade_out(id, 1.0);
    mixer.pause(id);
    assert_eq!(mixer.play(&clip, Play { start_secs: Some(0.5), ..Play::default() }), id);
    let action = mixer.get(id).unwrap();
    assert_eq!((action.time_secs(), action.speed(), action.weight()), (0.5, 1.0, 1.0));
    assert_eq!((action.fade_level(), action.loop_mode()), (1.0, LoopMode::Repeat));
    assert!(!action.is_finished() && !action.is_paused() && !action.is_fading());
}

#[test]
fn settings_that_are_refused_are_the_defaults() {
    let skeleton = one_joint();
    let clip = rise(&skeleton, "A", 1.0, 1.0);
    let mut mixer = Mixer::new(&skeleton);
    mixer.play(&clip, Play { speed: 3.0, weight: 0.2, ..Play::default() });
    let bad = Play { speed: f32::NAN, weight: -1.0, start_secs: Some(f32::INFINITY), ..Play::default() };
    let id = mixer.play(&clip, bad);
    let action = mixer.get(id).unwrap();
    assert_eq!((action.speed(), action.weight(), action.time_secs()), (1.0, 1.0, 0.0));
}

#[test]
fn a_setting_that_is_no_number_is_refused_and_the_old_one_stays() {
    let skeleton = one_joint();
    let mut mixer = Mixer::new(&skeleton);
    let id = mixer.play(&rise(&skeleton, "A", 1.0, 1.0), Play { speed: 3.0, weight: 0.2, ..Play::default() });
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        mixer.set_speed(id, bad);
        mixer.set_weight(id, bad);
    }
    mixer.set_weight(id, -0.1);
    mixer.set_weight(id, 1e19);
    mixer.set_rest_threshold(f32::NAN);
    let action = mixer.get(id).unwrap();
    assert_eq!((action.speed(), action.weight(), mixer.rest_threshold()), (3.0, 0.2, 0.1));
    mixer.set_rest_threshold(7.0);
    assert_eq!(mixer.rest_threshold(), 1.0);
}

#[test]
fn the_id_of_an_action_that_is_gone_answers_none_everywhere() {
    let skeleton = one_joint();
    let (a, b) = (rise(&skeleton, "A", 1.0, 1.0), rise(&skeleton, "B", 1.0, 1.0));
    let mut mixer = Mixer::new(&skeleton);
    let gone = mixer.play(&a, Play::default());
    assert_eq!(mixer.stop(gone), Some(()));
    // The next action takes the same slot, and the old id must not reach it.
    let other = mixer.play(&b, Play::default());
    assert_ne!(other, gone);
    let before = mixer.state();
    assert!(mixer.get(gone).is_none());
    assert_eq!(mixer.effective_weight(gone), None);
    assert_eq!(mixer.stop(gone), None);
    assert_eq!(mixer.pause(gone), None);
    assert_eq!(mixer.resume(gone), None);
    assert_eq!(mixer.reset(gone), None);
    assert_eq!(mixer.seek(gone, 0.5), None);
    assert_eq!(mixer.set_speed(gone, 2.0), None);
    assert_eq!(mixer.set_weight(gone, 2.0), None);
    assert_eq!(mixer.set_loop_mode(gone, LoopMode::Once), None);
    assert_eq!(mixer.set_mask(gone, None), None);
    assert_eq!(mixer.fade_in(gone, 0.1), None);
    assert_eq!(mixer.fade_out(gone, 0.1), None);
    assert_eq!(mixer.crossfade(other, gone, 0.1), None);
    assert_eq!(mixer.state(), before);
    // A `from` that is gone needs no fading.
    assert_eq!(mixer.crossfade(gone, other, 0.1), Some(()));
}

#[test]
fn ids_never_mean_another_action_however_often_slots_are_used_again() {
    let skeleton = one_joint();
    let clips: Vec<_> = (0..5).map(|n| stand(&skeleton, &format!("clip {n}"), 1.0)).collect();
    let mut mixer = Mixer::new(&skeleton);
    let mut gone = Vec::new();
    for round in 0..200 {
        let id = mixer.play(&clips[round % 5], Play::default());
        assert!(!gone.contains(&id));
        if round % 7 == 0 {
            gone.extend(mixer.actions().map(|(id, _)| id));
            mixer.stop_all();
            assert_eq!(mixer.actions().count(), 0);
        } else if round % 2 == 0 {
            mixer.stop(id);
            gone.push(id);
        }
        assert!(gone.iter().all(|id| mixer.get(*id).is_none()));
    }
}

#[test]
#[should_panic(expected = "was built for another skeleton")]
fn a_clip_of_another_skeleton_is_refused() {
    let (short, long) = (chain(2), chain(3));
    Mixer::new(&long).play(&rise(&short, "A", 1.0, 1.0), Play::default());
}

/// Joints without a track are at rest in a clip: at the rest of the skeleton that it was built for.
#[test]
#[should_panic(expected = "was built for another skeleton")]
fn a_clip_of_a_skeleton_with_another_rest_pose_is_refused() {
    let mut builder = Skeleton::builder();
    builder.joint("joint_0", None, Transform::from_translation(Vec3::X));
    let other = Arc::new(builder.build().unwrap());
    Mixer::new(&other).play(&rise(&one_joint(), "A", 1.0, 1.0), Play::default());
}
