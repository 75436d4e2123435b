//! Solvers do not allocate.

use canter::glam::{DAffine3, DVec3, Quat, Vec3};
use canter::{JointId, Pose};
use canter_rig::{
    Aim, AimGoal, AimJoint, Chain, ChainGoal, Collider, ColliderShape, Constraint, ConstraintKind,
    Constraints, Feet, FeetState, FeetStep, Ground, JointLimit, JointVelocity, Leg, LimbEnd, LimbGoal,
    SpringChain, SpringJoint, SpringStep, Springs, SpringsGroup, SpringsMember, SpringsState, Twist, TwoBone,
    joint_velocities,
};
use canter_testing::allocator::{Counting, allocations};
use canter_testing::random::Random;

use crate::common::{Limb, Scales};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn solvers_do_not_allocate() {
    let mut random = Random(5);
    let mut limb = Limb::random(&mut random, 6, Scales::Above);
    let joints: Vec<JointId> = limb.joints[..7].to_vec();
    let two_bone = TwoBone::new(&limb.skeleton, [joints[0], joints[1], joints[2]]).unwrap();
    let looks: Vec<AimJoint> = joints.iter().map(|&joint| AimJoint::new(joint, 0.2)).collect();
    let aim = Aim::new(&limb.skeleton, &looks, Vec3::Z).unwrap();
    let with = |limit| joints.iter().map(|&joint| (joint, limit)).collect::<Vec<_>>();
    let hinge = JointLimit::Hinge { axis: Vec3::X, min: -1.0, max: 1.0 };
    let chains = [JointLimit::Free, JointLimit::Cone(0.3), hinge]
        .map(|limit| Chain::new(&limb.skeleton, &with(limit)).unwrap());
    let sphere =
        Collider { joint: joints[0], shape: ColliderShape::Sphere { offset: Vec3::ZERO, radius: 0.2 } };
    let hair = SpringChain { colliders: vec![0], ..SpringChain::new(&joints, SpringJoint::default()) };
    let springs = Springs::new(&limb.skeleton, &[hair], &[sphere]).unwrap();
    let (mut state, mut group) = (SpringsState::new(&springs), SpringsGroup::new(&springs));
    let leg = Leg::new([joints[1], joints[2], joints[3]]).toe(joints[4]);
    let (feet, mut feet_state) =
        (Feet::new(&limb.skeleton, joints[0], &[leg]).unwrap(), FeetState::default());
    let copy = |joint, source| Constraint::new(joint, source, ConstraintKind::Rotation);
    let aims = Constraint::new(joints[5], joints[1], ConstraintKind::Aim { axis: Vec3::X });
    let constraints = Constraints::new(&limb.skeleton, &[copy(joints[4], joints[2]), aims]).unwrap();
    let twist = Twist::new(&limb.skeleton, joints[2], Vec3::X, &[(joints[3], 0.5)]).unwrap();
    let before = limb.model.clone();
    let mut velocities = vec![JointVelocity::default(); limb.skeleton.joint_count()];
    let start: Pose = limb.pose.clone();
    let mut mirrored = start.clone();
    let partners: Vec<Option<JointId>> = limb.skeleton.joints().map(Some).collect();
    let mirror = canter::Mirror::new(&limb.skeleton, &partners).unwrap();
    for frame in 0..20 {
        let target = random.vector(2.0);
        limb.pose.clone_from(&start);
        let count = allocations(|| {
            limb.model.compose(&limb.skeleton, &limb.pose);
            let goal = LimbGoal::at(target).pole(Vec3::Z).end(LimbEnd::Turn(Quat::IDENTITY)).weight(0.7);
            two_bone.apply(&mut limb.pose, &mut limb.model, &goal);
            aim.apply(&mut limb.pose, &mut limb.model, &AimGoal::at(target).up(Vec3::Y));
            for chain in &chains {
                chain.apply(&mut limb.pose, &mut limb.model, &ChainGoal::at(target).pole(Vec3::X));
            }
            let world = DAffine3::from_translation(DVec3::X * f64::from(frame));
            springs.apply(&mut state, &mut limb.pose, &mut limb.model, &SpringStep::new(0.03, world));
            let step = SpringStep::new(0.03, world);
            let mut members = [SpringsMember { pose: &mut limb.pose, model: &mut limb.model, step }];
            springs.apply_group(&mut group, &mut members);
            let ground = |place: DVec3| Some(Ground::flat(0.1 * place.x));
            let step = FeetStep::new(0.03, world);
            feet.apply(&mut feet_state, &mut limb.pose, &mut limb.model, &step, ground);
            constraints.apply(&mut limb.pose, &mut limb.model);
            twist.apply(&mut limb.pose, &mut limb.model);
            joint_velocities(&before, &limb.model, 0.03, &mut velocities);
            mirror.pose(&limb.pose, &mut mirrored);
        });
        assert_eq!(count, 0, "frame {frame}");
    }
}
