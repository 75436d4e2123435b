//! Brings places in the world up to date: only what changed, parents before children, in one pass.

use canter::Transform;
use canter::glam::DAffine3;

use super::limits::cut;
use super::node::{NONE, Node, Parent};
use super::{NodeId, Scene};
use crate::character::Character;

/// A character in the midst of an update: its pose is sampled, and not composed yet. See
/// [`Scene::update_with`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Sampled<'a> {
    /// The node at which it stands.
    pub id: NodeId,
    /// The place of the node in the world, as of the last update.
    pub world_from_character: DAffine3,
    /// The time that the update advances by.
    pub dt_secs: f32,
    /// The character: what is changed in its `pose` is drawn. Its `model_pose`, `palette` and `bounds` are
    /// those of the last update.
    pub character: &'a mut Character,
}

impl Scene {
    /// Advances all characters by a time, moves those that [travel](Character::travels) by their root motion,
    /// and places everything anew that moved. With the feature `rayon` all
    /// cores take part; the result is the same, bit for bit.
    pub fn update(&mut self, dt_secs: f32) {
        self.update_with(dt_secs, |_| {});
    }

    /// As [`update`](Self::update), with a stage of yours between sampling and composing: a nod, a look at
    /// something, feet on the ground. It is called once for every character, in no particular order; with the
    /// feature `rayon` on several threads at once.
    ///
    /// ```
    /// # use canter::glam::{DAffine3, Quat};
    /// # use canter_scene::{Character, Model, Parent, Scene};
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    /// let hero = Model::load("assets/hero.glb")?;
    /// let head = hero.asset.skeleton.joint("head").ok_or("the hero has no head")?;
    /// let mut scene = Scene::new();
    /// let figure = scene.spawn(Character::new(&hero), Parent::World, DAffine3::IDENTITY)?;
    /// scene.update_with(1.0 / 60.0, |sampled| {
    ///     if sampled.id == figure {
    ///         sampled.character.pose.joint_mut(head).rotation *= Quat::from_rotation_x(0.2);
    ///     }
    /// });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn update_with(&mut self, dt_secs: f32, edit: impl Fn(Sampled<'_>) + Sync) {
        self.update_characters(dt_secs, &edit);
        for index in 0..self.characters.len() {
            let slot = self.characters[index];
            if self.at(slot).character.as_ref().is_some_and(|character| character.travels) {
                self.mark(slot);
            }
            self.mark_attachments(slot);
        }
        self.update_transforms();
    }

    #[cfg(not(feature = "rayon"))]
    fn update_characters(&mut self, dt_secs: f32, edit: &(impl Fn(Sampled<'_>) + Sync)) {
        for &slot in &self.characters {
            if let Some((id, node)) = self.nodes.at_mut(slot) {
                node.update_character(NodeId(id), dt_secs, edit);
            }
        }
    }

    #[cfg(feature = "rayon")]
    fn update_characters(&mut self, dt_secs: f32, edit: &(impl Fn(Sampled<'_>) + Sync)) {
        use rayon::prelude::*;
        // A character takes microseconds: fewer at once would cost more than they gain.
        self.nodes.slots_mut().par_iter_mut().with_min_len(32).for_each(|slot| {
            if let Some((id, node)) = slot.get_mut() {
                node.update_character(NodeId(id), dt_secs, edit);
            }
        });
    }

    /// Places everything anew that changed, or hangs on something that did. The cost grows with that, not
    /// with the size of the scene; the depth of the tree does not matter.
    pub fn update_transforms(&mut self) {
        let mut waiting = std::mem::take(&mut self.dirty);
        waiting.retain(|&slot| {
            let is_there = self.nodes.at(slot).is_some();
            self.is_dirty[slot as usize] = is_there;
            is_there
        });
        waiting.sort_unstable_by_key(|&slot| self.at(slot).depth);
        let mut frontier = std::mem::take(&mut self.frontier);
        let mut next_frontier = std::mem::take(&mut self.next_frontier);
        let mut taken = 0;
        // Generation by generation: what waits at this depth, and the children of what was placed at the one
        // above.
        while taken < waiting.len() || !frontier.is_empty() {
            let depth = match frontier.first() {
                Some(&slot) => self.at(slot).depth,
                None => self.at(waiting[taken]).depth,
            };
            while taken < waiting.len() && self.at(waiting[taken]).depth == depth {
                frontier.push(waiting[taken]);
                taken += 1;
            }
            for slot in frontier.drain(..) {
                self.place(slot, &mut next_frontier);
            }
            std::mem::swap(&mut frontier, &mut next_frontier);
        }
        waiting.clear();
        (self.dirty, self.frontier, self.next_frontier) = (waiting, frontier, next_frontier);
    }

    /// Places a node unless that was done already, and lists its children.
    fn place(&mut self, slot: u32, children: &mut Vec<u32>) {
        if !std::mem::replace(&mut self.is_dirty[slot as usize], false) {
            return;
        }
        self.put(slot);
        let mut child = self.at(slot).first_child;
        while child != NONE {
            self.is_dirty[child as usize] = true;
            children.push(child);
            child = self.at(child).next_sibling;
        }
    }

    /// Puts a node where the one above it says, which is in its place already.
    pub(super) fn put(&mut self, slot: u32) {
        let (world_from_above, is_above_visible) = match self.at(slot).parent.node() {
            Some(above) => (self.at(above.slot()).world_from_node, self.at(above.slot()).is_visible),
            None => (DAffine3::IDENTITY, true),
        };
        let world_from_node = self.placed(world_from_above, slot);
        let node = self.at_mut(slot);
        node.world_from_node = world_from_node;
        node.is_visible = is_above_visible && node.shows;
    }

    /// Where a node is, given the place of the node above it.
    pub(super) fn placed(&self, world_from_above: DAffine3, slot: u32) -> DAffine3 {
        let node = self.at(slot);
        match node.parent {
            Parent::World => node.parent_from_node,
            parent => cut(self.world_of(parent, world_from_above) * node.parent_from_node),
        }
    }

    /// Notes that a node has to be placed anew.
    pub(super) fn mark(&mut self, slot: u32) {
        if !std::mem::replace(&mut self.is_dirty[slot as usize], true) {
            self.dirty.push(slot);
        }
    }
}

impl Node {
    fn update_character(&mut self, id: NodeId, dt_secs: f32, edit: &impl Fn(Sampled<'_>)) {
        let world_from_character = self.world_from_node;
        if let Some(character) = &mut self.character {
            character.update_with(dt_secs, |character| {
                edit(Sampled { id, world_from_character, dt_secs, character });
            });
            if character.travels {
                let Transform { translation, rotation, .. } = character.mixer.root_motion().transform;
                let (rotation, translation) = (rotation.as_dquat().normalize(), translation.as_dvec3());
                let step = DAffine3::from_rotation_translation(rotation, translation);
                self.parent_from_node = cut(self.parent_from_node * step);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use canter::glam::DVec3;

    use super::*;
    use crate::Model;

    /// A game that makes and removes things for a long time without looking at them.
    #[test]
    fn what_waits_does_not_pile_up() {
        let mut scene = Scene::new();
        for _ in 0..1000 {
            let id = scene.insert(Parent::World, DAffine3::IDENTITY).unwrap();
            scene.remove(id, crate::Children::Remove).unwrap();
        }
        assert!(scene.dirty.len() <= 1, "{}", scene.dirty.len());
        scene.update_transforms();
        let last = scene.insert(Parent::World, DAffine3::from_scale(DVec3::X)).unwrap();
        let below = scene.insert(last, DAffine3::IDENTITY).unwrap();
        scene.set_local(last, DAffine3::IDENTITY);
        scene.update_transforms();
        assert_eq!(scene.world(below), Some(DAffine3::IDENTITY));
    }

    #[test]
    fn many_characters_move_as_each_would_alone() {
        let hero = Model::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/hero.glb")).unwrap();
        let mut alone = Character::new(&hero);
        let walk = alone.fade_to("Walk", 0.0).unwrap();
        let mut scene = Scene::new();
        for number in 0..100_u8 {
            alone.mixer.get_mut(walk).unwrap().seek(f32::from(number) * 0.01).unwrap();
            scene.spawn(alone.clone(), Parent::World, DAffine3::IDENTITY).unwrap();
        }
        scene.update(0.25);
        for (number, id) in (0..100_u8).zip(scene.characters()) {
            alone.mixer.get_mut(walk).unwrap().seek(f32::from(number) * 0.01).unwrap();
            alone.update(0.25);
            assert_eq!(scene.character(id).unwrap().palette, alone.palette, "{number}");
        }
    }
}
