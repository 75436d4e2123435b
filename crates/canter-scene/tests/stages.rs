//! A stage of the caller's in the midst of an update, and what an update tells.

mod common;

use std::sync::Mutex;

use canter::glam::{DAffine3, DVec3, Quat, Vec3};
use canter::{ActionId, EventKind, LoopMode, Play};
use canter_scene::{Character, NodeId, Parent, Scene};

use common::{hero, sword};

fn spawn(scene: &mut Scene, x: f64) -> NodeId {
    let at = DAffine3::from_translation(DVec3::X * x);
    scene.spawn(Character::new(&hero()), Parent::World, at).unwrap()
}

/// Enough characters for several threads, where there are any.
fn crowd() -> (Scene, Vec<NodeId>) {
    let mut scene = Scene::new();
    let ids: Vec<_> = (0..100).map(|number| spawn(&mut scene, f64::from(number))).collect();
    for (number, &id) in ids.iter().enumerate() {
        scene[id].fade_to(number % 5, 0.0).unwrap();
    }
    (scene, ids)
}

#[test]
fn an_edit_between_sample_and_compose_is_drawn_and_does_not_add_up() {
    let head = hero().asset.skeleton.joint("head").unwrap();
    let nod = Quat::from_rotation_x(0.5);
    let (mut scene, ids) = crowd();
    let hat = scene.insert(Parent::Joint(ids[1], head), DAffine3::IDENTITY).unwrap();
    let mut alone = scene[ids[1]].clone();
    for _ in 0..3 {
        scene.update_with(0.1, |sampled| {
            if sampled.id == ids[1] {
                sampled.character.pose.joint_mut(head).rotation *= nod;
            }
        });
        alone.mixer.advance(0.1);
        alone.mixer.sample(&mut alone.pose);
        alone.pose.joint_mut(head).rotation *= nod;
        alone.model_pose.compose(&alone.model.asset.skeleton, &alone.pose);
        alone.write_palette();
    }
    assert_eq!((&scene[ids[1]].palette, scene[ids[1]].bounds()), (&alone.palette, alone.bounds()));
    let world_from_head = scene.world(ids[1]).unwrap() * affine(alone.model_pose.joint(head));
    assert_eq!(scene.world(hat), Some(world_from_head), "in the same frame");
}

fn affine(matrix: canter::glam::Mat4) -> DAffine3 {
    DAffine3::from_mat4(matrix.as_dmat4())
}

#[test]
fn an_empty_edit_changes_no_bit() {
    let (mut scene, ids) = crowd();
    let mut edited = scene.clone();
    for _ in 0..5 {
        scene.update(0.03);
        edited.update_with(0.03, |_| {});
    }
    assert!(ids.iter().all(|&id| scene[id].palette == edited[id].palette));
}

#[test]
fn an_edit_sees_each_character_once_with_its_place_and_the_time() {
    let (mut scene, mut ids) = crowd();
    ids.push(scene.spawn(Character::new(&sword()), Parent::World, DAffine3::IDENTITY).unwrap());
    scene.insert(Parent::World, DAffine3::IDENTITY).unwrap();
    scene.update(0.0);
    // Moved, but not placed yet: an edit sees the world as it was drawn last.
    scene.set_local(ids[3], DAffine3::from_translation(DVec3::Y));
    let seen = Mutex::new(Vec::new());
    scene.update_with(0.25, |sampled| {
        assert_eq!(sampled.dt_secs, 0.25);
        assert_eq!(
            sampled.character.pose.joint_count(),
            sampled.character.model.asset.skeleton.joint_count()
        );
        seen.lock().unwrap().push((sampled.id, sampled.world_from_character.translation.x));
    });
    let mut seen = seen.into_inner().unwrap();
    seen.sort_by_key(|(id, _)| *id);
    let expected = (0..=100).map(|number| f64::from(number % 100));
    assert!(seen.into_iter().eq(ids.iter().copied().zip(expected)));
    assert_eq!(scene.world(ids[3]).unwrap().translation, DVec3::Y);
}

#[test]
fn a_scene_tells_what_happened_to_whom() {
    let mut scene = Scene::new();
    let (walker, jumper) = (spawn(&mut scene, 0.0), spawn(&mut scene, 1.0));
    assert_eq!(scene.events().count(), 0);
    let walk = scene[walker].play("Walk", Play::default()).unwrap();
    let jump = scene[jumper].play("Jump", Play { loop_mode: LoopMode::Once, ..Play::default() }).unwrap();
    scene.update(0.01);
    assert_eq!(scene.events().count(), 0);
    scene.update(60.0);
    let events: Vec<(NodeId, ActionId, EventKind)> =
        scene.events().map(|(node, event)| (node, event.action, event.kind)).collect();
    let [(first, looped, EventKind::Looped { times }), second] = events[..] else { panic!("{events:?}") };
    assert!((first, looped) == (walker, walk) && times > 1);
    assert_eq!(second, (jumper, jump, EventKind::Finished));
    scene.update(0.0);
    assert_eq!(scene.events().count(), 0, "each once");
}

#[test]
fn a_clip_is_played_beside_others_and_faded_to_by_name_index_or_itself() {
    let hero = hero();
    let mut figure = Character::new(&hero);
    let walk = figure.play("Walk", Play { weight: 0.25, ..Play::default() }).unwrap();
    let run = figure.play(&hero.asset.clips[2], Play::default()).unwrap();
    assert_eq!(figure.mixer.actions().count(), 2);
    assert_eq!(figure.mixer.get(walk).unwrap().weight(), 0.25);
    let third = figure.fade_to(0, 0.2).unwrap();
    assert_eq!(figure.mixer.get(third).unwrap().clip().name(), hero.asset.clips[0].name());
    figure.update(1.0);
    assert!(figure.mixer.get(run).is_none() && figure.mixer.actions().count() == 1);

    let playing = |figure: &Character| figure.mixer.actions().map(|(id, _)| id).collect::<Vec<_>>();
    let before = playing(&figure);
    let error = figure.fade_to("Wlak", 0.2).unwrap_err();
    assert_eq!((error.suggestion(), error.names.len()), (Some("Walk"), hero.asset.clips.len()));
    assert!(figure.play(99, Play::default()).unwrap_err().to_string().contains("no clip 99;"));
    let mut joints = canter::Skeleton::builder();
    joints.joint("other", None, canter::Transform::from_translation(Vec3::X));
    let other = std::sync::Arc::new(canter::Clip::builder("Swim", &joints.build().unwrap()).build().unwrap());
    assert!(figure.fade_to(&other, 0.2).unwrap_err().to_string().contains("another skeleton"));
    assert_eq!(playing(&figure), before, "a refusal changes nothing");
}
