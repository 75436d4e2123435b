//! Anything that can be done to the layers of a mixer.

use std::sync::Arc;

use canter::{ActionId, AdditiveReference, Clip, Layer, LayerId, LayerMode, LayerMut, Mixer};

use crate::input::Input;
use crate::operations::{fade, mask, play};

/// A mixer with many layers is slow, and teaches nothing that four do not.
const MOST: usize = 4;

/// Layers that there are or were, and additive clips.
#[derive(Default)]
pub(crate) struct Layers {
    ids: Vec<LayerId>,
    pub(crate) additive: Vec<Arc<Clip>>,
}

impl Layers {
    /// Does something to one of the layers, or to their number.
    pub(crate) fn step(
        &mut self,
        input: &mut Input<'_>,
        mixer: &mut Mixer,
        clips: &[Arc<Clip>],
        actions: &mut Vec<ActionId>,
    ) {
        match input.byte() % 4 {
            0 => self.add(input, mixer),
            1 => self.make_additive(input, clips),
            _ => {
                // Some ids are stale, and one is that of the base.
                let id = if self.ids.is_empty() { LayerId::BASE } else { input.pick(&self.ids) };
                if input.once_in(16) {
                    _ = mixer.remove_layer(id);
                }
                let (play, mask) = (play(input, mixer), mask(input, mixer));
                let Some(mut layer) = mixer.layer_mut(id) else { return };
                // Any clip is offered to any layer: what does not fit is refused.
                let all = clips.len() + self.additive.len();
                let clip = (all > 0).then(|| {
                    let index = input.below(all);
                    clips.get(index).unwrap_or_else(|| &self.additive[index - clips.len()])
                });
                match (input.byte() % 8, clip) {
                    (0 | 1, Some(clip)) => actions.extend(layer.play(clip, play)),
                    (2, Some(clip)) => actions.extend(layer.crossfade_to(clip, fade(input))),
                    (3, Some(clip)) => actions.extend(layer.action(clip)),
                    (4, _) => layer.set_mask(mask),
                    _ => set(input, layer),
                }
            }
        }
    }

    fn add(&mut self, input: &mut Input<'_>, mixer: &mut Mixer) {
        if mixer.layers().len() >= MOST {
            let lowest = mixer.layers().next().map(Layer::id);
            lowest.map(|id| mixer.remove_layer(id));
        }
        let mode = if input.once_in(2) { LayerMode::Additive } else { LayerMode::Over };
        let mut layer = Layer::new(mode);
        if let Some(mask) = mask(input, mixer) {
            layer = layer.with_mask(mask);
        }
        if input.once_in(2) {
            layer = layer.with_weight(input.float());
        }
        self.ids.push(mixer.add_layer(layer));
    }

    fn make_additive(&mut self, input: &mut Input<'_>, clips: &[Arc<Clip>]) {
        if clips.is_empty() || self.additive.len() >= MOST {
            return;
        }
        let (clip, other) = (&clips[input.below(clips.len())], &clips[input.below(clips.len())]);
        let reference = match input.byte() % 3 {
            0 => AdditiveReference::Rest,
            1 => AdditiveReference::FirstKey,
            _ => AdditiveReference::Clip { clip: other, secs: input.float() },
        };
        if let Ok(additive) = clip.additive(reference) {
            assert!(additive.is_additive(), "made additive, and is not");
            assert!(additive.additive(AdditiveReference::Rest).is_err(), "made additive twice");
            self.additive.push(Arc::new(additive));
        }
    }
}

fn set(input: &mut Input<'_>, mut layer: LayerMut<'_>) {
    match input.byte() % 4 {
        0 => layer.fade_out(fade(input)),
        1 => layer.stop_all(),
        2 => _ = layer.set_weight(input.float()),
        _ => _ = layer.fade_weight(input.float(), fade(input)),
    }
}

/// Coverages are parts, and weights are numbers.
pub(crate) fn assert_sound(mixer: &Mixer) {
    let joints = || mixer.skeleton().joints().take(16);
    for layer in mixer.layers() {
        assert!(layer.weight().is_finite() && layer.weight() >= 0.0, "a layer of weight {}", layer.weight());
        let most = if layer.mode() == LayerMode::Over { 1.0 } else { f32::MAX };
        for coverage in joints().map(|joint| layer.coverage(joint)) {
            assert!((0.0..=most).contains(&coverage), "a coverage of {coverage}");
        }
        for (id, action) in layer.actions() {
            assert_eq!(id.layer(), layer.id(), "an action of another layer");
            assert_eq!(action.clip().is_additive(), layer.mode() == LayerMode::Additive, "a wrong clip");
        }
    }
}
