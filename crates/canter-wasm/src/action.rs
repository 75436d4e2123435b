//! What is done to the actions of mixers.
//!
//! JavaScript keeps an action for ever, with its settings; here it is gone when it was stopped or faded out, and calls
//! answer `false` then.

use canter::{ActionId, Easing, Fade, LoopMode, Mixer, Play};

use crate::band::Band;
use crate::host::Host;

/// Which action: of which band, which member of it, which clip.
#[derive(Clone, Copy)]
pub(crate) struct Address {
    pub(crate) band: u32,
    pub(crate) member: u32,
    pub(crate) clip: u32,
}

/// The codes are those of `packages/canter/src/action.ts`; `times` counts for the code of a number of times only.
fn loop_mode(code: u32, times: u32) -> LoopMode {
    match code {
        0 => LoopMode::Once,
        2 => LoopMode::PingPong,
        3 => LoopMode::Times(times),
        _ => LoopMode::Repeat,
    }
}

/// The codes are those of `packages/canter/src/easing.ts`.
pub(crate) fn fade(secs: f32, easing: u32) -> Fade {
    let easing = match easing {
        1 => Easing::QuadraticIn,
        2 => Easing::QuadraticOut,
        3 => Easing::QuadraticInOut,
        4 => Easing::SmoothStep,
        5 => Easing::SmootherStep,
        _ => Easing::Linear,
    };
    Fade { secs, easing }
}

impl Band {
    /// The action of a clip, if it has one now.
    fn find(&self, member: u32, clip: u32) -> Option<ActionId> {
        let (_, id) = self.actions.get(member as usize)?.iter().find(|(of, _)| *of == clip)?;
        self.mixers()[member as usize].get(*id).map(|_| *id)
    }

    /// The action of a clip; a new one if it has none.
    fn make(&mut self, member: u32, clip: u32) -> Option<ActionId> {
        let model = std::rc::Rc::clone(&self.model);
        let source = model.clip(clip)?;
        let id = self.mixers_mut().get_mut(member as usize)?.action(&source);
        let actions = &mut self.actions[member as usize];
        match actions.iter_mut().find(|(of, _)| *of == clip) {
            Some(known) => known.1 = id,
            None => actions.push((clip, id)),
        }
        Some(id)
    }
}

impl Host {
    /// Does something to an action that there is.
    pub(crate) fn on_action(
        &mut self,
        at: Address,
        call: impl FnOnce(&mut Mixer, ActionId) -> Option<()>,
    ) -> bool {
        let Some(band) = self.bands.get_mut(at.band) else { return false };
        let Some(id) = band.find(at.member, at.clip) else { return false };
        call(&mut band.mixers_mut()[at.member as usize], id).is_some()
    }

    /// Does something to an action, which is made if there is none.
    pub(crate) fn on_new_action(
        &mut self,
        at: Address,
        call: impl FnOnce(&mut Mixer, ActionId) -> Option<()>,
    ) -> bool {
        let Some(band) = self.bands.get_mut(at.band) else { return false };
        let Some(id) = band.make(at.member, at.clip) else { return false };
        call(&mut band.mixers_mut()[at.member as usize], id).is_some()
    }

    pub(crate) fn play(
        &mut self,
        at: Address,
        mode: (u32, u32),
        speed: f32,
        weight: f32,
        start_secs: f32,
    ) -> bool {
        let Some(clip) = self.bands.get(at.band).and_then(|band| band.model.clip(at.clip)) else {
            return false;
        };
        let start_secs = (!start_secs.is_nan()).then_some(start_secs);
        let play = Play { loop_mode: loop_mode(mode.0, mode.1), speed, weight, start_secs, mask: None };
        self.on_new_action(at, |mixer, _| {
            mixer.play(&clip, play);
            Some(())
        })
    }

    pub(crate) fn set_loop(&mut self, at: Address, code: u32, times: u32) -> bool {
        self.on_action(at, |mixer, id| mixer.set_loop_mode(id, loop_mode(code, times)))
    }

    /// Starts an action at full strength, or lets it run on. One that has finished starts over.
    pub(crate) fn resume(&mut self, at: Address) -> bool {
        self.on_new_action(at, |mixer, id| {
            if mixer.get(id)?.is_finished() {
                mixer.reset(id);
            }
            if mixer.get(id)?.is_fading_out() {
                mixer.fade_in(id, 0.0);
            }
            mixer.resume(id)
        })
    }

    pub(crate) fn crossfade(&mut self, from: Address, to_clip: u32, fade: Fade) -> bool {
        let Some(band) = self.bands.get_mut(from.band) else { return false };
        let Some(to) = band.make(from.member, to_clip) else { return false };
        let start = band.find(from.member, from.clip);
        let Some(mixer) = band.mixers_mut().get_mut(from.member as usize) else { return false };
        match start {
            Some(start) => mixer.crossfade(start, to, fade).is_some(),
            None => mixer.fade_in(to, fade).is_some(),
        }
    }

    pub(crate) fn crossfade_to(&mut self, to: Address, fade: Fade) -> bool {
        let Some(clip) = self.bands.get(to.band).and_then(|band| band.model.clip(to.clip)) else {
            return false;
        };
        self.on_new_action(to, |mixer, _| {
            mixer.crossfade_to(&clip, fade);
            Some(())
        })
    }

    pub(crate) fn stop_all(&mut self, band: u32, member: u32) {
        let mixers = self.bands.get_mut(band).map(Band::mixers_mut);
        if let Some(mixer) = mixers.and_then(|mixers| mixers.get_mut(member as usize)) {
            mixer.stop_all();
        }
    }

    pub(crate) fn set_rest_threshold(&mut self, band: u32, member: u32, threshold: f32) {
        let mixers = self.bands.get_mut(band).map(Band::mixers_mut);
        if let Some(mixer) = mixers.and_then(|mixers| mixers.get_mut(member as usize)) {
            mixer.set_rest_threshold(threshold);
        }
    }

    /// Answers how an action is: flags, time, weight beside the others, loops. `false` if there is none.
    pub(crate) fn action_state(&mut self, at: Address) -> bool {
        let Some(band) = self.bands.get(at.band) else { return false };
        let Some(id) = band.find(at.member, at.clip) else { return false };
        let mixer = &band.mixers()[at.member as usize];
        let Some(action) = mixer.get(id) else { return false };
        let flags = [action.is_started(), action.is_paused(), action.is_finished(), action.is_fading()];
        let flags = (0_u32..).zip(flags).map(|(bit, flag)| u32::from(flag) << bit).sum();
        let loops = i32::try_from(action.loops()).unwrap_or(i32::MAX).cast_unsigned();
        let weight = mixer.effective_weight(id).unwrap_or(0.0);
        self.answer[..4].copy_from_slice(&[flags, action.time_secs().to_bits(), weight.to_bits(), loops]);
        true
    }
}
