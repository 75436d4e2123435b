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
            place: dvec3(
                self.track_x * side.sign(),
                curve(self.lift, phase),
                self.z(phase),
            ),
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
        // Leaves and arrives with the ground's speed: the foot is pulled back just before it lands.
        let slope = -per_cycle * (1.0 - self.stance);
        let leave_z = self.contact_z - per_cycle * self.stance;
        let t = (phase - self.stance) / (1.0 - self.stance);
        hermite([leave_z, slope], [self.contact_z, slope], t)
    }
}
