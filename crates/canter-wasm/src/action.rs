//! What is done to the actions of mixers.
//!
//! In JavaScript an action is an object that can be played again at any time, and keeps its settings. Here it
//! is gone when it was stopped or faded out: calls return `false` then, and JavaScript starts it anew.

use std::sync::Arc;

use canter::{
    ActionId, ActionMut, Clip, Easing, Fade, FadeKind, JointMask, LayerId, LoopMode, Mixer, Play, Skeleton,
    SyncGroup,
};

use crate::host::Host;

/// Which action: of which mixers, which of these, and which number it has there.
#[derive(Clone, Copy)]
pub(crate) struct Address {
    pub(crate) mixers: u32,
    pub(crate) member: u32,
    pub(crate) number: u32,
}

/// The codes are those of `packages/canter/src/loop.ts`; `times` counts only for the code of a number of
/// times.
pub(crate) fn loop_mode(code: u32, times: u32) -> LoopMode {
    match code {
        0 => LoopMode::Once,
        2 => LoopMode::PingPong,
        3 => LoopMode::Times(times),
        _ => LoopMode::Repeat,
    }
}

/// The codes are those of `packages/canter/src/fade.ts`: the curve, and 8 times the kind.
pub(crate) fn fade(secs: f32, code: u32) -> Fade {
    let easing = match code % 8 {
        1 => Easing::QuadraticIn,
        2 => Easing::QuadraticOut,
        3 => Easing::QuadraticInOut,
        4 => Easing::SmoothStep,
        5 => Easing::SmootherStep,
        _ => Easing::Linear,
    };
    let kind = match code / 8 {
        1 => FadeKind::Inertial,
        2 => FadeKind::Dead,
        _ => FadeKind::Cross,
    };
    Fade { secs, easing, kind }
}

/// The codes are those of `packages/canter/src/sync.ts`.
pub(crate) fn sync(code: u32, number: u32) -> Option<SyncGroup> {
    match code {
        0 => None,
        1 => Some(SyncGroup::by_markers(number)),
        _ => Some(SyncGroup::cyclic(number)),
    }
}

/// A mask of the weights that JavaScript wrote: those of the joints, then those of the morph sets. No bytes:
/// no mask.
pub(crate) fn read_mask(skeleton: &Skeleton, bytes: &[u8]) -> Option<Arc<JointMask>> {
    if bytes.is_empty() {
        return None;
    }
    let mut weights = bytes.as_chunks().0.iter().copied().map(f32::from_le_bytes);
    let mut mask = JointMask::none(skeleton);
    for (joint, weight) in skeleton.joints().zip(&mut weights) {
        mask.set(joint, weight);
    }
    for (morph, weight) in skeleton.morphs().zip(weights) {
        mask.set_morph(morph, weight);
    }
    Some(Arc::new(mask))
}

/// Where a clip is played, and how.
pub(crate) struct Start {
    pub(crate) layer: u32,
    pub(crate) clip: u32,
    pub(crate) play: Play,
    /// Whether it only waits to be faded in.
    pub(crate) waits: bool,
}

/// Makes an action with these settings that waits to be faded in. `None` if the clip has an action there.
fn wait(mixer: &mut Mixer, layer: LayerId, clip: &Arc<Clip>, play: Play) -> Option<ActionId> {
    if actions_of(mixer, layer, clip).next().is_some() {
        return None;
    }
    let id = mixer.layer_mut(layer)?.action(clip).ok()?;
    let mut action = mixer.get_mut(id)?;
    action.set_speed(play.speed).and_then(|()| action.set_weight(play.weight)).ok()?;
    action.set_loop_mode(play.loop_mode);
    action.set_mask(play.mask);
    action.set_sync(play.sync);
    Some(id)
}

/// The actions of a clip on a layer: whether each has finished.
fn actions_of(mixer: &Mixer, layer: LayerId, clip: &Arc<Clip>) -> impl Iterator<Item = bool> {
    let of_clip = move |(id, action): (ActionId, &canter::Action)| {
        (id.layer() == layer && Arc::ptr_eq(action.clip(), clip)).then(|| action.is_finished())
    };
    mixer.actions().filter_map(of_clip)
}

/// What is done to a live action. Returns the one that has its number from then on.
type OnLive<'a> = &'a dyn Fn(&mut Mixer, ActionId) -> Option<ActionId>;

impl Host {
    /// Starts a clip as a new action, with the mask in the input. Returns the action's number, the given one
    /// if that is not 0; 0 if there is no such clip, or it cannot be played there.
    pub(crate) fn start(&mut self, at: Address, start: Start) -> u32 {
        let input = self.take_input();
        let Start { layer, clip, mut play, waits } = start;
        let Some(mixers) = self.mixers.get_mut(at.mixers) else { return 0 };
        let (Some(clip), Some(layer)) = (mixers.asset.clip(clip), mixers.layer(at.member, layer)) else {
            return 0;
        };
        play.mask = read_mask(&mixers.asset.gltf.skeleton, &input);
        let Some(mixer) = mixers.get_mut(at.member) else { return 0 };
        let id = if waits {
            wait(mixer, layer, &clip, play)
        } else {
            mixer.layer_mut(layer).and_then(|mut layer| layer.play(&clip, play).ok())
        };
        id.map_or(0, |id| mixers.set_action(at.member, at.number, id))
    }

    /// Does something to an action that is live. Called by address, as all of its kind are: most exports come
    /// through here, and would be a copy of it each.
    fn on_live(&mut self, at: Address, call: OnLive<'_>) -> bool {
        let Some(mixers) = self.mixers.get_mut(at.mixers) else { return false };
        let Some(id) = mixers.action(at.member, at.number) else { return false };
        let Some(mixer) = mixers.get_mut(at.member) else { return false };
        let Some(now) = call(mixer, id) else { return false };
        if now != id {
            mixers.set_action(at.member, at.number, now);
        }
        true
    }

    /// Changes a live action.
    pub(crate) fn change(&mut self, at: Address, call: &dyn Fn(ActionMut<'_>)) -> bool {
        self.on_live(at, &|mixer, id| {
            call(mixer.get_mut(id)?);
            Some(id)
        })
    }

    /// Gives a live action the mask in the input.
    pub(crate) fn set_mask(&mut self, at: Address) -> bool {
        let input = self.take_input();
        let mixer = self.mixers.get(at.mixers).and_then(|mixers| mixers.get(at.member));
        let Some(mask) = mixer.map(|mixer| read_mask(mixer.skeleton(), &input)) else { return false };
        self.change(at, &|mut action| action.set_mask(mask.clone()))
    }

    pub(crate) fn stop(&mut self, at: Address) -> bool {
        self.on_live(at, &|mixer, id| mixer.stop(id).map(|()| id))
    }

    /// Lets a live action run on, at full strength if it was about to leave. One that has finished starts
    /// over.
    pub(crate) fn resume(&mut self, at: Address) -> bool {
        self.on_live(at, &|mixer, id| {
            let action = mixer.get(id)?;
            if action.is_finished() || action.is_fading_out() {
                return mixer.fade_in(id, 0.0);
            }
            mixer.get_mut(id)?.resume();
            Some(id)
        })
    }

    pub(crate) fn fade_in(&mut self, at: Address, fade: Fade) -> bool {
        self.on_live(at, &|mixer, id| mixer.fade_in(id, fade))
    }

    pub(crate) fn fade_out(&mut self, at: Address, fade: Fade) -> bool {
        self.on_live(at, &|mixer, id| mixer.fade_out(id, fade).map(|()| id))
    }

    /// Fades a live action in, and another of the same mixer out if it is live.
    pub(crate) fn crossfade(&mut self, from: u32, to: Address, fade: Fade) -> bool {
        let from = self.mixers.get(to.mixers).and_then(|mixers| mixers.action(to.member, from));
        self.on_live(to, &|mixer, id| match from {
            Some(from) => mixer.crossfade(from, id, fade),
            None => mixer.fade_in(id, fade),
        })
    }

    /// Fades a clip in and everything else on its layer out. Returns the number of the clip's action. If it
    /// has none that runs on, the given number is that of the one that starts; with 0, none does, nothing is
    /// changed, and 0 is returned.
    pub(crate) fn crossfade_to(&mut self, at: Address, layer: u32, clip: u32, fade: Fade) -> u32 {
        let Some(mixers) = self.mixers.get_mut(at.mixers) else { return 0 };
        let (Some(clip), Some(layer)) = (mixers.asset.clip(clip), mixers.layer(at.member, layer)) else {
            return 0;
        };
        let Some(mixer) = mixers.get_mut(at.member) else { return 0 };
        let runs = actions_of(mixer, layer, &clip).any(|is_finished| !is_finished);
        if at.number == 0 && !runs {
            return 0;
        }
        let id = mixer.layer_mut(layer).and_then(|mut layer| layer.crossfade_to(&clip, fade).ok());
        let Some(id) = id else { return 0 };
        match at.number {
            0 => mixers.number_of(at.member, id),
            number => mixers.set_action(at.member, number, id),
        }
    }

    /// Writes how an action is: flags, time, weight beside the others, loops. `false` if it is not live.
    pub(crate) fn action_state(&mut self, at: Address) -> bool {
        let Some(mixers) = self.mixers.get_mut(at.mixers) else { return false };
        let Some(id) = mixers.action(at.member, at.number) else { return false };
        let Some(mixer) = mixers.get_mut(at.member) else { return false };
        let Some(action) = mixer.get(id) else { return false };
        let flags = [action.is_paused(), action.is_finished(), action.is_fading()];
        let flags = (0_u32..).zip(flags).map(|(bit, flag)| u32::from(flag) << bit).sum();
        let loops = i32::try_from(action.loops()).unwrap_or(i32::MAX).cast_unsigned();
        let weight = mixer.effective_weight(id).unwrap_or(0.0);
        self.answer[..4].copy_from_slice(&[flags, action.time_secs().to_bits(), weight.to_bits(), loops]);
        true
    }
}
