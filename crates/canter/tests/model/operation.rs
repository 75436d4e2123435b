//! Everything that can be done to a mixer, and done to the model alike.

use std::collections::HashMap;
use std::sync::Arc;

use canter::{ActionId, Easing, EventKind, Fade, JointMask, LoopMode, Mixer, Play};

use super::fade::Level;
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
    RestThreshold { threshold: f32 },
    Clone,
    Restore,
}

/// How many there are.
pub(crate) const KINDS: usize = 20;

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
            Self::RestThreshold { .. } => "set_rest_threshold",
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
        ids.extend(model.gone.iter().take(1));
        // Hash maps have no order of their own.
        ids.sort_by_key(|id| format!("{id:?}"));
        if ids.is_empty() || random.chance(0.35) {
            return match random.below(12) {
                0 => Self::Action { clip },
                1..=3 => Self::Play { clip, play: play(random, world) },
                4..=6 => Self::CrossfadeTo { clip, fade },
                7 if random.chance(0.3) => Self::StopAll,
                8 => Self::RestThreshold { threshold: random.pick(&[0.0, 0.125, 0.1, 1.0, -2.0, f32::NAN]) },
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
        let starts = |id: &ActionId| {
            let action = model.actions.get(id);
            action.is_some_and(|action| !action.is_started || action.clock.is_finished)
        };
        let is_hard = |fade: &Fade| fade.secs.is_nan() || fade.secs <= 0.0 || fade.secs.is_infinite();
        match self {
            Self::Action { .. }
            | Self::Pause { .. }
            | Self::LoopMode { .. }
            | Self::Clone
            | Self::Restore => false,
            Self::Resume { id } => starts(id),
            Self::FadeOut { fade, .. } => is_hard(fade),
            // What starts is not heard yet, but an action that has finished begins anew.
            Self::FadeIn { id, fade } | Self::Crossfade { to: id, fade, .. } => is_hard(fade) || starts(id),
            Self::CrossfadeTo { clip, fade } => {
                is_hard(fade) || model.id_of(*clip).is_some_and(|id| starts(&id))
            }
            _ => true,
        }
    }

    /// Does it to both; they must answer the same.
    pub(crate) fn apply(&self, world: &World, real: &mut Mixer, model: &mut Model) -> Result<(), String> {
        let (answer, expected) = match self {
            Self::Advance { dt_secs } => return advance(*dt_secs, real, model),
            Self::Action { clip } => {
                return find(*clip, real.action(&world.clips[*clip]), world, model).map(|_| ());
            }
            Self::Play { clip, play } => {
                let id = find(*clip, real.play(&world.clips[*clip], play.clone()), world, model)?;
                model_play(model.actions.get_mut(&id).expect("just found"), play);
                return Ok(());
            }
            Self::CrossfadeTo { clip, fade } => {
                let to = find(*clip, real.crossfade_to(&world.clips[*clip], *fade), world, model)?;
                for (id, action) in &mut model.actions {
                    if *id == to {
                        action.fade_in(*fade);
                    } else if action.is_started {
                        action.fade.fade(0.0, *fade);
                    }
                }
                return Ok(());
            }
            Self::Crossfade { from, to, fade } => (real.crossfade(*from, *to, *fade), {
                let known = model.actions.get_mut(to).map(|action| action.fade_in(*fade));
                if let (Some(()), Some(action), true) = (known, model.actions.get_mut(from), from != to) {
                    action.fade.fade(0.0, *fade);
                }
                known
            }),
            Self::StopAll => {
                real.stop_all();
                let all: Vec<_> = model.actions.keys().copied().collect();
                all.into_iter().for_each(|id| model.remove(id));
                return Ok(());
            }
            Self::Stop { id } => (real.stop(*id), model.actions.contains_key(id).then(|| model.remove(*id))),
            Self::RestThreshold { threshold } => {
                real.set_rest_threshold(*threshold);
                if !threshold.is_nan() {
                    model.rest_threshold = threshold.clamp(0.0, 1.0);
                }
                return Ok(());
            }
            Self::Clone => {
                *real = real.clone();
                return Ok(());
            }
            Self::Restore => {
                let find = |name: &str| world.clips.iter().find(|clip| clip.name() == name).cloned();
                *real = Mixer::from_state(real.skeleton(), &real.state(), find)
                    .map_err(|error| error.to_string())?;
                return Ok(());
            }
            _ => return self.apply_to_one(real, model),
        };
        same(answer, expected)
    }

    fn apply_to_one(&self, real: &mut Mixer, model: &mut Model) -> Result<(), String> {
        let mut with = |id: &ActionId, change: &dyn Fn(&mut Action)| model.actions.get_mut(id).map(change);
        let (answer, expected) = match self {
            Self::FadeIn { id, fade } => {
                (real.fade_in(*id, *fade), with(id, &|action| action.fade_in(*fade)))
            }
            Self::FadeOut { id, fade } => {
                (real.fade_out(*id, *fade), with(id, &|action| action.fade.fade(0.0, *fade)))
            }
            Self::Pause { id } => (real.pause(*id), with(id, &|action| action.is_paused = true)),
            Self::Resume { id } => (
                real.resume(*id),
                with(id, &|action| {
                    action.is_paused = false;
                    if !action.is_started {
                        action.is_started = true;
                        action.fade = Level::constant(1.0);
                        action.clock.rewind();
                    }
                }),
            ),
            Self::Reset { id } => (real.reset(*id), with(id, &|action| action.clock.rewind())),
            Self::Seek { id, secs } => (real.seek(*id, *secs), with(id, &|action| seek(action, *secs))),
            Self::Speed { id, speed } => {
                (real.set_speed(*id, *speed), with(id, &|action| set_speed(action, *speed)))
            }
            Self::Weight { id, weight } => {
                (real.set_weight(*id, *weight), with(id, &|action| set_weight(action, *weight)))
            }
            Self::LoopMode { id, loop_mode } => {
                let change = |action: &mut Action| action.clock.set_loop_mode(*loop_mode);
                (real.set_loop_mode(*id, *loop_mode), with(id, &change))
            }
            Self::Mask { id, mask } => {
                (real.set_mask(*id, mask.clone()), with(id, &|action| action.mask.clone_from(mask)))
            }
            _ => unreachable!("not about one action"),
        };
        same(answer, expected)
    }
}

fn same(answer: Option<()>, expected: Option<()>) -> Result<(), String> {
    if answer == expected { Ok(()) } else { Err(format!("answered {answer:?}, expected {expected:?}")) }
}

fn advance(dt_secs: f32, real: &mut Mixer, model: &mut Model) -> Result<(), String> {
    let mut happened: HashMap<ActionId, Vec<EventKind>> = HashMap::new();
    for event in real.advance(dt_secs) {
        happened.entry(event.action).or_default().push(event.kind);
    }
    let expected = model.advance(f64::from(dt_secs));
    if happened == expected { Ok(()) } else { Err(format!("{happened:?} happened, expected {expected:?}")) }
}

/// A clip has one action, which is found again; a new one has an id that no other ever had.
fn find(clip: usize, id: ActionId, world: &World, model: &mut Model) -> Result<ActionId, String> {
    match model.id_of(clip) {
        Some(known) if known == id => Ok(id),
        Some(known) => Err(format!("the clip has the action {known:?} and was given {id:?}")),
        None if model.gone.contains(&id) || model.actions.contains_key(&id) => {
            Err(format!("{id:?} is not new"))
        }
        None => {
            let duration = f64::from(world.clips[clip].duration_secs());
            model.actions.insert(id, Action::new(clip, duration));
            Ok(id)
        }
    }
}

/// What would be refused is replaced by the default.
fn model_play(action: &mut Action, play: &Play) {
    (action.clock.speed, action.weight) = (1.0, 1.0);
    set_speed(action, play.speed);
    set_weight(action, play.weight);
    action.clock.loop_mode = play.loop_mode;
    action.mask.clone_from(&play.mask);
    (action.is_started, action.is_paused) = (true, false);
    action.fade = Level::constant(1.0);
    action.clock.rewind();
    if let Some(secs) = play.start_secs {
        seek(action, secs);
    }
}

fn seek(action: &mut Action, secs: f32) {
    if secs.is_finite() {
        action.clock.seek(f64::from(secs));
    }
}

fn set_speed(action: &mut Action, speed: f32) {
    if speed.is_finite() {
        action.clock.speed = speed;
    }
}

fn set_weight(action: &mut Action, weight: f32) {
    if (0.0..=1e18).contains(&weight) {
        action.weight = weight;
    }
}

fn play(random: &mut Random, world: &World) -> Play {
    let start_secs = random.chance(0.4).then(|| random.pick(&[0.0, 0.25, 0.5, 3.5, -0.25, f32::INFINITY]));
    let (loop_mode, mask) = (loop_mode(random), mask(random, world));
    Play { loop_mode, speed: speed(random), weight: weight(random), start_secs, mask }
}

fn fade(random: &mut Random) -> Fade {
    let secs = random.pick(&[0.25, 0.5, 0.5, 1.0, 3.0, 0.0, -1.0, f32::INFINITY, f32::NAN]);
    Fade { secs, easing: random.pick(Easing::ALL) }
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
