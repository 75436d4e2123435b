//! Whatever is done to a scene, it is what a list of nodes that knows nothing of marks and links says.

mod common;

use canter::JointId;
use canter::glam::{DAffine3, DMat3, DQuat, DVec3};
use canter_scene::{Character, Children, Keep, NodeId, Parent, Removed, Scene, SceneError};
use proptest::prelude::*;

use common::{hero, sword};

#[derive(Clone, Debug)]
enum Edit {
    Insert { parent: Place, local: DAffine3 },
    Spawn { parent: Place, local: DAffine3 },
    SetLocal { node: usize, local: DAffine3 },
    SetParent { node: usize, parent: Place, keep: Keep },
    Attach { node: usize, parent: Place, local: DAffine3 },
    Remove { node: usize, children: Children },
    SetVisible { node: usize, shows: bool },
    Play { node: usize },
    Replace { node: usize },
    Update,
    UpdateTransforms,
}

/// The world, a node, or a joint; one of an odd number without its scale.
type Place = Option<(usize, Option<usize>)>;

fn local() -> impl Strategy<Value = DAffine3> {
    let scale = prop_oneof![
        8 => 0.5..2.0,
        2 => Just(1.0),
        1 => -2.0..-0.5,
        1 => Just(0.0),
        1 => prop_oneof![Just(1e-3), Just(1e-200), Just(1e10), Just(1e18), Just(-1e18)],
    ];
    let place = prop_oneof![9 => -5.0..5.0, 1 => Just(1e5)];
    (prop::array::uniform3(scale), prop::array::uniform3(place), -3.0..3.0, any::<bool>()).prop_map(
        |(scale, place, angle, is_even): ([f64; 3], [f64; 3], f64, bool)| {
            let turn = DQuat::from_rotation_y(angle) * DQuat::from_rotation_x(angle * 0.5);
            let scale = if is_even { DVec3::splat(scale[0]) } else { DVec3::from_array(scale) };
            let local = DAffine3::from_scale_rotation_translation(scale, turn, DVec3::from_array(place));
            // Turned by rounding, the largest scale is a little larger.
            cut(local)
        },
    )
}

fn edit() -> impl Strategy<Value = Edit> {
    let keep = || prop_oneof![Just(Keep::World), Just(Keep::Local)];
    let children = prop_oneof![Just(Children::Remove), Just(Children::HandOver)];
    let node = || 0..40_usize;
    let place = || prop::option::weighted(0.8, (node(), prop::option::of(0..70_usize)));
    prop_oneof![
        4 => (place(), local()).prop_map(|(parent, local)| Edit::Insert { parent, local }),
        2 => (place(), local()).prop_map(|(parent, local)| Edit::Spawn { parent, local }),
        4 => (node(), local()).prop_map(|(node, local)| Edit::SetLocal { node, local }),
        4 => (node(), place(), keep()).prop_map(|(node, parent, keep)| Edit::SetParent { node, parent, keep }),
        1 => (node(), place(), local()).prop_map(|(node, parent, local)| Edit::Attach { node, parent, local }),
        2 => (node(), children).prop_map(|(node, children)| Edit::Remove { node, children }),
        2 => (node(), any::<bool>()).prop_map(|(node, shows)| Edit::SetVisible { node, shows }),
        1 => node().prop_map(|node| Edit::Play { node }),
        1 => node().prop_map(|node| Edit::Replace { node }),
        2 => Just(Edit::Update),
        1 => Just(Edit::UpdateTransforms),
    ]
}

/// What is known of a node.
#[derive(Clone, Debug)]
struct Known {
    id: NodeId,
    parent: Parent,
    local: DAffine3,
    shows: bool,
    has_character: bool,
}

/// A scene, and beside it what it has to be.
#[derive(Default)]
struct World {
    scene: Scene,
    known: Vec<Known>,
    /// Every id there ever was, also of nodes that are gone.
    ids: Vec<NodeId>,
}

impl World {
    fn id(&self, index: usize) -> Option<NodeId> {
        (!self.ids.is_empty()).then(|| self.ids[index % self.ids.len()])
    }

    fn parent(&self, place: Place) -> Parent {
        let Some((index, joint)) = place else { return Parent::World };
        let Some(id) = self.id(index) else { return Parent::World };
        let Some(number) = joint else { return Parent::Node(id) };
        // The last numbers are beyond the joints of the hero.
        let joint = hero().asset.skeleton.joint_at(number.min(65)).unwrap();
        if number % 2 == 0 { Parent::Joint(id, joint) } else { Parent::JointWithoutScale(id, joint) }
    }

    fn known(&self, id: NodeId) -> Option<&Known> {
        self.known.iter().find(|known| known.id == id)
    }

    fn change(&mut self, id: NodeId, change: impl FnOnce(&mut Known)) {
        change(self.known.iter_mut().find(|known| known.id == id).unwrap());
    }

    fn joint_count(&self, id: NodeId) -> usize {
        self.scene.character(id).map_or(0, |character| character.model_pose.joint_count())
    }

    fn parent_error(&self, parent: Parent) -> Option<SceneError> {
        match (parent.node()?, parent.joint()) {
            (id, _) if self.known(id).is_none() => Some(SceneError::Gone),
            (id, Some(joint)) if joint.index() >= self.joint_count(id) => Some(SceneError::NoSuchJoint),
            _ => None,
        }
    }

    fn above(&self, id: NodeId) -> Vec<NodeId> {
        let step = |&id: &NodeId| self.known(id)?.parent.node();
        std::iter::successors(Some(id), step).collect()
    }

    /// The place of a node worked out from scratch.
    fn place(&self, id: NodeId) -> DAffine3 {
        let known = self.known(id).unwrap();
        match known.parent {
            Parent::World => known.local,
            above => cut(self.place_of(above) * known.local),
        }
    }

    fn joint(&self, id: NodeId, joint: JointId) -> Option<DAffine3> {
        let joint = self.scene.character(id)?.model_pose.joints().get(joint.index())?;
        Some(DAffine3::from_mat4(joint.to_mat4().as_dmat4()))
    }

    fn is_visible(&self, id: NodeId) -> bool {
        self.above(id).iter().all(|&id| self.known(id).unwrap().shows)
    }

    fn add(&mut self, parent: Place, local: DAffine3, character: Option<Character>) {
        let (parent, has_character) = (self.parent(parent), character.is_some());
        let made = match character {
            Some(character) => self.scene.spawn(character, parent, local),
            None => self.scene.insert(parent, local),
        };
        match (made, self.parent_error(parent)) {
            (Ok(id), None) => {
                assert!(!self.ids.contains(&id), "an id means one node forever");
                self.ids.push(id);
                self.known.push(Known { id, parent, local, shows: true, has_character });
            }
            (made, error) => assert_eq!(made.err(), error),
        }
    }

    fn set_parent(&mut self, id: NodeId, parent: Parent, keep: Keep) {
        let before = self.known(id).map(|_| self.place(id));
        let result = self.scene.set_parent(id, parent, keep);
        let expected = match before {
            None => Some(SceneError::Gone),
            Some(_) => self.parent_error(parent).or_else(|| {
                let ring = parent.node().is_some_and(|above| self.above(above).contains(&id));
                ring.then_some(SceneError::Cycle)
            }),
        };
        match (result, before) {
            (Ok(()), Some(before)) => {
                assert_eq!(expected, None);
                self.moved(id, parent, keep, before);
            }
            (Err(SceneError::Flat), Some(_)) if keep == Keep::World && expected.is_none() => {
                assert!(is_squashed(self.place_of(parent)), "{:?}", self.place_of(parent));
            }
            (Err(SceneError::NotFinite), Some(before)) if keep == Keep::World && expected.is_none() => {
                assert!(is_too_small(self.place_of(parent), before));
            }
            (result, _) => assert_eq!(result.err(), expected),
        }
    }

    fn place_of(&self, parent: Parent) -> DAffine3 {
        match parent {
            Parent::World => DAffine3::IDENTITY,
            Parent::Node(id) => self.place(id),
            Parent::Joint(id, joint) => {
                self.joint(id, joint).map_or(self.place(id), |joint| self.place(id) * joint)
            }
            Parent::JointWithoutScale(id, joint) => {
                self.joint(id, joint).map_or(self.place(id), |joint| self.place(id) * unscaled(joint))
            }
        }
    }

    /// Notes a new parent, and checks what was to be kept.
    fn moved(&mut self, id: NodeId, parent: Parent, keep: Keep, before: DAffine3) {
        let local = self.scene.local(id).unwrap();
        let from = self.place_of(parent).translation.length() + before.translation.length();
        self.change(id, |known| {
            assert!(keep == Keep::World || known.local == local);
            (known.parent, known.local) = (parent, local);
        });
        if keep == Keep::World {
            let after = self.place(id);
            assert!(
                after.matrix3.abs_diff_eq(before.matrix3, 1e-8 * largest(before.matrix3)),
                "{after} {before} below {}",
                self.place_of(parent)
            );
            assert!(after.translation.abs_diff_eq(before.translation, 1e-8 * from), "{after} {before}");
        }
    }

    fn remove(&mut self, id: NodeId, children: Children) {
        let below = |id: NodeId| self.known.iter().filter(move |known| known.parent.node() == Some(id));
        let hung: Vec<_> = below(id).map(|known| (known.id, self.place(known.id))).collect();
        let gone: Vec<NodeId> = match children {
            Children::Remove => {
                self.ids.iter().copied().filter(|&one| self.above(one).contains(&id)).collect()
            }
            Children::HandOver => vec![id],
        };
        let removed = self.scene.remove(id, children);
        let (Some(known), Some(removed)) = (self.known(id).cloned(), &removed) else {
            assert!(removed.is_none() && self.known(id).is_none());
            return;
        };
        let Removed { character, nodes, handed_over } = removed;
        assert_eq!(character.is_some(), known.has_character);
        assert_eq!(sorted(nodes), sorted(&gone));
        for (index, &node) in nodes.iter().enumerate() {
            let above = self.known(node).unwrap().parent.node();
            assert!(index == 0 || above.is_some_and(|above| nodes[..index].contains(&above)));
        }
        if children == Children::HandOver {
            assert_eq!(sorted(handed_over), sorted(&hung.iter().map(|hung| hung.0).collect::<Vec<_>>()));
            let parent = match self.parent_error(known.parent) {
                Some(SceneError::NoSuchJoint) => Parent::Node(known.parent.node().unwrap()),
                _ => known.parent,
            };
            for (child, place) in hung {
                let is_local_kept = self.scene.local(child) == Some(self.known(child).unwrap().local);
                let above = self.place_of(parent);
                let fell_back = is_local_kept && (is_squashed(above) || is_too_small(above, place));
                self.moved(child, parent, if fell_back { Keep::Local } else { Keep::World }, place);
            }
        }
        self.known.retain(|known| !gone.contains(&known.id));
    }

    fn apply(&mut self, edit: &Edit) {
        match *edit {
            Edit::Insert { parent, local } => self.add(parent, local, None),
            Edit::Spawn { parent, local } => self.add(parent, local, Some(Character::new(&hero()))),
            Edit::Update => {
                self.scene.update(0.1);
                self.check();
            }
            Edit::UpdateTransforms => {
                self.scene.update_transforms();
                self.check();
            }
            Edit::SetLocal { node, .. }
            | Edit::SetParent { node, .. }
            | Edit::Attach { node, .. }
            | Edit::Remove { node, .. }
            | Edit::SetVisible { node, .. }
            | Edit::Play { node }
            | Edit::Replace { node } => {
                if let Some(id) = self.id(node) {
                    self.apply_to(id, edit);
                }
            }
        }
    }

    fn apply_to(&mut self, id: NodeId, edit: &Edit) {
        let is_there = self.known(id).is_some();
        match *edit {
            Edit::SetLocal { local, .. } => {
                assert_eq!(self.scene.set_local(id, local).is_some(), is_there);
                if is_there {
                    self.change(id, |known| known.local = local);
                }
            }
            Edit::SetVisible { shows, .. } => {
                assert_eq!(self.scene.set_visible(id, shows).is_some(), is_there);
                if is_there {
                    self.change(id, |known| known.shows = shows);
                }
            }
            Edit::SetParent { parent, keep, .. } => self.set_parent(id, self.parent(parent), keep),
            Edit::Attach { parent, local, .. } => {
                let parent = self.parent(parent);
                let Parent::Joint(character, joint) = parent else { return };
                if self.scene.attach(id, character, joint, local).is_ok() {
                    self.change(id, |known| (known.parent, known.local) = (parent, local));
                }
            }
            Edit::Remove { children, .. } => self.remove(id, children),
            Edit::Play { .. } => {
                if let Some(character) = self.scene.character_mut(id) {
                    // A sword has no clips.
                    let _ = character.fade_to("Run", 0.2);
                }
            }
            Edit::Replace { .. } => {
                if let Some(character) = self.scene.character_mut(id) {
                    *character = Character::new(&sword());
                }
            }
            _ => {}
        }
    }

    /// Everything that can be asked of a scene that is up to date.
    fn check(&self) {
        let scene = &self.scene;
        assert_eq!(scene.len(), self.known.len());
        assert_eq!(sorted(&scene.nodes().collect::<Vec<_>>()), sorted(&ids(&self.known, |_| true)));
        let characters: Vec<_> = scene.characters().collect();
        assert_eq!(sorted(&characters), sorted(&ids(&self.known, |known| known.has_character)));
        for known in &self.known {
            let id = known.id;
            assert_eq!((scene.parent(id), scene.local(id)), (Some(known.parent), Some(known.local)));
            // The same operations in the same order: the same bits.
            assert_eq!(scene.world(id), Some(self.place(id)));
            assert!(self.place(id).is_finite());
            assert_eq!(scene.is_visible(id), Some(self.is_visible(id)));
            let children: Vec<_> = scene.children(id).collect();
            let below = ids(&self.known, |known| known.parent.node() == Some(id));
            assert_eq!(sorted(&children), sorted(&below));
        }
        for &id in self.ids.iter().filter(|&&id| self.known(id).is_none()) {
            assert!(
                scene.parent(id).is_none() && scene.world(id).is_none() && scene.is_visible(id).is_none()
            );
            assert!(scene.character(id).is_none() && scene.children(id).next().is_none());
        }
    }
}

fn ids(known: &[Known], is_one: impl Fn(&Known) -> bool) -> Vec<NodeId> {
    known.iter().filter(|known| is_one(known)).map(|known| known.id).collect()
}

fn sorted(ids: &[NodeId]) -> Vec<String> {
    let mut ids: Vec<_> = ids.iter().map(|id| format!("{id:?}")).collect();
    ids.sort();
    ids
}

/// The joints of the hero and the sword are neither flat nor sheared.
fn unscaled(joint: DAffine3) -> DAffine3 {
    let unit = |axis: DVec3| axis / axis.length();
    let straight = |axis: DVec3| unit(axis / axis.abs().max_element());
    let (y, z) = (straight(joint.matrix3.y_axis), straight(joint.matrix3.z_axis));
    let z = unit(z - y * z.dot(y));
    DAffine3 { matrix3: DMat3::from_cols(y.cross(z), y, z), translation: joint.translation }
}

fn largest(axes: DMat3) -> f64 {
    axes.to_cols_array().iter().fold(0.0, |max, number| number.abs().max(max))
}

/// Whether an axis is (nearly) nothing, or (nearly) in the plane of the others.
fn is_squashed(place: DAffine3) -> bool {
    let axes = [place.matrix3.x_axis, place.matrix3.y_axis, place.matrix3.z_axis];
    let [x, y, z] = axes.map(DVec3::normalize_or_zero);
    let min = axes.iter().fold(f64::INFINITY, |min, axis| axis.length().min(min));
    DMat3::from_cols(x, y, z).determinant().abs() < 1e-3 || min < 1e-6 * largest(place.matrix3) || min < 1e-90
}

/// Whether a place cannot be said relative to another without large numbers.
fn is_too_small(above: DAffine3, place: DAffine3) -> bool {
    (above.inverse() * place).to_cols_array().iter().any(|number| number.abs() > 1e17)
}

/// No number of a place is larger than 10¹⁸.
fn cut(place: DAffine3) -> DAffine3 {
    DAffine3::from_cols_array(&place.to_cols_array().map(|number| number.clamp(-1e18, 1e18)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn after_any_edits_a_scene_is_what_the_list_says(edits in prop::collection::vec(edit(), 1..80)) {
        let mut world = World::default();
        for edit in &edits {
            world.apply(edit);
        }
        world.apply(&Edit::UpdateTransforms);
    }
}
