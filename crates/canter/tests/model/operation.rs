//! Everything that can be done to a mixer, and done to the model alike.

use std::collections::HashMap;
use std::sync::Arc;

use canter::{ActionId, Easing, EventKind, Fade, JointMask, LoopMode, Mixer, Play};

use super::fade::length;
use super::mixer::{Action, Model};
use super::world::World;
use canter_testing::random::Random;

#[derive(Clone, Debug)]
pub(crate) enum Operation {
    Advance { dt_secs: f32 },
    Action { clip: usize },
    Play { clip: usize, play: Play },
    CrossfadeTo { clip: usize, fade: Fade },
    Crossfade { from: ActionId, to: ActionId, fade: Fade },
    FadeIn { id: ActionId, fade: Fade },
    FadeOut { id: ActionId, fade: Fade },
    Stop { id: ActionId },
    StopAll,
    Pause { id: ActionId },
    Resume { id: ActionId },
    Reset { id: ActionId },
    Seek { id: ActionId, secs: f32 },
    Speed { id: ActionId, speed: f32 },
    Weight { id: ActionId, weight: f32 },
    LoopMode { id: ActionId, loop_mode: LoopMode },
    Mask { id: ActionId, mask: Option<Arc<JointMask>> },
    Clone,
    Restore,
}

/// How many there are.
pub(crate) const KINDS: usize = 19;

impl Operation {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Advance { .. } => "advance",
            Self::Action { .. } => "action",
            Self::Play { .. } => "play",
            Self::CrossfadeTo { .. } => "crossfade_to",
            Self::Crossfade { .. } => "crossfade",
            Self::FadeIn { .. } => "fade_in",
            Self::FadeOut { .. } => "fade_out",
            Self::Stop { .. } => "stop",
            Self::StopAll => "stop_all",
            Self::Pause { .. } => "pause",
            Self::Resume { .. } => "resume",
            Self::Reset { .. } => "reset",
            Self::Seek { .. } => "seek",
            Self::Speed { .. } => "set_speed",
            Self::Weight { .. } => "set_weight",
            Self::LoopMode { .. } => "set_loop_mode",
            Self::Mask { .. } => "set_mask",
            Self::Clone => "clone",
            Self::Restore => "from_state",
        }
    }

    /// Time runs half of the time; ids are of all actions that there ever were.
    pub(crate) fn random(random: &mut Random, world: &World, model: &Model) -> Self {
        if random.chance(0.45) {
            let dt_secs = random.pick(&[0.0, 1.0, 1.0, 1.0, 2.0, 5.0, 30.0, 6400.0]) / 64.0;
            return Self::Advance { dt_secs };
        }
        let clip = random.below(world.clips.len());
        let fade = fade(random);
        let mut ids: Vec<ActionId> = model.actions.keys().copied().collect();
        ids.extend(model.gone.iter().max_by_key(|id| format!("{id:?}")));
        // Hash maps have no order of their own.
        ids.sort_by_key(|id| format!("{id:?}"));
        if ids.is_empty() || random.chance(0.35) {
            return match random.below(12) {
                0 => Self::Action { clip },
                1..=3 => Self::Play { clip, play: play(random, world) },
                4..=6 => Self::CrossfadeTo { clip, fade },
                7 if random.chance(0.3) => Self::StopAll,
                9 => Self::Clone,
                10 => Self::Restore,
                _ => Self::Play { clip, play: Play::default() },
            };
        }
        let (id, to) = (random.pick(&ids), random.pick(&ids));
        match random.below(13) {
            0 => Self::Crossfade { from: id, to, fade },
            1 => Self::FadeIn { id, fade },
            2 => Self::FadeOut { id, fade },
            3 => Self::Stop { id },
            4 => Self::Pause { id },
            5 | 6 => Self::Resume { id },
            7 => Self::Reset { id },
            8 => Self::Seek { id, secs: random.pick(&[0.0, 0.25, 0.5, 1.0, 1.75, 7.25, -0.5, f32::NAN]) },
            9 => Self::Speed { id, speed: speed(random) },
            10 => Self::Weight { id, weight: weight(random) },
            11 => Self::LoopMode { id, loop_mode: loop_mode(random) },
            _ => Self::Mask { id, mask: mask(random, world) },
        }
    }

    /// Whether it may change the pose there and then.
    pub(crate) fn switches(&self, model: &Model) -> bool {
        let is_hard = |fade: &Fade| length(*fade) == 0.0;
        match self {
            Self::Action { .. }
            | Self::Pause { .. }
            | Self::LoopMode { .. }
            | Self::Clone
            | Self::Restore => false,
            Self::Resume { id } => model.actions.get(id).is_some_and(|action| !action.is_started),
            Self::FadeOut { fade, .. }
            | Self::FadeIn { fade, .. }
            | Self::Crossfade { fade, .. }
            | Self::CrossfadeTo { fade, .. } => is_hard(fade),
            Self::Play { play, .. } => is_hard(&play.fade),
            _ => true,
        }
    }

    /// Does it to both; they must return the same.
    pub(crate) fn apply(&self, world: &World, real: &mut Mixer, model: &mut Model) -> Result<(), String> {
        let (returned, expected) = match self {
            Self::Advance { dt_secs } => return advance(*dt_secs, real, model),
            Self::Action { clip } => {
                let id = real.action(&world.clips[*clip]);
                let is_known = model.actions.get(&id).is_some_and(|action| action.clip == *clip);
                let has_one = model.actions.values().any(|action| action.clip == *clip);
                return if is_known { Ok(()) } else { insert(*clip, id, !has_one, world, model) };
            }
            Self::Play { clip, play } => {
                let id = real.play(&world.clips[*clip], play.clone());
                insert(*clip, id, true, world, model)?;
                model.prepare(id);
                model_play(model.actions.get_mut(&id).expect("just made"), play);
                model.fade_in(id, None, true, play.fade);
                return Ok(());
            }
            Self::CrossfadeTo { clip, fade } => {
                let to = real.crossfade_to(&world.clips[*clip], *fade);
                choose(*clip, to, real, world, model)?;
                model.prepare(to);
                model.fade(*fade, |id, _| Some(id == to));
                return Ok(());
            }
            Self::Crossfade { from, to, fade } => {
                let returned = real.crossfade(*from, *to, *fade);
                return fade_in(*to, Some(*from), *fade, returned, world, model);
            }
            Self::FadeIn { id, fade } => {
                let returned = real.fade_in(*id, *fade);
                return fade_in(*id, None, *fade, returned, world, model);
            }
            Self::FadeOut { id, fade } => {
                let is_known = model.actions.contains_key(id);
                (real.fade_out(*id, *fade), is_known.then(|| model.fade_out(*id, *fade)))
            }
            Self::StopAll => {
                real.stop_all();
                model.stop_all();
                return Ok(());
            }
            Self::Stop { id } => (real.stop(*id), model.actions.contains_key(id).then(|| model.stop(*id))),
            Self::Clone => {
                *real = real.clone();
                return Ok(());
            }
            Self::Restore => {
                *real = Mixer::from_state(real.skeleton(), &real.state(), &world.clips)
                    .map_err(|error| error.to_string())?;
                return Ok(());
            }
            _ => return self.apply_to_one(real, model),
        };
        if returned == expected {
            Ok(())
        } else {
            Err(format!("returned {returned:?}, expected {expected:?}"))
        }
    }

    fn apply_to_one(&self, real: &mut Mixer, model: &mut Model) -> Result<(), String> {
        let (Self::Pause { id }
        | Self::Resume { id }
        | Self::Reset { id }
        | Self::Seek { id, .. }
        | Self::Speed { id, .. }
        | Self::Weight { id, .. }
        | Self::LoopMode { id, .. }
        | Self::Mask { id, .. }) = self
        else {
            unreachable!("not about one action")
        };
        let (mut real, action) = match (real.get_mut(*id), model.actions.get_mut(id)) {
            (Some(real), Some(action)) => (real, action),
            (None, None) => return Ok(()),
            (real, action) => return Err(format!("{} here, {} there", real.is_some(), action.is_some())),
        };
        let same = |is_refused: bool, expected: bool| {
            if is_refused == expected {
                Ok(())
            } else {
                Err(format!("refused {is_refused}, expected {expected}"))
            }
        };
        match self {
            Self::Pause { .. } => {
                real.pause();
                action.is_paused = true;
            }
            Self::Resume { .. } => {
                real.resume();
                action.is_paused = false;
                if !action.is_started {
                    model.bring_in(*id, Fade::default());
                }
            }
            Self::Reset { .. } => {
                real.reset();
                action.clock.rewind();
            }
            Self::Seek { secs, .. } => same(real.seek(*secs).is_err(), !seek(action, *secs))?,
            Self::Speed { speed, .. } => same(real.set_speed(*speed).is_err(), !set_speed(action, *speed))?,
            Self::Weight { weight, .. } => {
                same(real.set_weight(*weight).is_err(), !set_weight(action, *weight))?;
            }
            Self::LoopMode { loop_mode, .. } => {
                real.set_loop_mode(*loop_mode);
                action.clock.set_loop_mode(*loop_mode);
            }
            Self::Mask { mask, .. } => {
                real.set_mask(mask.clone());
                action.mask.clone_from(mask);
            }
            _ => unreachable!("not about one action"),
        }
        Ok(())
    }
}

fn advance(dt_secs: f32, real: &mut Mixer, model: &mut Model) -> Result<(), String> {
    let mut happened: HashMap<ActionId, Vec<EventKind>> = HashMap::new();
    for event in real.advance(dt_secs) {
        happened.entry(event.action).or_default().push(event.kind);
    }
    let expected = model.advance(f64::from(dt_secs));
    if happened == expected { Ok(()) } else { Err(format!("{happened:?} happened, expected {expected:?}")) }
}

/// A new action has an id that no other ever had.
fn insert(clip: usize, id: ActionId, is_due: bool, world: &World, model: &mut Model) -> Result<(), String> {
    if !is_due || model.gone.contains(&id) || model.actions.contains_key(&id) {
        return Err(format!("{id:?} is not new, or none was due"));
    }
    let duration = f64::from(world.clips[clip].duration_secs());
    model.actions.insert(id, Action::new(clip, duration));
    Ok(())
}

/// A crossfade goes on with an action of the clip that has not finished, one that is to stay before others.
fn choose(clip: usize, id: ActionId, real: &Mixer, world: &World, model: &mut Model) -> Result<(), String> {
    let strength = |action: &Action| (!action.clock.is_finished, action.fader.is_wanted, action.level());
    let best = model.actions.values().filter(|action| action.clip == clip).map(strength);
    let Some(best) = best.max_by(|a, b| a.partial_cmp(b).expect("no NaN")) else {
        return insert(clip, id, true, world, model);
    };
    let is_best = |action: &Action| {
        let (plays, wanted, level) = strength(action);
        action.clip == clip && (plays, wanted) == (best.0, best.1) && (level - best.2).abs() < 1e-5
    };
    if best.0 {
        let is_right = model.actions.get(&id).is_some_and(is_best);
        return if is_right { Ok(()) } else { Err(format!("{id:?} is not the best, which is {best:?}")) };
    }
    // All have finished: a new one has the settings of the best of them, whichever that is of equals.
    let new = real.get(id).ok_or("nothing fades in")?;
    let same = |action: &&Action| {
        is_best(action)
            && (action.clock.speed, action.weight) == (new.speed(), new.weight())
            && action.clock.loop_mode == new.loop_mode()
            && action.mask == new.mask().cloned()
    };
    let old = model.actions.values().find(same).cloned().ok_or("settings that none of them has")?;
    insert(clip, id, true, world, model)?;
    let again = model.actions.get_mut(&id).expect("just made");
    (again.clock, again.weight, again.mask) = (old.clock, old.weight, old.mask);
    Ok(())
}

/// What has finished is left as it is, and a new action with its settings comes in; one may leave for it.
fn fade_in(
    id: ActionId,
    leaving: Option<ActionId>,
    fade: Fade,
    returned: Option<ActionId>,
    world: &World,
    model: &mut Model,
) -> Result<(), String> {
    let Some(action) = model.actions.get(&id).cloned() else {
        return if returned.is_none() { Ok(()) } else { Err(format!("{returned:?} for a stale id")) };
    };
    let incoming = returned.ok_or("nothing fades in")?;
    if action.clock.is_finished {
        insert(action.clip, incoming, true, world, model)?;
        let again = model.actions.get_mut(&incoming).expect("just made");
        (again.clock, again.weight, again.mask) = (action.clock, action.weight, action.mask);
    } else if incoming != id {
        return Err(format!("{incoming:?} instead of {id:?}"));
    }
    let starts = model.prepare(incoming);
    model.fade_in(incoming, leaving, starts, fade);
    Ok(())
}

/// What would be refused is replaced by the default.
fn model_play(action: &mut Action, play: &Play) {
    (action.clock.speed, action.weight) = (1.0, 1.0);
    set_speed(action, play.speed);
    set_weight(action, play.weight);
    action.clock.loop_mode = play.loop_mode;
    action.mask.clone_from(&play.mask);
    action.clock.rewind();
    if let Some(secs) = play.start_secs {
        seek(action, secs);
    }
}

/// Each returns whether it was possible.
fn seek(action: &mut Action, secs: f32) -> bool {
    if secs.is_finite() {
        action.clock.seek(f64::from(secs));
    }
    secs.is_finite()
}

fn set_speed(action: &mut Action, speed: f32) -> bool {
    if speed.is_finite() {
        action.clock.speed = speed;
    }
    speed.is_finite()
}

fn set_weight(action: &mut Action, weight: f32) -> bool {
    let is_weight = (0.0..=1e18).contains(&weight);
    if is_weight {
        action.weight = weight;
    }
    is_weight
}

fn play(random: &mut Random, world: &World) -> Play {
    let start_secs = random.chance(0.4).then(|| random.pick(&[0.0, 0.25, 0.5, 3.5, -0.25, f32::INFINITY]));
    let (loop_mode, mask) = (loop_mode(random), mask(random, world));
    let fade = if random.chance(0.5) { Fade::default() } else { fade(random) };
    Play {
        loop_mode,
        speed: speed(random),
        weight: weight(random),
        start_secs,
        fade,
        mask,
        ..Play::default()
    }
}

fn fade(random: &mut Random) -> Fade {
    let secs = random.pick(&[0.25, 0.5, 0.5, 1.0, 3.0, 0.0, -1.0, f32::INFINITY, f32::NAN]);
    Fade { secs, easing: random.pick(Easing::ALL), ..Fade::default() }
}

fn loop_mode(random: &mut Random) -> LoopMode {
    let modes =
        [LoopMode::Once, LoopMode::Repeat, LoopMode::PingPong, LoopMode::Times(3), LoopMode::Times(0)];
    random.pick(&modes)
}

fn speed(random: &mut Random) -> f32 {
    random.pick(&[1.0, 1.0, 0.25, 2.0, -0.5, -1.0, 0.0, f32::NAN])
}

fn weight(random: &mut Random) -> f32 {
    random.pick(&[1.0, 1.0, 0.5, 0.25, 2.0, 0.0, -1.0, f32::NAN])
}

fn mask(random: &mut Random, world: &World) -> Option<Arc<JointMask>> {
    random.chance(0.3).then(|| Arc::clone(&world.masks[random.below(world.masks.len())]))
}
