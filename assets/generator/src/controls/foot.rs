//! A foot that rolls over heel and ball.

use glam::{DVec3, dvec3};

use crate::ik::{Flex, Limb};
use crate::landmarks::{ANKLE, BALL, HEEL};
use crate::math::{rot_x, rot_y};
use crate::pose::Pose;
use crate::rig::Rig;
use crate::side::Side;

#[derive(Clone, Copy, Default)]
pub(crate) struct Foot {
    /// Where the ground below the ankle would be with a flat foot, in model space.
    pub place: DVec3,
    /// Toes up, rolling over the heel; negative: heel up, rolling over the ball. Radians.
    pub pitch: f64,
    /// Toes outward, radians.
    pub out: f64,
    /// How flat the toes stay on the ground while the heel is up, 0 to 1.
    pub toes_flat: f64,
}

impl Foot {
    pub(super) fn apply(&self, rig: &Rig, pose: &mut Pose, side: Side) {
        let [thigh, shin, foot, toes] =
            ["thigh", "shin", "foot", "toes"].map(|stem| rig.index(&side.name(stem)));
        let yaw = rot_y(self.out * side.sign());
        let roll = rot_x(-self.pitch);
        let limb = Limb { upper: thigh, middle: shin, end: foot };
        let hips = pose.turned_since_bind(rig, rig.index("hips"));
        // A knee looks where its foot looks, and a little where the hips look.
        let ahead = (yaw * DVec3::Z * 0.8 + hips * DVec3::Z * 0.2).normalize();
        limb.reach(rig, pose, self.ankle(side), ahead, Flex::Knee);
        pose.set_model_rotation(rig, foot, yaw * roll * rig.joints[foot].model_from_joint.rotation);
        // With the heel up, the toes stay on the ground; with the toes up, they are one with the foot.
        let toe_pitch = if self.pitch > 0.0 { self.pitch } else { self.pitch * (1.0 - self.toes_flat) };
        let toe_roll = rot_x(-toe_pitch);
        pose.set_model_rotation(rig, toes, yaw * toe_roll * rig.joints[toes].model_from_joint.rotation);
    }

    /// The ankle after rolling over heel or ball, which stay where a flat foot has them.
    pub(crate) fn ankle(&self, side: Side) -> DVec3 {
        let ground = dvec3(ANKLE.x, 0.0, ANKLE.z);
        let pivot = side.mirror(if self.pitch > 0.0 { HEEL } else { BALL } - ground);
        let ankle = dvec3(0.0, ANKLE.y, 0.0);
        self.place + rot_y(self.out * side.sign()) * (pivot + rot_x(-self.pitch) * (ankle - pivot))
    }
}
