use canter::{Fade, FadeKind, Pose};

use super::*;

fn hero() -> Session {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/hero.glb");
    Session::load(path.as_ref()).unwrap()
}

fn index(session: &Session, clip: &str) -> usize {
    session.model().asset.clips.iter().position(|it| it.name() == clip).unwrap()
}

/// A hero who runs and attacks with his upper body.
fn attacker() -> Session {
    let mut session = hero();
    session.fade_secs = 0.0;
    session.fade_to("Run").unwrap();
    session.pick(session.skeleton().joint("spine"));
    session.add_layer(LayerMode::Over);
    session.fade_secs = 0.1;
    let attack = index(&session, "Attack");
    assert!(session.play_on_layer(0, attack));
    session
}

#[test]
fn a_layer_covers_the_picked_joint_and_what_hangs_on_it() {
    let mut session = attacker();
    session.set_layer(0, LayerSettings { feather: 1, ..session.layers()[0].settings() });
    session.advance(0.25);
    let joint = |name| session.skeleton().joint(name).unwrap();
    let coverage = |name| session.coverage(0, joint(name));
    assert_eq!((coverage("hips"), coverage("spine"), coverage("hand_R")), (0.0, 0.5, 1.0));
    let clip = |name| {
        let mut pose = Pose::rest(session.skeleton());
        session.model().asset.clip(name).unwrap().sample(0.25, &mut pose);
        pose
    };
    let pose = &session.figure().pose;
    assert_eq!(pose.joint(joint("forearm_R")), clip("Attack").joint(joint("forearm_R")));
    assert_eq!(pose.joint(joint("shin_L")), clip("Run").joint(joint("shin_L")));
    // The mix and the timeline are about what plays below.
    assert_eq!(session.mix().len(), 1);
    assert_eq!(session.action().unwrap().clip().name(), "Run");
    assert_eq!(session.layer_action(0).unwrap().clip().name(), "Attack");
}

#[test]
fn a_clip_that_is_played_once_leaves_at_its_end() {
    let mut session = attacker();
    let secs = session.layer_action(0).unwrap().clip().duration_secs();
    session.advance(secs + 0.01);
    assert!(session.layer_action(0).is_none());
    session.advance(0.2);
    let head = session.skeleton().joint("head").unwrap();
    assert_eq!(session.coverage(0, head), 0.0);
    // Again, and again in its midst.
    let attack = index(&session, "Attack");
    for _ in 0..2 {
        assert!(session.play_on_layer(0, attack));
        session.advance(0.2);
        assert!((session.layer_action(0).unwrap().time_secs() - 0.2).abs() < 1e-5);
    }
    session.fade_out_layer(0);
    session.advance(0.2);
    assert!(session.layer_action(0).is_none() && session.layers()[0].clip().is_none());
}

#[test]
fn settings_hold_at_once_and_foolish_ones_are_refused() {
    let mut session = attacker();
    session.advance(0.25);
    let head = session.skeleton().joint("head").unwrap();
    let settings = session.layers()[0].settings();
    session.set_layer(0, LayerSettings { weight: 0.25, loop_mode: LoopMode::Repeat, ..settings });
    assert_eq!(session.coverage(0, head), 0.25);
    assert_eq!(session.layer_action(0).unwrap().loop_mode(), LoopMode::Repeat);
    session.set_layer(0, LayerSettings { weight: f32::NAN, feather: 9999, top: None, ..settings });
    let settings = session.layers()[0].settings();
    assert_eq!((settings.weight, settings.feather), (0.25, Session::LONGEST_FEATHER));
    let hips = session.skeleton().joint("hips").unwrap();
    assert_eq!(session.coverage(0, hips), 0.25, "all joints");
    session.set_layer(7, settings);
    assert!(!session.play_on_layer(7, 0) && !session.play_on_layer(0, 99));
    session.remove_layer(7);
    session.remove_layer(0);
    assert!(session.layers().is_empty() && session.figure().mixer.layers().len() == 0);
    assert_eq!(session.coverage(0, head), 0.0);
}

#[test]
fn an_additive_layer_adds_the_difference_from_its_reference() {
    let mut session = hero();
    session.fade_secs = 0.0;
    session.add_layer(LayerMode::Additive);
    let (walk, wave) = (index(&session, "Walk"), index(&session, "Wave"));
    let pose = |session: &mut Session| {
        session.scrub(0.4);
        session.figure().pose.clone()
    };
    let plain = pose(&mut session);
    // What is added to itself is twice as much; to the rest pose nothing is added of what does not move.
    assert!(session.play_on_layer(0, wave));
    assert!(session.layer_action(0).unwrap().clip().is_additive());
    session.advance(0.5);
    let first_key = pose(&mut session);
    assert_ne!(first_key, plain);
    for reference in [Reference::Rest, Reference::Clip(walk)] {
        session.set_layer(0, LayerSettings { reference, ..session.layers()[0].settings() });
        session.advance(0.5);
        assert_ne!(pose(&mut session), first_key, "{reference:?}");
    }
    session.set_layer(0, LayerSettings { reference: Reference::Clip(99), ..session.layers()[0].settings() });
    assert!(!session.play_on_layer(0, wave));
    session.set_layer(0, LayerSettings { weight: 0.0, ..session.layers()[0].settings() });
    assert_eq!(pose(&mut session), plain);
}

#[test]
fn copies_have_the_same_layers() {
    let mut session = attacker();
    session.set_crowd(5);
    session.add_layer(LayerMode::Additive);
    let idle = index(&session, "Idle");
    session.play_on_layer(1, idle);
    session.set_crowd(8);
    session.advance(0.1);
    let mixers: Vec<_> =
        (session.scene().characters()).filter_map(|id| Some(&session.scene().character(id)?.mixer)).collect();
    assert_eq!(mixers.len(), 8);
    for mixer in mixers {
        let ids: Vec<_> = mixer.layers().map(|layer| (layer.id(), layer.actions().count())).collect();
        assert_eq!(ids, [(session.layers[0].id, 1), (session.layers[1].id, 1)]);
    }
}

#[test]
fn fades_are_of_the_chosen_kind() {
    for &kind in FadeKind::ALL {
        let mut session = hero();
        (session.fade_secs, session.fade_kind) = (0.3, kind);
        assert_eq!(session.fade(), Fade { kind, ..Fade::cross(0.3) });
        session.fade_to("Run").unwrap();
        session.advance(0.1);
        session.fade_to("Jump").unwrap();
        session.advance(0.1);
        // From what is on screen, nothing but the new clip plays.
        assert_eq!(session.mix().len(), if kind == FadeKind::Cross { 3 } else { 1 });
        session.advance(0.4);
        assert_eq!(session.mix().len(), 1);
    }
}
