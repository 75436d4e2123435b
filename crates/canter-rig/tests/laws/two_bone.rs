//! Arms and legs reach what they can, keep their lengths, and never pop.

use crate::common::{Limb, Scales, is_finite, mirror, mirrored, moved, position};
use canter::glam::{DAffine3, DQuat, DVec3, Mat4, Quat, Vec3};
use canter::{ModelPose, Pose, Skeleton, Transform};
use canter_rig::{LimbEnd, LimbGoal, RigError, TwoBone};
use canter_testing::random::Random;
use canter_testing::{bits, cases, distance};
use proptest::prelude::*;

fn limb(random: &mut Random, scales: Scales) -> (Limb, TwoBone) {
    let limb = Limb::random(random, 2, scales);
    let solver = TwoBone::new(&limb.skeleton, [limb.joints[0], limb.joints[1], limb.joints[2]]).unwrap();
    (limb, solver)
}

/// The range of distances that a limb follows exactly, with the default softness.
fn exact_range(lengths: &[f32]) -> (f32, f32) {
    let (full, least) = (lengths[0] + lengths[1], (lengths[0] - lengths[1]).abs());
    (least + least.min(0.03 * full), 0.97 * full)
}

fn random_goal(random: &mut Random, limb: &Limb, distance: f32) -> LimbGoal {
    LimbGoal {
        pole: random.chance(0.5).then(|| random.vector(3.0)),
        twist: if random.chance(0.3) { random.between(-2.0, 2.0) } else { 0.0 },
        ..LimbGoal::at(limb.point_at(random, distance))
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn what_can_be_reached_is_reached_and_lengths_are_kept(seed in any::<u64>(), scaled in any::<bool>()) {
        let mut random = Random(seed);
        let (mut limb, solver) = limb(&mut random, Scales::above(scaled));
        let (lengths, exact) = (limb.lengths(2), limb.exact_lengths(2));
        let (near, far) = exact_range(&lengths);
        prop_assume!(near < far);
        let distance = random.between(near, far);
        let goal = random_goal(&mut random, &limb, distance);
        let reach = solver.apply(&mut limb.pose, &mut limb.model, &goal);
        let all = lengths[0] + lengths[1];
        let left = limb.position(2).distance(goal.position);
        prop_assert!(reach.is_reached && left < 1e-4 * all, "{reach:?}: {left} of {all}");
        prop_assert!((reach.remaining - left).abs() < 1e-6);
        for (before, after) in lengths.iter().zip(limb.lengths(2)) {
            prop_assert!((before - after).abs() < if scaled { 1e-5 } else { 2e-6 }, "{before} {after}");
        }
        prop_assert!(limb.keeps_lengths(&exact), "{exact:?} {:?}", limb.exact_lengths(2));
        limb.assert_composed();
    }

    #[test]
    fn beyond_its_reach_a_limb_points_at_the_target(seed in any::<u64>()) {
        let mut random = Random(seed);
        let (mut limb, solver) = limb(&mut random, Scales::None);
        let lengths = limb.lengths(2);
        let all = lengths[0] + lengths[1];
        let distance = all * random.between(1.0, 20.0);
        let goal = random_goal(&mut random, &limb, distance);
        let reach = solver.apply(&mut limb.pose, &mut limb.model, &goal);
        let (start, end) = (limb.position(0), limb.position(2));
        prop_assert!(!reach.is_reached);
        prop_assert!((end - start).normalize().distance((goal.position - start).normalize()) < 1e-4);
        // Full length within what rounding leaves of it, far away.
        prop_assert!(end.distance(start) < all + 1e-6 && end.distance(start) > 0.97 * all);
    }

    #[test]
    fn where_the_end_is_already_nothing_moves(seed in any::<u64>()) {
        let mut random = Random(seed);
        let (mut limb, solver) = limb(&mut random, Scales::None);
        let before = limb.pose.clone();
        let lengths = limb.lengths(2);
        let (near, far) = exact_range(&lengths);
        let (a, b, c) = (limb.position(0), limb.position(1), limb.position(2));
        prop_assume!((near..far).contains(&a.distance(c)));
        // Bent to the side that it bends to at rest.
        let hinge = hinge(&limb, &solver);
        prop_assume!((b - a).normalize().cross((c - b).normalize()).dot(hinge) > 0.11);
        solver.apply(&mut limb.pose, &mut limb.model, &LimbGoal::at(c));
        prop_assert!(distance(&limb.skeleton, &before, &limb.pose) < 2e-6);
    }

    #[test]
    fn weight_zero_is_nothing_and_weights_lead_there(seed in any::<u64>()) {
        let mut random = Random(seed);
        let (mut limb, solver) = limb(&mut random, Scales::Uneven);
        let before = bits(&limb.skeleton, &limb.pose);
        let goal = random_goal(&mut random, &limb, 0.5);
        for weight in [0.0, -1.0, f32::NAN] {
            solver.apply(&mut limb.pose, &mut limb.model, &goal.weight(weight));
            prop_assert_eq!(&before, &bits(&limb.skeleton, &limb.pose));
        }
        solver.apply(&mut limb.pose, &mut limb.model, &LimbGoal::at(Vec3::NAN));
        prop_assert_eq!(&before, &bits(&limb.skeleton, &limb.pose));
        limb.assert_composed();
    }

    #[test]
    fn a_mirrored_limb_is_bent_as_in_a_mirror(seed in any::<u64>()) {
        let mut random = Random(seed);
        let (mut limb, solver) = limb(&mut random, Scales::None);
        let goal = random_goal(&mut random, &limb, 0.6);
        let (skeleton, mut pose, mut model) = mirrored(&limb.skeleton, &limb.pose);
        let twins = solver.joints().map(|joint| skeleton.joint(limb.skeleton.name(joint)).unwrap());
        let twin = TwoBone::new(&skeleton, twins).unwrap();
        solver.apply(&mut limb.pose, &mut limb.model, &goal);
        let seen = LimbGoal {
            position: mirror(goal.position),
            pole: goal.pole.map(mirror),
            twist: -goal.twist,
            ..goal
        };
        twin.apply(&mut pose, &mut model, &seen);
        for (joint, twin) in solver.joints().into_iter().zip(twins) {
            let (own, other) = (position(&limb.model, joint), mirror(position(&model, twin)));
            prop_assert!(own.distance(other) < 2e-5, "{own} {other}");
        }
    }

    #[test]
    fn moving_everything_changes_nothing(seed in any::<u64>()) {
        let mut random = Random(seed);
        let (mut limb, solver) = limb(&mut random, Scales::None);
        let goal = random_goal(&mut random, &limb, 0.6);
        let by = Mat4::from_rotation_translation(random.turn(180.0), random.vector(2.0));
        let (mut pose, mut model) = moved(&limb.skeleton, &limb.pose, by);
        solver.apply(&mut limb.pose, &mut limb.model, &goal);
        let pole = goal.pole.map(|pole| by.transform_point3(pole));
        let goal = LimbGoal { position: by.transform_point3(goal.position), pole, ..goal };
        solver.apply(&mut pose, &mut model, &goal);
        for joint in solver.joints() {
            let expected = by.transform_point3(position(&limb.model, joint));
            prop_assert!(expected.distance(position(&model, joint)) < 5e-5);
        }
    }

    #[test]
    fn anything_is_finite(seed in any::<u64>()) {
        let mut random = Random(seed);
        let (mut limb, solver) = limb(&mut random, Scales::Uneven);
        limb.distort(&mut random);
        let solver = solver.max_stretch(random.pick(&[1.0, 2.0])).unwrap();
        let targets = [Vec3::ZERO, limb.position(0), limb.position(1), Vec3::splat(1e18), random.vector(1.0)];
        let goal = LimbGoal {
            pole: random.pick(&[None, Some(limb.position(0)), Some(Vec3::NAN), Some(Vec3::splat(1e18))]),
            twist: random.pick(&[0.0, f32::NAN, 1e30]),
            end: random.pick(&[LimbEnd::Follow, LimbEnd::Keep, LimbEnd::Turn(Quat::from_array([0.0; 4]))]),
            weight: random.pick(&[0.5, 1.0, 2.0]),
            ..LimbGoal::at(random.pick(&targets))
        };
        let reach = solver.apply(&mut limb.pose, &mut limb.model, &goal);
        prop_assert!(is_finite(&limb.pose, &limb.skeleton), "{goal:?} {reach:?}");
        prop_assert!(!reach.remaining.is_nan());
    }

    /// With scales that change the lengths of bones as they turn.
    #[test]
    fn uneven_scales_are_told_about(seed in any::<u64>()) {
        let mut random = Random(seed);
        let (mut limb, solver) = limb(&mut random, Scales::Uneven);
        let goal = random_goal(&mut random, &limb, 0.5);
        let before = limb.position(2).distance(goal.position);
        let reach = solver.apply(&mut limb.pose, &mut limb.model, &goal);
        prop_assert!((reach.remaining - limb.position(2).distance(goal.position)).abs() < 1e-5);
        prop_assert!(reach.remaining.is_finite() && before.is_finite());
    }

    #[test]
    fn the_end_is_turned_as_asked(seed in any::<u64>()) {
        let mut random = Random(seed);
        let (mut limb, solver) = limb(&mut random, Scales::None);
        let before = limb.model.joint(limb.joints[2]);
        let goal = random_goal(&mut random, &limb, 0.5);
        let wanted = random.turn(180.0);
        let orientation = |limb: &Limb| limb.model.joint(limb.joints[2]).to_scale_rotation_translation().1;
        solver.apply(&mut limb.pose, &mut limb.model, &goal.end(LimbEnd::Keep));
        prop_assert!(orientation(&limb).dot(before.to_scale_rotation_translation().1).abs() > 1.0 - 1e-5);
        solver.apply(&mut limb.pose, &mut limb.model, &goal.end(LimbEnd::Turn(wanted)));
        prop_assert!(orientation(&limb).dot(wanted).abs() > 1.0 - 1e-5);
        limb.assert_composed();
    }
}

/// The hinge of a limb in its pose, from the rest pose.
fn hinge(limb: &Limb, solver: &TwoBone) -> Vec3 {
    let rest = ModelPose::rest(&limb.skeleton);
    let [a, b, c] = solver.joints().map(|joint| position(&rest, joint));
    let start = solver.joints()[0];
    let axis = (b - a).normalize().cross((c - b).normalize()).normalize();
    let local = rest.joint(start).inverse().transform_vector3(axis);
    limb.model.joint(start).transform_vector3(local).normalize()
}

/// An upright leg of two bones of half a metre, its knee a little forwards.
fn leg() -> (Skeleton, TwoBone) {
    let mut joints = Skeleton::builder();
    joints.joint("thigh", None, Transform::from_translation(Vec3::Y));
    joints.joint("shin", Some(0), Transform::from_translation(Vec3::new(0.0, -0.5, 0.02)));
    joints.joint("foot", Some(1), Transform::from_translation(Vec3::new(0.0, -0.5, -0.02)));
    let skeleton = joints.build().unwrap();
    let solver = TwoBone::new(&skeleton, ["thigh", "shin", "foot"].map(|name| skeleton.joint(name).unwrap()));
    (skeleton, solver.unwrap())
}

/// What it is called, a pole, and where the target is from 0 to 1.
type Way = (&'static str, Option<Vec3>, Box<dyn Fn(f32) -> Vec3>);

/// A target that moves moves no joint by more than this many times as far. The knee is fastest where its soft
/// zone begins, at 0.97 of its length: there its height over the line from hip to foot is
/// `√(1 - 0.97²)/2 = 0.12` of that length and shrinks by `0.97/4/0.12 = 2.0` metres per metre, beside half a
/// metre along the line.
const LARGEST_FACTOR: f32 = 2.15;

fn largest_factor(pole: Option<Vec3>, path: impl Fn(f32) -> Vec3, hinge: Option<Vec3>) -> f32 {
    let (skeleton, mut solver) = leg();
    if let Some(hinge) = hinge {
        solver = solver.hinge(hinge).unwrap();
    }
    let (mut last, mut largest) = (None, 0.0_f32);
    for step in 0..=4000_u16 {
        let target = path(f32::from(step) / 4000.0);
        let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
        solver.apply(&mut pose, &mut model, &LimbGoal { pole, ..LimbGoal::at(target) });
        let places = solver.joints().map(|joint| position(&model, joint));
        if let Some((before, target_before)) = last.replace((places, target)) {
            let way = target.distance(target_before);
            for (place, before) in places.iter().zip(before) {
                largest = largest.max((place.distance(before) - 2e-6) / way);
            }
        }
    }
    largest
}

#[test]
fn joints_move_steadily_with_the_target() {
    let forwards = Some(Vec3::new(0.0, 1.0, 50.0));
    let ways: [Way; 6] = [
        ("across full reach", None, Box::new(|t| Vec3::new(0.0, 0.3 - t, 0.0))),
        ("across full reach, with a pole", forwards, Box::new(|t| Vec3::new(0.0, 0.3 - t, 0.1))),
        ("far away", forwards, Box::new(|t| Vec3::new(0.1, -30.0 * t, 0.1))),
        ("across the pole's plane", forwards, Box::new(|t| Vec3::new(t - 0.5, 0.3, 0.1))),
        (
            "from below to above, in the plane of the limb, without a pole",
            None,
            Box::new(|t| {
                let (sin, cos) = (6.0 * t - 3.0).sin_cos();
                Vec3::new(0.0, 1.0 - 0.7 * cos, 0.7 * sin)
            }),
        ),
        (
            "over 180 degrees, with a pole aside",
            Some(Vec3::new(0.0, 1.0, 50.0)),
            Box::new(|t| {
                let (sin, cos) = (std::f32::consts::TAU * t).sin_cos();
                Vec3::new(0.7 * sin, 1.0 - 0.7 * cos, 0.0)
            }),
        ),
    ];
    let factors = ways.map(|(name, pole, path)| (name, largest_factor(pole, path, None)));
    assert!(factors.iter().all(|(_, factor)| *factor < LARGEST_FACTOR), "{factors:?}");
}

#[test]
fn closed_forms() {
    let (skeleton, solver) = leg();
    let [thigh, shin, foot] = solver.joints();
    let place = |model: &ModelPose| [thigh, shin, foot].map(|joint| position(model, joint));
    let solve = |goal: LimbGoal| {
        let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
        let reach = solver.apply(&mut pose, &mut model, &goal);
        (place(&model), reach)
    };
    let length = Vec3::new(0.0, 0.5, 0.02).length();
    // A right angle at the knee, which bends forwards as at rest.
    let ([_, knee, foot_at], reach) = solve(LimbGoal::at(Vec3::new(0.0, 1.0 - length * 2.0_f32.sqrt(), 0.0)));
    let half = length / 2.0_f32.sqrt();
    assert!(knee.abs_diff_eq(Vec3::new(0.0, 1.0 - half, half), 1e-5), "{knee}");
    assert!(reach.is_reached && foot_at.abs_diff_eq(Vec3::new(0.0, 1.0 - 2.0 * half, 0.0), 1e-5));
    // The same with the knee to the right, by a pole.
    let ([_, knee, _], _) =
        solve(LimbGoal::at(Vec3::new(0.0, 1.0 - 2.0 * half, 0.0)).pole(Vec3::new(9.0, 3.0, 0.0)));
    assert!(knee.abs_diff_eq(Vec3::new(half, 1.0 - half, 0.0), 1e-5), "{knee}");
    // Folded: the target is where the limb starts.
    let ([start, _, foot_at], reach) = solve(LimbGoal::at(Vec3::Y));
    assert!(start.distance(foot_at) < 1e-4 && reach.is_reached, "{foot_at} {reach:?}");
}

#[test]
fn the_soft_limit_starts_with_slope_one_and_never_gets_to_full_length() {
    let (skeleton, solver) = leg();
    let foot = solver.joints()[2];
    let full = 2.0 * Vec3::new(0.0, 0.5, 0.02).length();
    let at = |distance: f32| {
        let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
        solver.apply(&mut pose, &mut model, &LimbGoal::at(Vec3::Y * (1.0 - distance)));
        1.0 - position(&model, foot).y
    };
    let soft = 0.97 * full;
    let slope = (at(soft + 1e-3) - at(soft)) / 1e-3;
    assert!((slope - 1.0).abs() < 0.05, "{slope}");
    let mut last = 0.0;
    for step in 0..300_u16 {
        let reached = at(0.9 * full + 0.01 * f32::from(step));
        assert!(reached < full && reached >= last - 1e-6, "{reached} of {full} after {last}");
        last = reached;
    }
}

#[test]
fn stretching_reaches_further() {
    let (skeleton, solver) = leg();
    let solver = solver.max_stretch(1.5).unwrap();
    let foot = solver.joints()[2];
    for (target, is_reached) in [(0.5, true), (-0.2, true), (-0.4, true), (-2.0, false)] {
        let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
        let reach = solver.apply(&mut pose, &mut model, &LimbGoal::at(Vec3::Y * target));
        assert_eq!(reach.is_reached, is_reached, "{target}: {reach:?} {}", position(&model, foot));
    }
}

#[test]
fn straight_limbs_bend_towards_the_pole_or_always_the_same_way() {
    let mut joints = Skeleton::builder();
    for joint in 0..3 {
        let rest = Transform::from_translation(if joint == 0 { Vec3::ZERO } else { Vec3::Y * -0.5 });
        joints.joint(format!("{joint}"), usize::checked_sub(joint, 1), rest);
    }
    let skeleton = joints.build().unwrap();
    let chain = ["0", "1", "2"].map(|name| skeleton.joint(name).unwrap());
    let solver = TwoBone::new(&skeleton, chain).unwrap();
    for pole in [Vec3::Z, Vec3::X, -Vec3::Z] {
        let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
        let reach = solver.apply(&mut pose, &mut model, &LimbGoal::at(Vec3::Y * -0.8).pole(pole * 3.0));
        assert!(reach.is_reached && position(&model, chain[1]).dot(pole) > 0.29, "{pole}");
        // Bent without a twist of its own: about one axis only.
        assert!(pose.joint(chain[0]).rotation.y.abs() < 1e-5);
    }
    let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
    assert!(solver.apply(&mut pose, &mut model, &LimbGoal::at(Vec3::Y * -0.8)).is_reached);
    for towards in [Vec3::Z, Vec3::new(1.0, 5.0, 0.0), Vec3::NEG_X] {
        let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
        let bending = solver.clone().bends_towards(&skeleton, towards).unwrap();
        bending.apply(&mut pose, &mut model, &LimbGoal::at(Vec3::Y * -0.8));
        let side = Vec3::new(towards.x, 0.0, towards.z).normalize();
        assert!(position(&model, chain[1]).dot(side) > 0.29, "{towards}");
    }
    let hinged = solver.hinge(Vec3::X).unwrap();
    let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
    hinged.apply(&mut pose, &mut model, &LimbGoal::at(Vec3::Y * -0.8));
    assert!(position(&model, chain[1]).z > 0.29, "{}", position(&model, chain[1]));
}

#[test]
fn bones_without_length_are_left_out() {
    for (first, second) in [(0.0, 0.5), (0.5, 0.0), (0.0, 0.0)] {
        let mut joints = Skeleton::builder();
        let turned =
            |x: f32, turn: Quat| Transform { rotation: turn, ..Transform::from_translation(Vec3::X * x) };
        joints.joint("a", None, turned(0.0, Quat::from_rotation_y(0.3)));
        joints.joint("b", Some(0), turned(first, Quat::from_rotation_x(1.0)));
        joints.joint("c", Some(1), turned(second, Quat::IDENTITY));
        let skeleton = joints.build().unwrap();
        let chain = ["a", "b", "c"].map(|name| skeleton.joint(name).unwrap());
        let solver = TwoBone::new(&skeleton, chain).unwrap();
        let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
        solver.apply(&mut pose, &mut model, &LimbGoal::at(Vec3::Y * 2.0));
        let end = position(&model, chain[2]);
        assert!(end.abs_diff_eq(Vec3::Y * (first + second), 1e-5), "{first} {second}: {end}");
    }
}

#[test]
fn the_second_hand_follows_what_the_first_one_holds() {
    let mut joints = Skeleton::builder();
    let at = |x: f32, y: f32| Transform::from_translation(Vec3::new(x, y, 0.0));
    joints.joint("chest", None, at(0.0, 1.4));
    for (side, x) in [("L", 1.0), ("R", -1.0)] {
        let arm = joints.joint(format!("arm.{side}"), Some(0), at(0.2 * x, 0.0));
        let elbow = Transform::from_translation(Vec3::new(0.3 * x, 0.0, -0.03));
        let forearm = joints.joint(format!("forearm.{side}"), Some(arm), elbow);
        joints.joint(
            format!("hand.{side}"),
            Some(forearm),
            Transform::from_translation(Vec3::new(0.3 * x, 0.0, 0.03)),
        );
    }
    let skeleton = joints.build().unwrap();
    let joint = |name: &str| skeleton.joint(name).unwrap();
    let limb = |side: &str| {
        let names = ["arm", "forearm", "hand"].map(|name| joint(&format!("{name}.{side}")));
        TwoBone::new(&skeleton, names).unwrap()
    };
    let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
    let wrist = Quat::from_rotation_y(0.5);
    let held = LimbGoal::at(Vec3::new(-0.1, 1.2, 0.35)).end(LimbEnd::Turn(wrist));
    assert!(limb("R").apply(&mut pose, &mut model, &held).is_reached);
    // Twenty centimetres along the shaft, the other way round.
    let grip =
        Transform { translation: Vec3::X * 0.2, rotation: Quat::from_rotation_z(1.0), scale: Vec3::ONE };
    let goal = LimbGoal::on(&model, joint("hand.R"), grip);
    assert!(limb("L").apply(&mut pose, &mut model, &goal).is_reached);
    let expected = model.joint(joint("hand.R")) * grip.to_mat4();
    assert!(model.joint(joint("hand.L")).abs_diff_eq(expected, 1e-4));
}

#[test]
fn a_hand_stays_on_a_handle_while_the_character_walks_by_and_the_door_opens() {
    let (skeleton, solver) = leg();
    let hand = solver.joints()[2];
    let aim = canter_rig::Aim::new(&skeleton, &[canter_rig::AimJoint::new(solver.joints()[0], 1.0)], Vec3::Z);
    let aim = aim.unwrap();
    for frame in 0..60_u8 {
        let part = f64::from(frame) / 60.0;
        // Far from the origin, turning, and half as large.
        let world = DAffine3::from_scale_rotation_translation(
            DVec3::splat(0.5),
            DQuat::from_rotation_y(0.4 * part),
            DVec3::new(1e5 + 0.1 * part, 0.0, -2e5),
        );
        let door = DQuat::from_rotation_y(-0.5 * part);
        let handle = DVec3::new(1e5, 0.2, -2e5) + door * DVec3::new(0.05, 0.0, 0.2);
        let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
        let goal = LimbGoal::in_world(&world, handle, Some(door));
        assert!(solver.apply(&mut pose, &mut model, &goal).is_reached, "{frame}");
        let at = world.transform_point3(position(&model, hand).as_dvec3());
        assert!(at.distance(handle) < 1e-4, "{frame}: {at} {handle}");
        let shown = world * DAffine3::from_mat4(model.joint(hand).as_dmat4());
        let turned = shown.to_scale_rotation_translation().1;
        assert!(turned.dot(door).abs() > 1.0 - 1e-6, "{frame}: {turned} {door}");
        let looked = canter_rig::AimGoal::in_world(&world, handle);
        let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
        assert!(aim.apply(&mut pose, &mut model, &looked.weight(1.0)).remaining < 3.2);
        assert!((looked.target - goal.position).length() < 1e-6);
    }
    let nowhere = LimbGoal::in_world(&DAffine3::from_scale(DVec3::ZERO), DVec3::ONE, None);
    let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
    assert!(!solver.apply(&mut pose, &mut model, &nowhere).is_reached);
    assert_eq!(bits(&skeleton, &pose), bits(&skeleton, &Pose::rest(&skeleton)));
}

#[test]
fn several_limbs_share_one_composing() {
    let mut random = Random(9);
    let (mut limb, solver) = limb(&mut random, Scales::Above);
    let mut apart = (limb.pose.clone(), limb.model.clone());
    let goal = random_goal(&mut random, &limb, 0.5).end(LimbEnd::Keep).weight(0.8);
    let reach = solver.apply(&mut limb.pose, &mut limb.model, &goal);
    assert!(solver.solve(&mut apart.0, &mut apart.1, &goal));
    apart.1.recompose(solver.subtree(), &apart.0);
    assert_eq!(apart, (limb.pose.clone(), limb.model.clone()));
    assert_eq!(solver.reach(&apart.1, &goal), reach);
}

#[test]
fn what_cannot_be_is_refused() {
    let (skeleton, solver) = leg();
    let [thigh, shin, foot] = solver.joints();
    let refused = TwoBone::new(&skeleton, [shin, thigh, foot]).unwrap_err();
    assert_eq!(refused.to_string(), "joint \"thigh\" does not hang on \"shin\"");
    assert!(TwoBone::new(&skeleton, [thigh, shin, shin]).is_err());
    assert_eq!(solver.clone().soften(f32::NAN).unwrap_err(), RigError::Number { setting: "soften" });
    assert!(solver.clone().max_stretch(0.5).is_err());
    assert!(solver.hinge(Vec3::ZERO).is_err());
}
