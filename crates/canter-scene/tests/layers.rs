//! Layers and kinds of fades on characters of a scene.

mod common;

use std::sync::Arc;

use canter::glam::DAffine3;
use canter::{
    AdditiveReference, Clip, EventKind, Fade, FadeKind, JointMask, Layer, LayerId, Play, PlayError, Pose,
};
use canter_scene::{Character, Model, Parent, PlayOnError, Scene};

use common::hero;

fn upper_body(model: &Model) -> JointMask {
    let skeleton = &model.asset.skeleton;
    JointMask::subtree(skeleton, skeleton.joint("chest").unwrap()).feathered(skeleton, 2)
}

/// A hero who runs, with a layer for his upper body.
fn runner() -> (Character, LayerId) {
    let mut figure = Character::new(&hero());
    figure.play("Run", Play::default()).unwrap();
    let layer = figure.mixer.add_layer(Layer::over(upper_body(&hero())));
    (figure, layer)
}

const STRIKE: Fade = Fade::dead(0.1);

#[test]
fn an_attack_over_a_run_has_the_arms_of_the_one_and_the_legs_of_the_other() {
    let (mut figure, layer) = runner();
    figure.play_on(layer, "Attack", Play { fade: STRIKE, ..Play::once() }).unwrap();
    figure.update(0.3);
    let clip = |name| {
        let mut pose = Pose::rest(&hero().asset.skeleton);
        hero().asset.clip(name).unwrap().sample(0.3, &mut pose);
        pose
    };
    let joint = |name| hero().asset.skeleton.joint(name).unwrap();
    for name in ["hand_R", "forearm_L", "head"] {
        assert_eq!(figure.pose.joint(joint(name)), clip("Attack").joint(joint(name)), "{name}");
    }
    for name in ["hips", "thigh_L", "foot_R"] {
        assert_eq!(figure.pose.joint(joint(name)), clip("Run").joint(joint(name)), "{name}");
    }
    // Boxes hold for what no clip alone shows.
    let (all, exact) = (figure.bounds(), figure.exact_bounds());
    assert!(all.min.cmple(exact.min + 1e-5).all() && all.max.cmpge(exact.max - 1e-5).all());
}

#[test]
fn what_cannot_be_played_on_a_layer_is_told_and_changes_nothing() {
    let (mut figure, layer) = runner();
    let lean: Arc<Clip> =
        hero().asset.clip("Idle").unwrap().additive(AdditiveReference::FirstKey).map(Arc::new).unwrap();
    let count = figure.mixer.actions().count();
    let no_clip = figure.play_on(layer, "Atack", Play::once()).unwrap_err();
    assert!(no_clip.to_string().contains("did you mean \"Attack\"?"), "{no_clip}");
    let wrong = figure.play_on(layer, &lean, Play::once()).unwrap_err();
    assert!(matches!(wrong, PlayOnError::Play(PlayError::Additive { .. })), "{wrong}");
    let adding = figure.mixer.add_layer(Layer::additive());
    figure.play_on(adding, &lean, Play::default()).unwrap();
    figure.mixer.remove_layer(layer).unwrap();
    let gone = figure.play_on(layer, "Attack", Play::once()).unwrap_err();
    assert_eq!(gone, PlayOnError::Layer(layer));
    assert_eq!(figure.mixer.actions().count(), count + 1);
}

#[test]
fn a_scene_tells_on_which_layer_something_happened() {
    let mut scene = Scene::new();
    let (figure, layer) = runner();
    let id = scene.spawn(figure, Parent::World, DAffine3::IDENTITY).unwrap();
    scene[id].play_on(layer, "Attack", Play::once()).unwrap();
    scene.update(20.0);
    let told: Vec<_> = scene.events().map(|(node, event)| (node, event.action.layer(), event.kind)).collect();
    let [(_, LayerId::BASE, EventKind::Looped { .. }), attack] = told[..] else { panic!("{told:?}") };
    assert_eq!(attack, (id, layer, EventKind::Finished));
}

#[test]
fn a_clone_goes_on_with_the_same_bits_in_the_midst_of_layers_and_fades() {
    for &kind in FadeKind::ALL {
        let mut scene = Scene::new();
        let (figure, layer) = runner();
        let id = scene.spawn(figure, Parent::World, DAffine3::IDENTITY).unwrap();
        let fade = Fade { kind, ..Fade::cross(0.3) };
        scene[id].play_on(layer, "Attack", Play { fade, ..Play::once() }).unwrap();
        scene.update(0.1);
        scene[id].fade_to("Walk", fade).unwrap();
        scene.update(0.1);
        let mut clone = scene.clone();
        for frame in 0..60 {
            for scene in [&mut scene, &mut clone] {
                if frame == 5 {
                    scene[id].fade_to("Idle", fade).unwrap();
                }
                if frame == 20 {
                    scene[id].mixer.layer_mut(layer).unwrap().fade_out(fade);
                }
                scene.update(1.0 / 60.0);
            }
            assert_eq!(scene[id].palette, clone[id].palette, "{kind:?}, frame {frame}");
        }
        assert_eq!(scene[id].mixer.actions().count(), 1, "{kind:?}");
    }
}
