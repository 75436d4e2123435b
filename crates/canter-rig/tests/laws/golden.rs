//! The same bits on every machine: what solvers make of fixed inputs, as a number.

use canter::glam::{DAffine3, DVec3, Quat, Vec3};
use canter::{JointId, ModelPose, Pose, Skeleton, Transform};
use canter_rig::{
    Aim, AimGoal, AimJoint, Chain, ChainGoal, Collider, ColliderShape, DampedPoint, Feet, FeetState,
    FeetStep, Ground, JointLimit, Leg, LimbEnd, LimbGoal, SpringChain, SpringJoint, SpringStep, Springs,
    SpringsState, TwoBone,
};
use canter_testing::bits;

/// What came out when this was written, on x86-64. It changes only with what solvers do.
const EXPECTED: u64 = 0xcc05_d912_ba5c_140a;

/// Numbers without libm, which is not the same everywhere.
fn number(seed: &mut u32) -> f32 {
    *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    f32::from(u16::try_from(*seed >> 16).unwrap()) / 32_768.0 - 1.0
}

fn vector(seed: &mut u32) -> Vec3 {
    Vec3::new(number(seed), number(seed), number(seed))
}

/// Of length one by plain numbers: glam's own depends on the registers that there are.
fn turn(seed: &mut u32) -> Quat {
    let [x, y, z, w] = [number(seed), number(seed), number(seed), 1.5 + number(seed)];
    let length = (((x * x + y * y) + z * z) + w * w).sqrt();
    Quat::from_xyzw(x / length, y / length, z / length, w / length)
}

#[test]
fn the_bits_are_those_of_every_machine() {
    let mut seed = 1;
    let mut builder = Skeleton::builder();
    builder.joint("root", None, Transform::from_translation(Vec3::Y));
    for joint in 0..9 {
        let rest =
            Transform { translation: vector(&mut seed) * 0.3, rotation: turn(&mut seed), scale: Vec3::ONE };
        builder.joint(format!("{joint}"), Some(joint), rest);
    }
    let skeleton = builder.build().unwrap();
    let joints: Vec<JointId> = skeleton.joints().skip(1).collect();
    let limb = TwoBone::new(&skeleton, [joints[0], joints[1], joints[2]]).unwrap();
    let looks: Vec<AimJoint> =
        joints[..4].iter().map(|&joint| AimJoint::new(joint, 0.25).limit(0.8)).collect();
    let aim = Aim::new(&skeleton, &looks, Vec3::Z).unwrap();
    let hinge = JointLimit::Hinge { axis: Vec3::X, min: -1.0, max: 1.0 };
    let chains = [JointLimit::Free, JointLimit::Cone(0.4), hinge].map(|limit| {
        let limited: Vec<_> = joints.iter().map(|&joint| (joint, limit)).collect();
        Chain::new(&skeleton, &limited).unwrap()
    });
    let feet =
        Feet::new(&skeleton, skeleton.joint("root").unwrap(), &[Leg::new([joints[0], joints[1], joints[2]])]);
    let (feet, mut feet_state) = (feet.unwrap(), FeetState::default());
    let sphere = ColliderShape::Sphere { offset: Vec3::ZERO, radius: 0.2 };
    let swing = SpringJoint { gravity: Vec3::NEG_Y, ..SpringJoint::default() };
    let hair = SpringChain { colliders: vec![0], ..SpringChain::new(&joints[4..], swing) };
    let springs = Springs::new(&skeleton, &[hair], &[Collider { joint: joints[0], shape: sphere }]).unwrap();
    let mut springs_state = SpringsState::new(&springs);
    let mut gaze = DampedPoint::new(Vec3::Z);
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for _ in 0..50 {
        let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
        for &joint in &joints {
            pose.joint_mut(joint).rotation = turn(&mut seed);
        }
        model.compose(&skeleton, &pose);
        let target = gaze.follow(vector(&mut seed), 0.1, 0.03);
        let goal = LimbGoal { twist: 0.3, ..LimbGoal::at(target).pole(vector(&mut seed)).end(LimbEnd::Keep) };
        limb.apply(&mut pose, &mut model, &goal.weight(0.7));
        aim.apply(&mut pose, &mut model, &AimGoal::at(target * 3.0).up(Vec3::Y));
        for chain in &chains {
            chain.apply(&mut pose, &mut model, &ChainGoal::at(vector(&mut seed)).pole(Vec3::X).weight(0.5));
        }
        let world = DAffine3::from_translation(vector(&mut seed).as_dvec3());
        let ground = |place: DVec3| Some(Ground { height: 0.1 * place.x, normal: Vec3::new(-0.1, 1.0, 0.0) });
        feet.apply(&mut feet_state, &mut pose, &mut model, &FeetStep::new(0.02, world), ground);
        springs.apply(&mut springs_state, &mut pose, &mut model, &SpringStep::new(0.021, world));
        for bits in bits(&skeleton, &pose) {
            hash = (hash ^ u64::from(bits)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    assert_eq!(hash, EXPECTED, "{hash:#x}");
}
