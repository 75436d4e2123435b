//! Which joints move a point of the surface, and how much.
//!
//! Weight starts at the top of a chain of joints and is handed over from parent to child across
//! each joint's bend, with a soft ramp. Parts that overlap in the bind pose get the same weights
//! where they touch, because only the place decides; so cloth and body move together.

use glam::{DVec3, dvec3};

use super::fingers::FINGERS;
use super::influences::Influences;
use super::landmarks::{ANKLE, BALL, ELBOW, HAND_ALONG, HIP, KNEE, SHOULDER, WRIST};
use super::math::{lerp, ramp};
use super::rig::{Rig, SCARF_LONG, SCARF_SHORT, TUFTS};
use super::side::Side;

/// The part of the skeleton that may move a part of the surface.
#[derive(Clone, Copy)]
pub(crate) enum Binding {
    /// One joint, all of it.
    Rigid(&'static str),
    /// Neck and head.
    Head,
    /// Back and legs (the sign of X says which), and near the shoulders the arms.
    Body,
    /// The same for cloth around both thighs, which follows them less, and less abruptly from one to the
    /// other.
    Skirt,
    Arm(Side),
    /// From the forearm to the finger tips.
    Hand(Side),
    /// The head and the tufts that swing on it.
    Hair,
    ScarfLong,
    ScarfShort,
}

pub(crate) fn influences(rig: &Rig, binding: Binding, p: DVec3) -> Influences {
    let mut weights = Walk { rig, influences: Influences::default() };
    match binding {
        Binding::Rigid(joint) => weights.start(joint),
        Binding::Head => weights.head(p),
        Binding::Body => {
            weights.trunk(p);
            weights.legs(p, 0.02, 1.0);
        }
        Binding::Skirt => {
            weights.trunk(p);
            // In front it gives way to a lifted thigh, behind it hangs.
            weights.legs(p, 0.10, lerp(0.60, 0.92, ramp(p.z, -0.06, 0.09)));
        }
        Binding::Arm(side) => {
            weights.start("chest");
            weights.arm(side, p, 1.0);
        }
        Binding::Hand(side) => {
            weights.start(&side.name("forearm"));
            weights.hand(side, p);
        }
        Binding::Hair => weights.hair(p),
        Binding::ScarfLong => weights.scarf(p, "scarf_long", &SCARF_LONG),
        Binding::ScarfShort => weights.scarf(p, "scarf_short", &SCARF_SHORT),
    }
    weights.influences
}

struct Walk<'a> {
    rig: &'a Rig,
    influences: Influences,
}

impl Walk<'_> {
    fn start(&mut self, joint: &str) {
        self.influences.add(self.rig.index(joint), 1.0);
    }

    fn hand_over(&mut self, from: &str, to: &str, share: f64) {
        self.influences.hand_over(self.rig.index(from), self.rig.index(to), share);
    }

    fn head(&mut self, p: DVec3) {
        self.start("chest");
        self.hand_over("chest", "neck", ramp(p.y, 1.27, 1.32));
        self.hand_over("neck", "head", ramp(p.y, 1.325, 1.40));
    }

    fn hair(&mut self, p: DVec3) {
        self.start("head");
        for (joint, root, tip) in TUFTS {
            let axis = tip - root;
            let along = (p - root).dot(axis) / axis.length_squared();
            let aside = p.distance(root + axis * along);
            self.hand_over("head", joint, ramp(along, 0.1, 0.9) * ramp(aside, 0.10, 0.05));
        }
    }

    fn trunk(&mut self, p: DVec3) {
        self.start("hips");
        self.hand_over("hips", "spine", ramp(p.y, 0.89, 1.0));
        self.hand_over("spine", "chest", ramp(p.y, 1.03, 1.14));
        self.hand_over("chest", "neck", ramp(p.y, 1.28, 1.36));
        for side in Side::BOTH {
            // The flank is beside the arm's axis but is not the arm: beyond its thickness, the arm has no
            // say.
            let arm = side.mirror(p);
            let along = (ELBOW - SHOULDER).normalize();
            let reach = (arm - SHOULDER).dot(along).max(0.0);
            let aside = arm.distance(SHOULDER + along * reach);
            self.arm(side, p, ramp(aside, 0.135, 0.080));
        }
    }

    /// Shoulder girdle to wrist, for points that belong to the arm by `share`.
    fn arm(&mut self, side: Side, p: DVec3, share: f64) {
        let [shoulder, upper_arm, forearm, hand] =
            ["shoulder", "upper_arm", "forearm", "hand"].map(|stem| side.name(stem));
        let p = side.mirror(p);
        let girdle = ramp(p.x, 0.05, 0.13) * ramp(p.y, 1.10, 1.20);
        let out = (ELBOW - SHOULDER).normalize();
        let past_shoulder = ramp((p - SHOULDER).dot(out), -0.06, 0.065) * share;
        // An arm hangs on the chest alone, also where it is as low as the back.
        self.hand_over("hips", "chest", past_shoulder);
        self.hand_over("spine", "chest", past_shoulder);
        self.hand_over("chest", &shoulder, girdle.max(past_shoulder));
        self.hand_over(&shoulder, &upper_arm, past_shoulder);
        let past_elbow = (p - ELBOW).dot((WRIST - SHOULDER).normalize());
        self.hand_over(&upper_arm, &forearm, ramp(past_elbow, -0.04, 0.04) * share);
        let past_wrist = (p - WRIST).dot(HAND_ALONG.normalize());
        self.hand_over(&forearm, &hand, ramp(past_wrist, -0.025, 0.02) * share);
    }

    fn hand(&mut self, side: Side, p: DVec3) {
        let (forearm, hand) = (side.name("forearm"), side.name("hand"));
        let p = side.mirror(p);
        let past_wrist = (p - WRIST).dot(HAND_ALONG.normalize());
        self.hand_over(&forearm, &hand, ramp(past_wrist, -0.025, 0.02));
        // The nearest finger takes all: a vertex between two fingers would tie them together.
        let nearest = FINGERS.iter().map(|finger| {
            let points = finger.points();
            (distance_to_chain(p, &points), finger, points)
        });
        let Some((_, finger, points)) = nearest.min_by(|a, b| a.0.total_cmp(&b.0)) else {
            return;
        };
        let along = (points[3] - points[0]).normalize();
        let mut parent = hand;
        for (number, knuckle) in (1..).zip(&points[..3]) {
            let child = side.name(&format!("{}_{number}", finger.name));
            let soft = if number == 1 { 0.014 } else { 0.008 };
            let share = ramp((p - *knuckle).dot(along), -soft, soft);
            self.hand_over(&parent, &child, share);
            parent = child;
        }
    }

    /// Thighs to toes. `between` is half the width over which the left leg hands over to the right
    /// one, `hold` how much of its weight a thigh may take.
    fn legs(&mut self, p: DVec3, between: f64, hold: f64) {
        // The fold of the hip runs from the crotch up to the outside.
        let fold = dvec3(0.3, -1.0, 0.0).normalize();
        let lefts = ramp(p.x, -between, between);
        let below = |side: Side| ramp((side.mirror(p) - HIP).dot(fold), -0.055, 0.065) * hold;
        let (left, right) = (below(Side::Left) * lefts, below(Side::Right) * (1.0 - lefts));
        self.hand_over("hips", "thigh_L", left);
        self.hand_over("hips", "thigh_R", right / (1.0 - left).max(1e-9));
        for side in Side::BOTH {
            let [thigh, shin, foot, toes] = ["thigh", "shin", "foot", "toes"].map(|stem| side.name(stem));
            let p = side.mirror(p);
            let past_knee = (p - KNEE).dot((ANKLE - HIP).normalize());
            self.hand_over(&thigh, &shin, ramp(past_knee, -0.055, 0.055));
            let past_ankle = (p - ANKLE).dot(dvec3(0.0, -0.9, 0.45));
            self.hand_over(&shin, &foot, ramp(past_ankle, -0.06, 0.03));
            self.hand_over(&foot, &toes, ramp(p.z - BALL.z, -0.03, 0.02));
        }
    }

    fn scarf(&mut self, p: DVec3, stem: &str, points: &[DVec3]) {
        self.start("chest");
        let mut parent = "chest".to_owned();
        for (number, ends) in (1..).zip(points.windows(2)) {
            let child = format!("{stem}_{number}");
            let along = (ends[1] - ends[0]).normalize();
            self.hand_over(&parent, &child, ramp((p - ends[0]).dot(along), -0.045, 0.045));
            parent = child;
        }
    }
}

fn distance_to_chain(p: DVec3, points: &[DVec3]) -> f64 {
    let to_segment = |ends: &[DVec3]| {
        let axis = ends[1] - ends[0];
        let t = ((p - ends[0]).dot(axis) / axis.length_squared()).clamp(0.0, 1.0);
        p.distance(ends[0] + axis * t)
    };
    points.windows(2).map(to_segment).fold(f64::MAX, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_one_everywhere() {
        let rig = Rig::new();
        let bindings = [
            Binding::Head,
            Binding::Body,
            Binding::Skirt,
            Binding::ScarfLong,
            Binding::Arm(Side::Right),
            Binding::Hand(Side::Left),
        ];
        for binding in bindings {
            for step in 0..200 {
                let t = f64::from(step);
                let p = dvec3(0.013 * t % 1.1 - 0.55, 0.017 * t % 1.8, 0.007 * t % 0.4 - 0.2);
                let sum = influences(&rig, binding, p).sum();
                assert!((sum - 1.0).abs() < 1e-9, "{sum} at {p}");
            }
        }
    }

    #[test]
    fn no_leg_moves_the_other_and_no_arm_the_flank() {
        let rig = Rig::new();
        let weight = |binding, p, joint: &str| influences(&rig, binding, p).weight(rig.index(joint));
        assert!(weight(Binding::Body, dvec3(0.03, 0.6, 0.0), "thigh_R") < 1e-9);
        assert!(weight(Binding::Body, dvec3(0.09, 0.2, 0.0), "shin_L") > 0.99);
        assert!(weight(Binding::Body, dvec3(0.15, 1.0, 0.0), "upper_arm_L") < 1e-9);
    }
}
