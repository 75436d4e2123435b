//! The clips: controls over time, sampled to keys.

mod attack;
mod crouch_walk;
mod idle;
mod jump;
mod locomotion;
mod root_motion;
mod run;
mod strafe;
mod turn;
mod walk;
mod walk_back;
mod wave;

pub(crate) use root_motion::RootMotion;

use super::controls::Controls;
use super::footfall::Footfall;
use super::frame::Frame;
use super::gait::Gait;
use super::pose::Pose;
use super::rig::Rig;
use super::secondary::{self, Air};

/// Keys per second.
const KEY_RATE: f64 = 30.0;
/// Of a run, whose arms are fast.
const FAST_KEY_RATE: f64 = 60.0;

pub(crate) struct Clip {
    pub name: &'static str,
    pub duration_secs: f64,
    /// Of a clip that walks or runs: the steps, and with them the speed over the ground.
    pub gait: Option<&'static Gait>,
    pub root: RootMotion,
    /// Played round and round; the others begin and end at rest in the idle pose.
    pub looping: bool,
    /// Keys per second of all that hips and legs carry.
    pub key_rate: f64,
    /// How many keys root, hips and legs have after the first. Between keys, runtimes interpolate every
    /// joint on its own, and a standing foot strays: least if its stand begins and ends at keys.
    pub leg_keys: u16,
    pub controls: fn(f64) -> Controls,
    /// Where feet come down in a clip without a gait.
    pub landings: fn() -> Vec<Footfall>,
}

pub(crate) const CLIPS: [Clip; 14] = [
    idle::CLIP,
    walk::CLIP,
    run::CLIP,
    wave::CLIP,
    attack::CLIP,
    jump::CLIP,
    Clip { name: "WalkRoot", root: RootMotion::Steady, ..walk::CLIP },
    Clip { name: "RunRoot", root: RootMotion::Steady, ..run::CLIP },
    walk_back::CLIP,
    strafe::LEFT,
    strafe::RIGHT,
    crouch_walk::CLIP,
    turn::LEFT,
    turn::RIGHT,
];

/// The gaits of all clips.
#[cfg(test)]
pub(crate) fn gaits() -> impl Iterator<Item = &'static Gait> {
    CLIPS.iter().filter_map(|clip| clip.gait)
}

/// A clip as keys: `poses[i]`, relative to `roots[i]`, belongs to `times_secs[i]`; the last pose is the
/// first.
pub(crate) struct Keys {
    pub times_secs: Vec<f64>,
    pub roots: Vec<Frame>,
    pub poses: Vec<Pose>,
}

impl Clip {
    /// The keys of all that hips and legs carry.
    pub(crate) fn keys(&self, rig: &Rig) -> Keys {
        let mut keys = self.sampled(rig, (self.duration_secs * self.key_rate).round());
        let air = Air {
            key_secs: keys.times_secs[1],
            velocity: self.gait.map(Gait::velocity).unwrap_or_default(),
            looping: self.looping,
        };
        secondary::swing(rig, &mut keys, &air);
        keys.close();
        keys
    }

    /// The keys of root, hips and legs; strands hang as in the bind pose.
    pub(crate) fn leg_keys(&self, rig: &Rig) -> Keys {
        let mut keys = self.sampled(rig, self.leg_keys.into());
        keys.close();
        keys
    }

    /// Where feet come down, in the order of time.
    pub(crate) fn footfalls(&self) -> Vec<Footfall> {
        let mut footfalls = self.gait.map_or_else(self.landings, Gait::footfalls);
        footfalls.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
        footfalls
    }

    pub(crate) fn root_at(&self, time_secs: f64) -> Frame {
        self.root.at(self.gait, time_secs)
    }

    fn sampled(&self, rig: &Rig, count: f64) -> Keys {
        let times_secs: Vec<f64> =
            (0..=count as usize).map(|key| self.duration_secs * key as f64 / count).collect();
        let roots = times_secs.iter().map(|&time| self.root_at(time)).collect();
        let poses = times_secs.iter().map(|&time| (self.controls)(time).pose(rig)).collect();
        Keys { times_secs, roots, poses }
    }
}

impl Keys {
    /// What the formulas give at the end differs from the start by rounding only; loops want equality.
    fn close(&mut self) {
        let last = self.poses.len() - 1;
        self.poses[last] = self.poses[0].clone();
    }
}

#[cfg(test)]
mod tests;
