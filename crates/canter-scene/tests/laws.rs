//! What a scene promises of its nodes, at the edges: rings, chains, stale ids, flat parents, numbers that are
//! none.

mod common;

use canter::glam::{DAffine3, DQuat, DVec3};
use canter_scene::{Character, Children, Keep, NodeId, Parent, Scene, SceneError};

use common::{hero, naive_world};

#[test]
fn a_ring_is_refused_and_changes_nothing() {
    let mut scene = Scene::new();
    let top = scene.insert(Parent::World, DAffine3::IDENTITY).unwrap();
    let middle = scene.insert(top, DAffine3::IDENTITY).unwrap();
    let bottom = scene.insert(middle, DAffine3::IDENTITY).unwrap();
    for (node, parent) in [(top, bottom), (top, top), (middle, bottom)] {
        assert_eq!(scene.set_parent(node, parent, Keep::Local), Err(SceneError::Cycle));
    }
    assert_eq!(scene.parent(middle), Some(Parent::Node(top)));
}

/// A chain, each node a metre beyond the one above.
fn chain(scene: &mut Scene, length: usize) -> Vec<NodeId> {
    let mut nodes: Vec<NodeId> = Vec::with_capacity(length);
    for _ in 0..length {
        let parent = nodes.last().map_or(Parent::World, |&above| Parent::Node(above));
        nodes.push(scene.insert(parent, DAffine3::from_translation(DVec3::X)).unwrap());
    }
    nodes
}

#[test]
fn a_chain_of_a_hundred_thousand_nodes_is_placed_cut_and_removed() {
    let mut scene = Scene::new();
    let nodes = chain(&mut scene, 100_000);
    let (first, last) = (nodes[0], nodes[99_999]);
    let x = |scene: &mut Scene, id: NodeId| {
        scene.update_transforms();
        scene.world(id).unwrap().translation.x
    };
    assert_eq!(x(&mut scene, last), 100_000.0);
    scene.set_local(first, DAffine3::IDENTITY);
    assert_eq!(x(&mut scene, last), 99_999.0);
    assert_eq!(scene.set_parent(first, last, Keep::Local), Err(SceneError::Cycle));
    scene.set_visible(first, false);
    scene.update_transforms();
    assert_eq!(scene.is_visible(last), Some(false));
    // The lower half goes elsewhere, stays where it is, and is seen again.
    let elsewhere = scene.insert(Parent::World, DAffine3::from_translation(DVec3::X * 7.0)).unwrap();
    scene.set_parent(nodes[50_000], elsewhere, Keep::World).unwrap();
    assert_eq!((x(&mut scene, last), scene.is_visible(last)), (99_999.0, Some(true)));
    scene.remove(nodes[75_000], Children::HandOver).unwrap();
    assert_eq!(x(&mut scene, last), 99_999.0);
    assert_eq!(scene.remove(first, Children::Remove).unwrap().nodes.len(), 50_000);
    assert_eq!(scene.remove(elsewhere, Children::Remove).unwrap().nodes.len(), 50_000);
    assert!(scene.is_empty());
    chain(&mut scene, 100_000);
    drop(scene);
}

#[test]
fn stale_ids_return_none_everywhere() {
    let mut scene = Scene::new();
    let hand = hero().asset.skeleton.joint("hand_R").unwrap();
    let [removed, below, used_again] =
        [(); 3].map(|()| scene.spawn(Character::new(&hero()), Parent::World, DAffine3::IDENTITY).unwrap());
    scene.attach(below, removed, hand, DAffine3::IDENTITY).unwrap();
    scene.remove(used_again, Children::Remove).unwrap();
    let new = scene.insert(Parent::World, DAffine3::IDENTITY).unwrap();
    scene.remove(removed, Children::Remove).unwrap();
    let mut other = Scene::new();
    let beyond = (0..10).map(|_| other.insert(Parent::World, DAffine3::IDENTITY).unwrap()).last().unwrap();
    for stale in [removed, below, used_again, beyond] {
        let unit = DAffine3::IDENTITY;
        assert!(
            scene.world(stale).is_none() && scene.local(stale).is_none() && scene.parent(stale).is_none()
        );
        assert!(scene.character(stale).is_none() && scene.character_mut(stale).is_none());
        assert!(scene.is_visible(stale).is_none() && scene.set_visible(stale, true).is_none());
        assert!(scene.set_local(stale, unit).is_none());
        assert_eq!(scene.children(stale).count(), 0);
        for children in [Children::Remove, Children::HandOver] {
            assert!(scene.remove(stale, children).is_none());
        }
        for parent in [Parent::Node(stale), Parent::Joint(stale, hand)] {
            assert_eq!(scene.insert(parent, unit), Err(SceneError::Gone));
            assert_eq!(scene.spawn(Character::new(&hero()), parent, unit), Err(SceneError::Gone));
        }
        for keep in [Keep::World, Keep::Local] {
            assert_eq!(scene.set_parent(stale, new, keep), Err(SceneError::Gone));
            assert_eq!(scene.set_parent(new, stale, keep), Err(SceneError::Gone));
            assert_eq!(scene.detach(stale, keep), Err(SceneError::Gone));
        }
        assert_eq!(scene.attach(new, stale, hand, unit), Err(SceneError::Gone));
        assert_eq!(scene.attach(stale, new, hand, unit), Err(SceneError::Gone));
    }
    scene.update(0.1);
    assert_eq!((scene.len(), scene.world(new)), (1, Some(DAffine3::IDENTITY)));
}

#[test]
fn transforms_that_are_not_finite_or_beyond_all_measure_are_refused() {
    let mut scene = Scene::new();
    let figure = scene.spawn(Character::new(&hero()), Parent::World, DAffine3::IDENTITY).unwrap();
    let hand = hero().asset.skeleton.joint("hand_R").unwrap();
    let node = scene.insert(Parent::World, DAffine3::IDENTITY).unwrap();
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -2e18] {
        for bad in [
            DAffine3::from_translation(DVec3::new(0.0, number, 0.0)),
            DAffine3::from_scale(DVec3::new(1.0, 1.0, number)),
        ] {
            assert_eq!(scene.insert(Parent::World, bad), Err(SceneError::NotFinite));
            assert_eq!(scene.attach(node, figure, hand, bad), Err(SceneError::NotFinite));
            assert_eq!(scene.set_local(node, bad), Some(()));
        }
    }
    scene.update_transforms();
    assert_eq!((scene.parent(node), scene.world(node)), (Some(Parent::World), Some(DAffine3::IDENTITY)));
}

/// Scales that multiply from parent to child until no number can hold them.
#[test]
fn no_place_is_infinite_or_nan() {
    for scale in [1e18, -1e18, 1e-18] {
        let mut scene = Scene::new();
        let turn = DQuat::from_rotation_y(1.0);
        let local = DAffine3::from_scale_rotation_translation(DVec3::splat(scale * 0.5), turn, DVec3::ONE);
        let hand = hero().asset.skeleton.joint("hand_R").unwrap();
        let mut last = scene.insert(Parent::World, local).unwrap();
        for _ in 0..20 {
            let rider = scene.spawn(Character::new(&hero()), last, local).unwrap();
            last = scene.insert(Parent::Joint(rider, hand), local).unwrap();
        }
        let free = scene.insert(Parent::World, DAffine3::IDENTITY).unwrap();
        scene.update(0.1);
        assert!(scene.nodes().all(|id| scene.world(id).unwrap().is_finite()), "{scale}");
        let _either_way = scene.set_parent(free, last, Keep::World);
        scene.update(0.1);
        assert!(scene.nodes().all(|id| scene.world(id).unwrap().is_finite()), "{scale}");
    }
}

#[test]
fn a_place_is_kept_or_the_parent_is_refused() {
    let turn =
        |angle: f64| DAffine3::from_quat(DQuat::from_rotation_x(angle) * DQuat::from_rotation_y(angle));
    let scale = |x, y, z| DAffine3::from_scale(DVec3::new(x, y, z));
    let place = DAffine3::from_translation(DVec3::new(1.0, 2.0, 3.0)) * turn(0.4);
    for (parents, expected) in [
        (vec![scale(2.0, -1.0, 0.1), turn(0.7), scale(-3.0, 1.0, 0.2)], Ok(())),
        (vec![scale(1e6, 1e6, 1e6)], Ok(())),
        (vec![scale(1e-15, 1e-15, 1e-15)], Ok(())),
        (vec![scale(0.0, 0.0, 0.0)], Err(SceneError::Flat)),
        (vec![scale(1.0, 0.0, 1.0)], Err(SceneError::Flat)),
        // Not quite flat by rounding alone.
        (vec![turn(0.3), scale(1.0, 1.0, 0.0), turn(1.1)], Err(SceneError::Flat)),
        (vec![turn(0.3), scale(1.0, 0.0, 0.0), turn(2.1), scale(5.0, 1.0, 2.0)], Err(SceneError::Flat)),
        (vec![scale(1e-60, 1e-60, 1e-60)], Err(SceneError::NotFinite)),
    ] {
        let mut scene = Scene::new();
        let mut parent = Parent::World;
        for &local in &parents {
            parent = scene.insert(parent, local).unwrap().into();
        }
        let node = scene.insert(Parent::World, place).unwrap();
        assert_eq!(scene.set_parent(node, parent, Keep::World), expected, "{parents:?}");
        scene.update_transforms();
        assert!(scene.world(node).unwrap().abs_diff_eq(place, 1e-9), "{parents:?}");
        assert_eq!(scene.parent(node), Some(if expected.is_ok() { parent } else { Parent::World }));
        scene.set_parent(node, parent, Keep::Local).unwrap();
    }
}

#[test]
fn a_new_node_is_in_its_place_before_the_next_update() {
    let mut scene = Scene::new();
    let mut figure = Character::new(&hero());
    figure.fade_to("Run", 0.0).unwrap();
    let figure = scene.spawn(figure, Parent::World, DAffine3::from_translation(DVec3::X)).unwrap();
    let hand = hero().asset.skeleton.joint("hand_R").unwrap();
    scene.update(0.3);
    let lamp = scene.insert(Parent::Joint(figure, hand), DAffine3::IDENTITY).unwrap();
    let flame = scene.insert(lamp, DAffine3::from_translation(DVec3::Y)).unwrap();
    for id in [lamp, flame] {
        assert_eq!(scene.world(id).unwrap(), naive_world(&scene, id));
    }
    scene.set_visible(figure, false);
    scene.update_transforms();
    let smoke = scene.insert(flame, DAffine3::IDENTITY).unwrap();
    assert_eq!(scene.is_visible(smoke), Some(false));
}
