//! Springs swing as VRM 1.0 says, the same at any frame rate, and stay out of colliders.

use crate::common::{is_finite, position};
use canter::glam::{DAffine3, DQuat, DVec3, Quat, Vec3};
use canter::{JointId, ModelPose, Pose, Skeleton, Transform};
use canter_rig::{
    Collider, ColliderShape, SpringCenter, SpringChain, SpringJoint, SpringStep, Springs, SpringsGroup,
    SpringsMember, SpringsState,
};
use canter_testing::random::Random;
use canter_testing::{bits, cases};
use fearless_simd::{Level, Simd as _};
use proptest::prelude::*;

const BONES: usize = 4;
const LENGTH: f32 = 0.1;

/// A strand that hangs on a head, along -z, by turns of each joint.
fn strand() -> (Skeleton, JointId, Vec<JointId>) {
    let mut builder = Skeleton::builder();
    let turned =
        |translation, x: f32| Transform { translation, rotation: Quat::from_rotation_x(x), scale: Vec3::ONE };
    builder.joint("head", None, turned(Vec3::Y, 0.2));
    for bone in 0..=BONES {
        let offset = if bone == 0 { Vec3::Y * 0.1 } else { Vec3::Z * -LENGTH };
        builder.joint(format!("hair {bone}"), Some(bone), turned(offset, 0.1));
    }
    let skeleton = builder.build().unwrap();
    let hair = (0..=BONES).map(|bone| skeleton.joint(&format!("hair {bone}")).unwrap()).collect();
    let head = skeleton.joint("head").unwrap();
    (skeleton, head, hair)
}

fn swing() -> SpringJoint {
    SpringJoint { stiffness: 0.7, drag: 0.3, gravity: Vec3::NEG_Y * 0.4, ..SpringJoint::default() }
}

struct Swinging {
    skeleton: Skeleton,
    springs: Springs,
    state: SpringsState,
    pose: Pose,
    model: ModelPose,
    hair: Vec<JointId>,
}

impl Swinging {
    fn new(change: impl FnOnce(&mut SpringChain), colliders: &[Collider]) -> Self {
        let (skeleton, _, hair) = strand();
        let mut chain = SpringChain::new(&hair, swing());
        change(&mut chain);
        let springs = Springs::new(&skeleton, &[chain], colliders).unwrap();
        let (state, pose, model) =
            (SpringsState::new(&springs), Pose::rest(&skeleton), ModelPose::rest(&skeleton));
        Self { skeleton, springs, state, pose, model, hair }
    }

    fn frame(&mut self, dt_secs: f32, world_from_model: DAffine3, animate: impl FnOnce(&mut Pose)) {
        self.step(&SpringStep::new(dt_secs, world_from_model), animate);
    }

    fn step(&mut self, step: &SpringStep, animate: impl FnOnce(&mut Pose)) {
        self.pose.reset(&self.skeleton);
        animate(&mut self.pose);
        self.model.compose(&self.skeleton, &self.pose);
        self.springs.apply(&mut self.state, &mut self.pose, &mut self.model, step);
    }

    fn places(&self) -> Vec<Vec3> {
        self.hair.iter().map(|&joint| position(&self.model, joint)).collect()
    }
}

/// A way in the world whose corners all frame rates meet: every sixth of a second.
fn way(frame: u16, rate: u16) -> DAffine3 {
    const CORNERS: [DVec3; 5] = [
        DVec3::ZERO,
        DVec3::new(0.3, 0.0, 0.2),
        DVec3::new(0.1, 0.0, 0.0),
        DVec3::new(0.5, 0.0, 0.2),
        DVec3::new(0.2, 0.0, 0.0),
    ];
    let (sixth, rest) = (6 * frame / rate, 6 * frame % rate);
    let corner = |number: u16| CORNERS[usize::from(number % 5)];
    let part = f64::from(rest) / f64::from(rate);
    DAffine3::from_translation(corner(sixth).lerp(corner(sixth + 1), part))
}

/// Within a thousandth of a bone of what is seen at 60 frames a second.
fn assert_same_at_all_rates(run: impl Fn(u16) -> Vec<Vec<Vec3>>, reference: &[Vec<Vec3>]) {
    for rate in [24, 30, 144, 240] {
        for (places, reference) in run(rate).iter().zip(reference) {
            for (place, reference) in places.iter().zip(reference) {
                let off = place.distance(*reference);
                assert!(off < 1e-3 * LENGTH, "{rate} frames a second: {off} m off");
            }
        }
    }
}

#[test]
fn every_frame_rate_gives_the_same_motion() {
    for center in [SpringCenter::World, SpringCenter::Model] {
        let run = |rate: u16| {
            let mut swinging = Swinging::new(|chain| chain.center = center, &[]);
            swinging.frame(0.0, way(0, rate), |_| ());
            let mut seen = Vec::new();
            for frame in 1..=2 * rate {
                swinging.frame(1.0 / f32::from(rate), way(frame, rate), |_| ());
                if frame % (rate / 6) == 0 {
                    seen.push(swinging.places());
                }
            }
            seen
        };
        let reference = run(60);
        let moved = reference.iter().map(|places| places[BONES].distance(reference[0][BONES]));
        assert!(center == SpringCenter::Model || moved.fold(0.0, f32::max) > 0.05, "it swings");
        assert_same_at_all_rates(run, &reference);
    }
}

/// A sphere in the way, wind, a head that nods as straight between its corners as the way is, and each kind of
/// centre.
#[test]
fn every_frame_rate_gives_the_same_motion_with_colliders_wind_and_clips() {
    let (_, head, hair) = strand();
    let shape = ColliderShape::Sphere { offset: Vec3::new(0.0, 0.03, -0.2), radius: 0.1 };
    for center in [SpringCenter::World, SpringCenter::Joint(head)] {
        let run = |rate: u16, colliders: &[usize]| {
            let change =
                |chain: &mut SpringChain| (chain.center, chain.colliders) = (center, colliders.to_vec());
            let mut swinging = Swinging::new(change, &[Collider { joint: head, shape }]);
            let mut seen = Vec::new();
            for frame in 0..=2 * rate {
                let world_from_model = way(frame, rate);
                let dt_secs = if frame == 0 { 0.0 } else { 1.0 / f32::from(rate) };
                let step = SpringStep {
                    wind: Vec3::new(0.3, 0.0, 0.2),
                    ..SpringStep::new(dt_secs, world_from_model)
                };
                swinging.step(&step, |pose| {
                    pose.joint_mut(hair[0]).translation += world_from_model.translation.as_vec3() * 0.1;
                });
                if frame > 0 && frame % (rate / 6) == 0 {
                    seen.push(swinging.places());
                }
            }
            seen
        };
        let reference = run(60, &[0]);
        let without = run(60, &[]);
        let pushed =
            reference.iter().zip(&without).map(|(with, without)| with[BONES].distance(without[BONES]));
        assert!(pushed.fold(0.0, f32::max) > 0.2 * LENGTH, "the sphere is in the way");
        assert_same_at_all_rates(|rate| run(rate, &[0]), &reference);
    }
}

/// The world is turned and moved, and shown in a mirror: what is in it looks the same.
#[test]
fn springs_look_the_same_moved_and_mirrored() {
    let (_, head, _) = strand();
    let shape = ColliderShape::Sphere { offset: Vec3::new(0.02, 0.03, -0.2), radius: 0.1 };
    let mirror = |vector: Vec3| vector * Vec3::new(-1.0, 1.0, 1.0);
    let mirror_shape = ColliderShape::Sphere { offset: Vec3::new(-0.02, 0.03, -0.2), radius: 0.1 };
    let (gravity, wind) = (Vec3::new(0.1, -0.4, 0.05), Vec3::new(0.2, 0.1, -0.1));
    let by = DAffine3::from_rotation_translation(
        DQuat::from_axis_angle(DVec3::new(1.0, -2.0, 0.5).normalize(), 2.0),
        DVec3::new(5.0, -3.0, 40.0),
    );
    let turned = |vector: Vec3| by.transform_vector3(vector.as_dvec3()).as_vec3();
    let new = |gravity: Vec3, shape: ColliderShape| {
        let change = |chain: &mut SpringChain| {
            chain.colliders = vec![0];
            chain.joints.iter_mut().for_each(|(_, swing)| swing.gravity = gravity);
        };
        Swinging::new(change, &[Collider { joint: head, shape }])
    };
    let mut plain = new(gravity, shape);
    let (mut moved, mut mirrored) = (new(turned(gravity), shape), new(mirror(gravity), mirror_shape));
    for frame in 0..180 {
        let world = way(frame, 60);
        let step = |world_from_model: DAffine3, wind: Vec3| SpringStep {
            wind,
            ..SpringStep::new(1.0 / 60.0, world_from_model)
        };
        plain.step(&step(world, wind), |_| ());
        moved.step(&step(by * world, turned(wind)), |_| ());
        let flipped = DAffine3::from_translation(world.translation * DVec3::new(-1.0, 1.0, 1.0));
        mirrored.step(&step(flipped, mirror(wind)), |_| ());
        for ((plain, moved), mirrored) in
            plain.places().into_iter().zip(moved.places()).zip(mirrored.places())
        {
            assert!(plain.distance(moved) < 1e-4, "frame {frame}: {plain} {moved}");
            assert!(plain.distance(mirror(mirrored)) < 1e-6, "frame {frame}: {plain} {mirrored}");
        }
    }
}

#[test]
fn what_is_shown_goes_on_smoothly_between_steps() {
    let mut swinging = Swinging::new(|_| (), &[]);
    swinging.frame(0.0, DAffine3::IDENTITY, |_| ());
    // A push, then many short frames.
    swinging.frame(1.0 / 60.0, DAffine3::from_translation(DVec3::X * 0.05), |_| ());
    let mut last: Option<(Vec3, f32)> = None;
    for _ in 0..2000 {
        let before = swinging.places()[BONES];
        swinging.frame(1.0 / 2000.0, DAffine3::from_translation(DVec3::X * 0.05), |_| ());
        let way = swinging.places()[BONES].distance(before);
        if let Some((_, way_before)) = last {
            assert!(way < 3.0 * way_before + 2e-4, "{way} after {way_before}");
        }
        last = Some((before, way));
    }
}

/// The specification, word for word, in double precision: a step per frame of 1/60 s.
#[test]
fn at_sixty_frames_a_second_it_is_what_the_specification_says() {
    let mut swinging = Swinging::new(|_| (), &[]);
    let (skeleton, _, hair) = strand();
    let rest = ModelPose::rest(&skeleton);
    let h = 1.0 / 60.0;
    let mut current: Vec<DVec3> = hair.iter().map(|&joint| position(&rest, joint).as_dvec3()).collect();
    let mut previous = current.clone();
    swinging.frame(0.0, DAffine3::IDENTITY, |_| ());
    let swing = swing();
    for frame in 1..=90_u8 {
        let nod = 0.5 * (f32::from(frame) * 0.2).sin();
        let nodding = |pose: &mut Pose| {
            let head = skeleton.joint("head").unwrap();
            pose.joint_mut(head).rotation = Quat::from_rotation_x(0.2 + nod);
        };
        swinging.frame(1.0 / 60.0, DAffine3::IDENTITY, nodding);
        let mut parent_turn = DQuat::from_rotation_x(f64::from(0.2 + nod));
        let mut head = DVec3::Y + parent_turn * (DVec3::Y * 0.1);
        for bone in 0..BONES {
            let initial = parent_turn * DQuat::from_rotation_x(0.1);
            let inertia = (current[bone + 1] - previous[bone + 1]) * (1.0 - f64::from(swing.drag));
            let stiffness = initial * DVec3::NEG_Z * f64::from(swing.stiffness) * h;
            let external = swing.gravity.as_dvec3() * h;
            let next = current[bone + 1] + inertia + stiffness + external;
            let next = head + (next - head).normalize() * f64::from(LENGTH);
            (previous[bone + 1], current[bone + 1]) = (current[bone + 1], next);
            let arc = DQuat::from_rotation_arc(initial * DVec3::NEG_Z, (next - head).normalize());
            parent_turn = arc * initial;
            head = next;
            let place = swinging.places()[bone + 1].as_dvec3();
            assert!(place.distance(next) < 5e-5, "frame {frame}, bone {bone}: {place} {next}");
        }
    }
}

#[test]
fn lengths_are_kept_and_rest_is_rest() {
    let mut swinging =
        Swinging::new(|chain| chain.joints.iter_mut().for_each(|(_, swing)| swing.gravity = Vec3::ZERO), &[]);
    let rest = ModelPose::rest(&swinging.skeleton);
    for _ in 0..300 {
        swinging.frame(0.013, DAffine3::IDENTITY, |_| ());
    }
    for (place, &joint) in swinging.places().iter().zip(&swinging.hair) {
        let off = place.distance(position(&rest, joint));
        // Places of about a metre are known to 1.2e-7 m, and each bone of 0.1 m adds what its two ends are off by.
        assert!(off < 1e-6, "{off}");
    }
    let mut random = Random(1);
    for _ in 0..500 {
        let dt = random.between(0.0, 0.1);
        let world =
            DAffine3::from_rotation_translation(random.turn(180.0).as_dquat(), random.vector(0.5).as_dvec3());
        swinging.frame(dt, world, |_| ());
        for pair in swinging.places().windows(2) {
            assert!((pair[0].distance(pair[1]) - LENGTH).abs() < 1e-6 * (1.0 + LENGTH));
        }
    }
}

/// A bone without length pointed nowhere, and with it all bones behind it: they stayed as the clip had them.
#[test]
fn what_hangs_on_a_bone_without_length_swings() {
    let mut swinging = Swinging::new(|_| (), &[]);
    let shrunken = swinging.hair[2];
    for _ in 0..60 {
        swinging.frame(1.0 / 60.0, DAffine3::IDENTITY, |pose| {
            pose.joint_mut(shrunken).translation = Vec3::ZERO;
        });
    }
    let mut animated = Pose::rest(&swinging.skeleton);
    animated.joint_mut(shrunken).translation = Vec3::ZERO;
    assert_eq!(swinging.pose.rotation(swinging.hair[1]), animated.rotation(swinging.hair[1]));
    let turned = swinging.pose.rotation(swinging.hair[3]).angle_between(animated.rotation(swinging.hair[3]));
    assert!(turned > 0.01, "turned by {turned}");
}

fn penetration(shape: ColliderShape, tail: Vec3, hit: f32) -> f32 {
    let nearest = |a: Vec3, b: Vec3| {
        let way = b - a;
        a + way * ((tail - a).dot(way) / way.length_squared().max(1e-20)).clamp(0.0, 1.0)
    };
    match shape {
        ColliderShape::Sphere { offset, radius } => radius + hit - tail.distance(offset),
        ColliderShape::Capsule { offset, tail: end, radius } => {
            radius + hit - tail.distance(nearest(offset, end))
        }
        ColliderShape::InsideSphere { offset, radius } => tail.distance(offset) - (radius - hit),
        ColliderShape::InsideCapsule { offset, tail: end, radius } => {
            tail.distance(nearest(offset, end)) - (radius - hit)
        }
        ColliderShape::Plane { offset, normal } => hit - (tail - offset).dot(normal.normalize()),
    }
}

#[test]
fn tails_stay_out_of_colliders() {
    let (_, head, _) = strand();
    // In the space of the head, which is turned by 0.2 about x and a metre up.
    let shapes = [
        ColliderShape::Sphere { offset: Vec3::new(0.0, -0.05, -0.03), radius: 0.08 },
        ColliderShape::Capsule {
            offset: Vec3::new(-0.3, -0.05, -0.03),
            tail: Vec3::new(0.3, -0.05, -0.03),
            radius: 0.08,
        },
        ColliderShape::Plane { offset: Vec3::Y * 0.02, normal: Vec3::Y * 3.0 },
        ColliderShape::InsideSphere { offset: Vec3::new(0.0, 0.1, -0.1), radius: 0.32 },
        ColliderShape::InsideCapsule {
            offset: Vec3::new(0.0, 0.1, 0.0),
            tail: Vec3::new(0.0, 0.1, -0.3),
            radius: 0.12,
        },
    ];
    for shape in shapes {
        let heavy = |chain: &mut SpringChain| {
            chain.colliders = vec![0];
            for (_, swing) in &mut chain.joints {
                *swing = SpringJoint { gravity: Vec3::NEG_Y * 3.0, hit_radius: 0.01, ..*swing };
            }
        };
        let mut swinging = Swinging::new(heavy, &[Collider { joint: head, shape }]);
        for _ in 0..120 {
            swinging.frame(1.0 / 60.0, DAffine3::IDENTITY, |_| ());
        }
        let head_from_model = swinging.model.joint(head).inverse();
        let mut touches = false;
        for tail in &swinging.places()[1..] {
            let depth = penetration(shape, head_from_model.transform_point3(*tail), 0.01);
            // The length of the bone is restored after each push, which leaves a little.
            assert!(depth < 1e-4 * LENGTH, "{shape:?}: {depth}");
            touches |= depth > -2e-3;
        }
        assert!(touches, "{shape:?} is in the way");
    }
}

#[test]
fn pauses_teleports_and_resets_do_not_swing() {
    let mut swinging = Swinging::new(|_| (), &[]);
    for _ in 0..600 {
        swinging.frame(1.0 / 60.0, DAffine3::IDENTITY, |_| ());
    }
    let settled = swinging.places();
    let close = |swinging: &Swinging, what: &str| {
        for (place, settled) in swinging.places().iter().zip(&settled) {
            assert!(place.distance(*settled) < 1e-4, "{what}: {place} {settled}");
        }
    };
    let state = swinging.state.clone();
    for dt in [0.0, -1.0, f32::NAN] {
        swinging.frame(dt, DAffine3::IDENTITY, |_| ());
        close(&swinging, "pause");
    }
    assert_eq!(swinging.state, state, "a pause changes nothing");
    // Far away, and turned; then a step that is announced.
    let far = DAffine3::from_rotation_translation(DQuat::from_rotation_y(2.0), DVec3::new(1e7, 5.0, -3e6));
    swinging.frame(1.0 / 60.0, far, |_| ());
    close(&swinging, "teleport");
    swinging.state.teleport();
    let near = far * DAffine3::from_translation(DVec3::X);
    swinging.frame(1.0 / 60.0, near, |_| ());
    close(&swinging, "announced");
    for _ in 0..10 {
        swinging.frame(1.0 / 60.0, near, |_| ());
        close(&swinging, "after");
    }
    swinging.state.reset();
    swinging.frame(1.0 / 60.0, DAffine3::IDENTITY, |_| ());
    let rest = ModelPose::rest(&swinging.skeleton);
    assert!(swinging.places()[BONES].distance(position(&rest, swinging.hair[BONES])) < 1e-3);
}

#[test]
fn the_centre_takes_the_momentum_out() {
    let spread = |center| {
        let mut swinging = Swinging::new(|chain| chain.center = center, &[]);
        for _ in 0..300 {
            swinging.frame(1.0 / 60.0, DAffine3::IDENTITY, |_| ());
        }
        let settled = swinging.places()[BONES];
        let mut most = 0.0_f32;
        for frame in 0..60 {
            let world = DAffine3::from_translation(DVec3::X * 0.05 * f64::from(frame));
            swinging.frame(1.0 / 60.0, world, |_| ());
            most = most.max(swinging.places()[BONES].distance(settled));
        }
        most
    };
    let (_, head, _) = strand();
    assert!(spread(SpringCenter::World) > 0.1);
    assert!(spread(SpringCenter::Model) < 1e-4);
    assert!(spread(SpringCenter::Joint(head)) < 1e-4);
}

#[test]
fn wind_blows_and_weight_zero_shows_the_animated_pose() {
    let mut swinging = Swinging::new(|_| (), &[]);
    let blow = |swinging: &mut Swinging, weight: f32| {
        swinging.pose.reset(&swinging.skeleton);
        swinging.model.compose(&swinging.skeleton, &swinging.pose);
        let step =
            SpringStep { wind: Vec3::X * 2.0, weight, ..SpringStep::new(1.0 / 60.0, DAffine3::IDENTITY) };
        swinging.springs.apply(&mut swinging.state, &mut swinging.pose, &mut swinging.model, &step);
    };
    for _ in 0..120 {
        blow(&mut swinging, 1.0);
    }
    assert!(swinging.places()[BONES].x > 0.2, "{}", swinging.places()[BONES]);
    blow(&mut swinging, 0.0);
    assert_eq!(
        bits(&swinging.skeleton, &swinging.pose),
        bits(&swinging.skeleton, &Pose::rest(&swinging.skeleton))
    );
}

/// The instruction sets of this machine that springs are compiled for; a character alone is in plain numbers.
fn levels() -> Vec<(&'static str, Level)> {
    let mut levels = Vec::new();
    let best = Level::new();
    #[cfg(target_arch = "x86_64")]
    {
        levels.extend(best.as_sse2().map(|token| ("SSE2", token.level())));
        levels.extend(best.as_avx2().map(|token| ("AVX2", token.level())));
    }
    #[cfg(target_arch = "aarch64")]
    levels.extend(best.as_neon().map(|token| ("NEON", token.level())));
    levels
}

/// Characters that join late, jump, pause and stand nowhere, each with frames of its own length.
#[test]
fn eight_at_once_have_the_bits_of_one_at_a_time() {
    let (skeleton, head, hair) = strand();
    let shapes = [
        ColliderShape::Sphere { offset: Vec3::new(0.0, -0.05, -0.03), radius: 0.08 },
        ColliderShape::Capsule { offset: Vec3::NEG_X, tail: Vec3::X, radius: 0.05 },
        ColliderShape::Plane { offset: Vec3::Y * -0.1, normal: Vec3::Y },
        ColliderShape::InsideSphere { offset: Vec3::ZERO, radius: 0.5 },
    ];
    let colliders = shapes.map(|shape| Collider { joint: head, shape });
    let centers = [SpringCenter::World, SpringCenter::Model, SpringCenter::Joint(head)];
    // Chains that hit nothing go a shorter way.
    for (center, hits) in centers.iter().flat_map(|&center| [(center, vec![]), (center, vec![0, 1, 2, 3])]) {
        let swing = SpringJoint { gravity: Vec3::NEG_Y, hit_radius: 0.01, ..swing() };
        let chain = SpringChain { center, colliders: hits, ..SpringChain::new(&hair, swing) };
        let springs = Springs::new(&skeleton, &[chain], &colliders).unwrap();
        for (name, level) in levels() {
            let mut random = Random(7);
            let mut group = SpringsGroup::new(&springs);
            let mut states: Vec<SpringsState> = (0..8).map(|_| SpringsState::new(&springs)).collect();
            for frame in 0..60_usize {
                let mut steps = Vec::new();
                let mut poses = Vec::new();
                for (lane, state) in states.iter_mut().enumerate() {
                    let place =
                        random.pick(&[Vec3::ZERO, random.clone().vector(0.3), Vec3::X * 9.0]).as_dvec3();
                    let world = if random.chance(0.05) {
                        DAffine3::from_scale(DVec3::ZERO)
                    } else {
                        DAffine3::from_rotation_translation(random.turn(60.0).as_dquat(), place)
                    };
                    let dt_secs = random.pick(&[0.0, 1.0 / 60.0, 0.02, 1.0 / 144.0, 0.3, f32::NAN]);
                    steps.push(SpringStep { wind: random.vector(1.0), ..SpringStep::new(dt_secs, world) });
                    if random.chance(0.05) {
                        group.reset(lane);
                        state.reset();
                    }
                    if random.chance(0.05) {
                        group.teleport(lane);
                        state.teleport();
                    }
                    let mut pose = Pose::rest(&skeleton);
                    pose.set_rotation(head, random.turn(40.0));
                    let mut model = ModelPose::rest(&skeleton);
                    model.compose(&skeleton, &pose);
                    poses.push((pose, model));
                }
                // Some frames only have some of them.
                let count = [8, 5, 8][frame % 3];
                let mut alone = poses.clone();
                let together = poses.iter_mut().zip(&steps).take(count);
                let mut members: Vec<SpringsMember<'_>> =
                    together.map(|((pose, model), &step)| SpringsMember { pose, model, step }).collect();
                springs.apply_group_at(level, &mut group, &mut members);
                for ((state, (pose, model)), step) in
                    states.iter_mut().zip(&mut alone).zip(&steps).take(count)
                {
                    springs.apply(state, pose, model, step);
                }
                for (lane, ((pose, _), (one, _))) in poses.iter().zip(&alone).enumerate() {
                    let place = format!("{name}, {center:?}, frame {frame}, character {lane}");
                    assert_eq!(bits(&skeleton, pose), bits(&skeleton, one), "{place}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn anything_is_finite(seed in any::<u64>()) {
        let mut random = Random(seed);
        let (skeleton, head, hair) = strand();
        let mut chain = SpringChain::new(&hair, SpringJoint {
            stiffness: random.pick(&[0.0, 1.0, 1e6]),
            drag: random.pick(&[0.0, 0.5, 1.0]),
            gravity: random.pick(&[Vec3::ZERO, Vec3::NEG_Y, Vec3::splat(1e6)]),
            wind: 1.0,
            hit_radius: random.pick(&[0.0, 0.1]),
        });
        chain.tail = random.pick(&[None, Some(Vec3::ZERO), Some(Vec3::X)]);
        chain.center = random.pick(&[SpringCenter::World, SpringCenter::Model, SpringCenter::Joint(head)]);
        chain.colliders = vec![0, 1, 2];
        let colliders = [
            ColliderShape::Sphere { offset: Vec3::ZERO, radius: 0.1 },
            ColliderShape::InsideCapsule { offset: Vec3::ZERO, tail: Vec3::ZERO, radius: 0.0 },
            ColliderShape::Plane { offset: Vec3::ZERO, normal: Vec3::Y },
        ].map(|shape| Collider { joint: hair[random.below(3)], shape });
        let springs = Springs::new(&skeleton, &[chain], &colliders).unwrap();
        let mut state = SpringsState::new(&springs);
        for _ in 0..20 {
            let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
            for joint in skeleton.joints() {
                if random.chance(0.2) {
                    let mut local = pose.joint_mut(joint);
                    let flat = Vec3::new(1.0, 0.0, -1.0);
                    local.translation = random.pick(&[Vec3::ZERO, Vec3::X, Vec3::splat(1e-20)]);
                    local.scale = random.pick(&[Vec3::ZERO, Vec3::ONE, flat, Vec3::splat(-1e-6)]);
                }
            }
            model.compose(&skeleton, &pose);
            let world = random.pick(&[
                DAffine3::IDENTITY,
                DAffine3::from_scale(DVec3::new(1.0, -2.0, 1.0)),
                DAffine3::from_scale(DVec3::ZERO),
                DAffine3::from_translation(DVec3::splat(1e15)),
                DAffine3::from_translation(DVec3::splat(f64::NAN)),
            ]);
            let step = SpringStep {
                wind: random.pick(&[Vec3::ZERO, Vec3::NAN, Vec3::X]),
                weight: random.pick(&[1.0, 0.5, f32::NAN, 7.0]),
                ..SpringStep::new(random.pick(&[0.0, 0.016, 1.0, 1e9, f32::NAN, f32::INFINITY]), world)
            };
            springs.apply(&mut state, &mut pose, &mut model, &step);
            prop_assert!(is_finite(&pose, &skeleton), "{step:?}");
        }
        // And it recovers.
        let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
        state.reset();
        springs.apply(&mut state, &mut pose, &mut model, &SpringStep::new(0.01, DAffine3::IDENTITY));
        for &joint in &hair {
            let rest = position(&ModelPose::rest(&skeleton), joint);
            prop_assert!(position(&model, joint).distance(rest) < 2.0);
        }
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let (skeleton, head, hair) = strand();
    let chain = SpringChain::new(&hair, swing());
    let refused = |chain: &SpringChain| {
        Springs::new(&skeleton, std::slice::from_ref(chain), &[]).unwrap_err().to_string()
    };
    assert_eq!(refused(&SpringChain::new(&hair[..1], swing())), "1 joints where 2 to 64 are needed");
    assert_eq!(refused(&SpringChain { colliders: vec![3], ..chain.clone() }), "there is no collider 3");
    assert!(refused(&SpringChain::new(&[hair[1], hair[0]], swing())).contains("does not hang on"));
    let bad = SpringJoint { drag: 2.0, ..swing() };
    assert_eq!(refused(&SpringChain::new(&hair, bad)), "drag is infinite, NaN or out of range");
    let twice = Springs::new(&skeleton, &[chain.clone(), SpringChain::new(&hair[1..], swing())], &[]);
    assert_eq!(twice.unwrap_err().to_string(), "joint \"hair 1\" is in two chains");
    let shape = ColliderShape::Plane { offset: Vec3::ZERO, normal: Vec3::ZERO };
    assert!(
        Springs::new(&skeleton, std::slice::from_ref(&chain), &[Collider { joint: head, shape }]).is_err()
    );
    assert!(Springs::new(&skeleton, &[chain], &[]).unwrap().teleport_distance(0.0).is_err());
}
