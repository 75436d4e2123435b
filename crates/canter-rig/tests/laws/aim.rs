//! Heads look where they are told to, smoothly and within their limits.

use crate::common::{Limb, Scales, is_finite, mirror, mirrored, moved};
use canter::glam::{Mat4, Quat, Vec3};
use canter::{ModelPose, Pose, Skeleton, Transform};
use canter_rig::{Aim, AimGoal, AimJoint};
use canter_testing::random::Random;
use canter_testing::{bits, cases};
use proptest::prelude::*;

/// The joints of a random limb, of which the last one looks along a random direction at rest.
fn looker(random: &mut Random, scales: Scales) -> (Limb, Vec<AimJoint>, Vec3) {
    let bones = 1 + random.below(4);
    let limb = Limb::random(random, bones, scales);
    let mut left = 1.0;
    let mut joints: Vec<AimJoint> = Vec::new();
    for (index, &joint) in limb.joints[..=bones].iter().enumerate() {
        let share = if index == bones { left } else { left * random.unit() };
        left -= share;
        joints.push(AimJoint::new(joint, share));
    }
    (limb, joints, random.axis())
}

fn forward(limb: &Limb, joints: &[AimJoint], at_rest: Vec3) -> Vec3 {
    let last = joints[joints.len() - 1].joint;
    let local = ModelPose::rest(&limb.skeleton).joint(last).inverse().transform_vector3(at_rest);
    limb.model.joint(last).transform_vector3(local).normalize()
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn the_last_joint_looks_at_the_target(seed in any::<u64>(), scaled in any::<bool>()) {
        let mut random = Random(seed);
        let (mut limb, joints, at_rest) = looker(&mut random, Scales::above(scaled));
        // Uneven scales above shear what is turned: there only the last joint gets it right by itself.
        let alone = vec![AimJoint::new(joints[joints.len() - 1].joint, 1.0)];
        let joints = if scaled { alone } else { joints };
        let last = joints[joints.len() - 1].joint;
        let eye = if scaled { Vec3::ZERO } else { random.vector(0.05) };
        let aim = Aim::new(&limb.skeleton, &joints, at_rest).unwrap().eye(eye).unwrap();
        let look = forward(&limb, &joints, at_rest);
        let from = limb.model.joint(last).transform_point3(Vec3::ZERO);
        let target = from + (look + random.axis() * 0.9) * 5.0;
        let mut goal = AimGoal::at(target);
        if random.chance(0.5) && !scaled {
            goal.up = Some(random.axis());
        }
        let reach = aim.apply(&mut limb.pose, &mut limb.model, &goal);
        limb.assert_composed();
        let eye = limb.model.joint(last).transform_point3(eye);
        let off = forward(&limb, &joints, at_rest).angle_between(target - eye);
        if scaled {
            prop_assert!((off - reach.remaining).abs() < 2e-3, "{off} {reach:?}");
        } else {
            prop_assert!(reach.is_reached && off < 2e-3, "{off} {reach:?}");
        }
    }

    #[test]
    fn weight_zero_is_nothing(seed in any::<u64>()) {
        let mut random = Random(seed);
        let (mut limb, joints, at_rest) = looker(&mut random, Scales::Uneven);
        let before = bits(&limb.skeleton, &limb.pose);
        let aim = Aim::new(&limb.skeleton, &joints, at_rest).unwrap();
        let goal = AimGoal::at(random.vector(3.0)).up(random.axis());
        for goal in [goal.weight(0.0), goal.weight(-1.0), goal.weight(f32::NAN), AimGoal::at(Vec3::NAN)] {
            aim.apply(&mut limb.pose, &mut limb.model, &goal);
            prop_assert_eq!(&before, &bits(&limb.skeleton, &limb.pose));
        }
    }

    #[test]
    fn no_joint_turns_further_than_its_limit(seed in any::<u64>()) {
        let mut random = Random(seed);
        let (mut limb, mut joints, at_rest) = looker(&mut random, Scales::None);
        for joint in &mut joints {
            joint.limit = random.between(0.0, 0.7);
        }
        let before = limb.pose.clone();
        let aim = Aim::new(&limb.skeleton, &joints, at_rest).unwrap();
        aim.apply(&mut limb.pose, &mut limb.model, &AimGoal::at(random.vector(3.0)).up(random.axis()));
        for joint in &joints {
            let rotation = |pose: &Pose| pose.joint(joint.joint).rotation;
            let turn = rotation(&before).angle_between(rotation(&limb.pose));
            prop_assert!(turn <= joint.limit + 1e-3, "{turn} of {}", joint.limit);
        }
    }

    #[test]
    fn mirrors_and_moves_change_nothing(seed in any::<u64>()) {
        let mut random = Random(seed);
        let (mut limb, joints, at_rest) = looker(&mut random, Scales::None);
        let aim = Aim::new(&limb.skeleton, &joints, at_rest).unwrap();
        let goal = AimGoal::at(random.vector(3.0)).weight(random.unit());
        let (skeleton, mut flipped, mut flipped_model) = mirrored(&limb.skeleton, &limb.pose);
        let twin = |joint: &AimJoint| skeleton.joint(limb.skeleton.name(joint.joint)).unwrap();
        let twins = joints.iter().map(|joint| AimJoint { joint: twin(joint), ..*joint });
        let twins: Vec<AimJoint> = twins.collect();
        let by = Mat4::from_rotation_translation(random.turn(180.0), random.vector(2.0));
        let (mut pose, mut model) = moved(&limb.skeleton, &limb.pose, by);
        aim.apply(&mut limb.pose, &mut limb.model, &goal);
        aim.apply(&mut pose, &mut model, &AimGoal { target: by.transform_point3(goal.target), ..goal });
        let mirrored_goal = AimGoal { target: mirror(goal.target), ..goal };
        let twin = Aim::new(&skeleton, &twins, mirror(at_rest)).unwrap();
        twin.apply(&mut flipped, &mut flipped_model, &mirrored_goal);
        for (joint, twin) in joints.iter().zip(&twins) {
            let point = Vec3::ONE * 0.1;
            let place = limb.model.joint(joint.joint).transform_point3(point);
            let moved = model.joint(joint.joint).transform_point3(point);
            prop_assert!(by.transform_point3(place).distance(moved) < 1e-4);
            let other = mirror(flipped_model.joint(twin.joint).transform_point3(mirror(point)));
            prop_assert!(place.distance(other) < 1e-4, "{place} {other}");
        }
    }

    #[test]
    fn anything_is_finite(seed in any::<u64>()) {
        let mut random = Random(seed);
        let (mut limb, joints, at_rest) = looker(&mut random, Scales::Uneven);
        limb.distort(&mut random);
        let aim = Aim::new(&limb.skeleton, &joints, at_rest).unwrap().eye(random.vector(1.0)).unwrap();
        let eye = limb.position(joints.len() - 1);
        let goal = AimGoal {
            up: random.pick(&[None, Some(Vec3::ZERO), Some(Vec3::NAN), Some(Vec3::Y)]),
            weight: random.pick(&[0.5, 1.0, 2.0]),
            target: random.pick(&[Vec3::ZERO, eye, limb.position(0), Vec3::splat(1e18), Vec3::ONE]),
        };
        let reach = aim.apply(&mut limb.pose, &mut limb.model, &goal);
        prop_assert!(is_finite(&limb.pose, &limb.skeleton), "{goal:?}");
        prop_assert!(!reach.remaining.is_nan(), "{goal:?} {reach:?}");
    }
}

fn head() -> (Skeleton, Vec<AimJoint>) {
    let mut joints = Skeleton::builder();
    joints.joint("chest", None, Transform::from_translation(Vec3::Y));
    joints.joint("neck", Some(0), Transform::from_translation(Vec3::Y * 0.4));
    joints.joint("head", Some(1), Transform::from_translation(Vec3::Y * 0.1));
    let skeleton = joints.build().unwrap();
    let shares = [("chest", 0.2), ("neck", 0.3), ("head", 0.5)]
        .map(|(name, share)| AimJoint::new(skeleton.joint(name).unwrap(), share));
    (skeleton, shares.to_vec())
}

#[test]
fn a_head_turns_by_the_angle_of_its_target_and_keeps_its_top_up() {
    let (skeleton, joints) = head();
    let aim = Aim::new(&skeleton, &joints[2..], Vec3::Z).unwrap();
    let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
    aim.apply(&mut pose, &mut model, &AimGoal::at(Vec3::new(3.0, 1.5, 3.0)));
    // It has half of the shares.
    let eighth = Quat::from_rotation_y(std::f32::consts::FRAC_PI_4);
    assert!(pose.joint(joints[2].joint).rotation.angle_between(Quat::IDENTITY.slerp(eighth, 0.5)) < 1e-2);
    let whole = [AimJoint::new(joints[2].joint, 1.0)];
    let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
    let aim = Aim::new(&skeleton, &whole, Vec3::Z).unwrap();
    aim.apply(&mut pose, &mut model, &AimGoal::at(Vec3::new(3.0, 1.5, 3.0)));
    assert!(pose.joint(joints[2].joint).rotation.angle_between(eighth) < 1e-3);
    // Rolled in the clip, and put upright.
    let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
    pose.joint_mut(joints[2].joint).rotation = Quat::from_rotation_z(0.7);
    model.compose(&skeleton, &pose);
    aim.apply(&mut pose, &mut model, &AimGoal::at(Vec3::new(3.0, 1.5, 3.0)).up(Vec3::Y));
    assert!(model.joint(joints[2].joint).transform_vector3(Vec3::Y).distance(Vec3::Y) < 1e-3);
}

/// However a target of two metres' distance moves, a head's direction turns at most so many radians per
/// radian of the target's way. Between 120 and 170 degrees the head goes back while the target goes on: three
/// quarters of half a turn and more, over 50 degrees, with a smooth step that is half as steep again.
const LARGEST_FACTOR: f32 = 5.0;
/// With an up vector, and a target that passes the zenith by 0.17 radians: there up says less and less about the
/// roll, within 0.35 radians, and the roll goes back by half a turn.
const LARGEST_FACTOR_AT_ZENITH: f32 = 13.5;

#[test]
fn looking_is_continuous_all_around() {
    let (skeleton, joints) = head();
    let mut factors = Vec::new();
    for limit in [10.0_f32, 0.6] {
        let joints: Vec<AimJoint> = joints.iter().map(|joint| joint.limit(limit.min(3.1))).collect();
        let aim = Aim::new(&skeleton, &joints, Vec3::Z).unwrap();
        for (tilt, up) in [(0.0_f32, None), (0.3, Some(Vec3::Y)), (1.0, None), (1.4, Some(Vec3::Y))] {
            let (mut last, mut largest): (Option<(Quat, Vec3)>, _) = (None, 0.0_f32);
            for step in 0..=4000_u16 {
                let (sin, cos) = (f32::from(step) / 4000.0 * 6.4).sin_cos();
                let target = Vec3::new(2.0 * sin * tilt.cos(), 1.5 + 2.0 * tilt.sin() * sin, 2.0 * cos);
                let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
                aim.apply(&mut pose, &mut model, &AimGoal { up, ..AimGoal::at(target) });
                let head = model.joint(joints[2].joint).to_scale_rotation_translation().1;
                if let Some((before, target_before)) = last.replace((head, target)) {
                    let way = target.distance(target_before) / 2.0;
                    let turned = (before.angle_between(head) - 1e-3).max(0.0);
                    largest = largest.max(turned / way);
                }
            }
            factors.push((limit, tilt, up.is_some(), largest));
        }
    }
    for &(limit, tilt, has_up, factor) in &factors {
        let largest = if has_up && tilt > 1.0 { LARGEST_FACTOR_AT_ZENITH } else { LARGEST_FACTOR };
        assert!(factor < largest, "limit {limit}, tilt {tilt}, up {has_up}: {factor}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let (skeleton, joints) = head();
    assert!(Aim::new(&skeleton, &[], Vec3::Z).is_err());
    assert!(Aim::new(&skeleton, &joints, Vec3::ZERO).is_err());
    assert!(Aim::new(&skeleton, &[joints[2], joints[0]], Vec3::Z).is_err());
    assert!(Aim::new(&skeleton, &[AimJoint::new(joints[0].joint, 1.5)], Vec3::Z).is_err());
    assert!(Aim::new(&skeleton, &[joints[0].limit(-1.0)], Vec3::Z).is_err());
    let aim = Aim::new(&skeleton, &joints, Vec3::Z).unwrap();
    assert!(aim.clone().eye(Vec3::NAN).is_err());
    assert!(aim.clone().fade_behind(2.0, 1.0).is_err());
    assert!(aim.fade_behind(1.0, 2.0).is_ok());
}
