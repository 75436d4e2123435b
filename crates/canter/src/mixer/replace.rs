//! Several clips that take the place of all that plays on a layer at once, as the clips of one state of a
//! state machine do.

use std::sync::Arc;

use super::blend;
use super::transition::Transition;
use super::{ActionId, Fade, FadeKind, LayerId, LayerMut, Mixer, Play, PlayError};
use crate::clip::Clip;

impl LayerMut<'_> {
    /// Starts clips beside each other and fades everything else on this layer out, in one fade: that of the
    /// argument, not those of the [`Play`]s. Those of a [`SyncGroup`](super::SyncGroup) begin in step with the one that
    /// leads it. Without clips everything fades out. What is faded out at once,
    /// as by a fade from what is on screen, leaves at once and without an event. The new actions are written
    /// to `ids` in order.
    ///
    /// ```
    /// # use canter::{Clip, Fade, LayerId, Mixer, Play, Skeleton, Transform};
    /// # use std::sync::Arc;
    /// # let mut joints = Skeleton::builder();
    /// # joints.joint("hips", None, Transform::IDENTITY);
    /// # let skeleton = Arc::new(joints.build()?);
    /// # let clip = |name| Clip::builder(name, &skeleton).build().map(Arc::new);
    /// # let (idle, walk, run) = (clip("Idle")?, clip("Walk")?, clip("Run")?);
    /// let mut mixer = Mixer::new(&skeleton);
    /// mixer.play(&idle, Play::default());
    /// let gaits = [(&walk, 0.7), (&run, 0.3)];
    /// let gaits = gaits.map(|(clip, weight)| (clip, Play { weight, ..Play::default() }));
    /// let mut ids = Vec::new();
    /// if let Some(mut base) = mixer.layer_mut(LayerId::BASE) {
    ///     base.replace(gaits, Fade::dead(0.2), &mut ids)?;
    /// }
    /// assert_eq!((ids.len(), mixer.actions().count()), (2, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a clip, or a mask, cannot be played here; then nothing has changed.
    pub fn replace<'c>(
        &mut self,
        clips: impl IntoIterator<Item = (&'c Arc<Clip>, Play)>,
        fade: impl Into<Fade>,
        ids: &mut Vec<ActionId>,
    ) -> Result<(), PlayError> {
        ids.clear();
        for (clip, play) in clips {
            if let Err(error) = self.check(clip, &play) {
                ids.drain(..).for_each(|id| self.mixer.remove(id));
                return Err(error);
            }
            ids.push(self.mixer.start_silent(self.id, clip, play));
        }
        let is_new = |slot: usize| ids.iter().any(|id| id.slot as usize == slot);
        self.mixer.fade(self.id, fade.into(), &|slot, _| Some(is_new(slot)));
        self.mixer.sweep(self.id);
        self.mixer.bring_in_step(ids);
        self.mixer.reserve();
        Ok(())
    }

    /// Makes room for so many actions of these clips at a time, so that starting them allocates nothing
    /// later. `kinds` are the fades that there will be.
    pub fn reserve<'c>(
        &mut self,
        actions: usize,
        clips: impl IntoIterator<Item = &'c Arc<Clip>>,
        kinds: &[FadeKind],
    ) {
        let (mut tells, mut timelines) = (false, 0);
        for clip in clips {
            clip.compile();
            tells |= clip.tells();
            timelines = timelines.max(clip.rows().timelines.len());
        }
        if tells {
            self.mixer.start_telling();
        }
        let is_led = kinds.iter().any(|kind| *kind != FadeKind::Cross);
        self.mixer.reserve_actions(self.id, actions, actions * timelines, is_led);
    }
}

impl Mixer {
    /// Makes an action that is there, with all its settings, and that is nothing of the pose yet. The clip
    /// was checked.
    fn start_silent(&mut self, layer: LayerId, clip: &Arc<Clip>, play: Play) -> ActionId {
        let slot = self.insert_clip(layer, clip);
        if let Some(actions) = self.actions_of_mut(layer) {
            actions.prepare(slot);
        }
        self.set_up(layer, slot, play);
        self.id(layer, slot)
    }

    fn remove(&mut self, id: ActionId) {
        if let Some(actions) = self.actions_of_mut(id.layer) {
            actions.remove(id.slot as usize);
        }
    }

    /// Lets go of what is faded out already.
    fn sweep(&mut self, layer: LayerId) {
        let slots = self.actions_of(layer).map_or(0, |actions| actions.slots.len());
        for slot in 0..slots {
            let actions = self.actions_of(layer).expect("the layer was looked up");
            let is_gone = actions.slots[slot]
                .playing()
                .is_some_and(|action| !action.fader.is_wanted && !action.fader.is_under_way());
            if is_gone {
                self.leave_windows(|of, ends| (of, ends) == (layer, slot));
                self.remove(self.id(layer, slot));
            }
        }
    }

    fn reserve_actions(&mut self, layer: LayerId, count: usize, timelines: usize, is_led: bool) {
        let skeleton = Arc::clone(&self.skeleton);
        let tells = self.motion.is_some();
        let Some(actions) = self.actions_of_mut(layer) else { return };
        if is_led && actions.transition.is_none() {
            actions.transition = Some(Box::new(Transition::new(&skeleton)));
        }
        actions.reserved = (count.max(actions.reserved.0), timelines.max(actions.reserved.1));
        let more = count.saturating_sub(actions.slots.len());
        let stride = actions.sides_stride();
        actions.slots.reserve(more);
        actions.sides.reserve(more * stride);
        if tells {
            let missing = count.saturating_sub(actions.traces.len());
            actions.traces.reserve(missing);
        }
        let others: usize = self.layers.iter().map(|layer| layer.actions.slots.capacity()).sum();
        let all = others + self.base.slots.capacity();
        self.events.reserve(3 * all);
        if let Some(motion) = &mut self.motion {
            motion.passages.reserve(2 * all);
            motion.gaits.reserve(all.saturating_sub(motion.gaits.len()));
        }
        let inputs = &mut self.scratch.blend.get_or_insert_default().inputs;
        inputs.reserve((1 + count).saturating_sub(inputs.len()));
        blend::Scratch::reserve(&mut self.scratch.blend, timelines, 0);
        let saved = &mut self.scratch.of_layers(&skeleton).saved;
        saved.reserve((1 + count).saturating_sub(saved.len()));
        self.reserve();
    }

    /// Makes the room in a clone that was asked for in its original.
    pub(super) fn reserve_as_before(&mut self) {
        for layer in 0..=self.layers.len() {
            let actions = self.actions_at(layer);
            let (id, (count, timelines)) = (actions.layer, actions.reserved);
            if count > 0 {
                self.reserve_actions(id, count, timelines, false);
            }
        }
    }
}
