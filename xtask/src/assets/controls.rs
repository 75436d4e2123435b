//! What an animator moves: hips, feet, back and arms, in terms that read like directions to an actor.

use glam::{DQuat, DVec3, dvec3};

use super::fingers::FINGERS;
use super::ik::{Flex, Limb};
use super::landmarks::{ANKLE, BALL, HEEL};
use super::math::{blend, bone_frame, rot_x, rot_y, rot_z};
use super::pose::Pose;
use super::rig::Rig;
use super::side::Side;
use super::sword::BLADE_IN_HAND;

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

impl Foot {
    fn apply(&self, rig: &Rig, pose: &mut Pose, side: Side) {
        let [thigh, shin, foot, toes] =
            ["thigh", "shin", "foot", "toes"].map(|stem| rig.index(&side.name(stem)));
        let yaw = rot_y(self.out * side.sign());
        let roll = rot_x(-self.pitch);
        let limb = Limb {
            upper: thigh,
            middle: shin,
            end: foot,
        };
        let hips = pose.turned_since_bind(rig, rig.index("hips"));
        // A knee looks where its foot looks, and a little where the hips look.
        let ahead = (yaw * DVec3::Z * 0.8 + hips * DVec3::Z * 0.2).normalize();
        limb.reach(rig, pose, self.ankle(side), ahead, Flex::Knee);
        let turned = yaw * roll;
        pose.set_model_rotation(
            rig,
            foot,
            turned * rig.joints[foot].model_from_joint.rotation,
        );
        let toe_roll =
            rot_x(-self.pitch * (1.0 - self.toes_flat).max(f64::from(u8::from(self.pitch > 0.0))));
        pose.set_model_rotation(
            rig,
            toes,
            yaw * toe_roll * rig.joints[toes].model_from_joint.rotation,
        );
    }

    /// The ankle after rolling over heel or ball, which stay where a flat foot has them.
    pub(crate) fn ankle(&self, side: Side) -> DVec3 {
        let ground = dvec3(ANKLE.x, 0.0, ANKLE.z);
        let pivot = side.mirror(if self.pitch > 0.0 { HEEL } else { BALL } - ground);
        let ankle = dvec3(0.0, ANKLE.y, 0.0);
        self.place + rot_y(self.out * side.sign()) * (pivot + rot_x(-self.pitch) * (ankle - pivot))
    }
}

impl Arm {
    fn apply(&self, rig: &Rig, pose: &mut Pose, side: Side) {
        let sign = side.sign();
        let [shoulder, upper_arm, forearm, hand] =
            ["shoulder", "upper_arm", "forearm", "hand"].map(|stem| rig.index(&side.name(stem)));
        let chest = pose.turned_since_bind(rig, rig.index("chest"));
        let girdle = rot_y(-self.advance * sign) * rot_z(self.shrug * sign);
        let bind = rig.joints[shoulder].model_from_joint.rotation;
        pose.set_model_rotation(rig, shoulder, chest * girdle * bind);
        self.close_fingers(rig, pose, side);
        let hang =
            chest * rot_x(-self.swing) * rot_z(self.spread * sign) * rot_y(-self.twist * sign);
        pose.set_model_rotation(rig, upper_arm, hang * bone_frame(DVec3::NEG_Y, DVec3::Z));
        pose.turns[forearm] = rot_x(self.elbow) * rot_y(-self.pronate * 0.5 * sign);
        pose.turns[hand] = rot_y(-self.pronate * 0.5 * sign)
            * rot_x(self.wrist_bend)
            * rot_z(self.wrist_tilt * sign);
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
