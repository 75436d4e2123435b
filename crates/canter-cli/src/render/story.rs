//! What happens in a film: a clip, crossfades to others and back, and clips on layers above them.

mod overlay;

use std::sync::Arc;

use canter::{ActionId, Clip, Easing, Fade, FadeKind, LayerId, Mixer, Play};

pub(crate) use overlay::Overlay;

/// What a film is asked to show.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) clip: Option<Arc<Clip>>,
    /// Clips that it fades to, one after another.
    pub(crate) to: Vec<To>,
    pub(crate) fade_secs: f64,
    pub(crate) fade_kind: FadeKind,
    /// The second clip starts as far as the first has come.
    pub(crate) sync: bool,
    pub(crate) layers: Vec<Overlay>,
    pub(crate) wanted_secs: Option<f64>,
    pub(crate) turntable: bool,
}

/// A fade that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct To {
    pub(crate) clip: Arc<Clip>,
    /// When it begins; `None`: after a loop.
    pub(crate) at_secs: Option<f64>,
}

/// What happens in a film. It ends as it begins, so that it loops without a seam.
#[derive(Clone, Debug)]
pub(crate) struct Story {
    clip: Option<Arc<Clip>>,
    start_secs: f64,
    fade: Fade,
    /// In the order of time. The last one leads back.
    switches: Vec<Switch>,
    layers: Vec<Overlay>,
    secs: f64,
}

/// To another clip.
#[derive(Clone, Debug)]
struct Switch {
    at_secs: f64,
    clip: Arc<Clip>,
    /// Where in the clip.
    start_secs: f64,
}

/// Something that happens at a moment.
enum Step<'a> {
    Switch(&'a Switch),
    Enter(&'a Overlay, LayerId),
    Leave(&'a Overlay, LayerId),
}

/// How long a film without any clip is.
const TURN_SECS: f64 = 6.0;

impl Story {
    /// A clip alone.
    pub(crate) fn of_clip(clip: Option<Arc<Clip>>) -> Self {
        Self::new(Plan { clip, ..Plan::default() })
    }

    pub(crate) fn new(plan: Plan) -> Self {
        let length = plan.clip.as_ref().map_or(0.0, |clip| f64::from(clip.duration_secs()));
        let fade = Fade { kind: plan.fade_kind, ..Fade::cross(single(plan.fade_secs)) };
        let mut layers = plan.layers.clone();
        let (start_secs, switches, secs) = match plan.to.as_slice() {
            [to] if to.at_secs.is_none() => there_and_back(&plan, length, to),
            [] => (0.0, Vec::new(), overlay::film_secs(&layers, length, plan.wanted_secs, plan.turntable)),
            all => one_after_another(&plan, length, all),
        };
        layers.iter_mut().for_each(|layer| layer.fit(secs, plan.fade_kind));
        Self { clip: plan.clip, start_secs, fade, switches, layers, secs }
    }

    /// How long it is; 0 if nothing moves.
    pub(crate) fn secs(&self) -> f64 {
        self.secs
    }

    pub(crate) fn fade_kind(&self) -> FadeKind {
        self.fade.kind
    }

    /// A layer that would begin when the film is over.
    pub(crate) fn too_late(&self) -> Option<&Overlay> {
        self.layers.iter().find(|layer| layer.begins_at().is_some_and(|secs| secs >= self.secs))
    }

    /// Brings a mixer to a moment, by doing all that happens before it.
    pub(crate) fn play(&self, mixer: &mut Mixer, secs: f64) {
        *mixer = Mixer::new(&Arc::clone(mixer.skeleton()));
        let mut steps: Vec<(f64, Step<'_>)> = Vec::new();
        let mut playing = self.clip.as_ref().map(|clip| mixer.play(clip, starting_at(self.start_secs)));
        steps.extend(self.switches.iter().map(|switch| (switch.at_secs, Step::Switch(switch))));
        for overlay in &self.layers {
            let layer = overlay.add_to(mixer);
            if let Some((enter_secs, leave_secs)) = overlay.stay_secs() {
                steps.push((enter_secs, Step::Enter(overlay, layer)));
                steps.push((leave_secs, Step::Leave(overlay, layer)));
            }
        }
        steps.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let mut now = 0.0;
        for (at_secs, step) in steps.iter().take_while(|(at_secs, _)| *at_secs <= secs) {
            mixer.advance(single(at_secs - now));
            now = *at_secs;
            match step {
                Step::Switch(switch) => playing = Some(self.switch(mixer, playing, switch)),
                Step::Enter(overlay, layer) => overlay.enter(mixer, *layer),
                Step::Leave(overlay, layer) => overlay.leave(mixer, *layer),
            }
        }
        mixer.advance(single(secs - now));
    }

    fn switch(&self, mixer: &mut Mixer, from: Option<ActionId>, switch: &Switch) -> ActionId {
        // New actions, also if a clip is still there: it does not jump to another time.
        let to = mixer.play(&switch.clip, Play { fade: self.fade, ..starting_at(switch.start_secs) });
        if let Some(from) = from {
            mixer.fade_out(from, self.fade);
        }
        to
    }

    /// The clip that was switched to last.
    pub(crate) fn clip_at(&self, secs: f64) -> Option<&Arc<Clip>> {
        let last = self.switches.iter().rfind(|switch| switch.at_secs <= secs);
        last.map(|switch| &switch.clip).or(self.clip.as_ref())
    }

    /// How fast the ground moves at a moment, if the first clip and all others have these speeds: their mean,
    /// as the clips are mixed.
    pub(crate) fn ground_speed(&self, secs: f64, speeds: &[f64]) -> f64 {
        let speed_of = |clip: Option<&Arc<Clip>>| {
            let is_first = clip.zip(self.clip.as_ref()).is_none_or(|(clip, first)| Arc::ptr_eq(clip, first));
            speeds.get(usize::from(!is_first)).or(speeds.first()).copied().unwrap_or(0.0)
        };
        let easing = match self.fade.kind {
            FadeKind::Cross => self.fade.easing,
            _ => Easing::SmoothStep,
        };
        let mut speed = speed_of(self.clip.as_ref());
        for (index, switch) in self.switches.iter().enumerate().take_while(|(_, it)| it.at_secs <= secs) {
            // A fade that is interrupted stops where it is.
            let until = self.switches.get(index + 1).map_or(secs, |next| next.at_secs.min(secs));
            let part = single((until - switch.at_secs) / f64::from(self.fade.secs));
            let part = if self.fade.secs > 0.0 { easing.ease(part.clamp(0.0, 1.0)) } else { 1.0 };
            speed += (speed_of(Some(&switch.clip)) - speed) * f64::from(part);
        }
        speed
    }
}

/// The first clip for a while, a fade, the second for a while, a fade back. The film begins where the last
/// fade ends.
fn there_and_back(plan: &Plan, length: f64, to: &To) -> (f64, Vec<Switch>, f64) {
    let to_length = f64::from(to.clip.duration_secs());
    let fade = plan.fade_secs;
    let hold = |length: f64| match plan.wanted_secs {
        Some(wanted) => ((wanted - 2.0 * fade) / 2.0).max(0.0),
        None => length,
    };
    let there_secs = hold(length);
    let mut back_secs = there_secs + fade + hold(to_length);
    let mut there_start_secs = 0.0;
    // If that is longer than the clip, its clock wraps it.
    let start_secs = fade;
    if plan.sync && length > 0.0 && to_length > 0.0 {
        // In parts of a loop. The way back has to begin where the first clip, a fade later, is at the film's
        // beginning: at its own beginning.
        let there = ((start_secs + there_secs) / length).fract();
        there_start_secs = there * to_length;
        let passed = (back_secs - there_secs) / to_length;
        let wanted = (passed + there).round().max((fade / to_length + there).ceil());
        back_secs = there_secs + (wanted - there) * to_length;
    }
    let there = Switch { at_secs: there_secs, clip: Arc::clone(&to.clip), start_secs: there_start_secs };
    let back =
        plan.clip.as_ref().map(|clip| Switch { at_secs: back_secs, clip: Arc::clone(clip), start_secs: 0.0 });
    (start_secs, [there].into_iter().chain(back).collect(), back_secs + fade)
}

/// All clips at their times; those that have none follow a loop of the clip before them.
fn one_after_another(plan: &Plan, length: f64, all: &[To]) -> (f64, Vec<Switch>, f64) {
    let mut switches: Vec<Switch> = Vec::new();
    let mut next_secs = length;
    for to in all {
        let at_secs = to.at_secs.unwrap_or(next_secs);
        switches.push(Switch { at_secs, clip: Arc::clone(&to.clip), start_secs: 0.0 });
        next_secs = at_secs + plan.fade_secs + f64::from(to.clip.duration_secs());
    }
    switches.sort_by(|a, b| a.at_secs.total_cmp(&b.at_secs));
    let last_secs = switches.last().map_or(0.0, |switch| switch.at_secs);
    let secs = plan.wanted_secs.unwrap_or(next_secs + plan.fade_secs).max(last_secs + plan.fade_secs);
    if let Some(clip) = &plan.clip {
        let at_secs = (secs - plan.fade_secs).max(last_secs);
        switches.push(Switch { at_secs, clip: Arc::clone(clip), start_secs: 0.0 });
    }
    (plan.fade_secs, switches, secs)
}

fn starting_at(secs: f64) -> Play {
    Play { start_secs: Some(single(secs)), ..Play::default() }
}

#[expect(clippy::cast_possible_truncation, reason = "seconds within a film")]
fn single(secs: f64) -> f32 {
    secs as f32
}

#[cfg(test)]
mod tests;
