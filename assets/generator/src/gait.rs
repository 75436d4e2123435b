//! The path of a foot in a walk or run, relative to the body.
//!
//! While a foot stands, the ground below it moves against the heading with constant speed; heel and ball
//! roll on it without sliding. Phase 0 is the moment when the foot meets the ground.

use glam::{DVec3, dvec3};

use super::controls::Foot;
use super::footfall::{Footfall, landings};
use super::math::{curve, hermite};
use super::side::Side;

pub(crate) struct Gait {
    pub period_secs: f64,
    /// Metres per second over the ground.
    pub speed: f64,
    /// Where the way leads for a figure that faces +Z; a unit vector.
    pub heading: DVec3,
    /// Whose foot comes down when the cycle begins.
    pub first: Side,
    /// Share of the period in which a foot stands.
    pub stance: f64,
    /// Place of the foot at phase 0, metres from the hips along the heading.
    pub contact: f64,
    /// Half the distance between the two tracks.
    pub track_x: f64,
    pub toes_out: f64,
    /// `(phase, radians)`; forward: toes up at contact, flat, heel up before the foot leaves.
    pub pitch: &'static [(f64, f64)],
    /// `(phase, metres)` above the ground; zero until the stance ends.
    pub lift: &'static [(f64, f64)],
    /// `(phase, share)`; see [`Foot::toes_flat`].
    pub toes_flat: &'static [(f64, f64)],
}

impl Gait {
    pub(crate) fn velocity(&self) -> DVec3 {
        self.heading * self.speed
    }

    /// The foot of `side` at a phase of the whole cycle.
    pub(crate) fn foot(&self, side: Side, cycle: f64) -> Foot {
        let phase = (cycle + self.offset(side)).rem_euclid(1.0);
        let track = dvec3(self.track_x * side.sign(), curve(self.lift, phase), 0.0);
        Foot {
            place: track + self.heading * self.along(phase),
            pitch: curve(self.pitch, phase),
            out: self.toes_out,
            toes_flat: curve(self.toes_flat, phase),
        }
    }

    /// Where both feet come down in one period.
    pub(crate) fn footfalls(&self) -> Vec<Footfall> {
        let of_side = |side: Side| {
            landings(self.lift).map(move |phase| {
                let cycle = (phase - self.offset(side)).rem_euclid(1.0);
                Footfall { side, time_secs: cycle * self.period_secs }
            })
        };
        Side::BOTH.into_iter().flat_map(of_side).collect()
    }

    /// How far the phase of a foot is ahead of the cycle's.
    fn offset(&self, side: Side) -> f64 {
        if side == self.first { 0.0 } else { 0.5 }
    }

    /// How far a foot is from the hips, along the heading.
    fn along(&self, phase: f64) -> f64 {
        let per_cycle = self.speed * self.period_secs;
        if phase <= self.stance {
            return self.contact - per_cycle * phase;
        }
        // The foot leaves and arrives with the ground's speed, and slows down and turns evenly.
        let turned = 0.5 * per_cycle * TURN;
        let leave = self.contact - per_cycle * self.stance;
        let (slow_end, fast_end) = (self.stance + TURN, 1.0 - TURN);
        if phase < slow_end {
            let left = (slow_end - phase) / TURN;
            leave - turned + turned * left * left
        } else if phase > fast_end {
            let gone = (phase - fast_end) / TURN;
            self.contact + turned - turned * gone * gone
        } else {
            let t = (phase - slow_end) / (fast_end - slow_end);
            hermite([leave - turned, 0.0], [self.contact + turned, 0.0], t)
        }
    }
}

/// Share of the cycle that a foot takes to come to rest over the ground after leaving it, and to
/// take up the ground's speed before landing.
const TURN: f64 = 0.06;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clips::gaits;
    use crate::landmarks::{ANKLE, BALL, HEEL};
    use crate::math::rot_x;

    /// Where heel and ball are, computed back from the ankle.
    fn contacts(foot: &Foot) -> [DVec3; 2] {
        let ankle = foot.ankle(Side::Left);
        [HEEL, BALL].map(|point| ankle + rot_x(-foot.pitch) * (point - ANKLE))
    }

    #[test]
    fn a_standing_foot_moves_with_the_ground_and_only_with_it() {
        for gait in gaits() {
            let gait = Gait { toes_out: 0.0, first: Side::Left, ..*gait };
            let steps = 400;
            for step in 0..steps {
                let phase = gait.stance * f64::from(step) / f64::from(steps);
                let next = gait.stance * f64::from(step + 1) / f64::from(steps);
                let (now, then) = (gait.foot(Side::Left, phase), gait.foot(Side::Left, next));
                // Heel down while the toes are up, ball down while the heel is up.
                let contact = usize::from(now.pitch <= 0.0 && then.pitch <= 0.0);
                let moved = contacts(&then)[contact] - contacts(&now)[contact];
                let ground = -gait.velocity() * gait.period_secs * (next - phase);
                assert!(moved.distance(ground) < 1e-9, "{moved} at {phase}");
            }
        }
    }

    #[test]
    fn a_foot_path_has_no_corner_where_it_leaves_and_lands() {
        for gait in gaits() {
            let per_cycle = |phase: f64| {
                let after = gait.foot(gait.first, phase + 1e-6).place;
                (after - gait.foot(gait.first, phase - 1e-6).place) / 2e-6
            };
            for phase in [0.0, gait.stance] {
                let off = per_cycle(phase) + gait.velocity() * gait.period_secs;
                assert!(off.length() < 1e-3, "{off} at {phase}");
            }
        }
    }
}
