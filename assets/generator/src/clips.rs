//! The six clips: controls over time, sampled to keys.

mod attack;
mod idle;
mod jump;
mod locomotion;
mod run;
mod walk;
mod wave;

use super::controls::Controls;
use super::pose::Pose;
use super::rig::Rig;
use super::secondary::{self, Air};

/// Keys per second. Between keys, runtimes interpolate every joint on its own, and a standing foot
/// strays: by 0.2 mm in a walk.
const KEY_RATE: f64 = 30.0;
/// In a run at the common rate a foot would stray by 4 mm, left and right differently.
const FAST_KEY_RATE: f64 = 60.0;

pub(crate) struct Clip {
    pub name: &'static str,
    pub duration_secs: f64,
    /// Speed over the ground at which the feet of a clip on the spot do not slide, metres per second.
    pub ground_speed: Option<f64>,
    /// Played round and round; the others begin and end at rest in the idle pose.
    pub looping: bool,
    /// Keys per second.
    pub key_rate: f64,
    pub controls: fn(f64) -> Controls,
}

pub(crate) const CLIPS: [Clip; 6] = [idle::CLIP, walk::CLIP, run::CLIP, wave::CLIP, attack::CLIP, jump::CLIP];

/// The gaits of walk and run.
#[cfg(test)]
pub(crate) const GAITS: [&crate::gait::Gait; 2] = [&walk::MANNER.gait, &run::MANNER.gait];

/// A clip as keys: `poses[i]` belongs to `times_secs[i]`; the last pose is the first.
pub(crate) struct Keys {
    pub times_secs: Vec<f64>,
    pub poses: Vec<Pose>,
}

impl Clip {
    pub(crate) fn keys(&self, rig: &Rig) -> Keys {
        let count = (self.duration_secs * self.key_rate).round();
        let times_secs: Vec<f64> =
            (0..=count as usize).map(|key| self.duration_secs * key as f64 / count).collect();
        let mut poses: Vec<Pose> = times_secs.iter().map(|&time| (self.controls)(time).pose(rig)).collect();
        let air = Air {
            key_secs: self.duration_secs / count,
            ground_speed: self.ground_speed.unwrap_or(0.0),
            looping: self.looping,
        };
        secondary::swing(rig, &mut poses, &air);
        // What the formulas give at the end differs from the start by rounding only; loops want equality.
        let last = poses.len() - 1;
        poses[last] = poses[0].clone();
        Keys { times_secs, poses }
    }
}

#[cfg(test)]
mod tests;
