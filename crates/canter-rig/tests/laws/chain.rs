//! Chains reach what they can, keep their lengths, and never pop.

use crate::common::{Limb, Scales, is_finite, mirror, mirrored, moved, position};
use canter::glam::{Mat4, Vec3};
use canter::{JointId, ModelPose, Pose, Skeleton, Transform};
use canter_rig::{Chain, ChainGoal, JointLimit, LimbEnd};
use canter_testing::random::Random;
use canter_testing::{bits, cases, distance};
use proptest::prelude::*;

fn chain(
    random: &mut Random,
    scales: Scales,
    limit: impl Fn(&mut Random) -> JointLimit,
) -> (Limb, Chain, usize) {
    let bones = 1 + random.below(9);
    let limb = Limb::random(random, bones, scales);
    let joints: Vec<_> = limb.joints[..=bones].iter().map(|&joint| (joint, limit(random))).collect();
    let chain = Chain::new(&limb.skeleton, &joints).unwrap();
    (limb, chain, bones)
}

fn free(_: &mut Random) -> JointLimit {
    JointLimit::Free
}

/// The distances that a chain follows exactly, with the default softness.
fn exact_range(lengths: &[f32]) -> (f32, f32) {
    let full: f32 = lengths.iter().sum();
    let longest = lengths.iter().fold(0.0_f32, |longest, &length| longest.max(length));
    let least = (2.0 * longest - full).max(0.0);
    (least + least.min(0.02 * full), 0.98 * full)
}

fn looks_the_same_mirrored_and_moved(seed: u64) -> Result<(), TestCaseError> {
    let mut random = Random(seed);
    let (mut limb, chain, bones) = chain(&mut random, Scales::None, free);
    let goal = ChainGoal::at(random.vector(1.5)).pole(random.vector(3.0));
    let (skeleton, mut flipped, mut flipped_model) = mirrored(&limb.skeleton, &limb.pose);
    let twin = |joint: JointId| skeleton.joint(limb.skeleton.name(joint)).unwrap();
    let twins = limb.joints[..=bones].iter().map(|&joint| (twin(joint), JointLimit::Free));
    let twins: Vec<_> = twins.collect();
    let by = Mat4::from_rotation_translation(random.turn(180.0), random.vector(2.0));
    let (mut pose, mut model) = moved(&limb.skeleton, &limb.pose, by);
    chain.apply(&mut limb.pose, &mut limb.model, &goal);
    let pole = goal.pole.map(|pole| by.transform_point3(pole));
    let moved_goal = ChainGoal { position: by.transform_point3(goal.position), pole, ..goal };
    chain.apply(&mut pose, &mut model, &moved_goal);
    let goal = ChainGoal { position: mirror(goal.position), pole: goal.pole.map(mirror), ..goal };
    Chain::new(&skeleton, &twins).unwrap().apply(&mut flipped, &mut flipped_model, &goal);
    for (index, &(twin, _)) in twins.iter().enumerate() {
        let place = limb.position(index);
        prop_assert!(by.transform_point3(place).distance(position(&model, limb.joints[index])) < 1e-3);
        prop_assert!(place.distance(mirror(position(&flipped_model, twin))) < 1e-3);
    }
    Ok(())
}

fn keeps_cones(seed: u64) -> Result<(), TestCaseError> {
    let mut random = Random(seed);
    let cone = random.between(0.0, 1.0);
    let (mut limb, chain, bones) = chain(&mut random, Scales::None, |_| JointLimit::Cone(cone));
    let before = limb.pose.clone();
    let target = random.vector(2.0);
    let off = limb.position(bones).distance(target);
    let reach = chain.apply(&mut limb.pose, &mut limb.model, &ChainGoal::at(target));
    for &joint in &limb.joints[..bones] {
        let turn = before.joint(joint).rotation.angle_between(limb.pose.joint(joint).rotation);
        prop_assert!(turn <= cone + 2e-3, "{turn} of {cone}");
    }
    // What is caught between its limits gets hardly further away than it was.
    prop_assert!(reach.remaining <= off + 0.1 * off.min(3.0) + 1e-3, "{reach:?}, before it {off}");
    Ok(())
}

/// Joints that were caught between their limits, and led the end away from its target.
#[test]
fn caught_chains_stay_where_they_are() {
    for seed in [1_451_160_955_338_565_714, 306, 1_468, 12_640, 15_068, 18_374] {
        keeps_cones(seed).unwrap();
    }
}

/// Targets far out of reach, which stretched chains to within rounding of their length: their joints were
/// millimetres beside the line, each time to another side.
#[test]
fn stretched_and_turned_chains_look_the_same_mirrored_and_moved() {
    for seed in [
        1_311_944_394_565_740_811,
        7_382_552_428_750_679_434,
        12_730_562_353_935_663_529,
        17_760_235_827_762_496_562,
        9_588_322_757_396_200_583,
        12_179_377_539_930_646_480,
        // Half a turn to the pole, about an axis that rounding decided.
        5_004_677_293_619_992_250,
        12_197_291_432_103_643_233,
        17_068_618_500_844_530_011,
    ] {
        looks_the_same_mirrored_and_moved(seed).unwrap();
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn what_can_be_reached_is_reached_and_lengths_are_kept(seed in any::<u64>(), scaled in any::<bool>()) {
        let mut random = Random(seed);
        let (mut limb, chain, bones) = chain(&mut random, Scales::above(scaled), free);
        let (lengths, exact) = (limb.lengths(bones), limb.exact_lengths(bones));
        let (near, far) = exact_range(&lengths);
        prop_assume!(near < far);
        let target = limb.point_at(&mut random.clone(), near + (far - near) * random.unit());
        let pole = random.chance(0.5).then(|| random.vector(3.0));
        let goal = ChainGoal { pole, ..ChainGoal::at(target) };
        let reach = chain.apply(&mut limb.pose, &mut limb.model, &goal);
        let all: f32 = lengths.iter().sum();
        prop_assert!(reach.is_reached && reach.remaining < 1e-4 * all, "{bones} bones: {reach:?} of {all}");
        for (before, after) in lengths.iter().zip(limb.lengths(bones)) {
            prop_assert!((before - after).abs() < if scaled { 1e-5 } else { 4e-6 }, "{before} {after}");
        }
        prop_assert!(limb.keeps_lengths(&exact), "{exact:?} {:?}", limb.exact_lengths(bones));
        limb.assert_composed();
    }

    #[test]
    fn where_the_end_is_already_nothing_moves(seed in any::<u64>()) {
        let mut random = Random(seed);
        let (mut limb, chain, bones) = chain(&mut random, Scales::None, free);
        let before = limb.pose.clone();
        let lengths = limb.lengths(bones);
        let (near, far) = exact_range(&lengths);
        let end = limb.position(bones);
        prop_assume!((near..far).contains(&limb.position(0).distance(end)));
        chain.apply(&mut limb.pose, &mut limb.model, &ChainGoal::at(end));
        prop_assert!(distance(&limb.skeleton, &before, &limb.pose) < 1e-4);
    }

    #[test]
    fn weight_zero_is_nothing_and_nan_too(seed in any::<u64>()) {
        let mut random = Random(seed);
        let (mut limb, chain, _) = chain(&mut random, Scales::Uneven, free);
        let before = bits(&limb.skeleton, &limb.pose);
        let goal = ChainGoal::at(Vec3::ONE);
        for goal in [goal.weight(0.0), goal.weight(f32::NAN), ChainGoal::at(Vec3::NAN)] {
            chain.apply(&mut limb.pose, &mut limb.model, &goal);
            prop_assert_eq!(&before, &bits(&limb.skeleton, &limb.pose));
        }
    }

    #[test]
    fn cones_are_kept_and_lead_nowhere_else(seed in any::<u64>()) {
        keeps_cones(seed)?;
    }

    #[test]
    fn mirrors_and_moves_change_nothing(seed in any::<u64>()) {
        looks_the_same_mirrored_and_moved(seed)?;
    }

    #[test]
    fn anything_is_finite(seed in any::<u64>()) {
        let mut random = Random(seed);
        let limits = [
            JointLimit::Free,
            JointLimit::Cone(0.5),
            JointLimit::Hinge { axis: Vec3::X, min: -1.0, max: 0.5 },
        ];
        let hinged = if random.chance(0.5) { 3 } else { 2 };
        let limit = |random: &mut Random| limits[random.below(hinged)];
        let (mut limb, chain, bones) = chain(&mut random, Scales::Uneven, limit);
        limb.distort(&mut random);
        let targets = [Vec3::ZERO, limb.position(0), limb.position(bones), Vec3::splat(1e18), Vec3::ONE];
        let goal = ChainGoal {
            position: random.pick(&targets),
            pole: random.pick(&[None, Some(limb.position(0)), Some(Vec3::NAN), Some(Vec3::splat(1e18))]),
            end: random.pick(&[LimbEnd::Follow, LimbEnd::Keep]),
            weight: random.pick(&[0.5, 1.0, 2.0]),
        };
        let reach = chain.apply(&mut limb.pose, &mut limb.model, &goal);
        prop_assert!(is_finite(&limb.pose, &limb.skeleton), "{goal:?}");
        prop_assert!(!reach.remaining.is_nan(), "{goal:?} {reach:?}");
    }
}

/// A crane: a turntable and arms that bend in one plane, straight at rest.
fn crane(arms: usize, min: f32, max: f32) -> (Skeleton, Vec<(JointId, JointLimit)>) {
    let mut builder = Skeleton::builder();
    builder.joint("table", None, Transform::IDENTITY);
    for arm in 0..=arms {
        let offset = if arm == 0 { 0.2 } else { 0.5 };
        builder.joint(format!("arm {arm}"), Some(arm), Transform::from_translation(Vec3::Y * offset));
    }
    let skeleton = builder.build().unwrap();
    let pi = std::f32::consts::PI;
    let mut joints =
        vec![(skeleton.joint("table").unwrap(), JointLimit::Hinge { axis: Vec3::Y, min: -pi, max: pi })];
    for arm in 0..=arms {
        let limit = JointLimit::Hinge { axis: Vec3::X, min, max };
        joints.push((skeleton.joint(&format!("arm {arm}")).unwrap(), limit));
    }
    (skeleton, joints)
}

#[test]
fn hinges_turn_about_their_axes_and_within_their_limits() {
    let (skeleton, joints) = crane(4, -1.5, 1.5);
    let chain = Chain::new(&skeleton, &joints).unwrap();
    let mut random = Random(3);
    let mut reached = 0;
    for _ in 0..500 {
        // A place that some angles lead to.
        let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
        for &(joint, limit) in &joints[..5] {
            let JointLimit::Hinge { axis, min, max } = limit else { unreachable!() };
            let angle = 0.9 * random.between(min, max);
            pose.joint_mut(joint).rotation = canter::glam::Quat::from_axis_angle(axis, angle);
        }
        model.compose(&skeleton, &pose);
        let target = position(&model, joints[5].0);
        let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
        let before = position(&model, joints[5].0).distance(target);
        let reach = chain.apply(&mut pose, &mut model, &ChainGoal::at(target));
        assert!(reach.remaining <= before + 1e-5, "{reach:?} after {before}");
        reached += u32::from(reach.remaining < 1e-2 * 2.2);
        for &(joint, limit) in &joints[..5] {
            let JointLimit::Hinge { axis, min, max } = limit else { unreachable!() };
            let rotation = pose.joint(joint).rotation;
            let (turn_axis, angle) = rotation.to_axis_angle();
            let signed = angle * turn_axis.dot(axis).signum();
            let signed = if signed > std::f32::consts::PI { signed - std::f32::consts::TAU } else { signed };
            assert!(angle < 1e-3 || turn_axis.cross(axis).length() < 1e-2, "{turn_axis} {axis}");
            assert!((min - 1e-3..max + 1e-3).contains(&signed), "{signed}");
        }
    }
    // Descent that starts from the pose stops at limits now and then, also where another way round would lead
    // there; starting anew elsewhere would, but jump from one frame to the next.
    assert!(reached >= 480, "{reached} of 500");
}

/// What it is called, a pole, and where the target is from 0 to 1.
type Way = (&'static str, Option<Vec3>, Box<dyn Fn(f32) -> Vec3>);

/// A target that moves moves no joint by more than this many times as far. Below 2.5 but for one way: aside without
/// a pole, where the target passes the plane in which the chain is bent, and nothing but this bend says to which
/// side its middle goes.
const LARGEST_FACTOR: f32 = 8.5;

#[test]
fn joints_move_steadily_with_the_target() {
    let mut builder = Skeleton::builder();
    for joint in 0..6 {
        let bend = [0.1, -0.05, 0.12, 0.02, 0.1, 0.0][joint];
        let offset = if joint == 0 { Vec3::ZERO } else { Vec3::new(0.02, 0.3, bend) };
        builder.joint(format!("{joint}"), joint.checked_sub(1), Transform::from_translation(offset));
    }
    let skeleton = builder.build().unwrap();
    let joints: Vec<_> = skeleton.joints().map(|joint| (joint, JointLimit::Free)).collect();
    let chain = Chain::new(&skeleton, &joints).unwrap();
    let pole = Some(Vec3::Z * 20.0);
    let ways: [Way; 5] = [
        ("across full reach", None, Box::new(|t| Vec3::new(0.0, 0.8 + 2.0 * t, 0.0))),
        ("across full reach, with a pole", pole, Box::new(|t| Vec3::new(0.0, 0.8 + 2.0 * t, 0.1))),
        ("aside", None, Box::new(|t| Vec3::new(t - 0.5, 1.1, 0.2))),
        ("across the pole's plane", pole, Box::new(|t| Vec3::new(t - 0.5, 1.1, 0.2))),
        (
            "around",
            pole,
            Box::new(|t| {
                let (sin, cos) = (2.5 * t).sin_cos();
                Vec3::new(sin, cos, 0.0)
            }),
        ),
    ];
    let factors = ways.map(|(name, pole, path)| {
        let (mut last, mut largest): (Option<(Vec<Vec3>, Vec3)>, _) = (None, 0.0_f32);
        for step in 0..=4000_u16 {
            let target = path(f32::from(step) / 4000.0);
            let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
            chain.apply(&mut pose, &mut model, &ChainGoal { pole, ..ChainGoal::at(target) });
            let places: Vec<Vec3> = skeleton.joints().map(|joint| position(&model, joint)).collect();
            if let Some((before, target_before)) = last.replace((places.clone(), target)) {
                let way = target.distance(target_before);
                for (place, before) in places.iter().zip(before) {
                    largest = largest.max((place.distance(before) - 5e-6) / way);
                }
            }
        }
        (name, largest)
    });
    assert!(factors.iter().all(|(_, factor)| *factor < LARGEST_FACTOR), "{factors:?}");
}

#[test]
fn a_straight_chain_bends_towards_its_pole() {
    let skeleton = canter_testing::chain(6);
    let joints: Vec<_> = skeleton.joints().map(|joint| (joint, JointLimit::Free)).collect();
    let chain = Chain::new(&skeleton, &joints).unwrap();
    for pole in [Vec3::X, Vec3::Z, -Vec3::X] {
        let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
        let reach = chain.apply(&mut pose, &mut model, &ChainGoal::at(Vec3::Y * 3.0).pole(pole * 9.0));
        assert!(reach.is_reached, "{reach:?}");
        assert!(joints[1..5].iter().all(|(joint, _)| position(&model, *joint).dot(pole) > 0.1));
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let (skeleton, joints) = crane(3, -1.0, 1.0);
    assert!(Chain::new(&skeleton, &joints[..1]).is_err());
    let long = canter_testing::chain(40);
    let too_many: Vec<_> = long.joints().map(|joint| (joint, JointLimit::Free)).collect();
    assert!(Chain::new(&long, &too_many).is_err());
    let bad = [
        JointLimit::Cone(-1.0),
        JointLimit::Cone(f32::NAN),
        JointLimit::Hinge { axis: Vec3::ZERO, min: 0.0, max: 1.0 },
        JointLimit::Hinge { axis: Vec3::X, min: 1.0, max: 0.0 },
    ];
    for limit in bad {
        assert!(Chain::new(&skeleton, &[(joints[0].0, limit), joints[1]]).is_err());
    }
    assert!(Chain::new(&skeleton, &joints).unwrap().soften(2.0).is_err());
}
