//! The skeleton in its bind pose.
//!
//! Every joint frame has Y along its bone and Z toward where the joint bends, so a positive turn
//! about X bends a knee, an elbow, a finger or the back the way it bends in nature, on both sides.

use glam::{DQuat, DVec3, dvec3};

use super::fingers::FINGERS;
use super::frame::Frame;
use super::landmarks::{
    ANKLE, BALL, CHEST, CLAVICLE, CROWN, ELBOW, EYE, HAND_ALONG, HAND_PALM, HEAD, HIP, HIPS, KNEE, NECK,
    SHOULDER, SPINE, TOE_TIP, WRIST,
};
use super::math::bone_frame;
use super::side::Side;

pub(crate) struct Joint {
    pub name: String,
    pub parent: Option<usize>,
    /// In the bind pose.
    pub model_from_joint: Frame,
}

pub(crate) struct Rig {
    /// Parents before children.
    pub joints: Vec<Joint>,
}

/// The two tails of the scarf, from the neck down: the joints and, last, the tip.
pub(crate) const SCARF_LONG: [DVec3; 5] = [
    dvec3(0.035, 1.265, -0.118),
    dvec3(0.050, 1.165, -0.160),
    dvec3(0.060, 1.055, -0.178),
    dvec3(0.068, 0.945, -0.190),
    dvec3(0.074, 0.840, -0.205),
];
pub(crate) const SCARF_SHORT: [DVec3; 4] = [
    dvec3(-0.025, 1.265, -0.122),
    dvec3(-0.045, 1.170, -0.166),
    dvec3(-0.058, 1.070, -0.186),
    dvec3(-0.066, 0.975, -0.200),
];

/// Tufts of hair that swing: name, root, tip.
pub(crate) const TUFTS: [(&str, DVec3, DVec3); 3] = [
    ("hair_front", dvec3(-0.03, 1.665, 0.10), dvec3(0.06, 1.60, 0.19)),
    ("hair_top", dvec3(0.0, 1.70, -0.04), dvec3(-0.01, 1.80, -0.11)),
    ("hair_back", dvec3(0.0, 1.54, -0.15), dvec3(0.0, 1.42, -0.21)),
];

impl Rig {
    pub(crate) fn new() -> Self {
        let mut rig = Self { joints: Vec::new() };
        rig.joints.push(Joint { name: "root".into(), parent: None, model_from_joint: Frame::IDENTITY });
        rig.chain(
            "root",
            &["hips", "spine", "chest", "neck", "head"],
            &[HIPS, SPINE, CHEST, NECK, HEAD, CROWN],
            DVec3::Z,
        );
        for side in Side::BOTH {
            rig.leg(side);
            rig.arm(side);
            let eye = side.mirror(EYE);
            for stem in ["eye", "lid"] {
                rig.chain("head", &[&side.name(stem)], &[eye, eye + DVec3::Y], DVec3::Z);
            }
        }
        for (name, root, tip) in TUFTS {
            rig.chain("head", &[name], &[root, tip], DVec3::NEG_Z);
        }
        let long = ["scarf_long_1", "scarf_long_2", "scarf_long_3", "scarf_long_4"];
        rig.chain("chest", &long, &SCARF_LONG, DVec3::NEG_Z);
        let short = ["scarf_short_1", "scarf_short_2", "scarf_short_3"];
        rig.chain("chest", &short, &SCARF_SHORT, DVec3::NEG_Z);
        rig
    }

    fn leg(&mut self, side: Side) {
        let [hip, knee, ankle, ball, tip] = [HIP, KNEE, ANKLE, BALL, TOE_TIP].map(|p| side.mirror(p));
        self.chain("hips", &[&side.name("thigh")], &[hip, knee], DVec3::Z);
        self.chain(&side.name("thigh"), &[&side.name("shin")], &[knee, ankle], DVec3::NEG_Z);
        let foot = [side.name("foot"), side.name("toes")];
        self.chain(&side.name("shin"), &[&foot[0], &foot[1]], &[ankle, ball, tip], DVec3::Y);
    }

    fn arm(&mut self, side: Side) {
        let [clavicle, shoulder, elbow, wrist] = [CLAVICLE, SHOULDER, ELBOW, WRIST].map(|p| side.mirror(p));
        let arm = ["shoulder", "upper_arm", "forearm"].map(|stem| side.name(stem));
        let names = [arm[0].as_str(), &arm[1], &arm[2]];
        self.chain("chest", &names, &[clavicle, shoulder, elbow, wrist], DVec3::Z);
        let (hand, knuckles) = (side.name("hand"), wrist + side.mirror(HAND_ALONG));
        self.chain(&side.name("forearm"), &[&hand], &[wrist, knuckles], side.mirror(HAND_PALM));
        for finger in &FINGERS {
            let names = [1, 2, 3].map(|number| side.name(&format!("{}_{number}", finger.name)));
            let names = [names[0].as_str(), &names[1], &names[2]];
            let points = finger.points().map(|point| side.mirror(point));
            self.chain(&hand, &names, &points, side.mirror(finger.flex_toward()));
        }
    }

    /// Adds joints at all `points` but the last, which only says where the last bone ends.
    fn chain(&mut self, parent: &str, names: &[&str], points: &[DVec3], flex_toward: DVec3) {
        let mut parent = self.index(parent);
        for (name, ends) in names.iter().zip(points.windows(2)) {
            let rotation: DQuat = bone_frame(ends[1] - ends[0], flex_toward);
            let model_from_joint = Frame { rotation, translation: ends[0] };
            self.joints.push(Joint { name: (*name).into(), parent: Some(parent), model_from_joint });
            parent = self.joints.len() - 1;
        }
    }

    /// # Panics
    /// If there is no such joint: names are fixed when the generator is written.
    pub(crate) fn index(&self, name: &str) -> usize {
        let found = self.joints.iter().position(|joint| joint.name == name);
        found.unwrap_or_else(|| panic!("the rig has no joint {name}"))
    }

    pub(crate) fn parent_from_joint(&self, index: usize) -> Frame {
        let joint = &self.joints[index];
        match joint.parent {
            Some(parent) => self.joints[parent].model_from_joint.inverse() * joint.model_from_joint,
            None => joint.model_from_joint,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_come_before_children_and_names_are_unique() {
        let rig = Rig::new();
        for (index, joint) in rig.joints.iter().enumerate() {
            assert!(joint.parent.is_none_or(|parent| parent < index));
            assert_eq!(rig.index(&joint.name), index);
        }
        assert!((50..=70).contains(&rig.joints.len()), "{} joints", rig.joints.len());
    }
}
