//! All solvers on fixed inputs, as one number: whoever gets the same has the same bits. Tests call it on every
//! machine and in WebAssembly.

use canter::glam::{DAffine3, DVec3, Quat, Vec3};
use canter::{JointId, ModelPose, Pose, Skeleton, Transform};

use crate::{
    Aim, AimGoal, AimJoint, Chain, ChainGoal, Collider, ColliderShape, DampedPoint, Feet, FeetState,
    FeetStep, Ground, JointLimit, Leg, LimbEnd, LimbGoal, RigError, SpringChain, SpringJoint, SpringStep,
    Springs, SpringsGroup, SpringsMember, SpringsState, TwoBone,
};

/// What [`run`] returns everywhere. It changes only with what solvers do.
pub const EXPECTED: u64 = 0x6b2f_cd30_2903_5a8d;

/// Numbers from -1 to 1, without libm, which is not the same everywhere.
fn number(seed: &mut u32) -> f32 {
    *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    let [_, _, low, high] = seed.to_le_bytes();
    f32::from(u16::from_le_bytes([low, high])) / 32_768.0 - 1.0
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

/// Runs all solvers for fifty frames.
///
/// # Errors
/// Never: what it makes solvers of can be.
pub fn run() -> Result<u64, RigError> {
    let mut seed = 1;
    let (skeleton, joints) = limb(&mut seed);
    let limb = TwoBone::new(&skeleton, [joints[0], joints[1], joints[2]])?;
    let looks: Vec<AimJoint> =
        joints[..4].iter().map(|&joint| AimJoint::new(joint, 0.25).limit(0.8)).collect();
    let aim = Aim::new(&skeleton, &looks, Vec3::Z)?;
    let hinge = JointLimit::Hinge { axis: Vec3::X, min: -1.0, max: 1.0 };
    let mut chains = Vec::new();
    for limit in [JointLimit::Free, JointLimit::Cone(0.4), hinge] {
        let limited: Vec<_> = joints.iter().map(|&joint| (joint, limit)).collect();
        chains.push(Chain::new(&skeleton, &limited)?);
    }
    let leg = Leg::new([joints[0], joints[1], joints[2]]).toe(joints[3]);
    let pelvis = skeleton.joint_at(0).unwrap_or(joints[0]);
    let (feet, mut feet_state) = (Feet::new(&skeleton, pelvis, &[leg])?, FeetState::default());
    let springs = springs(&skeleton, &joints)?;
    let (mut state, mut group) = (SpringsState::new(&springs), SpringsGroup::new(&springs));
    let mut gaze = DampedPoint::new(Vec3::Z);
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    for _ in 0..50 {
        let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
        for &joint in &joints {
            pose.set_rotation(joint, turn(&mut seed));
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
        let step = SpringStep::new(0.021, world);
        let mut others = [(); 3].map(|()| (pose.clone(), model.clone()));
        springs.apply(&mut state, &mut pose, &mut model, &step);
        let mut members: Vec<SpringsMember<'_>> =
            others.iter_mut().map(|(pose, model)| SpringsMember { pose, model, step }).collect();
        springs.apply_group(&mut group, &mut members);
        hash.pose(&skeleton, &pose);
        hash.pose(&skeleton, &others[2].0);
    }
    Ok(hash.0)
}

/// Joints in a row below a root.
fn limb(seed: &mut u32) -> (Skeleton, Vec<JointId>) {
    let mut builder = Skeleton::builder();
    builder.joint("root", None, Transform::from_translation(Vec3::Y));
    for joint in 0..9 {
        let rest = Transform { translation: vector(seed) * 0.3, rotation: turn(seed), scale: Vec3::ONE };
        builder.joint(format!("{joint}"), Some(joint), rest);
    }
    let skeleton = builder.build().expect("parents are in the list");
    let joints = skeleton.joints().skip(1).collect();
    (skeleton, joints)
}

/// A strand of the last joints, and something of each kind that it does not go through.
fn springs(skeleton: &Skeleton, joints: &[JointId]) -> Result<Springs, RigError> {
    let shapes = [
        ColliderShape::Sphere { offset: Vec3::ZERO, radius: 0.2 },
        ColliderShape::Capsule { offset: Vec3::X, tail: Vec3::NEG_X, radius: 0.1 },
        ColliderShape::Plane { offset: Vec3::NEG_Y, normal: Vec3::Y },
        ColliderShape::InsideSphere { offset: Vec3::ZERO, radius: 1.5 },
    ];
    let colliders = shapes.map(|shape| Collider { joint: joints[0], shape });
    let swing = SpringJoint { gravity: Vec3::NEG_Y, ..SpringJoint::default() };
    let hair = SpringChain { colliders: vec![0, 1, 2, 3], ..SpringChain::new(&joints[4..], swing) };
    Springs::new(skeleton, &[hair], &colliders)
}

/// FNV-1a over the bits of numbers.
struct Hash(u64);

impl Hash {
    fn pose(&mut self, skeleton: &Skeleton, pose: &Pose) {
        for joint in skeleton.joints() {
            let Transform { translation, rotation, scale } = pose.joint(joint);
            let numbers =
                translation.to_array().into_iter().chain(rotation.to_array()).chain(scale.to_array());
            for number in numbers {
                self.0 = (self.0 ^ u64::from(number.to_bits())).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
}
