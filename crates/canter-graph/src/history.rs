//! The last transitions that were taken.

use serde::{Deserialize, Serialize};

use crate::graph::{StateId, TransitionId};
use crate::parameters::{ParameterId, Value};

/// So many are kept.
const LENGTH: usize = 32;

/// A transition that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Taken {
    /// When, in seconds since the graph began.
    #[serde(with = "crate::exact")]
    pub time_secs: f64,
    /// On which layer, from below.
    pub layer: usize,
    /// Which.
    pub transition: TransitionId,
    /// The state that it was taken from.
    pub from: StateId,
    /// The state that it leads to; `None` out of the machine.
    pub to: Option<StateId>,
    /// Why.
    pub cause: Cause,
    /// Whether it interrupted a fade.
    pub interrupts: bool,
}

/// Why a transition was taken.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cause {
    /// Whether it is on the way to a state that the program asked for.
    pub travels: bool,
    /// Whether it waited for an exit time.
    pub at_exit_time: bool,
    /// A parameter that it waited for, and what that was: the trigger if there is one, else the first.
    pub parameter: Option<(ParameterId, Value)>,
}

/// The last transitions, the latest last.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct History {
    ring: Vec<Taken>,
    /// Where the next one goes, once it is full.
    next: usize,
}

impl History {
    pub(crate) fn new() -> Self {
        Self { ring: Vec::with_capacity(LENGTH), next: 0 }
    }

    pub(crate) fn push(&mut self, taken: Taken) {
        match self.ring.get_mut(self.next) {
            Some(oldest) => *oldest = taken,
            None => self.ring.push(taken),
        }
        self.next = (self.next + 1) % LENGTH;
    }

    /// The latest first.
    pub(crate) fn latest(&self) -> impl Iterator<Item = &Taken> {
        let (later, earlier) = self.ring.split_at(self.next.min(self.ring.len()));
        later.iter().rev().chain(earlier.iter().rev())
    }
}

impl Clone for History {
    fn clone(&self) -> Self {
        let mut clone = Self::new();
        clone.clone_from(self);
        clone
    }

    fn clone_from(&mut self, source: &Self) {
        self.ring.clone_from(&source.ring);
        self.next = source.next;
    }
}
