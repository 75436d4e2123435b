//! Joints that follow others: the values that three-vrm's tests expect, order and circles; twists.

use std::f32::consts::FRAC_PI_2;

use canter::glam::{Quat, Vec3};
use canter::{JointId, ModelPose, Pose, Skeleton, Transform};
use canter_rig::{Constraint, ConstraintKind, Constraints, RigError, Twist};

/// A source and a destination with their rests, below parents of their own.
struct Pair {
    skeleton: Skeleton,
    source: JointId,
    joint: JointId,
    pose: Pose,
}

fn pair(source: Transform, joint: Transform, parent_turn: Quat) -> Pair {
    let mut joints = Skeleton::builder();
    joints.joint("parent", None, Transform::from_rotation(parent_turn));
    joints.joint("source", None, source);
    joints.joint("joint", Some(0), joint);
    let skeleton = joints.build().unwrap();
    let [source, joint] = ["source", "joint"].map(|name| skeleton.joint(name).unwrap());
    let pose = Pose::rest(&skeleton);
    Pair { skeleton, source, joint, pose }
}

impl Pair {
    fn solve(mut self, kind: ConstraintKind, weight: f32, turn: Quat) -> Quat {
        let rest = self.skeleton.rest(self.source).rotation;
        self.pose.joint_mut(self.source).rotation = rest * turn;
        let mut model = ModelPose::rest(&self.skeleton);
        model.compose(&self.skeleton, &self.pose);
        let constraint = Constraint { weight, ..Constraint::new(self.joint, self.source, kind) };
        let constraints = Constraints::new(&self.skeleton, &[constraint]).unwrap();
        constraints.apply(&mut self.pose, &mut model);
        self.pose.joint(self.joint).rotation
    }
}

fn close(a: Quat, b: Quat) -> bool {
    a.dot(b).abs() > 1.0 - 1e-6
}

#[test]
fn aims_are_those_of_the_specification() {
    let at = Transform::from_translation;
    let up = ConstraintKind::Aim { axis: Vec3::Y };
    let z = Quat::from_rotation_z;
    for (name, source, joint, parent, kind, weight, expected) in [
        ("C1", Vec3::X, Vec3::ZERO, Quat::IDENTITY, up, 1.0, z(-FRAC_PI_2)),
        ("C2", Vec3::X, Vec3::ZERO, Quat::IDENTITY, up, 0.5, z(-FRAC_PI_2 / 2.0)),
        ("C3", Vec3::X, Vec3::Y, Quat::IDENTITY, up, 1.0, z(-1.5 * FRAC_PI_2)),
        (
            "C4",
            Vec3::X,
            Vec3::ZERO,
            Quat::IDENTITY,
            ConstraintKind::Aim { axis: Vec3::NEG_Z },
            1.0,
            Quat::from_rotation_y(-FRAC_PI_2),
        ),
        ("C5", Vec3::NEG_X, Vec3::ZERO, Quat::from_rotation_y(2.0 * FRAC_PI_2), up, 1.0, z(-FRAC_PI_2)),
    ] {
        let turned = pair(at(source), at(joint), parent).solve(kind, weight, Quat::IDENTITY);
        assert!(close(turned, expected), "{name}: {turned} {expected}");
    }
    // Antiparallel, and source and joint in one place.
    let opposite = pair(at(Vec3::NEG_Y), at(Vec3::ZERO), Quat::IDENTITY).solve(up, 1.0, Quat::IDENTITY);
    assert!((opposite * Vec3::Y).distance(Vec3::NEG_Y) < 1e-5);
    let same = pair(at(Vec3::ZERO), at(Vec3::ZERO), Quat::IDENTITY).solve(up, 1.0, Quat::IDENTITY);
    assert!(close(same, Quat::IDENTITY));
}

#[test]
fn rolls_and_rotations_are_those_of_the_specification() {
    let rest = Transform::from_rotation;
    let roll = |axis| ConstraintKind::Roll { axis };
    let (x, y, z) = (Quat::from_rotation_x, Quat::from_rotation_y, Quat::from_rotation_z);
    let none = Quat::IDENTITY;
    for (name, source, joint, axis, weight, turn, expected) in [
        ("C6", none, none, Vec3::Y, 1.0, y(-FRAC_PI_2), y(-FRAC_PI_2)),
        ("C6, half", none, none, Vec3::Y, 0.5, y(-FRAC_PI_2), y(-FRAC_PI_2 / 2.0)),
        ("C7", none, none, Vec3::Y, 1.0, z(FRAC_PI_2), none),
        ("C7, turned", x(FRAC_PI_2), none, Vec3::Y, 1.0, y(-FRAC_PI_2), none),
        ("C8", x(FRAC_PI_2), none, Vec3::Y, 1.0, z(FRAC_PI_2), y(-FRAC_PI_2)),
        ("C9", none, x(FRAC_PI_2), Vec3::Z, 1.0, y(-FRAC_PI_2), Quat::from_xyzw(0.5, -0.5, 0.5, 0.5)),
    ] {
        let turned = pair(rest(source), rest(joint), none).solve(roll(axis), weight, turn);
        assert!(close(turned, expected), "{name}: {turned} {expected}");
        // Whatever the parents are turned by: local to local.
        let turned = pair(rest(source), rest(joint), y(1.0)).solve(roll(axis), weight, turn);
        assert!(close(turned, expected), "C10, {name}");
    }
    let (source, joint, turn) = (x(0.4), z(0.7), y(1.1) * x(0.3));
    let turned = pair(rest(source), rest(joint), none).solve(ConstraintKind::Rotation, 1.0, turn);
    assert!(close(turned, joint * turn));
    let copy = ConstraintKind::Copy { offset: z(0.2), limit: 0.5 };
    let turned = pair(rest(source), rest(joint), none).solve(copy, 1.0, y(1.5));
    assert!(close(turned, joint * y(0.5) * z(0.2)));
}

#[test]
fn what_is_read_is_finished_first_and_circles_are_refused() {
    let skeleton = canter_testing::chain(4);
    let joint = |index| skeleton.joint_at(index).unwrap();
    let follow = |one, other| Constraint::new(joint(one), joint(other), ConstraintKind::Rotation);
    // Given in the wrong order: 3 follows 2, which follows 1, which follows 0.
    let constraints = Constraints::new(&skeleton, &[follow(3, 2), follow(2, 1), follow(1, 0)]).unwrap();
    let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
    pose.joint_mut(joint(0)).rotation = Quat::from_rotation_x(0.3);
    model.compose(&skeleton, &pose);
    constraints.apply(&mut pose, &mut model);
    assert!(close(pose.joint(joint(3)).rotation, Quat::from_rotation_x(0.3)));
    let mut whole = ModelPose::rest(&skeleton);
    whole.compose(&skeleton, &pose);
    assert_eq!(whole, model);
    let circle = Constraints::new(&skeleton, &[follow(1, 2), follow(2, 3), follow(3, 1)]).unwrap_err();
    assert_eq!(circle, RigError::Cycle { joint: "joint_1".to_owned() });
    assert!(Constraints::new(&skeleton, &[follow(1, 1)]).is_err());
    // An aim reads where its source is, which its own subtree must not move.
    let aim = ConstraintKind::Aim { axis: Vec3::Y };
    assert!(Constraints::new(&skeleton, &[Constraint::new(joint(1), joint(2), aim)]).is_err());
    let bad = Constraint { weight: 2.0, ..follow(1, 0) };
    assert!(Constraints::new(&skeleton, &[bad]).is_err());
}

#[test]
fn twists_are_shared_along_forearm_and_thigh() {
    let mut joints = Skeleton::builder();
    let along = |x: f32| Transform::from_translation(Vec3::X * x);
    joints.joint("forearm", None, Transform::from_rotation(Quat::from_rotation_y(0.4)));
    joints.joint("hand", Some(0), along(1.0));
    joints.joint("beside", Some(0), along(0.5));
    joints.joint("below", Some(1), along(0.5));
    let skeleton = joints.build().unwrap();
    let [hand, beside, below] = ["hand", "beside", "below"].map(|name| skeleton.joint(name).unwrap());
    let twist = Twist::new(&skeleton, hand, Vec3::X, &[(beside, 0.25), (below, 0.5)]).unwrap();
    let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
    let swing = Quat::from_rotation_z(0.6);
    pose.joint_mut(hand).rotation = swing * Quat::from_rotation_x(1.2);
    model.compose(&skeleton, &pose);
    twist.apply(&mut pose, &mut model);
    let angle = pose.joint(beside).rotation.to_scaled_axis();
    assert!(angle.abs_diff_eq(Vec3::X * 0.3, 0.02), "{angle}");
    // What hangs on it keeps half: its turn back is about the axis of the bone.
    let back = pose.joint(below).rotation.to_scaled_axis();
    assert!((back.length() - 0.6).abs() < 0.02, "{back}");
    assert!(Twist::new(&skeleton, below, Vec3::X, &[(beside, 0.5)]).is_err());
    assert!(Twist::new(&skeleton, hand, Vec3::X, &[(beside, 1.5)]).is_err());
}
