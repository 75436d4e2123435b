//! Two bones that reach for a point.

use glam::DVec3;

use super::math::bone_frame;
use super::pose::Pose;
use super::rig::Rig;

/// A limb: upper joint, middle joint, and the joint that should get somewhere.
pub(crate) struct Limb {
    pub upper: usize,
    pub middle: usize,
    pub end: usize,
}

/// A limb never stretches quite straight: there the middle joint would snap.
const LONGEST_REACH: f64 = 0.9985;

impl Limb {
    /// Brings the end to `target`, the middle joint standing out toward `middle_toward`.
    ///
    /// `middle_flex` says which way the lower bone bends, relative to the upper one: with it (an elbow) or
    /// against it (a knee). A target out of reach is approached on a straight line.
    pub(crate) fn reach(
        &self,
        rig: &Rig,
        pose: &mut Pose,
        target: DVec3,
        middle_toward: DVec3,
        middle_flex: Flex,
    ) {
        let bind = |joint: usize| rig.joints[joint].model_from_joint.translation;
        let upper_length = bind(self.upper).distance(bind(self.middle));
        let lower_length = bind(self.middle).distance(bind(self.end));
        let start = pose.model_from_joint(rig, self.upper).translation;
        let middle = middle_of(start, target, [upper_length, lower_length], middle_toward);
        let end = middle
            + (clamped(start, target, [upper_length, lower_length]) - middle).normalize() * lower_length;
        // Both bones turn about the normal of the plane they lie in, which is also defined when the
        // upper bone itself points toward `middle_toward`.
        let normal = (end - start).cross(middle_toward).normalize();
        let (upper_x, lower_x) = match middle_flex {
            Flex::Knee => (normal, -normal),
            Flex::Elbow => (-normal, -normal),
        };
        let mut turn = |joint: usize, along: DVec3, x: DVec3| {
            pose.set_model_rotation(rig, joint, bone_frame(along, x.cross(along)));
        };
        turn(self.upper, middle - start, upper_x);
        turn(self.middle, end - middle, lower_x);
    }
}

/// How the bone frames of the rig see a bend: a thigh's Z looks ahead and a shin's back, both of an arm's
/// look ahead.
#[derive(Clone, Copy)]
pub(crate) enum Flex {
    Knee,
    Elbow,
}

fn clamped(start: DVec3, target: DVec3, lengths: [f64; 2]) -> DVec3 {
    start + (target - start).clamp_length_max((lengths[0] + lengths[1]) * LONGEST_REACH)
}

/// The place of the middle joint, by the law of cosines.
fn middle_of(start: DVec3, target: DVec3, [upper, lower]: [f64; 2], toward: DVec3) -> DVec3 {
    let span = clamped(start, target, [upper, lower]) - start;
    let distance = span.length();
    let along = span / distance;
    let foot = (distance * distance + upper * upper - lower * lower) / (2.0 * distance);
    let height = (upper * upper - foot * foot).max(0.0).sqrt();
    start + along * foot + toward.reject_from_normalized(along).normalize() * height
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    #[test]
    fn a_leg_reaches_its_target_with_the_knee_ahead() {
        let rig = Rig::new();
        let limb =
            Limb { upper: rig.index("thigh_L"), middle: rig.index("shin_L"), end: rig.index("foot_L") };
        for target in [dvec3(0.1, 0.2, 0.2), dvec3(0.05, 0.3, -0.3), dvec3(0.2, 0.15, 0.0)] {
            let mut pose = Pose::bind(&rig);
            limb.reach(&rig, &mut pose, target, DVec3::Z, Flex::Knee);
            let place = |joint| pose.model_from_joint(&rig, joint).translation;
            assert!(place(limb.end).distance(target) < 1e-9, "{} for {target}", place(limb.end));
            let middle_line = place(limb.upper).midpoint(place(limb.end));
            assert!(place(limb.middle).z > middle_line.z);
        }
    }

    #[test]
    fn a_target_out_of_reach_is_approached_and_nothing_stretches() {
        let rig = Rig::new();
        let limb =
            Limb { upper: rig.index("thigh_R"), middle: rig.index("shin_R"), end: rig.index("foot_R") };
        let mut pose = Pose::bind(&rig);
        limb.reach(&rig, &mut pose, dvec3(-0.1, -1.0, 0.3), DVec3::Z, Flex::Knee);
        let place = |joint| pose.model_from_joint(&rig, joint).translation;
        let bind = |joint: usize| rig.joints[joint].model_from_joint.translation;
        let length = bind(limb.middle).distance(bind(limb.end));
        assert!((place(limb.middle).distance(place(limb.end)) - length).abs() < 1e-9);
    }
}
