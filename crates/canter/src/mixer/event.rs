//! What happened while the mixer advanced.

use super::ActionId;

/// Something that happened to an action while time advanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// To which action.
    pub action: ActionId,
    /// What.
    pub kind: EventKind,
}

/// What can happen to an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventKind {
    /// It passed the end of its clip, or the start when it plays backwards, and went on; a ping-pong turned.
    Looped {
        /// How often since the last time.
        times: u64,
    },
    /// It has played to its end and holds its last pose.
    Finished,
    /// It was faded out and has left the mixer; its id is no longer valid.
    FadedOut,
}
