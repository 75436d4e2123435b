//! What happens in a film: a clip, crossfades to others and back, and clips on layers above them.

mod drive;
mod overlay;
mod playback;

use std::sync::Arc;

use canter::glam::DAffine3;
use canter::{Clip, Easing, Fade, FadeKind, Mixer, Play, Skeleton, SyncGroup};

pub(crate) use drive::Drive;
pub(crate) use overlay::Overlay;
pub(crate) use playback::{Footfall, Playback};

/// What a film is asked to show.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) clip: Option<Arc<Clip>>,
    /// Clips that it fades to, one after another.
    pub(crate) to: Vec<To>,
    pub(crate) fade_secs: f64,
    pub(crate) fade_kind: FadeKind,
    /// Clips stay in step, by their markers.
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

/// What happens in a film. It ends as it begins, so that it loops without a seam; the way that root motion makes
/// leads on.
#[derive(Clone, Debug)]
pub(crate) struct Story {
    skeleton: Arc<Skeleton>,
    clip: Option<Arc<Clip>>,
    start_secs: f64,
    fade: Fade,
    sync: bool,
    /// In the order of time. The last one leads back.
    switches: Vec<Switch>,
    layers: Vec<Overlay>,
    /// A graph that decides what plays, instead of all that.
    drive: Option<Arc<Drive>>,
    secs: f64,
}

/// To another clip.
#[derive(Clone, Debug)]
struct Switch {
    at_secs: f64,
    clip: Arc<Clip>,
    /// Where in the clip; `None`: in step with what plays.
    start_secs: Option<f64>,
}

/// How long a film without any clip is.
const TURN_SECS: f64 = 6.0;

impl Story {
    /// A clip alone.
    pub(crate) fn of_clip(skeleton: &Arc<Skeleton>, clip: Option<Arc<Clip>>) -> Self {
        Self::new(skeleton, Plan { clip, ..Plan::default() })
    }

    /// # Panics
    /// If its clips are of another skeleton.
    pub(crate) fn new(skeleton: &Arc<Skeleton>, plan: Plan) -> Self {
        let length = plan.clip.as_ref().map_or(0.0, |clip| f64::from(clip.duration_secs()));
        let fade = Fade { kind: plan.fade_kind, ..Fade::cross(single(plan.fade_secs)) };
        let mut story = Self {
            skeleton: Arc::clone(skeleton),
            start_secs: if plan.sync { 0.0 } else { plan.fade_secs },
            fade,
            sync: plan.sync,
            switches: Vec::new(),
            layers: plan.layers.clone(),
            drive: None,
            secs: 0.0,
            clip: plan.clip.clone(),
        };
        match plan.to.as_slice() {
            [] => {
                story.start_secs = 0.0;
                story.secs = overlay::film_secs(&story.layers, length, plan.wanted_secs, plan.turntable);
            }
            [to] if to.at_secs.is_none() => story.go_there_and_back(&plan, length, to),
            all => story.go_one_after_another(&plan, length, all),
        }
        let secs = story.secs;
        story.layers.iter_mut().for_each(|layer| layer.fit(secs, plan.fade_kind));
        story
    }

    /// What a graph does by a script. Its end is not its beginning.
    pub(crate) fn of_graph(skeleton: &Arc<Skeleton>, drive: Drive) -> Self {
        let secs = f64::from(drive.script.secs);
        Self { drive: Some(Arc::new(drive)), secs, ..Self::of_clip(skeleton, None) }
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

    /// Plays it from the beginning.
    pub(crate) fn playback(&self) -> Playback<'_> {
        Playback::new(self)
    }

    /// Brings a mixer to a moment, by doing all that happens before it. Returns where root motion has led.
    pub(crate) fn play(&self, mixer: &mut Mixer, secs: f64) -> DAffine3 {
        let mut playback = self.playback();
        playback.advance_to(secs);
        *mixer = playback.mixer;
        playback.way
    }

    /// The markers that it crosses, at most some thousands.
    pub(crate) fn footfalls(&self) -> Vec<Footfall> {
        // In short steps: how strong an action is within a long one is a guess.
        const STEP_SECS: f64 = 1.0 / 60.0;
        let mut playback = self.playback();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
        let steps = (self.secs / STEP_SECS).ceil() as u32;
        for step in 1..=steps {
            playback.advance_to((f64::from(step) * STEP_SECS).min(self.secs));
        }
        playback.footfalls
    }

    fn play_from(&self, start_secs: Option<f64>) -> Play {
        let sync = self.sync.then_some(SyncGroup::by_markers(0));
        Play { start_secs: start_secs.map(single), sync, ..Play::default() }
    }

    /// All clips that it plays, beside those of layers.
    pub(crate) fn clips(&self) -> impl Iterator<Item = &Arc<Clip>> {
        let driven = self.drive.iter().flat_map(|drive| &drive.clips);
        self.clip.iter().chain(self.switches.iter().map(|switch| &switch.clip)).chain(driven)
    }

    /// The clip that was switched to last.
    pub(crate) fn clip_at(&self, secs: f64) -> Option<&Arc<Clip>> {
        let last = self.switches.iter().rfind(|switch| switch.at_secs <= secs);
        last.map(|switch| &switch.clip).or(self.clip.as_ref())
    }

    /// How fast a clip walks, if the first clip and all others have these speeds.
    pub(crate) fn speed_of(&self, clip: &Clip, speeds: &[f64]) -> f64 {
        let is_first = self.clip.as_deref().is_none_or(|first| std::ptr::eq(first, clip));
        speeds.get(usize::from(!is_first)).or(speeds.first()).copied().unwrap_or(0.0)
    }

    /// How fast the ground moves at a moment, if the first clip and all others have these speeds: their mean,
    /// as fades lead from one to another.
    pub(crate) fn ground_speed(&self, secs: f64, speeds: &[f64]) -> f64 {
        let speed_of = |clip: &Clip| self.speed_of(clip, speeds);
        let easing = match self.fade.kind {
            FadeKind::Cross => self.fade.easing,
            _ => Easing::SmoothStep,
        };
        let mut speed = self.clip.as_deref().map_or(0.0, speed_of);
        for (index, switch) in self.switches.iter().enumerate().take_while(|(_, it)| it.at_secs <= secs) {
            // A fade that is interrupted stops where it is.
            let until = self.switches.get(index + 1).map_or(secs, |next| next.at_secs.min(secs));
            let part = single((until - switch.at_secs) / f64::from(self.fade.secs));
            let part = if self.fade.secs > 0.0 { easing.ease(part.clamp(0.0, 1.0)) } else { 1.0 };
            speed += (speed_of(&switch.clip) - speed) * f64::from(part);
        }
        speed
    }
}

impl Story {
    /// The first clip for a while, a fade, the second for a while, a fade back. The film begins where the last
    /// fade ends.
    fn go_there_and_back(&mut self, plan: &Plan, length: f64, to: &To) {
        let fade = plan.fade_secs;
        let hold = |length: f64| match plan.wanted_secs {
            Some(wanted) => ((wanted - 2.0 * fade) / 2.0).max(0.0),
            None => length,
        };
        let there_secs = hold(length);
        let back_secs = there_secs + fade + hold(f64::from(to.clip.duration_secs()));
        self.switch_at(there_secs, &to.clip);
        self.secs = back_secs + fade;
        if let Some(clip) = &plan.clip {
            self.switch_at(back_secs, clip);
            let spare = if there_secs >= length { length } else { 0.0 };
            self.close_in_step(clip, spare);
        }
    }

    /// All clips at their times; those that have none follow a loop of the clip before them.
    fn go_one_after_another(&mut self, plan: &Plan, length: f64, all: &[To]) {
        let mut next_secs = length;
        for to in all {
            let at_secs = to.at_secs.unwrap_or(next_secs);
            self.switch_at(at_secs, &to.clip);
            next_secs = at_secs + plan.fade_secs + f64::from(to.clip.duration_secs());
        }
        self.switches.sort_by(|a, b| a.at_secs.total_cmp(&b.at_secs));
        let last_secs = self.switches.last().map_or(0.0, |switch| switch.at_secs);
        let secs = plan.wanted_secs.unwrap_or(next_secs + plan.fade_secs).max(last_secs + plan.fade_secs);
        self.secs = secs;
        if let Some(clip) = &plan.clip {
            self.switch_at((secs - plan.fade_secs).max(last_secs), clip);
            self.close_in_step(clip, 0.0);
        }
    }

    fn switch_at(&mut self, at_secs: f64, clip: &Arc<Clip>) {
        let start_secs = (!self.sync).then_some(0.0);
        self.switches.push(Switch { at_secs, clip: Arc::clone(clip), start_secs });
    }

    /// In step, the first clip comes back wherever the others have led it: it plays on up to where it began.
    /// If that takes more than half a loop, and the film has a loop to spare before the first fade, it goes.
    fn close_in_step(&mut self, clip: &Clip, spare_secs: f64) {
        let length = f64::from(clip.duration_secs());
        if !self.sync || length <= 0.0 {
            return;
        }
        let mut playback = self.playback();
        playback.advance_to(self.secs);
        let left = length - playback.clip_secs();
        self.secs += left;
        if left > length / 2.0 {
            self.secs -= spare_secs;
            self.switches.iter_mut().for_each(|switch| switch.at_secs -= spare_secs);
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "seconds within a film")]
fn single(secs: f64) -> f32 {
    secs as f32
}

#[cfg(test)]
mod tests;
