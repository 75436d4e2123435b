//! What an animator moves: hips, feet, back and arms, in terms that read like directions to an actor.

mod arm;
mod foot;

pub(crate) use arm::{Arm, Reach};
pub(crate) use foot::Foot;

use std::ops::{Add, Mul};

use glam::{DQuat, DVec3};

use super::math::{rot_x, rot_y, rot_z};
use super::pose::Pose;
use super::rig::Rig;
use super::side::Side;

/// Radians; for joints of the trunk, whose Z looks ahead.
#[derive(Clone, Copy, Default)]
pub(crate) struct Turn {
    /// Forward.
    pub bend: f64,
    /// To the figure's left.
    pub twist: f64,
    /// To the figure's right.
    pub lean: f64,
}

pub(crate) fn turn(bend: f64, twist: f64, lean: f64) -> Turn {
    Turn { bend, twist, lean }
}

impl Turn {
    fn rotation(self) -> DQuat {
        rot_y(self.twist) * rot_x(self.bend) * rot_z(self.lean)
    }
}

impl Add for Turn {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        turn(self.bend + other.bend, self.twist + other.twist, self.lean + other.lean)
    }
}

impl Mul<f64> for Turn {
    type Output = Self;

    fn mul(self, share: f64) -> Self {
        turn(self.bend * share, self.twist * share, self.lean * share)
    }
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Controls {
    /// Shift of the hips from the bind pose.
    pub hips: DVec3,
    pub hips_turn: Turn,
    pub spine: Turn,
    pub chest: Turn,
    pub neck: Turn,
    pub head: Turn,
    /// Left, right.
    pub feet: [Foot; 2],
    pub arms: [Arm; 2],
    pub blink: f64,
}

impl Controls {
    pub(crate) fn pose(&self, rig: &Rig) -> Pose {
        let mut pose = Pose::bind(rig);
        pose.hips_shift = self.hips;
        pose.blink = self.blink;
        for (name, turn) in [
            ("hips", self.hips_turn),
            ("spine", self.spine),
            ("chest", self.chest),
            ("neck", self.neck),
            ("head", self.head),
        ] {
            pose.turns[rig.index(name)] = turn.rotation();
        }
        for side in Side::BOTH {
            self.feet[side as usize].apply(rig, &mut pose, side);
            self.arms[side as usize].apply(rig, &mut pose, side);
        }
        pose
    }
}
