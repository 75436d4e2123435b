//! What all gaits share: hips, back, head and arms around the feet.

use std::f64::consts::TAU;

use glam::dvec3;

use crate::controls::{Arm, Controls, turn};
use crate::gait::Gait;
use crate::math::{cos, sin};
use crate::side::Side;

/// Amplitudes in metres and radians.
pub(super) struct Manner {
    pub gait: Gait,
    /// Mean lowering of the hips, and their rise and fall (twice per cycle).
    pub crouch: f64,
    pub bob: f64,
    /// Phase of the lowest point after a contact.
    pub bob_phase: f64,
    pub sway: f64,
    pub pelvis_twist: f64,
    /// How much the hip of the swinging leg drops.
    pub pelvis_drop: f64,
    /// Lean of the trunk into the motion.
    pub lean: f64,
    pub chest_twist: f64,
    pub arm_swing: f64,
    pub arm_swing_mean: f64,
    pub spread: f64,
    pub elbow: f64,
    /// How much more the elbow bends when the arm is ahead.
    pub elbow_swing: f64,
}

impl Manner {
    pub(super) fn controls(&self, time_secs: f64) -> Controls {
        let cycle = time_secs / self.gait.period_secs;
        let phase = cycle * TAU;
        // The first foot is farthest along the heading at phase 0, so its hip is too; hence the cosine.
        let ahead = self.left_ahead() * cos(phase);
        let bob = -cos(2.0 * (phase - self.bob_phase * TAU));
        // The body is over a foot in the middle of its stance, and then the other hip drops.
        let over_left = self.gait.first.sign() * sin(phase + (0.25 - 0.5 * self.gait.stance) * TAU);
        let late = |lag: f64| self.left_ahead() * cos(phase - lag * TAU);
        Controls {
            hips: dvec3(self.sway * over_left, -self.crouch + self.bob * bob, 0.0),
            hips_turn: turn(self.lean * 0.4, -self.pelvis_twist * ahead, self.pelvis_drop * over_left),
            spine: turn(
                self.lean * 0.3,
                (self.pelvis_twist + self.chest_twist) * 0.4 * late(0.02),
                -0.6 * self.pelvis_drop * over_left,
            ),
            chest: turn(
                self.lean * 0.3 + 0.02 * bob,
                (self.pelvis_twist + self.chest_twist) * 0.6 * late(0.05),
                -0.6 * self.pelvis_drop * over_left,
            ),
            neck: turn(-self.lean * 0.35, -self.chest_twist * 0.5 * late(0.05), 0.0),
            head: turn(
                -self.lean * 0.45 - 0.03 * bob,
                -self.chest_twist * 0.5 * late(0.06),
                0.2 * self.pelvis_drop * over_left,
            ),
            feet: Side::BOTH.map(|side| self.gait.foot(side, cycle)),
            arms: Side::BOTH.map(|side| self.arm(side, phase)),
            blink: 0.0,
        }
    }

    /// 1 if the left foot is ahead of the other at phase 0, -1 if behind, 0 if beside.
    fn left_ahead(&self) -> f64 {
        self.gait.heading.z * self.gait.first.sign()
    }

    /// Arms swing against the legs; forearm and hand drag behind.
    fn arm(&self, side: Side, phase: f64) -> Arm {
        let late = |lag: f64| -cos(phase - lag * TAU) * side.sign() * self.left_ahead();
        let swing = late(0.03);
        // A hand with a sword swings less, and is turned out, so that the blade clears the leg.
        let armed = side == Side::Right;
        let calm = if armed { 0.6 } else { 1.0 };
        Arm {
            shrug: 0.03,
            advance: 0.10 * swing,
            swing: self.arm_swing_mean + self.arm_swing * swing * calm,
            spread: self.spread,
            twist: if armed { -0.08 } else { 0.25 + 0.12 * swing },
            elbow: self.elbow + self.elbow_swing * late(0.09),
            pronate: 0.2,
            wrist_bend: 0.10 + 0.10 * late(0.16),
            wrist_tilt: if armed { -0.30 } else { 0.0 },
            grip: if armed { 0.96 } else { 0.35 },
            ..Arm::default()
        }
    }
}
