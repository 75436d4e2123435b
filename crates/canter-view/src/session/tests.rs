use std::fs;

use canter::LayerMode;
use canter::glam::{DVec3, Vec3};
use canter_scene::Ray;

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
    session.fade_to("Run").unwrap();
    session.advance(0.2);
    let mix = session.mix();
    assert_eq!(mix.len(), 2);
    assert!(mix.iter().all(|mixed| (mixed.effective_weight - 0.5).abs() < 1e-5), "{mix:?}");
    assert!(mix[0].is_leaving && !mix[1].is_leaving);
    session.advance(0.3);
    let mix = session.mix();
    assert_eq!((mix.len(), &*mix[0].name, mix[0].effective_weight), (1, "Run", 1.0));
    assert!(session.fade_to("Swim").is_err() && session.fade_to(99).is_err());
    assert_eq!(session.action().unwrap().clip().name(), "Run");
}

#[test]
fn several_clips_play_as_strongly_as_they_were_made() {
    let mut session = hero();
    session.fade_secs = 0.0;
    assert!(session.add_to_mix(3) && !session.add_to_mix(99));
    session.set_weight(3, 0.5);
    session.set_weight(1, f32::NAN);
    session.set_weight(0, 0.7);
    session.advance(0.01);
    let shares: Vec<_> = session.mix().iter().map(|mixed| (mixed.clip, mixed.effective_weight)).collect();
    assert_eq!(shares.len(), 2);
    assert_eq!((shares[0].0, shares[1].0), (1, 3));
    assert!((shares[0].1 - 2.0 / 3.0).abs() < 1e-5 && (shares[1].1 - 1.0 / 3.0).abs() < 1e-5, "{shares:?}");

    // The timeline is about the one that was chosen, and about another when that leaves.
    assert_eq!(session.action().unwrap().clip().name(), "Walk");
    session.look_at(3);
    assert_eq!(session.action().unwrap().clip().name(), "Wave");
    session.take_from_mix(3);
    session.advance(0.01);
    assert_eq!(session.mix().len(), 1);
    assert_eq!(session.action().unwrap().clip().name(), "Walk");
    session.take_from_mix(1);
    session.advance(0.01);
    assert!(session.action().is_none() && session.range_secs().is_none());
}

#[test]
fn a_held_morph_does_not_follow_the_clip() {
    let Some(path) = shared("AnimatedMorphCubeQuantized/AnimatedMorphCube.gltf") else { return };
    let mut session = Session::load(&path).unwrap();
    assert_eq!(session.morphs().count(), 2);
    session.hold_morph(0, Some(0.25));
    session.hold_morph(1, Some(f32::NAN));
    session.hold_morph(7, Some(1.0));
    session.scrub(1.0);
    let weight = |session: &Session, index| session.morphs().nth(index).unwrap().1;
    assert_eq!(weight(&session, 0), 0.25);
    session.hold_morph(0, None);
    assert_ne!(weight(&session, 0), 0.25);
}

/// A model that is not part of the project.
fn shared(name: &str) -> Option<std::path::PathBuf> {
    Some(canter_testing::models::folder()?.join(name))
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
    for (secs, expected) in [(0.5, 0.5), (1.25, 0.25), (f32::NAN, 0.25), (1.0, 1.0)] {
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
    session.fade_to("Jump").unwrap();
    let action = session.action().unwrap();
    assert_eq!((action.speed(), action.loop_mode()), (-2.0, LoopMode::Once));
    // Backwards it begins at its end; once it has come to its start, it can be played again.
    assert_eq!(action.time_secs(), action.clip().duration_secs());
    session.advance(9.0);
    assert!(session.action().unwrap().is_finished());
    session.fade_to("Jump").unwrap();
    let action = session.action().unwrap();
    assert_eq!(action.time_secs(), action.clip().duration_secs());
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
    assert_eq!(session.model().asset.clips.len(), 14);
    touch(&fs::read(asset("sword.glb")).unwrap(), 20);
    assert!(session.refresh() && session.error().is_none());
    assert!(session.model().asset.clips.is_empty() && session.action().is_none());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_was_done_to_a_file_stays_when_it_is_read_again() {
    let folder = std::env::temp_dir().join(format!("canter-view-again-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("model.glb");
    fs::copy(asset("hero.glb"), &path).unwrap();
    let mut session = Session::load(&path).unwrap();
    session.attach(&Model::load(asset("sword.glb")).unwrap(), "sword");
    session.move_held(0, Vec3::X, Vec3::ZERO);
    session.pick(session.skeleton().joint("head"));
    session.set_crowd(3);
    session.add_layer(LayerMode::Over);
    assert!(session.play_on_layer(0, 4));
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(10);
    fs::File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
    assert!(session.refresh());
    assert_eq!(session.picked().map(|joint| session.skeleton().name(joint)), Some("head"));
    assert_eq!((session.held().len(), session.held()[0].offset, session.crowd()), (1, Vec3::X, 3));
    let settings = session.layers()[0].settings();
    assert_eq!(settings.top.map(|joint| session.skeleton().name(joint)), Some("head"));
    assert_eq!(session.layer_action(0).unwrap().clip().name(), "Attack");
    // Another file begins anew.
    assert!(session.open(asset("hero.glb").as_ref()));
    assert!(session.picked().is_none() && session.held().is_empty() && session.crowd() == 1);
    assert!(session.layers().is_empty());
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
fn pointing_at_the_figure_or_at_what_it_holds_finds_a_joint() {
    let mut session = hero();
    let sword = Model::load(asset("sword.glb")).unwrap();
    session.attach(&sword, "sword");
    let hand = session.skeleton().joint("hand_R").unwrap();
    session.move_held(0, Vec3::new(0.0, 5.0, 0.0), Vec3::ZERO);
    let toward = |origin: DVec3, target: DVec3| Ray { origin, direction: target - origin };
    let head = session.skeleton().joint("head").unwrap();
    let place = session.joint_place(head);
    assert_eq!(session.joint_on_ray(&toward(place + DVec3::Z * 5.0, place + DVec3::Y * 0.1)), Some(head));
    assert_eq!(session.joint_on_ray(&toward(place + DVec3::Z * 5.0, place + DVec3::Z * 9.0)), None);

    let node = session.held()[0].node();
    let world = session.scene().world(node).unwrap();
    let middle = session.scene().character(node).unwrap().bounds().center().as_dvec3();
    let middle = world.transform_point3(middle);
    let found = session.joint_on_ray(&toward(middle + DVec3::new(0.3, 0.2, 5.0), middle));
    assert_eq!(found, Some(hand));
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
    assert_eq!(session.palette_bytes(), 10 * session.figure().palette.len() * 48);
    // A change of clips does not bring them into step.
    session.fade_to("Run").unwrap();
    session.advance(0.5);
    let mut times: Vec<f32> = (session.scene().characters())
        .filter_map(|id| {
            let mut actions = session.scene().character(id)?.mixer.actions();
            Some(actions.find(|(_, action)| action.clip().name() == "Run")?.1.time_secs())
        })
        .collect();
    times.sort_by(f32::total_cmp);
    assert!(times.len() == 10 && times.windows(2).all(|pair| pair[1] - pair[0] > 0.01), "{times:?}");
    session.set_crowd(0);
    assert_eq!(session.crowd(), 1);
}
