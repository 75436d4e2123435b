//! Mixes clips into properties of nodes that JavaScript keeps, by the formulas of three.js: one clip after
//! another, each property by itself, and with what the property was before anything played where the weights
//! add up to less than one. See `packages/canter/src/three`, which owns times, weights and nodes.

mod slerp;

use std::rc::Rc;
use std::sync::Arc;

use canter::glam::Vec4;
use canter::{Clip, JointId, Pose};

use crate::host::{Host, word};
use crate::node_tree::NodeTree;
use slerp::Slerp;

/// What is left of weights that add up to one, in 32 bits.
const NOTHING: f32 = 1e-6;

/// A property of a node: its position, quaternion or scale. Vectors leave the fourth number out.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Slot {
    /// What it was before anything played; JavaScript writes it.
    original: Vec4,
    /// What it is now; JavaScript reads it.
    value: Vec4,
    /// Whether anything plays that moves it; JavaScript writes it.
    is_used: u32,
    is_rotation: u32,
    weight: f32,
    added_weight: f32,
    mixed: Vec4,
    added: Vec4,
}

impl Slot {
    fn new(is_rotation: bool) -> Self {
        let nothing = nothing(is_rotation);
        Self {
            original: nothing,
            value: nothing,
            is_used: 0,
            is_rotation: is_rotation.into(),
            weight: 0.0,
            added_weight: 0.0,
            mixed: nothing,
            added: nothing,
        }
    }

    #[inline(always)]
    fn mix(&mut self, slerp: &mut Slerp, value: Vec4, weight: f32) {
        let sum = self.weight + weight;
        self.mixed = match (self.weight > 0.0, self.is_rotation != 0) {
            (false, _) => value,
            (true, false) => lerp(self.mixed, value, weight / sum),
            (true, true) => slerp.between(self.mixed, value, weight / sum),
        };
        self.weight = sum;
    }

    #[inline(always)]
    fn add(&mut self, slerp: &mut Slerp, value: Vec4, weight: f32) {
        self.added = if self.is_rotation != 0 {
            slerp.between(self.added, product(self.added, value), weight)
        } else {
            self.added + value * weight
        };
        self.added_weight += weight;
    }

    /// Ends a frame. Whether the value has changed.
    #[inline(always)]
    fn finish(&mut self, slerp: &mut Slerp) -> bool {
        let rest = 1.0 - self.weight;
        let mut value = match (self.weight > 0.0, self.is_rotation != 0) {
            (false, _) => self.original,
            (true, _) if rest < NOTHING => self.mixed,
            (true, false) => lerp(self.mixed, self.original, rest),
            (true, true) => slerp.between(self.mixed, self.original, rest),
        };
        if self.added_weight > 0.0 {
            let is_rotation = self.is_rotation != 0;
            value = if is_rotation { product(value, self.added) } else { value + self.added };
            self.added = nothing(is_rotation);
        }
        (self.weight, self.added_weight) = (0.0, 0.0);
        let has_changed = value != self.value;
        self.value = value;
        has_changed
    }
}

/// What is added without changing anything.
fn nothing(is_rotation: bool) -> Vec4 {
    if is_rotation { Vec4::W } else { Vec4::ZERO }
}

#[inline(always)]
fn lerp(a: Vec4, b: Vec4, t: f32) -> Vec4 {
    a * (1.0 - t) + b * t
}

/// The product of quaternions: the second rotation, then the first.
#[inline(always)]
fn product(a: Vec4, b: Vec4) -> Vec4 {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a.to_array(), b.to_array());
    Vec4::new(
        ax * bw + aw * bx + ay * bz - az * by,
        ay * bw + aw * by + az * bx - ax * bz,
        az * bw + aw * bz + ax * by - ay * bx,
        aw * bw - ax * bx - ay * by - az * bz,
    )
}

/// A clip, with room for a sample. All mixes that play it share it.
pub(crate) struct Sampler {
    clip: Arc<Clip>,
    pose: Pose,
    /// Joints in the order of the file.
    joints: Vec<JointId>,
}

/// Where the numbers of a clip go: a joint's property to a slot.
#[derive(Clone, Copy)]
struct Channel {
    joint: JointId,
    property: u8,
    slot: u32,
}

/// The properties of a figure, and the clips that move them.
#[derive(Default)]
pub(crate) struct PropertyMix {
    slots: Vec<Slot>,
    /// For each slot where in the tree its numbers are, from 1; 0 for those that JavaScript writes.
    targets: Vec<u32>,
    /// The tree that has them.
    tree: u32,
    channels: Vec<Rc<[Channel]>>,
    /// The slots of JavaScript whose values the last frame changed.
    changed: Vec<u32>,
    slerp: Slerp,
}

impl PropertyMix {
    #[cfg_attr(canter_web, optimize(speed))]
    fn add(&mut self, channels: usize, sampler: &mut Sampler, secs: f32, weight: f32, is_additive: bool) {
        let Some(channels) = self.channels.get(channels) else { return };
        sampler.clip.sample(secs, &mut sampler.pose);
        for &Channel { joint, property, slot } in &**channels {
            let transform = || sampler.pose.joint(joint);
            let value = match property {
                0 => transform().translation.extend(0.0),
                1 => transform().rotation.into(),
                _ => transform().scale.extend(0.0),
            };
            let Some(slot) = self.slots.get_mut(slot as usize) else { continue };
            if is_additive {
                slot.add(&mut self.slerp, value, weight);
            } else {
                slot.mix(&mut self.slerp, value, weight);
            }
        }
    }

    /// Ends a frame: writes what has changed to the numbers of a tree. Whether any of them has.
    #[cfg_attr(canter_web, optimize(speed))]
    fn finish(&mut self, numbers: &mut [f64]) -> bool {
        self.changed.clear();
        let mut is_tree_changed = false;
        for ((slot, &target), index) in self.slots.iter_mut().zip(&self.targets).zip(0..) {
            if slot.is_used == 0 || !slot.finish(&mut self.slerp) {
                continue;
            }
            let value = slot.value.as_dvec4().to_array();
            let target = (target as usize).wrapping_sub(1);
            let len = if slot.is_rotation != 0 { 4 } else { 3 };
            match numbers.get_mut(target..target.wrapping_add(len)) {
                Some(numbers) => {
                    for (number, value) in numbers.iter_mut().zip(value) {
                        *number = value;
                    }
                    is_tree_changed = true;
                }
                None => self.changed.push(index),
            }
        }
        is_tree_changed
    }
}

/// Words of the input.
pub(crate) fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word))
}

impl Host {
    /// The first clip of an asset, for mixes. 0 if there is none.
    pub(crate) fn new_sampler(&mut self, asset: u32) -> u32 {
        let Some(asset) = self.assets.get(asset) else { return 0 };
        let Some(clip) = asset.clip(0) else { return 0 };
        let skeleton = &asset.gltf.skeleton;
        let joints = asset.gltf.nodes.iter().map(|node| node.joint).collect();
        self.samplers.insert(Sampler { clip, pose: Pose::rest(skeleton), joints })
    }

    pub(crate) fn new_mix(&mut self) -> u32 {
        self.mixes.insert(PropertyMix::default())
    }

    /// Adds a property, and says which number it has.
    pub(crate) fn add_slot(&mut self, mix: u32, is_rotation: bool) -> u32 {
        let Some(mix) = self.mixes.get_mut(mix) else { return 0 };
        mix.slots.push(Slot::new(is_rotation));
        mix.targets.push(0);
        word(mix.slots.len() - 1)
    }

    /// Binds a clip to slots: the input is a list of joints, properties and slots. Says which number that has.
    pub(crate) fn bind_sampler(&mut self, mix: u32, sampler: u32) -> u32 {
        let input = self.take_input();
        let (Some(mix), Some(sampler)) = (self.mixes.get_mut(mix), self.samplers.get(sampler)) else {
            return 0;
        };
        let words: Vec<u32> = words(&input).collect();
        let channels = words.as_chunks().0.iter().filter_map(|&[joint, property, slot]| {
            let joint = *sampler.joints.get(joint as usize)?;
            Some(Channel { joint, property: u8::try_from(property).ok()?, slot })
        });
        mix.channels.push(channels.collect());
        // So that the list stays where it is.
        mix.changed.clear();
        mix.changed.reserve(mix.slots.len());
        word(mix.channels.len() - 1)
    }

    /// Where the slots are, how many numbers they have in all, and where those that have changed are listed:
    /// until the next clip is bound.
    pub(crate) fn slots(&mut self, mix: u32) {
        let Some(mix) = self.mixes.get(mix) else { return };
        let (address, len) = (mix.slots.as_ptr().addr(), size_of_val(&mix.slots[..]) / 4);
        self.answer[2] = word(mix.changed.as_ptr().addr());
        self.put_place(address, len);
    }

    pub(crate) fn add_to_mix(
        &mut self,
        mix: u32,
        channels: u32,
        sampler: u32,
        secs: f32,
        weight: f32,
        is_additive: bool,
    ) {
        let (Some(mix), Some(sampler)) = (self.mixes.get_mut(mix), self.samplers.get_mut(sampler)) else {
            return;
        };
        mix.add(channels as usize, sampler, secs, weight, is_additive);
    }

    /// Has a tree's numbers written by a mix: the input says for each slot where in the tree they begin, from 1.
    pub(crate) fn link_mix(&mut self, mix: u32, tree: u32) {
        let input = self.take_input();
        let Some(mix) = self.mixes.get_mut(mix) else { return };
        mix.tree = tree;
        for (target, word) in mix.targets.iter_mut().zip(words(&input)) {
            *target = word;
        }
    }

    /// Ends a frame. Says how many slots have changed that JavaScript writes, times two, and one more if the
    /// tree has changed.
    pub(crate) fn finish_mix(&mut self, mix: u32) -> u32 {
        let Some(mix) = self.mixes.get_mut(mix) else { return 0 };
        let numbers = self.trees.get_mut(mix.tree).map_or(&mut [][..], NodeTree::numbers);
        let is_tree_changed = mix.finish(numbers);
        2 * word(mix.changed.len()) + u32::from(is_tree_changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(is_rotation: bool, value: Vec4) -> Slot {
        Slot { is_used: 1, weight: 1.0, mixed: value, ..Slot::new(is_rotation) }
    }

    #[test]
    fn slots_write_to_their_tree_and_all_others_are_listed() {
        let value = Vec4::new(0.5, 0.5, 0.5, 0.5);
        let mut mix = PropertyMix {
            slots: vec![used(false, value), used(true, value), used(true, value), used(false, value)],
            // The third has no place, and that of the fourth is beyond the end.
            targets: vec![1, 4, 0, 9],
            ..PropertyMix::default()
        };
        let mut numbers = [9.0; 10];
        assert!(mix.finish(&mut numbers));
        assert_eq!(numbers, [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 9.0, 9.0, 9.0]);
        assert_eq!(mix.changed, [2, 3]);
        for slot in &mut mix.slots {
            (slot.weight, slot.mixed) = (1.0, value);
        }
        numbers.fill(7.0);
        assert!(!mix.finish(&mut numbers), "what did not change is not written again");
        assert_eq!((numbers, mix.changed.len()), ([7.0; 10], 0));
    }
}
