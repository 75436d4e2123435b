//! Whatever is done to a scene, every node is where its parents say.

mod common;

use canter::glam::{DAffine3, DQuat, DVec3};
use canter_scene::{Character, Children, Keep, NodeId, Parent, Scene, SceneError};
use proptest::prelude::*;

use common::{hero, naive_world};

#[derive(Clone, Debug)]
enum Edit {
    Insert { parent: usize, joint: Option<usize>, local: DAffine3 },
    Spawn { parent: usize, local: DAffine3 },
    SetLocal { node: usize, local: DAffine3 },
    SetParent { node: usize, parent: Option<usize>, joint: Option<usize>, keep: Keep },
    Remove { node: usize, children: Children },
    SetVisible { node: usize, shows: bool },
    Play { node: usize },
    Update,
}

fn local() -> impl Strategy<Value = DAffine3> {
    (-5.0..5.0, -5.0..5.0, -3.0..3.0, 0.5..2.0).prop_map(|(x, y, angle, scale): (f64, f64, f64, f64)| {
        let turn = DQuat::from_rotation_y(angle) * DQuat::from_rotation_x(angle * 0.5);
        DAffine3::from_scale_rotation_translation(DVec3::new(scale, 1.0, scale), turn, DVec3::new(x, y, 1.0))
    })
}

fn edit() -> impl Strategy<Value = Edit> {
    let keep = prop_oneof![Just(Keep::World), Just(Keep::Local)];
    let children = prop_oneof![Just(Children::Remove), Just(Children::HandOver)];
    prop_oneof![
        4 => (0..40_usize, prop::option::of(0..66_usize), local())
            .prop_map(|(parent, joint, local)| Edit::Insert { parent, joint, local }),
        1 => (0..40_usize, local()).prop_map(|(parent, local)| Edit::Spawn { parent, local }),
        4 => (0..40_usize, local()).prop_map(|(node, local)| Edit::SetLocal { node, local }),
        3 => (0..40_usize, prop::option::of(0..40_usize), prop::option::of(0..66_usize), keep)
            .prop_map(|(node, parent, joint, keep)| Edit::SetParent { node, parent, joint, keep }),
        1 => (0..40_usize, children).prop_map(|(node, children)| Edit::Remove { node, children }),
        1 => (0..40_usize, any::<bool>()).prop_map(|(node, shows)| Edit::SetVisible { node, shows }),
        1 => (0..40_usize).prop_map(|node| Edit::Play { node }),
        3 => Just(Edit::Update),
    ]
}

struct World {
    scene: Scene,
    /// Every id there ever was, also of nodes that are gone.
    ids: Vec<NodeId>,
}

impl World {
    fn id(&self, index: usize) -> Option<NodeId> {
        (!self.ids.is_empty()).then(|| self.ids[index % self.ids.len()])
    }

    fn parent(&self, index: usize, joint: Option<usize>) -> Parent {
        let Some(id) = self.id(index) else { return Parent::World };
        match joint {
            Some(joint) if self.scene.character(id).is_some() => {
                Parent::Joint(id, hero().asset.skeleton.joint_at(joint).unwrap())
            }
            _ => Parent::Node(id),
        }
    }

    fn apply(&mut self, edit: &Edit) {
        match *edit {
            Edit::Insert { parent, joint, local } => {
                let made = self.scene.insert(self.parent(parent, joint), local);
                self.ids.extend(made);
            }
            Edit::Spawn { parent, local } => {
                let made = self.scene.spawn(Character::new(&hero()), self.parent(parent, None), local);
                self.ids.extend(made);
            }
            Edit::SetLocal { node, local } => {
                self.id(node).map(|id| self.scene.set_local(id, local));
            }
            Edit::SetParent { node, parent, joint, keep } => {
                let Some(id) = self.id(node) else { return };
                let parent = parent.map_or(Parent::World, |parent| self.parent(parent, joint));
                let before = self.scene.node_is_there(id).then(|| naive_world(&self.scene, id));
                let result = self.scene.set_parent(id, parent, keep);
                if let (Ok(()), Keep::World, Some(before)) = (result, keep, before) {
                    let after = naive_world(&self.scene, id);
                    assert!(
                        after.abs_diff_eq(before, 1e-6 * (1.0 + before.translation.length())),
                        "{after} {before}"
                    );
                }
            }
            Edit::Remove { node, children } => {
                let Some(id) = self.id(node) else { return };
                let places: Vec<_> =
                    self.scene.children(id).map(|child| (child, naive_world(&self.scene, child))).collect();
                if let Some(removed) = self.scene.remove(id, children) {
                    assert!(removed.nodes.contains(&id));
                    assert!(removed.nodes.iter().all(|&gone| self.scene.world(gone).is_none()));
                    for (child, place) in places {
                        match children {
                            Children::Remove => assert!(self.scene.world(child).is_none()),
                            Children::HandOver => {
                                let after = naive_world(&self.scene, child);
                                assert!(after.abs_diff_eq(place, 1e-6 * (1.0 + place.translation.length())));
                            }
                        }
                    }
                }
            }
            Edit::SetVisible { node, shows } => {
                self.id(node).map(|id| self.scene.set_visible(id, shows));
            }
            Edit::Play { node } => {
                if let Some(character) = self.id(node).and_then(|id| self.scene.character_mut(id)) {
                    character.play("Run", 0.2).unwrap();
                }
            }
            Edit::Update => self.scene.update(0.1),
        }
    }
}

/// Whether an id is of a node that is there.
trait IsThere {
    fn node_is_there(&self, id: NodeId) -> bool;
}

impl IsThere for Scene {
    fn node_is_there(&self, id: NodeId) -> bool {
        self.parent(id).is_some()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn after_any_edits_every_node_is_where_its_parents_say(edits in prop::collection::vec(edit(), 1..60)) {
        let mut world = World { scene: Scene::new(), ids: Vec::new() };
        for edit in &edits {
            world.apply(edit);
        }
        world.scene.update_transforms();
        let live: Vec<NodeId> = world.scene.nodes().collect();
        prop_assert_eq!(live.len(), world.scene.len());
        for id in live {
            // The same operations in the same order: the same bits.
            prop_assert_eq!(world.scene.world(id).unwrap(), naive_world(&world.scene, id));
            let above = world.scene.parent(id).unwrap().node();
            if let Some(above) = above {
                prop_assert!(world.scene.children(above).any(|child| child == id));
                prop_assert!(world.scene.is_visible(above).unwrap() || !world.scene.is_visible(id).unwrap());
            }
        }
    }
}

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

#[test]
fn a_chain_of_a_hundred_thousand_nodes_is_placed() {
    let mut scene = Scene::new();
    let step = DAffine3::from_translation(DVec3::X);
    let first = scene.insert(Parent::World, step).unwrap();
    let mut last = first;
    for _ in 1..100_000 {
        last = scene.insert(last, step).unwrap();
    }
    scene.update_transforms();
    assert_eq!(scene.world(last).unwrap().translation.x, 100_000.0);
    scene.set_local(first, DAffine3::IDENTITY);
    scene.update_transforms();
    assert_eq!(scene.world(last).unwrap().translation.x, 99_999.0);
    assert_eq!(scene.remove(first, Children::Remove).unwrap().nodes.len(), 100_000);
    assert!(scene.is_empty());
}

#[test]
fn stale_ids_answer_none_everywhere() {
    let mut scene = Scene::new();
    let old = scene.spawn(Character::new(&hero()), Parent::World, DAffine3::IDENTITY).unwrap();
    scene.remove(old, Children::Remove).unwrap();
    let new = scene.insert(Parent::World, DAffine3::IDENTITY).unwrap();
    let joint = hero().asset.skeleton.joint("hand_R").unwrap();
    assert!(scene.world(old).is_none() && scene.local(old).is_none() && scene.parent(old).is_none());
    assert!(scene.character(old).is_none() && scene.character_mut(old).is_none());
    assert!(scene.is_visible(old).is_none() && scene.set_visible(old, true).is_none());
    assert!(scene.set_local(old, DAffine3::IDENTITY).is_none());
    assert!(scene.remove(old, Children::Remove).is_none());
    assert_eq!(scene.children(old).count(), 0);
    assert_eq!(scene.insert(old, DAffine3::IDENTITY), Err(SceneError::Gone));
    assert_eq!(scene.attach(new, old, joint, DAffine3::IDENTITY), Err(SceneError::Gone));
    assert_eq!(scene.set_parent(old, new, Keep::World), Err(SceneError::Gone));
    assert!(scene.world(new).is_some());
}

#[test]
fn transforms_that_are_not_finite_are_refused() {
    let mut scene = Scene::new();
    let bad = DAffine3::from_translation(DVec3::new(f64::NAN, 0.0, 0.0));
    assert_eq!(scene.insert(Parent::World, bad), Err(SceneError::NotFinite));
    let node = scene.insert(Parent::World, DAffine3::IDENTITY).unwrap();
    scene.set_local(node, bad);
    scene.update_transforms();
    assert_eq!(scene.world(node), Some(DAffine3::IDENTITY));
    // A parent scaled to nothing has no inverse.
    let flat = scene.insert(Parent::World, DAffine3::from_scale(DVec3::ZERO)).unwrap();
    assert_eq!(scene.set_parent(node, flat, Keep::World), Err(SceneError::Flat));
    assert_eq!(scene.parent(node), Some(Parent::World));
    scene.set_parent(node, flat, Keep::Local).unwrap();
}
