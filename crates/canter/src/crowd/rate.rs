//! How often a member is sampled, and what it does in a frame.

use crate::mixer::Mixer;
use crate::mixer::ahead::Before;
use crate::pose::Pose;

/// How often a member of a [`Crowd`](super::Crowd) is sampled: in every frame, in every nth, or never while
/// nobody sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UpdateRate(u8);

impl UpdateRate {
    /// Nobody sees it: only its time passes.
    pub const HIDDEN: Self = Self(0);
    /// In every frame.
    pub const FULL: Self = Self(1);
    /// As rarely as possible: in every eighth frame.
    pub const LOWEST: Self = Self(Self::MOST_FRAMES);
    const MOST_FRAMES: u8 = 8;

    /// In every nth frame, from 1 to 8; what is outside is cut off.
    #[must_use]
    pub const fn every(frames: u32) -> Self {
        match frames {
            0 => Self::FULL,
            #[expect(clippy::cast_possible_truncation, reason = "it is at most 8")]
            1..=8 => Self(frames as u8),
            _ => Self::LOWEST,
        }
    }

    /// By how far away it is: in every frame below `full_distance`, in every second below twice that, in every fourth
    /// below four times that, else in every eighth. A distance of NaN is near.
    #[must_use]
    pub fn at_distance(distance: f32, full_distance: f32) -> Self {
        let beyond = |times: f32| distance >= times * full_distance;
        if beyond(4.0) {
            Self(8)
        } else if beyond(2.0) {
            Self(4)
        } else if beyond(1.0) {
            Self(2)
        } else {
            Self::FULL
        }
    }

    /// Every nth frame; `None` if it is hidden.
    #[must_use]
    pub const fn frames(self) -> Option<u32> {
        if self.0 == 0 { None } else { Some(self.0 as u32) }
    }

    pub(super) const fn is_far(self) -> bool {
        self.0 > 1
    }
}

/// By default in every frame.
impl Default for UpdateRate {
    fn default() -> Self {
        Self::FULL
    }
}

/// Members take turns in so many groups, each of which is sampled in one frame: memory that is read in succession comes
/// sooner. With eight times as many groups as frames at the lowest rate, frames still get equal parts.
const GROUPS: usize = 64;

/// How many members in succession are sampled in one frame, of so many.
pub(super) fn group_size(members: usize) -> usize {
    (members / GROUPS).max(1)
}

/// What a member does in a frame beside moving its time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// Nothing.
    Rest,
    /// It is sampled as it is.
    Sample,
    /// It is sampled as it will be, and goes there in so many frames.
    SampleAhead { frames: u8 },
    /// It goes on to where it was sampled last.
    GoOn,
}

/// Where a member is on its way from one sample to the next.
#[derive(Clone, Debug)]
pub(super) struct Pacing {
    pub(super) rate: UpdateRate,
    /// Whether it was not sampled yet, or not since it was hidden: what is shown is not what it was a frame ago.
    is_stale: bool,
    /// How many frames its way has, and how many of them are left.
    frames: u8,
    left: u8,
    /// Whether what it comes from is in the second palette, which shaders blend with the first.
    pub(super) is_second: bool,
    /// The time that its mixer was not moved on by yet.
    owed_secs: f64,
    /// Its mixer as it will be at the end of its way: working memory, there once it faded while it was far.
    ahead: Option<Box<Mixer>>,
}

impl Pacing {
    pub(super) fn new() -> Self {
        Self {
            rate: UpdateRate::FULL,
            is_stale: true,
            frames: 0,
            left: 0,
            is_second: false,
            owed_secs: 0.0,
            ahead: None,
        }
    }

    /// It is sampled in the next frame, whatever its way was.
    pub(super) fn start_anew(&mut self) {
        (self.is_stale, self.left) = (true, 0);
    }

    /// Decides what happens in a frame. Groups whose numbers follow each other are sampled in frames that do.
    /// While time stands still, those that are far do so, too.
    pub(super) fn plan(&mut self, frame: u32, group: impl Fn() -> usize, moves: bool) -> Plan {
        let UpdateRate(rate) = self.rate;
        if rate == 0 {
            self.start_anew();
            return Plan::Rest;
        }
        if !moves && !self.is_stale && (self.left > 0 || self.rate.is_far()) {
            return Plan::Rest;
        }
        if self.left > 0 {
            return Plan::GoOn;
        }
        #[expect(clippy::cast_possible_truncation, reason = "only the remainder counts")]
        let phase = (frame.wrapping_add(group() as u32) % u32::from(rate)) as u8;
        let frames = rate - phase;
        if self.is_stale || frames == 1 {
            (self.is_stale, self.is_second) = (false, false);
            return Plan::Sample;
        }
        (self.frames, self.left) = (frames, frames);
        Plan::SampleAhead { frames }
    }

    /// Its mixer is moved on by this time later, in one step: that leads where many short ones do.
    pub(super) fn owe(&mut self, secs: f32) {
        self.owed_secs += f64::from(secs);
    }

    pub(super) fn owes(&self) -> bool {
        self.owed_secs > 0.0
    }

    /// Moves its mixer on by what is owed.
    pub(super) fn pay(&mut self, mixer: &mut Mixer) {
        if self.owes() {
            mixer.advance_by(std::mem::take(&mut self.owed_secs));
        }
    }

    /// Writes its pose as it will be.
    pub(super) fn sample_ahead(
        &mut self,
        mixer: &mut Mixer,
        secs: f64,
        pose: &mut Pose,
        before: &mut Before,
    ) {
        if mixer.is_clockwork() {
            return mixer.sample_ahead(secs, pose, before);
        }
        let ahead = self.ahead.get_or_insert_with(|| Box::new(mixer.clone()));
        Mixer::clone_from(ahead, mixer);
        ahead.advance_by(secs);
        ahead.sample(pose);
    }

    /// One frame of its way: what part of what is left it goes, and what part of the second palette is shown then.
    pub(super) fn go(&mut self) -> (f32, f32) {
        let left = f32::from(self.left);
        self.left -= 1;
        let passed = f32::from(self.frames - self.left) / f32::from(self.frames);
        let blend = if self.is_second { 1.0 - passed } else { passed };
        if self.left == 0 {
            self.is_second = !self.is_second;
        }
        (1.0 / left, blend)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_cut_off_and_distances_doubled() {
        let frames = |rate: UpdateRate| rate.frames();
        assert_eq!(
            [0, 1, 3, 8, 9, u32::MAX].map(UpdateRate::every).map(frames),
            [1, 1, 3, 8, 8, 8].map(Some)
        );
        let distances = [-1.0, 0.0, 9.9, 10.0, 19.9, 20.0, 39.0, 40.0, f32::INFINITY, f32::NAN];
        let at = |distance| UpdateRate::at_distance(distance, 10.0).frames().unwrap();
        assert_eq!(distances.map(at), [1, 1, 1, 2, 2, 4, 4, 8, 8, 1]);
        assert_eq!(UpdateRate::HIDDEN.frames(), None);
    }

    /// However the rate changes, a way is walked to its end, and no way is longer than the rate.
    #[test]
    fn ways_end_before_the_next_begins() {
        let mut pacing = Pacing::new();
        let mut state = 7_u32;
        let mut left = 0;
        for frame in 0..10_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if state >> 28 == 0 {
                pacing.rate = UpdateRate::every(1 + (state >> 20) % 8);
            }
            match pacing.plan(frame, || 3, true) {
                Plan::Rest => unreachable!("it is never hidden"),
                Plan::Sample => assert_eq!(left, 0),
                Plan::SampleAhead { frames } => {
                    assert!(left == 0 && u32::from(frames) <= pacing.rate.frames().unwrap());
                    left = frames;
                }
                Plan::GoOn => assert!(left > 0),
            }
            if left > 0 {
                let (part, blend) = pacing.go();
                assert!(part == 1.0 / f32::from(left) && (0.0..=1.0).contains(&blend));
                left -= 1;
                assert!(left > 0 || blend == 0.0 || blend == 1.0);
            }
        }
    }

    #[test]
    fn work_is_spread_evenly_over_frames() {
        let mut members: Vec<_> =
            (0..640).map(|_| Pacing { rate: UpdateRate::LOWEST, ..Pacing::new() }).collect();
        for frame in 0..100 {
            let mut samples = 0;
            for (member, pacing) in members.iter_mut().enumerate() {
                let plan = pacing.plan(frame, || member / group_size(640), true);
                samples += usize::from(matches!(plan, Plan::Sample | Plan::SampleAhead { .. }));
                if matches!(plan, Plan::SampleAhead { .. } | Plan::GoOn) {
                    pacing.go();
                }
            }
            // All at first, then those that get in step, then an eighth.
            assert!(frame < 9 || samples == 80, "{samples} in frame {frame}");
        }
    }
}
