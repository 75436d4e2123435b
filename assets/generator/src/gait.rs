//! The path of a foot in a walk or run on the spot.
//!
//! While a foot stands, the ground below it moves backward with constant speed; heel and ball roll
//! on it without sliding. Phase 0 is the moment when the heel meets the ground.

use glam::dvec3;

use super::controls::Foot;
use super::math::{curve, hermite};
use super::side::Side;

pub(crate) struct Gait {
    pub period_secs: f64,
    /// Metres per second over the ground.
    pub speed: f64,
    /// Share of the period in which a foot stands.
    pub stance: f64,
    /// Place of the foot at phase 0, metres ahead of the hips.
    pub contact_z: f64,
    /// Half the distance between the two tracks.
    pub track_x: f64,
    pub toes_out: f64,
    /// `(phase, radians)`; toes up at contact, flat, heel up before the foot leaves.
    pub pitch: &'static [(f64, f64)],
    /// `(phase, metres)` above the ground; zero until the stance ends.
    pub lift: &'static [(f64, f64)],
    /// `(phase, share)`; see [`Foot::toes_flat`].
    pub toes_flat: &'static [(f64, f64)],
}

impl Gait {
    /// The foot of `side` at a phase of the whole cycle, which begins with the left heel.
    pub(crate) fn foot(&self, side: Side, cycle: f64) -> Foot {
        let late = if side == Side::Left { 0.0 } else { 0.5 };
        let phase = (cycle + late).rem_euclid(1.0);
        Foot {
            place: dvec3(self.track_x * side.sign(), curve(self.lift, phase), self.z(phase)),
            pitch: curve(self.pitch, phase),
            out: self.toes_out,
            toes_flat: curve(self.toes_flat, phase),
        }
    }

    fn z(&self, phase: f64) -> f64 {
        let per_cycle = self.speed * self.period_secs;
        if phase <= self.stance {
            return self.contact_z - per_cycle * phase;
        }
        // The foot leaves and arrives with the ground's speed, and slows down and turns evenly.
        let turned = 0.5 * per_cycle * TURN;
        let leave_z = self.contact_z - per_cycle * self.stance;
        let (slow_end, fast_end) = (self.stance + TURN, 1.0 - TURN);
        if phase < slow_end {
            let left = (slow_end - phase) / TURN;
            leave_z - turned + turned * left * left
        } else if phase > fast_end {
            let gone = (phase - fast_end) / TURN;
            self.contact_z + turned - turned * gone * gone
        } else {
            let t = (phase - slow_end) / (fast_end - slow_end);
            hermite([leave_z - turned, 0.0], [self.contact_z + turned, 0.0], t)
        }
    }
}

/// Share of the cycle that a foot takes to come to rest over the ground after leaving it, and to
/// take up the ground's speed before landing.
const TURN: f64 = 0.06;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clips::GAITS;
    use crate::landmarks::{ANKLE, BALL, HEEL};
    use crate::math::rot_x;

    /// Where heel and ball are, computed back from the ankle.
    fn contacts(foot: &Foot) -> [glam::DVec3; 2] {
        let ankle = foot.ankle(Side::Left);
        [HEEL, BALL].map(|point| ankle + rot_x(-foot.pitch) * (point - ANKLE))
    }

    #[test]
    fn a_standing_foot_moves_with_the_ground_and_only_with_it() {
        for gait in GAITS {
            let gait = Gait { toes_out: 0.0, ..*gait };
            let steps = 400;
            for step in 0..steps {
                let phase = gait.stance * f64::from(step) / f64::from(steps);
                let next = gait.stance * f64::from(step + 1) / f64::from(steps);
                let (now, then) = (gait.foot(Side::Left, phase), gait.foot(Side::Left, next));
                // Heel down while the toes are up, ball down while the heel is up.
                let contact = usize::from(now.pitch <= 0.0 && then.pitch <= 0.0);
                let moved = contacts(&then)[contact] - contacts(&now)[contact];
                let ground = -gait.speed * gait.period_secs * (next - phase);
                assert!((moved.z - ground).abs() < 1e-9 && moved.y.abs() < 1e-9, "{moved} at {phase}");
            }
        }
    }

    #[test]
    fn a_foot_path_has_no_corner_where_it_leaves_and_lands() {
        for gait in GAITS {
            let speed = |phase: f64| {
                let ahead = gait.foot(Side::Left, phase + 1e-6).place.z;
                (ahead - gait.foot(Side::Left, phase - 1e-6).place.z) / 2e-6
            };
            for phase in [0.0, gait.stance] {
                assert!((speed(phase) + gait.speed * gait.period_secs).abs() < 1e-3);
            }
        }
    }
}
