//! Brings places in the world up to date: only what changed, parents before children, in one pass.

use canter::glam::DAffine3;

use super::Scene;
use super::limits::cut;
use super::node::{NONE, Parent};

impl Scene {
    /// Advances all characters by a time and places everything anew that moved. With the feature `rayon` all cores take part;
    /// the result is the same, bit for bit.
    pub fn update(&mut self, dt_secs: f32) {
        self.update_characters(dt_secs);
        for index in 0..self.characters.len() {
            self.mark_attachments(self.characters[index]);
        }
        self.update_transforms();
    }

    #[cfg(not(feature = "rayon"))]
    fn update_characters(&mut self, dt_secs: f32) {
        for index in 0..self.characters.len() {
            let slot = self.characters[index];
            if let Some(character) = &mut self.at_mut(slot).character {
                character.update(dt_secs);
            }
        }
    }

    #[cfg(feature = "rayon")]
    fn update_characters(&mut self, dt_secs: f32) {
        use rayon::prelude::*;
        // A character takes microseconds: fewer at once would cost more than they gain.
        self.slots.par_iter_mut().with_min_len(32).for_each(|slot| {
            if let Some(character) = slot.node.as_mut().and_then(|node| node.character.as_mut()) {
                character.update(dt_secs);
            }
        });
    }

    /// Places everything anew that changed, or hangs on something that did. The cost grows with that, not with the size of
    /// the scene; the depth of the tree does not matter.
    pub fn update_transforms(&mut self) {
        let mut waiting = std::mem::take(&mut self.dirty);
        waiting.retain(|&slot| {
            let entry = &mut self.slots[slot as usize];
            entry.is_dirty = entry.node.is_some();
            entry.is_dirty
        });
        waiting.sort_unstable_by_key(|&slot| self.at(slot).depth);
        let mut frontier = std::mem::take(&mut self.frontier);
        let mut next_frontier = std::mem::take(&mut self.next_frontier);
        let mut taken = 0;
        // Generation by generation: what waits at this depth, and the children of what was placed at the one above.
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
        if !std::mem::replace(&mut self.slots[slot as usize].is_dirty, false) {
            return;
        }
        self.put(slot);
        let mut child = self.at(slot).first_child;
        while child != NONE {
            self.slots[child as usize].is_dirty = true;
            children.push(child);
            child = self.at(child).next_sibling;
        }
    }

    /// Puts a node where the one above it says, which is in its place already.
    pub(super) fn put(&mut self, slot: u32) {
        let (world_from_above, is_above_visible) = match self.at(slot).parent.node() {
            Some(above) => (self.at(above.slot).world_from_node, self.at(above.slot).is_visible),
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
            Parent::Node(_) => cut(world_from_above * node.parent_from_node),
            Parent::Joint(above, joint) => {
                cut(self.joint_place(world_from_above, above.slot, joint) * node.parent_from_node)
            }
        }
    }

    /// Notes that a node has to be placed anew.
    pub(super) fn mark(&mut self, slot: u32) {
        if !std::mem::replace(&mut self.slots[slot as usize].is_dirty, true) {
            self.dirty.push(slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use canter::glam::DVec3;

    use super::*;
    use crate::{Character, Model};

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
        let walk = alone.play("Walk", 0.0).unwrap();
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
