//! A clip on a layer of a film: there all the time, or for a while.

use canter::{Fade, FadeKind, LayerId, LoopMode, Mixer, Play};

use super::{TURN_SECS, single};
use crate::layer::FoundLayer;

/// A clip on a layer.
#[derive(Clone, Debug)]
pub(crate) struct Overlay {
    pub(crate) found: FoundLayer,
    /// When it begins, if it comes and goes.
    pub(crate) at_secs: Option<f64>,
    pub(crate) once: bool,
    pub(crate) fade_secs: f64,
    /// When it enters and when it starts to leave; `None` if it is there all the time.
    stay_secs: Option<(f64, f64)>,
    kind: FadeKind,
}

/// A clip that is there all the time lengthens a film up to so many loops of the clip below it.
const MOST_LOOPS: u32 = 16;
/// Nobody sees a seam as short as this.
const SEAM_SECS: f64 = 0.005;

impl Overlay {
    pub(crate) fn new(found: FoundLayer, at_secs: Option<f64>, once: bool, fade_secs: f64) -> Self {
        Self { found, at_secs, once, fade_secs, stay_secs: None, kind: FadeKind::Cross }
    }

    fn clip_secs(&self) -> f64 {
        f64::from(self.found.clip.duration_secs())
    }

    /// When it begins, if it comes and goes.
    pub(super) fn begins_at(&self) -> Option<f64> {
        self.stay_secs.map(|(enter_secs, _)| enter_secs)
    }

    pub(super) fn stay_secs(&self) -> Option<(f64, f64)> {
        self.stay_secs
    }

    fn comes_and_goes(&self) -> bool {
        self.once || self.at_secs.is_some()
    }

    /// Whether it ends as it begins in a film of this length.
    fn is_seamless(&self, secs: f64) -> bool {
        let loops = (secs / self.clip_secs()).round();
        self.clip_secs() <= 0.0 || (loops >= 1.0 && (secs - loops * self.clip_secs()).abs() < SEAM_SECS)
    }

    /// Lets it come and go within a film of this length, unless it can stay.
    pub(super) fn fit(&mut self, film_secs: f64, kind: FadeKind) {
        self.kind = kind;
        if !self.comes_and_goes() && self.is_seamless(film_secs) {
            return;
        }
        let enter_secs = self.at_secs.unwrap_or(0.0);
        let end_secs = if self.once { enter_secs + self.clip_secs() } else { film_secs };
        let leave_secs = (end_secs.min(film_secs) - self.fade_secs).max(enter_secs);
        self.stay_secs = Some((enter_secs, leave_secs));
    }

    /// Adds its layer to a mixer, playing if it is there all the time.
    pub(super) fn add_to(&self, mixer: &mut Mixer) -> LayerId {
        let layer = mixer.add_layer(self.found.layer());
        if self.stay_secs.is_none() {
            self.play(mixer, layer, Play::default());
        }
        layer
    }

    pub(super) fn enter(&self, mixer: &mut Mixer, layer: LayerId) {
        let loop_mode = if self.once { LoopMode::Once } else { LoopMode::Repeat };
        self.play(mixer, layer, Play { loop_mode, fade: self.fade(), ..Play::default() });
    }

    pub(super) fn leave(&self, mixer: &mut Mixer, layer: LayerId) {
        if let Some(mut layer) = mixer.layer_mut(layer) {
            layer.fade_out(self.fade());
        }
    }

    fn play(&self, mixer: &mut Mixer, layer: LayerId, play: Play) {
        let action = mixer.layer_mut(layer).map(|mut layer| layer.play(&self.found.clip, play));
        debug_assert!(matches!(action, Some(Ok(_))), "the layer was made for the clip");
    }

    fn fade(&self) -> Fade {
        Fade { kind: self.kind, ..Fade::cross(single(self.fade_secs)) }
    }
}

/// How long a film of a clip is, with layers above it: whole loops of the clip, as many as the layers need.
pub(super) fn film_secs(layers: &[Overlay], length: f64, wanted: Option<f64>, turntable: bool) -> f64 {
    let ends = layers.iter().filter(|layer| layer.comes_and_goes()).map(|layer| {
        let secs = if layer.once { layer.clip_secs() } else { layer.clip_secs().max(2.0 * layer.fade_secs) };
        layer.at_secs.unwrap_or(0.0) + secs
    });
    let staying = || layers.iter().filter(|layer| !layer.comes_and_goes());
    let longest = staying().map(Overlay::clip_secs).fold(0.0, f64::max);
    let unit = if length > 0.0 { length } else { longest };
    let least = ends.fold(unit, f64::max).max(if turntable { TURN_SECS } else { 0.0 });
    if unit <= 0.0 {
        return wanted.unwrap_or(least);
    }
    match wanted {
        Some(wanted) if wanted >= unit => (wanted / unit).round() * unit,
        Some(wanted) => wanted,
        None if layers.is_empty() => (least / unit).round() * unit,
        None => {
            // Not one more for what rounding leaves.
            let loops = (least / unit - 1e-6).ceil().max(1.0);
            let all_fit = |secs: &f64| staying().all(|layer| layer.is_seamless(*secs));
            let lengths = (0..MOST_LOOPS).map(|more| (loops + f64::from(more)) * unit);
            lengths.clone().find(all_fit).unwrap_or(loops * unit)
        }
    }
}
