//! A scene is a plain value.

mod common;

use canter::glam::{DAffine3, DVec3};
use canter_scene::{Character, Children, NodeId, Parent, Scene};

use common::{hero, sword};

/// Two heroes in the midst of a fade, with a sword in a hand, and a node that is gone.
fn busy() -> (Scene, [NodeId; 4]) {
    let mut scene = Scene::new();
    let spawn = |scene: &mut Scene, x: f64| {
        scene.spawn(Character::new(&hero()), Parent::World, DAffine3::from_translation(DVec3::X * x)).unwrap()
    };
    let first = spawn(&mut scene, 0.0);
    let gone = scene.insert(Parent::World, DAffine3::IDENTITY).unwrap();
    let second = spawn(&mut scene, 2.0);
    let hand = hero().asset.skeleton.joint("hand_R").unwrap();
    let held = scene.spawn(Character::new(&sword()), Parent::Joint(first, hand), DAffine3::IDENTITY).unwrap();
    scene.remove(gone, Children::Remove).unwrap();
    scene[first].fade_to("Walk", 0.0).unwrap();
    scene[second].fade_to("Idle", 0.0).unwrap();
    scene.update(0.4);
    scene[first].fade_to("Run", 0.3).unwrap();
    scene.set_local(second, DAffine3::from_translation(DVec3::Z));
    (scene, [first, second, held, gone])
}

#[test]
fn a_clone_plays_on_with_the_same_bits() {
    let (mut scene, [first, second, held, gone]) = busy();
    let mut clone = scene.clone();
    for frame in 0..40 {
        if frame == 20 {
            for scene in [&mut scene, &mut clone] {
                scene[second].fade_to("Wave", 0.1).unwrap();
                let next = scene.insert(held, DAffine3::from_translation(DVec3::Y)).unwrap();
                assert_ne!(next, gone);
            }
        }
        scene.update(1.0 / 60.0);
        clone.update(1.0 / 60.0);
        assert!(scene.nodes().eq(clone.nodes()));
        for id in scene.nodes() {
            assert_eq!(scene.world(id), clone.world(id), "frame {frame}");
        }
        for id in [first, second, held] {
            assert_eq!(scene[id].palette, clone[id].palette, "frame {frame}");
        }
    }
    assert!(clone.character(gone).is_none());
}

#[test]
fn what_happens_to_a_clone_does_not_touch_the_original() {
    let (mut scene, [first, _, held, _]) = busy();
    let mut clone = scene.clone();
    clone.remove(first, Children::Remove).unwrap();
    clone.update(0.1);
    scene.update(0.1);
    assert!(clone.world(held).is_none() && scene.world(held).is_some());
    assert_eq!((clone.len(), scene.len()), (1, 3));
}
