//! What happens in a film: a clip, or a crossfade to another and back.

use std::sync::Arc;

use canter::{Clip, Fade, Mixer, Play};

/// What happens in a film. It ends as it begins, so that it loops without a seam.
#[derive(Clone, Debug)]
pub(crate) struct Story {
    clip: Option<Arc<Clip>>,
    start_secs: f64,
    detour: Option<Detour>,
    secs: f64,
}

/// A crossfade that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct To {
    pub(crate) clip: Arc<Clip>,
    pub(crate) fade_secs: f64,
    pub(crate) sync: bool,
}

/// To another clip and back.
#[derive(Clone, Debug)]
struct Detour {
    clip: Arc<Clip>,
    fade_secs: f64,
    /// When it begins, and where in the clip.
    there_secs: f64,
    there_start_secs: f64,
    /// When the way back begins, and where in the first clip.
    back_secs: f64,
    back_start_secs: f64,
}

/// How long a film without any clip is.
const TURN_SECS: f64 = 6.0;

impl Story {
    pub(crate) fn new(
        clip: Option<Arc<Clip>>,
        to: Option<To>,
        wanted_secs: Option<f64>,
        turntable: bool,
    ) -> Self {
        let length = clip.as_ref().map_or(0.0, |clip| f64::from(clip.duration_secs()));
        match (&clip, to) {
            (Some(_), Some(to)) => Self::with_detour(clip, length, to, wanted_secs),
            _ => {
                let secs = match wanted_secs {
                    Some(wanted) if length > 0.0 && wanted >= length => (wanted / length).round() * length,
                    Some(wanted) => wanted,
                    None if length > 0.0 && turntable => (TURN_SECS / length).round().max(1.0) * length,
                    None if turntable => TURN_SECS,
                    None => length,
                };
                Self { clip, start_secs: 0.0, detour: None, secs }
            }
        }
    }

    /// The first clip for a while, a fade, the second for a while, a fade back. The film begins where the
    /// last fade ends.
    fn with_detour(clip: Option<Arc<Clip>>, length: f64, to: To, wanted_secs: Option<f64>) -> Self {
        let to_length = f64::from(to.clip.duration_secs());
        let fade = to.fade_secs;
        let hold = |length: f64| match wanted_secs {
            Some(wanted) => ((wanted - 2.0 * fade) / 2.0).max(0.0),
            None => length,
        };
        let there_secs = hold(length);
        let mut back_secs = there_secs + fade + hold(to_length);
        let (mut there_start_secs, mut back_start_secs) = (0.0, 0.0);
        // If that is longer than the clip, its clock wraps it.
        let start_secs = fade;
        if to.sync && length > 0.0 && to_length > 0.0 {
            // In parts of a loop. The way back has to begin where the first clip, a fade later, is at the
            // film's beginning: at its own beginning.
            let there = ((start_secs + there_secs) / length).fract();
            there_start_secs = there * to_length;
            let passed = (back_secs - there_secs) / to_length;
            let wanted = (passed + there).round().max((fade / to_length + there).ceil());
            back_secs = there_secs + (wanted - there) * to_length;
            back_start_secs = 0.0;
        }
        let detour = Detour {
            clip: to.clip,
            fade_secs: fade,
            there_secs,
            there_start_secs,
            back_secs,
            back_start_secs,
        };
        Self { clip, start_secs, secs: back_secs + fade, detour: Some(detour) }
    }

    /// How long it is; 0 if nothing moves.
    pub(crate) fn secs(&self) -> f64 {
        self.secs
    }

    /// Brings a mixer to a moment, by doing all that happens before it.
    pub(crate) fn play(&self, mixer: &mut Mixer, secs: f64) {
        mixer.stop_all();
        let Some(clip) = &self.clip else { return };
        let first = mixer.play(clip, starting_at(self.start_secs));
        let Some(detour) = &self.detour else {
            mixer.advance(single(secs));
            return;
        };
        let fade = Fade::from(single(detour.fade_secs));
        mixer.advance(single(secs.min(detour.there_secs)));
        if secs < detour.there_secs {
            return;
        }
        // New actions, also if a clip is still there: it does not jump to another time.
        let there = mixer.play(&detour.clip, Play { fade, ..starting_at(detour.there_start_secs) });
        mixer.fade_out(first, fade);
        mixer.advance(single(secs.min(detour.back_secs) - detour.there_secs));
        if secs >= detour.back_secs {
            mixer.play(clip, Play { fade, ..starting_at(detour.back_start_secs) });
            mixer.fade_out(there, fade);
            mixer.advance(single(secs - detour.back_secs));
        }
    }

    /// The mean of the speeds of the first and the second clip, as they are mixed.
    pub(crate) fn ground_speed(&self, mixer: &Mixer, speeds: &[f64]) -> f64 {
        let speed_of = |clip: &Arc<Clip>| {
            let is_second = self.detour.as_ref().is_some_and(|detour| Arc::ptr_eq(&detour.clip, clip));
            speeds.get(usize::from(is_second)).or(speeds.first()).copied().unwrap_or(0.0)
        };
        let weight = |id| f64::from(mixer.effective_weight(id).unwrap_or(0.0));
        mixer.actions().map(|(id, action)| weight(id) * speed_of(action.clip())).sum()
    }
}

fn starting_at(secs: f64) -> Play {
    Play { start_secs: Some(single(secs)), ..Play::default() }
}

#[expect(clippy::cast_possible_truncation, reason = "seconds within a film")]
fn single(secs: f64) -> f32 {
    secs as f32
}
