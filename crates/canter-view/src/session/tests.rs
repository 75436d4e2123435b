use std::fs;

use canter::glam::Vec3;

use super::*;

fn asset(name: &str) -> String {
    format!("{}/../../assets/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn hero() -> Session {
    Session::load(asset("hero.glb").as_ref()).unwrap()
}

#[test]
fn a_newcomer_sees_the_hero_walk() {
    let mut session = hero();
    assert_eq!(session.name(), "hero.glb");
    assert_eq!(session.action().unwrap().clip().name(), "Walk");
    let before = session.version();
    session.advance(0.25);
    assert!((session.action().unwrap().time_secs() - 0.25).abs() < 1e-6);
    assert_ne!(session.version(), before);
}

#[test]
fn clips_crossfade_and_unknown_ones_do_nothing() {
    let mut session = hero();
    session.fade_secs = 0.4;
    assert!(session.play("Run"));
    session.advance(0.2);
    let weights: Vec<_> = session.weights().collect();
    assert_eq!(weights.len(), 2);
    assert!(weights.iter().all(|(_, weight)| (weight - 0.5).abs() < 1e-5), "{weights:?}");
    session.advance(0.3);
    assert_eq!(session.weights().collect::<Vec<_>>(), [("Run", 1.0)]);
    assert!(!session.play("Swim") && !session.play_index(99));
    assert_eq!(session.action().unwrap().clip().name(), "Run");
}

#[test]
fn time_stands_still_when_paused_and_steps_wrap() {
    let mut session = hero();
    session.toggle();
    session.advance(1.0);
    assert_eq!(session.action().unwrap().time_secs(), 0.0);
    session.step(-1);
    let length = session.action().unwrap().clip().duration_secs();
    assert!((session.action().unwrap().time_secs() - (length - 1.0 / 30.0)).abs() < 1e-5);
    assert!(!session.is_playing());
    for (secs, expected) in [(0.5, 0.5), (1.25, 0.25), (f32::NAN, 0.0)] {
        session.scrub(secs);
        assert!((session.action().unwrap().time_secs() - expected).abs() < 1e-5, "{secs}");
    }
}

#[test]
fn speed_and_loop_mode_hold_for_what_plays_and_what_comes() {
    let mut session = hero();
    session.set_speed(-9.0);
    assert_eq!(session.speed(), -2.0);
    session.set_speed(f32::NAN);
    session.set_loop_mode(LoopMode::Once);
    session.play("Jump");
    let action = session.action().unwrap();
    assert_eq!((action.speed(), action.loop_mode()), (-2.0, LoopMode::Once));
}

#[test]
fn a_broken_file_leaves_the_old_model_and_says_why() {
    let folder = std::env::temp_dir().join(format!("canter-view-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("model.glb");
    fs::write(&path, b"no model").unwrap();
    let mut session = hero();
    assert!(!session.open(&path));
    assert!(session.error().unwrap().starts_with("model.glb: "));
    assert_eq!(session.name(), "hero.glb");
    session.dismiss_error();
    assert!(session.error().is_none());

    // Read again when it changes; broken in between, it stays.
    fs::copy(asset("hero.glb"), &path).unwrap();
    assert!(session.open(&path) && !session.refresh());
    let later = |secs| std::time::SystemTime::now() + std::time::Duration::from_secs(secs);
    let touch = |bytes: &[u8], secs| {
        fs::write(&path, bytes).unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_modified(later(secs)).unwrap();
    };
    touch(b"half", 10);
    assert!(!session.refresh() && session.error().is_some());
    assert_eq!(session.model().asset.clips.len(), 6);
    touch(&fs::read(asset("sword.glb")).unwrap(), 20);
    assert!(session.refresh() && session.error().is_none());
    assert!(session.model().asset.clips.is_empty() && session.action().is_none());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_sword_follows_the_picked_joint() {
    let mut session = hero();
    let sword = Model::load(asset("sword.glb")).unwrap();
    session.attach(&sword, "sword");
    assert_eq!(session.skeleton().name(session.held()[0].joint), "hand_R");
    session.move_held(0, Vec3::new(0.0, f32::NAN, 0.0), Vec3::ZERO);
    session.move_held(0, Vec3::Y, Vec3::new(90.0, 0.0, 0.0));
    assert_eq!(session.held()[0].offset, Vec3::Y);

    let head = session.skeleton().joint("head").unwrap();
    session.pick(Some(head));
    session.attach(&sword, "sword");
    assert_eq!(session.held()[1].joint, head);
    session.detach(0);
    session.detach(7);
    assert_eq!(session.held().len(), 1);
    assert_eq!(session.scene().characters().count(), 2);
}

#[test]
fn the_nearest_joint_is_found() {
    let session = hero();
    let head = session.skeleton().joint("head").unwrap();
    let place = session.joint_place(head);
    #[expect(clippy::cast_possible_truncation, reason = "a few metres")]
    let found = session.nearest_joint(|at| Some(at.distance(place) as f32));
    assert_eq!(found, Some(head));
    assert_eq!(session.nearest_joint(|_| None), None);
}

#[test]
fn a_crowd_walks_out_of_step() {
    let mut session = hero();
    session.set_crowd(10);
    session.advance(0.1);
    assert_eq!((session.crowd(), session.scene().characters().count()), (10, 10));
    let mut times: Vec<f32> = (session.scene().characters())
        .filter_map(|id| Some(session.scene().character(id)?.mixer.actions().next()?.1.time_secs()))
        .collect();
    times.sort_by(f32::total_cmp);
    assert!(times.windows(2).all(|pair| pair[1] - pair[0] > 0.01), "{times:?}");
    session.set_crowd(0);
    assert_eq!(session.crowd(), 1);
    session.set_crowd(usize::MAX);
    assert_eq!(session.crowd(), Session::LARGEST_CROWD);
}
