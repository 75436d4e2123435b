//! How a clip is started.

use std::sync::Arc;

use super::{Action, Fade, JointMask, SyncGroup};
use crate::clock::LoopMode;
use crate::mixer::action::is_weight;
use crate::warn::warn_once;

/// How a clip is played; see [`Mixer::play`](super::Mixer::play).
///
/// ```
/// # use canter::Play;
/// let attack = Play { speed: 1.5, fade: 0.1.into(), ..Play::once() };
/// ```
#[derive(Clone, Debug)]
pub struct Play {
    /// What happens at the end.
    pub loop_mode: LoopMode,
    /// Seconds of the clip per second; 0 stands still, negative runs backwards.
    pub speed: f32,
    /// How strong it is beside other actions; 0 or more.
    pub weight: f32,
    /// Where it begins. `None`: at the start, or at the end if it has one and runs backwards.
    pub start_secs: Option<f32>,
    /// How it fades in; at once unless set.
    pub fade: Fade,
    /// Which joints it moves; `None` for all.
    pub mask: Option<Arc<JointMask>>,
    /// Which actions it stays in step with; `None` for none. Unless `start_secs` says otherwise, it begins where
    /// they are.
    pub sync: Option<SyncGroup>,
    /// How many metres it covers per second, instead of `speed`, by the clip's
    /// [ground speed](crate::Clip::ground_speed).
    pub ground_speed: Option<f32>,
    /// The part of the clip that it plays, from its start to its end in seconds; `None` for all of it.
    pub range_secs: Option<(f32, f32)>,
}

impl Default for Play {
    /// Endlessly, at normal speed and full weight, from the start, at once, all joints.
    fn default() -> Self {
        Self {
            loop_mode: LoopMode::Repeat,
            speed: 1.0,
            weight: 1.0,
            start_secs: None,
            fade: Fade::default(),
            mask: None,
            sync: None,
            ground_speed: None,
            range_secs: None,
        }
    }
}

impl Play {
    /// Once, holding the last pose.
    #[must_use]
    pub fn once() -> Self {
        Self { loop_mode: LoopMode::Once, ..Self::default() }
    }

    /// Endlessly, at the speed at which it covers so many metres per second.
    #[must_use]
    pub fn at_speed(metres_per_sec: f32) -> Self {
        Self { ground_speed: Some(metres_per_sec), ..Self::default() }
    }

    /// Puts these settings into a new action. What cannot be is left at its default, with a warning.
    pub(super) fn apply_to(self, action: &mut Action) {
        let name = action.clip.name();
        if !action.clock.set_speed(self.speed) {
            warn_once!("clip \"{name}\": speed {} refused; it plays at normal speed", self.speed);
        }
        if let Some(metres_per_sec) = self.ground_speed {
            let speed = action.clip.speed_over_ground(metres_per_sec);
            if !speed.is_some_and(|speed| action.clock.set_speed(speed)) {
                warn_once!(
                    "clip \"{name}\": {metres_per_sec} m/s refused, since it does not walk or its ground speed is \
                     not known; it plays at its own speed"
                );
            }
        }
        if is_weight(self.weight) {
            action.weight = self.weight;
        } else {
            warn_once!("clip \"{name}\": weight {} refused; it plays at weight 1", self.weight);
        }
        if let Some((start, end)) = self.range_secs {
            let clip_secs = 0.0..=action.clip.duration_secs();
            let is_in_clip = clip_secs.contains(&start) && clip_secs.contains(&end);
            if !is_in_clip || !action.clock.set_range_secs(start, end) {
                warn_once!("clip \"{name}\": the part from {start} s to {end} s refused; it plays all of it");
            }
        }
        action.clock.set_loop_mode(self.loop_mode);
        action.clock.rewind();
        if let Some(secs) = self.start_secs
            && !action.clock.seek(secs)
        {
            warn_once!("clip \"{name}\": start at {secs} s refused; it begins at its start");
        }
        action.mask = self.mask;
    }
}

impl From<Fade> for Play {
    /// Endlessly, at normal speed, from the start, faded in so.
    fn from(fade: Fade) -> Self {
        Self { fade, ..Self::default() }
    }
}

impl From<f32> for Play {
    /// The same with a linear crossfade of so many seconds.
    fn from(secs: f32) -> Self {
        Fade::from(secs).into()
    }
}
