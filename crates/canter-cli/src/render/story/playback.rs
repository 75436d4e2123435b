//! A story that is being played, from its beginning on.

use canter::glam::DAffine3;
use canter::{ActionId, LayerId, MarkerKind, MarkerName, Mixer, Transform};

use super::drive::Driven;
use super::{Overlay, Story, Switch, single};

/// A mixer, and what is still to happen.
#[derive(Debug)]
pub(crate) struct Playback<'s> {
    story: &'s Story,
    pub(crate) mixer: Mixer,
    /// In the order of time.
    steps: std::iter::Peekable<std::vec::IntoIter<(f64, Step<'s>)>>,
    playing: Option<ActionId>,
    /// A graph that decides instead.
    driven: Option<Driven<'s>>,
    now_secs: f64,
    /// Where the root motion has led.
    pub(crate) way: DAffine3,
    /// Those so far, at most [`MOST_FOOTFALLS`].
    pub(crate) footfalls: Vec<Footfall>,
}

/// A marker that was crossed: a foot comes down, or something else happens.
#[derive(Clone, Debug)]
pub(crate) struct Footfall {
    pub(crate) name: MarkerName,
    pub(crate) secs: f64,
}

/// Something that happens at a moment.
#[derive(Debug)]
enum Step<'a> {
    Switch(&'a Switch),
    Enter(&'a Overlay, LayerId),
    Leave(&'a Overlay, LayerId),
}

/// More are more than anybody sees.
pub(super) const MOST_FOOTFALLS: usize = 4096;

impl<'s> Playback<'s> {
    pub(super) fn new(story: &'s Story) -> Self {
        let mut mixer = Mixer::new(&story.skeleton);
        let playing =
            story.clip.as_ref().map(|clip| mixer.play(clip, story.play_from(Some(story.start_secs))));
        let mut steps: Vec<_> =
            story.switches.iter().map(|switch| (switch.at_secs, Step::Switch(switch))).collect();
        for overlay in &story.layers {
            let layer = overlay.add_to(&mut mixer);
            if let Some((enter_secs, leave_secs)) = overlay.stay_secs() {
                steps.push((enter_secs, Step::Enter(overlay, layer)));
                steps.push((leave_secs, Step::Leave(overlay, layer)));
            }
        }
        steps.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let driven = story.drive.as_deref().map(|drive| Driven::new(drive, &mut mixer));
        Self {
            story,
            mixer,
            steps: steps.into_iter().peekable(),
            playing,
            driven,
            now_secs: 0.0,
            way: DAffine3::IDENTITY,
            footfalls: Vec::new(),
        }
    }

    /// Goes on to a moment, and does all that happens before it.
    pub(crate) fn advance_to(&mut self, secs: f64) {
        if let Some(driven) = &mut self.driven {
            return driven.advance_to(secs, &mut self.mixer, &mut self.way, &mut self.footfalls);
        }
        while let Some((at_secs, step)) = self.steps.next_if(|(at_secs, _)| *at_secs <= secs) {
            self.advance(at_secs);
            match step {
                Step::Switch(switch) => self.switch(switch),
                Step::Enter(overlay, layer) => overlay.enter(&mut self.mixer, layer),
                Step::Leave(overlay, layer) => overlay.leave(&mut self.mixer, layer),
            }
        }
        self.advance(secs);
    }

    fn advance(&mut self, to_secs: f64) {
        self.mixer.advance(single(to_secs - self.now_secs));
        self.now_secs = to_secs;
        self.way *= step(self.mixer.root_motion().transform);
        let room = MOST_FOOTFALLS.saturating_sub(self.footfalls.len());
        // Of two clips that are not in step the stronger one is seen.
        let told = self.mixer.markers().above(0.5).filter(|event| event.kind != MarkerKind::Leave);
        self.footfalls.extend(
            told.take(room)
                .map(|event| Footfall { name: event.name, secs: to_secs - f64::from(event.secs_ago) }),
        );
    }

    fn switch(&mut self, switch: &Switch) {
        let fade = self.story.fade;
        // New actions, also if a clip is still there: it does not jump to another time.
        let play = canter::Play { fade, ..self.story.play_from(switch.start_secs) };
        let to = self.mixer.play(&switch.clip, play);
        if let Some(from) = self.playing.replace(to) {
            self.mixer.fade_out(from, fade);
        }
    }

    /// The time in the clip that was switched to last.
    pub(super) fn clip_secs(&self) -> f64 {
        let action = self.playing.and_then(|playing| self.mixer.get(playing));
        action.map_or(0.0, |action| f64::from(action.time_secs()))
    }

    /// How far what plays has come in all, by speeds of clips in metres per second of the clip: for a ground
    /// that moves below a figure on the spot.
    pub(crate) fn slide(&self, before: &Mixer, speed_of: impl Fn(&canter::Clip) -> f64) -> f64 {
        let on_base = self.mixer.actions().filter(|(id, _)| id.layer() == LayerId::BASE);
        on_base
            .map(|(id, action)| {
                let since = before.get(id).map_or(0.0, canter::Action::unwrapped_secs);
                let weight = self.mixer.effective_weight(id).unwrap_or(0.0);
                f64::from(weight) * speed_of(action.clip()) * (action.unwrapped_secs() - since)
            })
            .sum()
    }
}

/// A step of root motion.
pub(super) fn step(Transform { translation, rotation, .. }: Transform) -> DAffine3 {
    DAffine3::from_rotation_translation(rotation.as_dquat().normalize(), translation.as_dvec3())
}
