//! What plays, and why, as data and as a text.

use std::fmt;

use canter::Mixer;
use serde::Serialize;

use crate::data::InterruptData;
use crate::graph::{Condition, Graph, Motion, Test, Transition};
use crate::history::Taken;
use crate::parameters::Parameters;
use crate::state::{GraphState, LayerRun, Level};

/// What a graph does at present, and why; see [`Graph::explain`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// Seconds since it began.
    pub time_secs: f64,
    /// From below.
    pub layers: Vec<LayerExplanation>,
}

/// What a layer does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LayerExplanation {
    /// Its name.
    pub layer: String,
    /// How strong it is.
    pub weight: f32,
    /// The states that it is in, those in machines of others after them.
    pub states: Vec<String>,
    /// How often the innermost state has played its motion.
    pub cycles: f64,
    /// Fades that are under way, those of outer machines first.
    pub fades: Vec<FadeExplanation>,
    /// What it plays.
    pub clips: Vec<PlayedClip>,
    /// The last transition, in words.
    pub because: Option<String>,
    /// What could be taken from here, and what it waits for.
    pub waiting: Vec<Waiting>,
}

/// A fade that is under way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FadeExplanation {
    /// The state that it comes from.
    pub from: String,
    /// The state that it leads to.
    pub to: String,
    /// The part of its time that has passed.
    pub progress: f64,
    /// Its time.
    pub secs: f64,
}

/// A clip that plays.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayedClip {
    /// Its name.
    pub clip: String,
    /// What part of what its layer shows it is.
    pub weight: f32,
    /// Where it is, in seconds.
    pub time_secs: f32,
}

/// A transition that could be taken.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Waiting {
    /// The state that it leads to, or `exit`.
    pub to: String,
    /// What has yet to come, in words.
    pub lacks: Vec<String>,
}

impl Graph {
    /// What plays, and why.
    #[must_use]
    pub fn explain(&self, state: &GraphState, parameters: &Parameters, mixer: &Mixer) -> Explanation {
        let layers = state.layers.iter().zip(&self.data.layers).enumerate();
        let layers = layers.map(|(index, (run, data))| {
            let path =
                |state: u32| self.states.get(state as usize).map_or("", |state| &state.path).to_owned();
            let fades = run.levels.iter().filter_map(|level| {
                let fade = level.fade?;
                let progress = (fade.passed_secs / fade.secs).min(1.0);
                Some(FadeExplanation {
                    from: path(fade.from),
                    to: path(level.state),
                    progress,
                    secs: fade.secs,
                })
            });
            let clips =
                mixer.actions().filter(|(id, _)| id.layer() == run.id).map(|(id, action)| PlayedClip {
                    clip: action.clip().name().to_owned(),
                    weight: mixer.effective_weight(id).unwrap_or(0.0),
                    time_secs: action.time_secs(),
                });
            LayerExplanation {
                layer: data.name.clone(),
                weight: if index == 0 { 1.0 } else { run.weight },
                states: run.levels.iter().map(|level| path(level.state)).collect(),
                cycles: run.levels.last().map_or(0.0, |level| level.clock.cycles),
                fades: fades.collect(),
                clips: clips.collect(),
                because: state
                    .history()
                    .find(|taken| taken.layer == index)
                    .map(|taken| self.tell_of(taken, state)),
                waiting: self.waiting(run, parameters),
            }
        });
        Explanation { time_secs: state.time_secs, layers: layers.collect() }
    }

    fn tell_of(&self, taken: &Taken, state: &GraphState) -> String {
        let ago = state.time_secs - taken.time_secs;
        let to = taken.to.map_or("exit", |to| self.state_path(to));
        let mut text = format!("{} to {to}, {ago:.2} s ago", self.state_path(taken.from));
        let condition = taken.cause.parameter.map(|(parameter, value)| {
            let name = self.data.parameters.get(parameter.index()).map_or("", |data| &data.name);
            format!("{name} was {value}")
        });
        let cause = match (taken.cause.travels, condition, taken.cause.at_exit_time) {
            (true, _, _) => "it was asked to travel".to_owned(),
            (_, Some(condition), false) => condition,
            (_, Some(condition), true) => format!("{condition}, at its exit time"),
            (_, None, true) => "it was at its exit time".to_owned(),
            (_, None, false) => "it waits for nothing".to_owned(),
        };
        text.push_str(", because ");
        text.push_str(&cause);
        text
    }

    fn waiting(&self, run: &LayerRun, parameters: &Parameters) -> Vec<Waiting> {
        let mut found = Vec::new();
        for level in run.levels.iter().filter(|level| !level.is_out) {
            let Some(state) = self.states.get(level.state as usize) else { continue };
            for id in state.transitions.iter().chain(&self.machines[state.machine].any) {
                let transition = &self.transitions[*id as usize];
                let is_any = transition.from.is_none();
                if is_any && transition.to == Some(level.state) && !transition.to_self {
                    continue;
                }
                let to = transition.to.map_or("exit", |to| &self.states[to as usize].path);
                let travel = self.travel_at(run, level);
                let mut lacks = Vec::new();
                if travel != Some(*id) {
                    lacks.extend(self.missing_conditions(transition, parameters));
                }
                lacks.extend(Self::missing_exit(transition, &state.motion, level.is_finished));
                if travel.is_some_and(|next| next != *id) {
                    lacks.push("the end of its travels".to_owned());
                } else if self.is_kept_back(*id, level, travel.is_some()) {
                    lacks.push("the end of the fade".to_owned());
                }
                found.push(Waiting { to: to.to_owned(), lacks });
            }
        }
        found
    }

    /// Whether a fade to the state of a level may not be interrupted by a transition from there, or from any;
    /// what travels never does.
    fn is_kept_back(&self, id: u32, level: &Level, travels: bool) -> bool {
        let Some(fade) = level.fade else { return false };
        let Some(of_fade) = self.transitions.get(fade.transition as usize) else { return false };
        let is_any = self.transitions[id as usize].from.is_none();
        match of_fade.interrupt {
            _ if travels => true,
            InterruptData::None => true,
            InterruptData::Source if !is_any => true,
            _ => is_any && self.is_barred(id, fade),
        }
    }

    fn missing_conditions(&self, of: &Transition, parameters: &Parameters) -> impl Iterator<Item = String> {
        let values = parameters.values();
        let is_missing =
            |condition: &&Condition| values.len() == self.defaults.len() && !condition.holds(values);
        of.conditions.iter().filter(is_missing).map(|condition| self.condition_text(condition))
    }

    /// What it waits for beside parameters.
    fn missing_exit(of: &Transition, motion: &Motion, is_finished: bool) -> Option<String> {
        match (of.exit_time?, motion) {
            (_, Motion::Machine(_)) => (!is_finished).then(|| "the exit of its machine".to_owned()),
            #[expect(clippy::cast_possible_truncation, reason = "it was one of f32")]
            (exit_time, _) => Some(format!("exit time {}", exit_time as f32)),
        }
    }

    fn condition_text(&self, condition: &Condition) -> String {
        let name = &self.data.parameters[condition.parameter as usize].name;
        match condition.test {
            Test::Set => name.clone(),
            Test::Bool(value) => format!("{name} {value}"),
            Test::Float(op, value) => format!("{name} {} {value}", op.text()),
            Test::Int(op, value) => format!("{name} {} {value}", op.text()),
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, layer) in self.layers.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{layer}")?;
        }
        Ok(())
    }
}

impl fmt::Display for LayerExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.layer)?;
        match self.fades.last() {
            Some(fade) => write!(f, "{} -> {}, {:.0} %", fade.from, fade.to, 100.0 * fade.progress)?,
            None => write!(f, "{}", self.states.last().map_or("", String::as_str))?,
        }
        let mut clips = self.clips.iter().filter(|clip| clip.weight > 0.0).peekable();
        if clips.peek().is_some() {
            let clips: Vec<_> = clips.map(|clip| format!("{} {:.2}", clip.clip, clip.weight)).collect();
            write!(f, " ({})", clips.join(", "))?;
        }
        match &self.because {
            Some(because) => write!(f, "; {because}"),
            None => Ok(()),
        }
    }
}
