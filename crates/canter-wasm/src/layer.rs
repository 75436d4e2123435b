//! What is done to the layers of mixers.

use std::sync::Arc;

use canter::{JointMask, Layer, LayerMode, LayerMut};

use crate::action::read_mask;
use crate::host::Host;

impl Host {
    /// Puts a layer with the mask in the input on top, and returns its number. The modes are those of
    /// `packages/canter/src/layer.ts`.
    pub(crate) fn add_layer(&mut self, mixers: u32, member: u32, mode: u32, weight: f32) -> u32 {
        let mask = self.mask_of_input(mixers);
        let Some(mixers) = self.mixers.get_mut(mixers) else { return 0 };
        let Some(mixer) = mixers.get_mut(member) else { return 0 };
        let mode = if mode == 0 { LayerMode::Over } else { LayerMode::Additive };
        let mut layer = Layer::new(mode).with_weight(weight);
        if let Some(mask) = mask {
            layer = layer.with_mask(mask);
        }
        let id = mixer.add_layer(layer);
        mixers.number_layer(member, id)
    }

    pub(crate) fn remove_layer(&mut self, mixers: u32, member: u32, layer: u32) {
        let Some(mixers) = self.mixers.get_mut(mixers) else { return };
        let Some(id) = mixers.layer(member, layer) else { return };
        if let Some(mixer) = mixers.get_mut(member) {
            let _ = mixer.remove_layer(id);
        }
    }

    /// Gives a layer the mask in the input.
    pub(crate) fn set_layer_mask(&mut self, mixers: u32, member: u32, layer: u32) {
        let mask = self.mask_of_input(mixers);
        self.on_layer(mixers, member, layer, &|mut layer| layer.set_mask(mask.clone()));
    }

    /// Does something to a layer, if it is there.
    pub(crate) fn on_layer(&mut self, mixers: u32, member: u32, layer: u32, call: &dyn Fn(LayerMut<'_>)) {
        let Some(mixers) = self.mixers.get_mut(mixers) else { return };
        let Some(id) = mixers.layer(member, layer) else { return };
        if let Some(layer) = mixers.get_mut(member).and_then(|mixer| mixer.layer_mut(id)) {
            call(layer);
        }
    }

    /// A layer above the base.
    pub(crate) fn layer(&mut self, mixers: u32, member: u32, layer: u32) -> Option<&Layer> {
        let mixers = self.mixers.get_mut(mixers)?;
        let layer = mixers.layer(member, layer)?;
        mixers.get_mut(member)?.layer(layer)
    }

    pub(crate) fn coverage(&mut self, mixers: u32, member: u32, layer: u32, joint: u32) -> Option<f32> {
        let joint = self.mixers.get(mixers)?.asset.gltf.skeleton.joint_at(joint as usize)?;
        Some(self.layer(mixers, member, layer)?.coverage(joint))
    }

    fn mask_of_input(&mut self, mixers: u32) -> Option<Arc<JointMask>> {
        let input = self.take_input();
        read_mask(&self.mixers.get(mixers)?.asset.gltf.skeleton, &input)
    }
}
