//! An arm, by the angles of its joints or by the place of its hand.

use glam::DVec3;

use crate::fingers::FINGERS;
use crate::ik::{Flex, Limb};
use crate::math::{blend, bone_frame, rot_x, rot_y, rot_z};
use crate::pose::Pose;
use crate::rig::Rig;
use crate::side::Side;
use crate::sword::BLADE_IN_HAND;

#[derive(Clone, Copy, Default)]
pub(crate) struct Arm {
    /// The shoulder itself, up and ahead, radians.
    pub shrug: f64,
    pub advance: f64,
    /// From hanging straight down: ahead, then away from the body, radians.
    pub swing: f64,
    pub spread: f64,
    /// Turns the inside of the elbow toward the body.
    pub twist: f64,
    pub elbow: f64,
    /// Turns the palm down (toward the back of a hanging arm).
    pub pronate: f64,
    /// Wrist: toward the palm, and toward the thumb.
    pub wrist_bend: f64,
    pub wrist_tilt: f64,
    /// 0 for straight fingers, 1 for a fist.
    pub grip: f64,
    /// Instead of all angles above but the shoulder's and the fingers', by a share from 0 to 1.
    pub reach: Option<Reach>,
    pub reach_share: f64,
}

/// A wrist's place and how the hand holds a sword there; all in model space.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    pub wrist: DVec3,
    pub elbow_toward: DVec3,
    /// Where a blade in the fist points, and where its edge looks; need not be square or unit.
    pub blade: DVec3,
    pub edge: DVec3,
}

impl Arm {
    pub(super) fn apply(&self, rig: &Rig, pose: &mut Pose, side: Side) {
        let sign = side.sign();
        let [shoulder, upper_arm, forearm, hand] =
            ["shoulder", "upper_arm", "forearm", "hand"].map(|stem| rig.index(&side.name(stem)));
        let chest = pose.turned_since_bind(rig, rig.index("chest"));
        let girdle = rot_y(-self.advance * sign) * rot_z(self.shrug * sign);
        let bind = rig.joints[shoulder].model_from_joint.rotation;
        pose.set_model_rotation(rig, shoulder, chest * girdle * bind);
        self.close_fingers(rig, pose, side);
        let hang = chest * rot_x(-self.swing) * rot_z(self.spread * sign) * rot_y(-self.twist * sign);
        pose.set_model_rotation(rig, upper_arm, hang * bone_frame(DVec3::NEG_Y, DVec3::Z));
        pose.turns[forearm] = rot_x(self.elbow) * rot_y(-self.pronate * 0.5 * sign);
        pose.turns[hand] =
            rot_y(-self.pronate * 0.5 * sign) * rot_x(self.wrist_bend) * rot_z(self.wrist_tilt * sign);
        if let Some(reach) = self.reach {
            let joints = [upper_arm, forearm, hand];
            let angled = joints.map(|joint| pose.turns[joint]);
            reach.apply(rig, pose, joints);
            for (joint, turn) in joints.into_iter().zip(angled) {
                pose.turns[joint] = blend(turn, pose.turns[joint], self.reach_share);
            }
        }
    }

    fn close_fingers(&self, rig: &Rig, pose: &mut Pose, side: Side) {
        for finger in &FINGERS {
            for (number, angle) in (1..).zip(finger.fist) {
                let joint = rig.index(&side.name(&format!("{}_{number}", finger.name)));
                pose.turns[joint] = rot_x(angle * self.grip);
            }
        }
    }
}

impl Reach {
    fn apply(&self, rig: &Rig, pose: &mut Pose, [upper, middle, end]: [usize; 3]) {
        Limb { upper, middle, end }.reach(rig, pose, self.wrist, self.elbow_toward, Flex::Elbow);
        // Of a hand that holds a blade, the knuckles look where the edge does.
        let hand_axes = bone_frame(BLADE_IN_HAND, DVec3::Y);
        let model_axes = bone_frame(self.blade, self.edge);
        pose.set_model_rotation(rig, end, model_axes * hand_axes.inverse());
    }
}
