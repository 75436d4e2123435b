//! Checks of a machine as a whole.

use super::{Builder, Built};
use crate::data::DurationData;
use crate::error::{Fault, Place, Warning, WarningKind};
use crate::graph::{Motion, Transition};

impl Transition {
    /// Whether it is taken as soon as its source is there, and is over at once.
    fn is_instant(&self) -> bool {
        let (DurationData::Secs(duration)
        | DurationData::OfSource(duration)
        | DurationData::OfTarget(duration)) = self.duration;
        self.conditions.is_empty() && self.exit_time.is_none() && duration <= 0.0
    }
}

impl Builder<'_> {
    pub(super) fn check_exit_time(&self, exit_time: Option<f32>, from: Option<u32>) -> Built<()> {
        let Some(exit_time) = exit_time else { return Ok(()) };
        if !(exit_time.is_finite() && exit_time >= 0.0) {
            let found = exit_time.into();
            return self.fail("exit_time", Fault::Number { found, expected: "a finite number from 0" });
        }
        let Some(state) = from.map(|from| &self.states[from as usize]) else { return Ok(()) };
        match (&state.motion, state.plays()) {
            (Motion::Machine(_), _) if (exit_time - 1.0).abs() > 0.0 => {
                let expected = "1 from a machine: when it has come to its exit";
                self.fail("exit_time", Fault::Number { found: exit_time.into(), expected })
            }
            (Motion::Machine(_), _) => Ok(()),
            (_, Some(plays)) if f64::from(exit_time) > plays => {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is a count")]
                let plays = plays as u32;
                self.fail("exit_time", Fault::NeverReached { exit_time, plays })
            }
            _ => Ok(()),
        }
    }

    /// Refuses states that lead to each other at once without an end.
    pub(super) fn check_cycles(&self, machine: usize, names: &[&str]) -> Built<()> {
        let states = &self.machines[machine].states;
        let next = |state: u32| {
            let own = self.states[state as usize].transitions.iter();
            let any = self.machines[machine].any.iter();
            own.chain(any).filter_map(move |id| {
                let transition = &self.transitions[*id as usize];
                let is_itself = transition.to == Some(state);
                let leads = transition.is_instant()
                    && (!is_itself || transition.from.is_some() || transition.to_self);
                transition.to.filter(|_| leads)
            })
        };
        for start in states {
            // As far as one comes in as many steps as there are states.
            let mut reached = vec![*start];
            let mut at = 0;
            while at < reached.len() {
                for to in next(reached[at]) {
                    if to == *start {
                        let name = |state: &u32| {
                            states
                                .iter()
                                .position(|other| other == state)
                                .map_or("", |index| names[index])
                                .to_owned()
                        };
                        return self
                            .fail("transitions", Fault::Cycle(reached[..=at].iter().map(name).collect()));
                    }
                    if !reached.contains(&to) {
                        reached.push(to);
                    }
                }
                at += 1;
            }
        }
        Ok(())
    }

    pub(super) fn warn_of_unreachable(&mut self, machine: usize) {
        let built = &self.machines[machine];
        let mut reached = vec![built.entry];
        let from_any = built.any.iter().filter_map(|id| self.transitions[*id as usize].to);
        reached.extend(from_any);
        let mut at = 0;
        while at < reached.len() {
            for id in &self.states[reached[at] as usize].transitions {
                if let Some(to) = self.transitions[*id as usize].to
                    && !reached.contains(&to)
                {
                    reached.push(to);
                }
            }
            at += 1;
        }
        for state in built.states.iter().filter(|state| !reached.contains(state)) {
            let place =
                Place { state: Some(self.states[*state as usize].path.clone()), ..self.place.clone() };
            self.warnings.push(Warning { place, kind: WarningKind::Unreachable });
        }
    }
}
