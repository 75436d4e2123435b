//! What happened while the mixer advanced.

use std::sync::Arc;

use super::ActionId;
use crate::clip::Clip;
use crate::prefetch;

/// Something that happened to an action while time advanced.
#[derive(Clone, Debug)]
pub struct Event {
    /// To which action.
    pub action: ActionId,
    /// The clip that it plays, also when the action is gone.
    pub clip: Arc<Clip>,
    /// What.
    pub kind: EventKind,
    /// How long ago, in seconds of the last step: 0 at its end, the whole step at its start.
    pub secs_ago: f32,
}

/// What can happen to an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventKind {
    /// It passed the end of its clip, or the start when it plays backwards, and went on; a ping-pong turned.
    Looped {
        /// How often since the last step.
        times: u64,
    },
    /// It has played to its end and holds its last pose.
    Finished,
    /// It was faded out and has left the mixer; its id is stale.
    FadedOut,
}

/// Where a mixer collects the events of a step. It is shared with the [`Events`] that the step returns.
#[derive(Debug, Default)]
pub(super) struct EventList {
    list: Arc<Vec<Event>>,
    /// What of a step that is cut into pieces comes after the present one.
    pub(super) later_secs: f64,
}

impl EventList {
    #[inline]
    pub(super) fn prefetch(&self) {
        prefetch::for_writing(std::slice::from_ref(&*self.list));
    }

    pub(super) fn as_slice(&self) -> &[Event] {
        &self.list
    }

    pub(super) fn events(&self) -> Events {
        Events { list: (!self.list.is_empty()).then(|| Arc::clone(&self.list)), next: 0 }
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        if !self.list.is_empty() {
            self.own().clear();
        }
    }

    pub(super) fn push(&mut self, event: Event) {
        let list = self.own();
        // A step that was cut into pieces may loop in several of them.
        if let EventKind::Looped { times } = event.kind
            && let Some(before) = list.iter_mut().find(|before| before.action == event.action)
            && let EventKind::Looped { times: sum } = &mut before.kind
        {
            *sum += times;
            before.secs_ago = event.secs_ago;
            return;
        }
        list.push(event);
    }

    fn own(&mut self) -> &mut Vec<Event> {
        if Arc::get_mut(&mut self.list).is_none() {
            // Somebody keeps the last ones.
            self.list = Arc::new(Vec::with_capacity(self.list.capacity()));
        }
        Arc::get_mut(&mut self.list).expect("nobody else has it")
    }

    /// Makes room for so many.
    pub(super) fn reserve(&mut self, events: usize) {
        if self.list.capacity() < events {
            let mut list = Vec::with_capacity(events);
            list.extend_from_slice(&self.list);
            self.list = Arc::new(list);
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.list.capacity() * size_of::<Event>()
    }
}

impl Clone for EventList {
    fn clone(&self) -> Self {
        Self { list: Arc::new(self.list.to_vec()), later_secs: 0.0 }
    }

    fn clone_from(&mut self, source: &Self) {
        self.own().clone_from(&source.list);
    }
}

/// The events of one step, in the order of the layers and actions; see
/// [`Mixer::advance`](super::Mixer::advance).
///
/// It does not borrow the mixer, so that the body of a loop over it may play and fade. Steps allocate nothing
/// as long as these are dropped before the next one.
#[derive(Clone, Debug, Default)]
pub struct Events {
    /// `None` if nothing happened, which is the rule.
    list: Option<Arc<Vec<Event>>>,
    next: usize,
}

impl Events {
    /// Those that were not taken yet.
    #[must_use]
    pub fn as_slice(&self) -> &[Event] {
        self.list.as_ref().map_or(&[], |list| &list[self.next..])
    }
}

impl Iterator for Events {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let event = self.as_slice().first()?.clone();
        self.next += 1;
        Some(event)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.as_slice().len(), Some(self.as_slice().len()))
    }
}

impl ExactSizeIterator for Events {}
