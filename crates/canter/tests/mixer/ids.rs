//! Ids: any number of actions per clip, and never another action behind an old id.

use std::sync::Arc;

use canter::glam::Vec3;
use canter::{Mixer, Play, Setting, Skeleton, Transform};
use canter_testing::{chain, one_joint, rise, stand};

#[test]
fn the_action_of_a_clip_is_found_again() {
    let skeleton = one_joint();
    let (a, b) = (rise(&skeleton, "A", 1.0, 1.0), rise(&skeleton, "B", 1.0, 1.0));
    let mut mixer = Mixer::new(&skeleton);
    let first = mixer.play(&a, Play::default());
    assert_eq!(mixer.action(&a), first);
    assert_eq!(mixer.crossfade_to(&a, 0.2), first);
    assert_ne!(mixer.action(&b), first);
    assert_eq!(mixer.action(&b), mixer.action(&b));
    assert_eq!(mixer.actions().count(), 2);
}

#[test]
fn playing_again_starts_another_action_of_the_same_clip() {
    let skeleton = one_joint();
    let clip = rise(&skeleton, "hit", 1.0, 1.0);
    let mut mixer = Mixer::new(&skeleton);
    let first = mixer.play(&clip, Play::once());
    mixer.advance(0.5);
    let second = mixer.play(&clip, Play { fade: 0.2.into(), ..Play::once() });
    mixer.fade_out(first, 0.2);
    mixer.advance(0.1);
    let time = |id| mixer.get(id).unwrap().time_secs();
    assert!((time(first) - 0.6).abs() < 1e-6 && (time(second) - 0.1).abs() < 1e-6);
    assert_eq!(mixer.effective_weight(first), Some(0.5));
    mixer.advance(0.1);
    assert!(mixer.get(first).is_none() && mixer.get(second).is_some());
}

#[test]
fn what_has_finished_makes_room_for_what_is_played_next() {
    let skeleton = one_joint();
    let clip = rise(&skeleton, "A", 1.0, 1.0);
    let mut mixer = Mixer::new(&skeleton);
    let once = mixer.play(&clip, Play::once());
    mixer.advance(5.0);
    assert_eq!(mixer.effective_weight(once), Some(1.0));
    let next = mixer.play(&stand(&skeleton, "next", 4.0), Play::default());
    assert_eq!((mixer.effective_weight(next), mixer.effective_weight(once)), (Some(1.0), Some(0.0)));
    assert_eq!(mixer.advance(0.0).map(|event| event.action).collect::<Vec<_>>(), [once]);
    assert!(mixer.get(once).is_none());
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
fn a_setting_that_cannot_be_is_an_error_and_the_old_one_stays() {
    let skeleton = one_joint();
    let mut mixer = Mixer::new(&skeleton);
    let id = mixer.play(&rise(&skeleton, "A", 1.0, 1.0), Play { speed: 3.0, weight: 0.2, ..Play::default() });
    let mut action = mixer.get_mut(id).unwrap();
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert_eq!(action.set_speed(bad).unwrap_err().setting, Setting::Speed);
        assert_eq!(action.set_weight(bad).unwrap_err().setting, Setting::Weight);
        assert_eq!(action.seek(bad).unwrap_err().setting, Setting::Time);
        assert_eq!(action.set_range_secs(0.0, bad).unwrap_err().setting, Setting::Range);
    }
    assert!(action.set_weight(-0.1).is_err() && action.set_weight(1e19).is_err());
    assert!(action.set_range_secs(0.5, 0.25).is_err() && action.set_range_secs(0.5, 1.5).is_err());
    assert_eq!((action.speed(), action.weight(), action.time_secs()), (3.0, 0.2, 0.0));
    assert_eq!(action.clock().range_secs(), (0.0, 1.0));
    assert_eq!(
        action.set_weight(-0.5).unwrap_err().to_string(),
        "clip \"A\": weight -0.5 refused; expected a number from 0 to 1e18"
    );
}

#[test]
fn the_id_of_an_action_that_is_gone_returns_none_everywhere() {
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
    assert!(mixer.get_mut(gone).is_none());
    assert_eq!(mixer.fade_in(gone, 0.1), None);
    assert_eq!(mixer.fade_out(gone, 0.1), None);
    assert_eq!(mixer.crossfade(other, gone, 0.1), None);
    assert_eq!(mixer.state(), before);
    // A `from` that is gone needs no fading.
    assert_eq!(mixer.crossfade(gone, other, 0.1), Some(other));
}

#[test]
fn ids_never_mean_another_action_however_often_slots_are_used_again() {
    let skeleton = one_joint();
    let clips: Vec<_> = (0..5).map(|n| stand(&skeleton, &format!("clip {n}"), 1.0)).collect();
    let mut mixer = Mixer::new(&skeleton);
    let mut gone = Vec::new();
    for round in 0..200 {
        let id = mixer.crossfade_to(&clips[round % 5], 0.1);
        mixer.advance(0.05);
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
