//! Solvers as components: the results of `canter-rig`, in every frame, and nothing more than is needed.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use canter::glam::{DAffine3, DVec3, Quat, Vec3};
use canter_ecs::{
    AnimationMixer, ChainIk, FeetOnGround, GroundSurface, LookAt, ModelPose, Palette, Placement, Pose,
    PoseConstraints, Rig, Solver, SpringBones, Twists, TwoBoneIk, Wind,
};
use canter_rig::{
    Aim, AimGoal, AimJoint, Chain, ChainGoal, Constraint, ConstraintKind, Constraints, Feet, FeetState,
    FeetStep, Ground, JointLimit, Leg, LimbGoal, SpringChain, SpringJoint, SpringStep, Springs, SpringsState,
    Twist, TwoBone,
};

use super::rig::{STEP_SECS, bits, palette_bits, run_for, world};

/// The hero, and every solver that he has.
struct Hero {
    asset: canter_gltf::Asset,
    arm: Arc<TwoBone>,
    head: Arc<Aim>,
    spine: Arc<Chain>,
    feet: Arc<Feet>,
    twist: Arc<Twist>,
    follow: Arc<Constraints>,
    scarf: Arc<Springs>,
}

const DOOR: Vec3 = Vec3::new(-0.25, 1.3, 0.25);
const BIRD: Vec3 = Vec3::new(1.0, 2.0, 3.0);

impl Hero {
    fn new() -> Self {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/hero.glb");
        let asset = canter_gltf::load(path).unwrap();
        let skeleton = Arc::clone(&asset.skeleton);
        let joint = |name: &str| skeleton.joint(name).unwrap_or_else(|| panic!("{name}"));
        let joints = |names: [&str; 3]| names.map(joint);
        let arm = TwoBone::new(&skeleton, joints(["upper_arm_R", "forearm_R", "hand_R"])).unwrap();
        let looks = [("neck", 0.4), ("head", 0.6)].map(|(name, share)| AimJoint::new(joint(name), share));
        let head = Aim::new(&skeleton, &looks, Vec3::Z).unwrap();
        let bones = ["upper_arm_L", "forearm_L", "hand_L"].map(|name| (joint(name), JointLimit::Free));
        let spine = Chain::new(&skeleton, &bones).unwrap();
        let legs = ["L", "R"]
            .map(|side| Leg::new(["thigh", "shin", "foot"].map(|name| joint(&format!("{name}_{side}")))));
        let feet = Feet::new(&skeleton, joint("hips"), &legs).unwrap();
        let twisted = [(joint("shin_L"), 0.5)];
        let twist = Twist::new(&skeleton, joint("thigh_L"), Vec3::Y, &twisted).unwrap();
        let eyes = Constraint::new(joint("eye_L"), joint("eye_R"), ConstraintKind::Rotation);
        let follow = Constraints::new(&skeleton, &[eyes]).unwrap();
        let chain = SpringChain {
            tail: Some(Vec3::Y * 0.1),
            ..SpringChain::new(&[joint("eye_R")], SpringJoint::default())
        };
        let scarf = Springs::new(&skeleton, &[chain], &[]).unwrap();
        Self {
            arm: arm.into(),
            head: head.into(),
            spine: spine.into(),
            feet: feet.into(),
            twist: twist.into(),
            follow: follow.into(),
            scarf: scarf.into(),
            asset,
        }
    }

    fn spawn(&self, world: &mut World, clip: &str) -> Entity {
        let rig = Rig::new(&self.asset.skeleton, self.asset.skins.clone());
        let mut mixer = AnimationMixer::new(&rig);
        mixer.crossfade_to(self.asset.clip(clip).unwrap(), 0.0);
        world.spawn((rig, mixer)).id()
    }

    fn limbs(&self) -> TwoBoneIk {
        TwoBoneIk(vec![Solver::new(Arc::clone(&self.arm)).to(LimbGoal::at(DOOR))])
    }
}

fn slope(place: DVec3) -> Option<Ground> {
    Some(Ground { height: 0.1 * place.z, normal: Vec3::new(0.0, 1.0, -0.1).normalize() })
}

/// Every kind on one figure that walks about, beside the same by hand.
#[test]
fn all_kinds_in_their_order_give_what_they_give_by_hand() {
    let hero = Hero::new();
    let skeleton = &hero.asset.skeleton;
    let mut world = world();
    world.insert_resource(GroundSurface::new(slope));
    world.insert_resource(Wind(Vec3::X));
    let figure = hero.spawn(&mut world, "Walk");
    world.entity_mut(figure).insert((
        LookAt(vec![Solver::new(Arc::clone(&hero.head)).to(AimGoal::at(BIRD))]),
        ChainIk(vec![Solver::new(Arc::clone(&hero.spine)).to(ChainGoal::at(Vec3::new(0.3, 1.2, 0.3)))]),
        hero.limbs(),
        FeetOnGround::new(Arc::clone(&hero.feet)),
        Twists(vec![Arc::clone(&hero.twist)]),
        PoseConstraints(Arc::clone(&hero.follow)),
        SpringBones::new(Arc::clone(&hero.scarf)),
    ));
    let mut mixer = canter::Mixer::new(skeleton);
    mixer.crossfade_to(hero.asset.clip("Walk").unwrap(), 0.0);
    let (mut pose, mut model) = (canter::Pose::rest(skeleton), canter::ModelPose::rest(skeleton));
    let (mut standing, mut swinging) = (FeetState::default(), SpringsState::new(&hero.scarf));
    for frame in 0..90_u8 {
        let place = DAffine3::from_translation(DVec3::Z * f64::from(frame) * 0.02);
        world.get_mut::<Placement>(figure).unwrap().0 = place;
        run_for(&mut world, STEP_SECS);
        let _ = mixer.advance(STEP_SECS).count();
        mixer.sample(&mut pose);
        model.compose(skeleton, &pose);
        hero.head.apply(&mut pose, &mut model, &AimGoal::at(BIRD));
        hero.spine.apply(&mut pose, &mut model, &ChainGoal::at(Vec3::new(0.3, 1.2, 0.3)));
        let reach = hero.arm.apply(&mut pose, &mut model, &LimbGoal::at(DOOR));
        let step = FeetStep::new(STEP_SECS, place);
        let stands = hero.feet.apply(&mut standing, &mut pose, &mut model, &step, slope);
        hero.twist.apply(&mut pose, &mut model);
        hero.follow.apply(&mut pose, &mut model);
        let step = SpringStep { wind: Vec3::X, ..SpringStep::new(STEP_SECS, place) };
        hero.scarf.apply(&mut swinging, &mut pose, &mut model, &step);
        let mut palette = vec![canter::Mat3x4::IDENTITY; hero.asset.skins[0].len()];
        hero.asset.skins[0].write_palette(&model, &mut palette);
        assert_eq!(palette_bits(&world, figure)[..12 * palette.len()], bits(&palette)[..], "frame {frame}");
        assert_eq!(world.get::<TwoBoneIk>(figure).unwrap().0[0].reach(), Some(reach));
        assert_eq!(world.get::<FeetOnGround>(figure).unwrap().reach(), Some(stands));
    }
}

/// How often a figure was corrected: each time its palette is written.
fn writes(world: &mut World, figure: Entity, frames: usize) -> usize {
    let tick = |world: &World| world.entity(figure).get_change_ticks::<Palette>().unwrap().changed;
    let mut count = 0;
    for _ in 0..frames {
        let before = tick(world);
        run_for(world, STEP_SECS);
        count += usize::from(tick(world) != before);
    }
    count
}

#[test]
fn who_stands_still_is_corrected_once_and_again_when_a_goal_moves() {
    let hero = Hero::new();
    let mut world = world();
    let figure = hero.spawn(&mut world, "Idle");
    world.get_mut::<AnimationMixer>(figure).unwrap().set_speed(0.0);
    world.entity_mut(figure).insert(hero.limbs());
    assert_eq!(writes(&mut world, figure, 5), 1);
    let hand = |world: &World| {
        let joint = hero.asset.skeleton.joint("hand_R").unwrap();
        world.get::<ModelPose>(figure).unwrap().joint(joint).w_axis.truncate()
    };
    assert!(hand(&world).distance(DOOR) < 1e-3);
    let other = DOOR + Vec3::new(0.05, -0.2, 0.05);
    world.get_mut::<TwoBoneIk>(figure).unwrap().0[0].goal = Some(LimbGoal::at(other));
    assert_eq!(writes(&mut world, figure, 5), 1);
    assert!(hand(&world).distance(other) < 1e-3);
    // From what the clip says, not from the last solution: the same as a figure that never had another goal.
    let fresh = hero.spawn(&mut world, "Idle");
    world.get_mut::<AnimationMixer>(fresh).unwrap().set_speed(0.0);
    let ik = TwoBoneIk(vec![Solver::new(Arc::clone(&hero.arm)).to(LimbGoal::at(other))]);
    world.entity_mut(fresh).insert(ik);
    run_for(&mut world, STEP_SECS);
    assert_eq!(palette_bits(&world, figure), palette_bits(&world, fresh));
}

#[test]
fn without_a_goal_a_ground_or_weight_nothing_is_corrected() {
    let hero = Hero::new();
    let mut world = world();
    let plain = hero.spawn(&mut world, "Run");
    let figure = hero.spawn(&mut world, "Run");
    let mut springs = SpringBones::new(Arc::clone(&hero.scarf));
    springs.weight = 0.0;
    world.entity_mut(figure).insert((
        TwoBoneIk(vec![Solver::new(Arc::clone(&hero.arm))]),
        LookAt::default(),
        FeetOnGround::new(Arc::clone(&hero.feet)),
        springs,
    ));
    for _ in 0..20 {
        run_for(&mut world, STEP_SECS);
        assert_eq!(palette_bits(&world, figure), palette_bits(&world, plain));
    }
    assert_eq!(world.get::<TwoBoneIk>(figure).unwrap().0[0].reach(), None);
}

/// The goal that another system sets in the same frame counts; what is taken off a figure leaves no trace.
#[test]
fn solvers_come_and_go() {
    let hero = Hero::new();
    let mut world = world();
    let plain = hero.spawn(&mut world, "Idle");
    let figure = hero.spawn(&mut world, "Idle");
    run_for(&mut world, STEP_SECS);
    world.entity_mut(figure).insert(hero.limbs());
    run_for(&mut world, STEP_SECS);
    assert_ne!(palette_bits(&world, figure), palette_bits(&world, plain));
    world.entity_mut(figure).remove::<TwoBoneIk>();
    run_for(&mut world, STEP_SECS);
    assert_eq!(palette_bits(&world, figure), palette_bits(&world, plain));
}

/// A pose that somebody writes by hand, on an entity without a mixer.
#[test]
fn poses_written_by_hand_are_corrected_too() {
    let hero = Hero::new();
    let mut world = world();
    let rig = Rig::new(&hero.asset.skeleton, hero.asset.skins.clone());
    let (hips, hand) = (rig.joint("hips").unwrap(), rig.joint("hand_R").unwrap());
    let figure = world.spawn((rig, hero.limbs())).id();
    world.get_mut::<Pose>(figure).unwrap().joint_mut(hips).rotation = Quat::from_rotation_y(0.2);
    run_for(&mut world, STEP_SECS);
    let place = world.get::<ModelPose>(figure).unwrap().joint(hand).w_axis.truncate();
    assert!(place.distance(DOOR) < 1e-3, "{place}");
}
