//! The markers that passages crossed, one after the other.

use std::ops::Range;
use std::sync::Arc;

use super::{Cursor, MarkerEvent, MarkerKind, Passage, Told};

/// The markers that a step crossed, in the order of time; see [`Mixer::markers`](crate::Mixer::markers).
///
/// They are found one after the other as they are asked for: a step over a million loops costs no more than a
/// short one. It does not borrow the mixer, so that the body of a loop over it may play and fade. Steps allocate
/// nothing as long as these are dropped before the next one.
#[derive(Clone, Debug, Default)]
pub struct MarkerEvents {
    /// `None` if nothing was crossed.
    list: Option<Arc<Vec<Passage>>>,
    /// Those of the step.
    told: Range<usize>,
    dt_secs: f64,
    /// Which passage told the last one, how far into the step that was, and where that passage goes on.
    last: Option<(usize, f64, Cursor)>,
    least_weight: f32,
}

impl MarkerEvents {
    #[inline]
    pub(super) fn new(list: Option<Arc<Vec<Passage>>>, told: Range<usize>, dt_secs: f64) -> Self {
        Self { list, told, dt_secs, last: None, least_weight: 0.0 }
    }

    /// Only those of actions that were at least so much of the pose: a run that hardly shows makes no sound.
    /// Windows that are left are always told, so that none stays open.
    #[must_use]
    pub fn above(self, weight: f32) -> Self {
        Self { least_weight: weight, ..self }
    }

    /// The first of all passages, of those at the same time that of the first passage.
    fn first(&self) -> Option<(usize, Told)> {
        let passages = &self.list.as_deref()?[self.told.clone()];
        if let [passage] = passages {
            let told = passage.next(self.last.map_or(Cursor::START, |(_, _, cursor)| cursor))?;
            return Some((0, told));
        }
        let mut first: Option<(usize, Told)> = None;
        for (index, passage) in passages.iter().enumerate() {
            let cursor = match self.last {
                None => Cursor::START,
                Some((last, _, cursor)) if last == index => cursor,
                Some((last, secs, _)) => passage.after(secs, index > last),
            };
            let told = passage.next(cursor);
            if let Some(told) = told
                && first.as_ref().is_none_or(|(_, first)| told.secs < first.secs)
            {
                first = Some((index, told));
            }
        }
        first
    }
}

impl Iterator for MarkerEvents {
    type Item = MarkerEvent;

    #[inline]
    fn next(&mut self) -> Option<MarkerEvent> {
        // Mostly there is none.
        self.list.as_ref()?;
        self.next_told()
    }
}

impl MarkerEvents {
    #[inline(never)]
    fn next_told(&mut self) -> Option<MarkerEvent> {
        loop {
            let Some((index, told)) = self.first() else {
                self.list = None;
                return None;
            };
            self.last = Some((index, told.secs, told.next));
            let passage = &self.list.as_deref()?[self.told.start + index];
            let event = passage.event(&told, self.dt_secs);
            if self.told.len() == 1 && passage.is_over(told.next) {
                self.list = None;
            }
            if event.weight >= self.least_weight || event.kind == MarkerKind::Leave {
                return Some(event);
            }
        }
    }
}
