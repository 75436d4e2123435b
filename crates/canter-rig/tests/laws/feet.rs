//! Feet stand on what is below them, and do not slide.

use canter::glam::{DAffine3, DQuat, DVec3, Vec3};
use canter::{JointId, ModelPose, Pose, Skeleton, Transform};
use canter_rig::{Feet, FeetState, FeetStep, FootContact, Ground, Leg};
use canter_testing::bits;
use canter_testing::random::Random;

use crate::common::{is_finite, position};

const LENGTH: f32 = 0.8;

struct Walker {
    skeleton: Skeleton,
    feet: Feet,
    state: FeetState,
    pose: Pose,
    model: ModelPose,
    ankles: [JointId; 2],
}

impl Walker {
    fn new() -> Self {
        Self::with_toes(false)
    }

    fn with_toes(has_toes: bool) -> Self {
        let mut joints = Skeleton::builder();
        joints.joint("hips", None, Transform::from_translation(Vec3::Y * 0.85));
        joints.joint("head", Some(0), Transform::from_translation(Vec3::Y * 0.7));
        for (side, x) in [("L", 0.1), ("R", -0.1)] {
            let thigh =
                joints.joint(format!("thigh.{side}"), Some(0), Transform::from_translation(Vec3::X * x));
            let knee = Transform::from_translation(Vec3::new(0.0, -0.4, 0.04));
            let shin = joints.joint(format!("shin.{side}"), Some(thigh), knee);
            let ankle = Transform::from_translation(Vec3::new(0.0, -0.38, -0.04));
            let foot = joints.joint(format!("foot.{side}"), Some(shin), ankle);
            let ball = Transform::from_translation(Vec3::new(0.0, -0.05, 0.12));
            joints.joint(format!("toe.{side}"), Some(foot), ball);
        }
        let skeleton = joints.build().unwrap();
        let joint = |name: &str| skeleton.joint(name).unwrap();
        let legs = ["L", "R"].map(|side| {
            let leg = Leg::new(["thigh", "shin", "foot"].map(|name| joint(&format!("{name}.{side}"))));
            if has_toes { leg.toe(joint(&format!("toe.{side}"))) } else { leg }
        });
        let feet = Feet::new(&skeleton, joint("hips"), &legs).unwrap();
        let (state, pose, model) = (FeetState::default(), Pose::rest(&skeleton), ModelPose::rest(&skeleton));
        let ankles = [joint("foot.L"), joint("foot.R")];
        Self { skeleton, feet, state, pose, model, ankles }
    }

    /// A walk on the spot at `phase` of its cycle: legs swing to and fro, lifted on their way forwards. In
    /// the middle of a step a foot goes backwards by 0.6 m per cycle's half.
    fn pose_walk(&mut self, phase: f32) {
        self.pose.reset(&self.skeleton);
        self.model.compose(&self.skeleton, &self.pose);
        for (index, offset) in [0.0, 0.5].into_iter().enumerate() {
            let phase = (phase + offset).rem_euclid(1.0);
            let (way, lift) = if phase < 0.5 {
                (0.15 - 0.6 * phase, 0.0)
            } else {
                let swing = (phase - 0.5) * 2.0;
                (
                    -0.15 + 0.3 * swing * swing * (3.0 - 2.0 * swing),
                    0.12 * (std::f32::consts::PI * swing).sin(),
                )
            };
            let [thigh, shin, foot] = ["thigh", "shin", "foot"]
                .map(|name| self.skeleton.joint(&format!("{name}.{}", ["L", "R"][index])).unwrap());
            let leg = canter_rig::TwoBone::new(&self.skeleton, [thigh, shin, foot]).unwrap();
            let at = position(&ModelPose::rest(&self.skeleton), foot) + Vec3::new(0.0, lift, way);
            let goal = canter_rig::LimbGoal::at(at).end(canter_rig::LimbEnd::Keep);
            leg.apply(&mut self.pose, &mut self.model, &goal);
        }
    }

    fn apply(&mut self, dt_secs: f32, world: DAffine3, ground: impl Fn(DVec3) -> Option<Ground>) {
        let step = FeetStep::new(dt_secs, world);
        self.feet.apply(&mut self.state, &mut self.pose, &mut self.model, &step, ground);
    }

    fn ankles(&self, world: DAffine3) -> [DVec3; 2] {
        self.ankles.map(|ankle| world.transform_point3(position(&self.model, ankle).as_dvec3()))
    }
}

#[test]
fn on_level_ground_nothing_changes() {
    let mut walker = Walker::with_toes(true);
    for frame in 0..30_u8 {
        walker.pose.reset(&walker.skeleton);
        walker.model.compose(&walker.skeleton, &walker.pose);
        let before = bits(&walker.skeleton, &walker.pose);
        walker.apply(1.0 / 60.0, DAffine3::IDENTITY, |_| Some(Ground::flat(0.0)));
        assert_eq!(bits(&walker.skeleton, &walker.pose), before, "frame {frame}");
    }
}

#[test]
fn feet_stand_on_stairs_and_tilt_on_slopes() {
    for (name, ground, is_steep) in [
        (
            "a step",
            (|place: DVec3| Some(Ground::flat(if place.x > 0.0 { 0.2 } else { 0.0 }))) as fn(DVec3) -> _,
            false,
        ),
        ("a hole", |place: DVec3| Some(Ground::flat(if place.x > 0.0 { -0.2 } else { 0.0 })), false),
        (
            "a slope",
            |place: DVec3| {
                let normal = Vec3::new(-0.4, 1.0, 0.0).normalize();
                Some(Ground { height: 0.4 * place.x, normal })
            },
            true,
        ),
    ] {
        let mut walker = Walker::new();
        let rest = position(&walker.model, walker.ankles[0]).y;
        walker.apply(0.0, DAffine3::IDENTITY, ground);
        for place in walker.ankles(DAffine3::IDENTITY) {
            let height = ground(place).unwrap().height;
            assert!((place.y - height - f64::from(rest)).abs() < 2e-3, "{name}: {place} on {height}");
        }
        let up = walker.model.joint(walker.ankles[0]).transform_vector3(Vec3::Y);
        let normal = ground(DVec3::ZERO).unwrap().normal;
        assert!(!is_steep || up.distance(normal) < 1e-3, "{name}: {up} {normal}");
    }
}

#[test]
fn toes_stay_on_a_slope_while_the_heel_is_lifted() {
    let slope =
        |place: DVec3| Some(Ground { height: 0.3 * place.z, normal: Vec3::new(0.0, 1.0, -0.3).normalize() });
    let mut walker = Walker::with_toes(true);
    let [foot, toe] = ["foot.L", "toe.L"].map(|name| walker.skeleton.joint(name).unwrap());
    // On its toes: the foot is pitched about its ball, and the toe is level in the clip.
    let lift = |walker: &mut Walker, pitch: f32| {
        walker.pose.reset(&walker.skeleton);
        walker.model.compose(&walker.skeleton, &walker.pose);
        let rest = ModelPose::rest(&walker.skeleton);
        let turn = canter::glam::Quat::from_rotation_x(pitch);
        let ball = position(&rest, toe);
        let at = ball + turn * (position(&rest, foot) - ball);
        let leg = ["thigh.L", "shin.L", "foot.L"].map(|name| walker.skeleton.joint(name).unwrap());
        let leg = canter_rig::TwoBone::new(&walker.skeleton, leg).unwrap();
        let goal = canter_rig::LimbGoal::at(at).end(canter_rig::LimbEnd::Turn(turn));
        leg.apply(&mut walker.pose, &mut walker.model, &goal);
        walker.pose.set_rotation(toe, turn.inverse());
        walker.model.compose(&walker.skeleton, &walker.pose);
    };
    let normal = slope(DVec3::ZERO).unwrap().normal;
    for pitch in [0.0, 0.2, 0.4, 0.6] {
        lift(&mut walker, pitch);
        walker.state.reset();
        walker.apply(0.0, DAffine3::IDENTITY, slope);
        let up = walker.model.joint(toe).transform_vector3(Vec3::Y);
        assert!(up.distance(normal) < 2e-3, "pitched by {pitch}: {up} {normal}");
        let mut whole = ModelPose::rest(&walker.skeleton);
        whole.compose(&walker.skeleton, &walker.pose);
        assert_eq!(whole, walker.model, "both fit each other");
    }
}

#[test]
fn a_foot_stands_on_the_step_that_its_toe_is_above() {
    // The edge is between ankle and ball.
    let step = |place: DVec3| Some(Ground::flat(if place.z > 0.05 { 0.15 } else { 0.0 }));
    for (has_toes, height) in [(false, 0.0), (true, 0.15)] {
        let mut walker = Walker::with_toes(has_toes);
        let rest = position(&walker.model, walker.ankles[0]).y;
        walker.apply(0.0, DAffine3::IDENTITY, step);
        for ankle in walker.ankles {
            let y = position(&walker.model, ankle).y;
            assert!((y - rest - height).abs() < 2e-3, "{has_toes}: {y}");
        }
    }
    // Down from an edge the heel stays on it.
    let edge = |place: DVec3| Some(Ground::flat(if place.z > 0.05 { -0.15 } else { 0.0 }));
    let mut walker = Walker::with_toes(true);
    let rest = position(&walker.model, walker.ankles[0]).y;
    walker.apply(0.0, DAffine3::IDENTITY, edge);
    assert!((position(&walker.model, walker.ankles[0]).y - rest).abs() < 2e-3);
}

/// Walks forwards on the spot clip, so that animated feet move backwards as fast as the character moves.
#[test]
fn planted_feet_do_not_slide_and_nothing_pops() {
    for (rate, has_toes) in [(30_u16, false), (60, false), (144, false), (30, true), (60, true), (144, true)]
    {
        let dt = 1.0 / f32::from(rate);
        let mut walker = Walker::with_toes(has_toes);
        let ground = |place: DVec3| {
            // Level, a slope, then stairs.
            let height = if place.z < 1.0 {
                0.0
            } else if place.z < 3.0 {
                0.25 * (place.z - 1.0)
            } else {
                0.5 + 0.15 * ((place.z - 3.0) / 0.35).floor()
            };
            let normal =
                if (1.0..3.0).contains(&place.z) { Vec3::new(0.0, 1.0, -0.25).normalize() } else { Vec3::Y };
            Some(Ground { height, normal })
        };
        let mut last: Option<([DVec3; 2], Vec<Vec3>)> = None;
        let (mut z, mut largest_slide, mut largest_jump) = (0.0_f64, 0.0_f64, 0.0_f32);
        for frame in 0..6 * rate {
            let secs = f32::from(frame) * dt;
            // The character is a little too slow for its feet, which would slide.
            z += 0.55 * f64::from(dt);
            let height = ground(DVec3::Z * z).unwrap().height;
            let world = DAffine3::from_translation(DVec3::new(0.0, height, z));
            walker.pose_walk(secs);
            let animated = walker.ankles(world);
            walker.apply(dt, world, ground);
            let shown = walker.ankles(world);
            let joints: Vec<Vec3> = walker
                .skeleton
                .joints()
                .map(|joint| world.transform_point3(position(&walker.model, joint).as_dvec3()).as_vec3())
                .collect();
            if let Some((before, joints_before)) = last.replace((shown, joints.clone())) {
                for index in 0..2 {
                    // Well within the time in which the foot is down.
                    let phase = (secs + [0.0, 0.5][index]).rem_euclid(1.0);
                    if (0.1..0.45).contains(&phase) {
                        let way = (shown[index] - before[index]) * DVec3::new(1.0, 0.0, 1.0);
                        largest_slide = largest_slide.max(way.length() / f64::from(dt));
                    }
                }
                for (joint, before) in joints.iter().zip(joints_before) {
                    largest_jump = largest_jump.max(joint.distance(before) / dt);
                }
            }
            assert!(animated.iter().zip(shown).all(|(a, b)| a.distance(b) < f64::from(LENGTH)));
        }
        assert!(largest_slide < 1e-3, "{rate} frames a second: {largest_slide} m/s");
        assert!(largest_jump < 6.0, "{rate} frames a second: {largest_jump} m/s");
    }
}

/// Ground and character are turned about the vertical and moved, and shown in a mirror.
#[test]
fn feet_look_the_same_moved_and_mirrored() {
    let ground = |place: DVec3| Ground {
        height: 0.1 * place.x + 0.15 * (place.z / 0.4).floor(),
        normal: Vec3::new(-0.1, 1.0, 0.0),
    };
    let flip = DVec3::new(-1.0, 1.0, 1.0);
    let by = DAffine3::from_rotation_translation(DQuat::from_rotation_y(2.0), DVec3::new(7.0, 3.0, -5.0));
    let turned = |place: DVec3| {
        let Ground { height, normal } = ground(by.inverse().transform_point3(place));
        Some(Ground { height: height + 3.0, normal: by.transform_vector3(normal.as_dvec3()).as_vec3() })
    };
    let mirrored = |place: DVec3| {
        let Ground { height, normal } = ground(place * flip);
        Some(Ground { height, normal: normal * flip.as_vec3() })
    };
    let mut walkers = [(); 3].map(|()| Walker::with_toes(true));
    let dt = 1.0 / 60.0;
    for frame in 0..240_u16 {
        let secs = f32::from(frame) * dt;
        let z = 0.55 * f64::from(secs);
        let world = DAffine3::from_translation(DVec3::new(0.02, ground(DVec3::Z * z).height, z));
        let flipped = DAffine3::from_translation(world.translation * flip);
        let [plain, other, reflected] = &mut walkers;
        plain.pose_walk(secs);
        plain.apply(dt, world, |place| Some(ground(place)));
        other.pose_walk(secs);
        other.apply(dt, by * world, turned);
        // Half a step later the other foot is where this one was.
        reflected.pose_walk(secs + 0.5);
        reflected.apply(dt, flipped, mirrored);
        let places = |walker: &Walker, sides: [&str; 2]| {
            ["thigh", "shin", "foot", "toe"].map(|name| {
                let joint = |side: &str| walker.skeleton.joint(&format!("{name}.{side}")).unwrap();
                sides.map(|side| position(&walker.model, joint(side)))
            })
        };
        let (seen, seen_moved) = (places(plain, ["L", "R"]), places(other, ["L", "R"]));
        for (places, others) in seen
            .iter()
            .zip(seen_moved)
            .zip(places(reflected, ["R", "L"]))
            .map(|((a, b), c)| (a, [b, c.map(|place| place * flip.as_vec3())]))
        {
            for (index, &place) in places.iter().enumerate() {
                for other in others {
                    let off = place.distance(other[index]);
                    assert!(off < 1e-4, "frame {frame}: {off} m off");
                }
            }
        }
    }
}

/// Toes of feet that are lifted see steps coming: they hardly go through their edges.
#[test]
fn toes_are_lifted_over_the_steps_that_they_come_to() {
    for rate in [30_u16, 60, 144] {
        let dt = 1.0 / f32::from(rate);
        let mut walker = Walker::with_toes(true);
        let height = |z: f64| 0.15 * (z / 0.4).floor();
        let toes = ["toe.L", "toe.R"].map(|name| walker.skeleton.joint(name).unwrap());
        let rest = f64::from(position(&ModelPose::rest(&walker.skeleton), toes[0]).y);
        let (mut deepest, mut inside, mut frames) = (0.0_f64, 0.0_f64, 0.0_f64);
        for frame in 0..6 * rate {
            let secs = f32::from(frame) * dt;
            let z = 0.6 * f64::from(secs);
            let world = DAffine3::from_translation(DVec3::new(0.0, height(z), z));
            walker.pose_walk(secs);
            walker.apply(dt, world, |place| Some(Ground::flat(height(place.z))));
            for toe in toes {
                let place = world.transform_point3(position(&walker.model, toe).as_dvec3());
                let depth = height(place.z) - (place.y - rest);
                deepest = deepest.max(depth);
                inside += f64::from(u8::from(depth > 0.02));
                frames += 1.0;
            }
        }
        assert!(deepest < 0.08, "{rate} frames a second: {deepest} m deep");
        assert!(inside / frames < 0.005, "{rate} frames a second: {} of all frames", inside / frames);
    }
}

#[test]
fn edges_odd_ground_and_odd_steps_are_answered() {
    let mut random = Random(4);
    let mut walker = Walker::new();
    for _ in 0..300 {
        walker.pose_walk(random.unit());
        let answer = random.pick(&[
            None,
            Some(Ground::flat(0.1)),
            Some(Ground::flat(f64::NAN)),
            Some(Ground::flat(1e30)),
            Some(Ground { height: 0.0, normal: Vec3::ZERO }),
            Some(Ground { height: 0.0, normal: Vec3::NEG_Y }),
            Some(Ground { height: -0.1, normal: Vec3::NAN }),
        ]);
        let world = random.pick(&[
            DAffine3::IDENTITY,
            DAffine3::from_rotation_translation(DQuat::from_rotation_y(1.0), DVec3::splat(1e7)),
            DAffine3::from_scale(DVec3::splat(-2.0)),
            DAffine3::from_scale(DVec3::ZERO),
            DAffine3::from_translation(DVec3::NAN),
        ]);
        let contacts = [FootContact::Known(random.chance(0.5))];
        let step = FeetStep {
            contacts: &contacts[..random.below(2)],
            weight: random.pick(&[1.0, 0.4, 0.0, f32::NAN]),
            ..FeetStep::new(random.pick(&[0.0, 0.016, 10.0, f32::NAN, -1.0]), world)
        };
        let reach =
            walker.feet.apply(&mut walker.state, &mut walker.pose, &mut walker.model, &step, |_| answer);
        assert!(is_finite(&walker.pose, &walker.skeleton) && !reach.remaining.is_nan());
    }
}

#[test]
fn weight_zero_is_nothing_and_wrong_legs_are_refused() {
    let mut walker = Walker::new();
    let before = bits(&walker.skeleton, &walker.pose);
    let step = FeetStep { weight: 0.0, ..FeetStep::new(0.1, DAffine3::IDENTITY) };
    let ground = |_| Some(Ground::flat(0.3));
    walker.feet.apply(&mut walker.state, &mut walker.pose, &mut walker.model, &step, ground);
    assert_eq!(bits(&walker.skeleton, &walker.pose), before);
    let [head, thigh, shin, foot] =
        ["head", "thigh.L", "shin.L", "foot.L"].map(|name| walker.skeleton.joint(name).unwrap());
    assert!(Feet::new(&walker.skeleton, head, &[Leg::new([thigh, shin, foot])]).is_err());
    assert!(Feet::new(&walker.skeleton, thigh, &[]).is_err());
    assert!(walker.feet.clone().reach(2.0).is_err());
    assert!(walker.feet.release(f32::NAN).is_err());
}
