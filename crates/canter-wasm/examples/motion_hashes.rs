//! Prints a number for every frame of scripted runs of the hero: ten seconds by his graph, then five for every solver.
//! The tests of the npm package compare its builds with this one, bit for bit (`web/tests/motion-bits.test.ts`).
//!
//! `cargo run -p canter-wasm --features motion --example motion_hashes -- hero.glb hero.graph.json`
#![allow(clippy::print_stdout, reason = "a program that prints")]

use std::error::Error;
use std::fs;

use canter::glam::{DAffine3, DMat3, DVec3, Quat, Vec3};
use canter::{JointId, Mixer, ModelPose, Play, Pose};
use canter_gltf::{Asset, LoadOptions};
use canter_graph::{Graph, GraphEventKind};
use canter_rig::{
    Aim, AimGoal, AimJoint, Chain, ChainGoal, Collider, ColliderShape, Constraint, ConstraintKind,
    Constraints, Feet, FeetState, FeetStep, FootContact, Ground, JointLimit, Leg, LimbEnd, LimbGoal, Reach,
    SpringCenter, SpringChain, SpringJoint, SpringStep, Springs, SpringsState, Twist, TwoBone, mirror,
};

const GRAPH_FRAMES: usize = 600;
const SOLVER_FRAMES: usize = 300;

fn main() -> Result<(), Box<dyn Error>> {
    let [model, graph] =
        std::env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "a model and a graph")?;
    let bytes = fs::read(model)?;
    let asset = canter_gltf::load_bytes_with(&bytes, &|_: &str| None, &LoadOptions::default())?;
    print("graph", &graph_hashes(&asset, &fs::read_to_string(graph)?)?);
    for (name, hashes) in solver_hashes(&asset)? {
        print(name, &hashes);
    }
    Ok(())
}

fn print(name: &str, hashes: &[u32]) {
    let hashes: Vec<_> = hashes.iter().map(|hash| format!("{hash:08x}")).collect();
    println!("{name} {}", hashes.join(" "));
}

struct Hash(u32);

impl Hash {
    fn of(model: &ModelPose) -> Self {
        let mut hash = Self(0x811c_9dc5);
        for matrix in model.joints() {
            hash.numbers(matrix.rows.as_flattened());
        }
        hash
    }

    fn word(&mut self, word: u32) {
        self.0 = (self.0 ^ word).wrapping_mul(16_777_619);
    }

    fn numbers(&mut self, numbers: &[f32]) {
        numbers.iter().for_each(|number| self.word(number.to_bits()));
    }
}

/// Some steps take no time, and some take long.
fn step_secs(frame: usize) -> f32 {
    match frame % 50 {
        7 => 0.0,
        20 => 0.4,
        _ => 1.0 / 60.0,
    }
}

/// A number that goes up and begins again, exact in every format.
#[expect(clippy::cast_precision_loss, reason = "there are few frames")]
fn ramp(frame: usize, frames: usize, scale: f32) -> f32 {
    (frame % frames) as f32 / scale - 1.0
}

fn graph_hashes(asset: &Asset, json: &str) -> Result<Vec<u32>, Box<dyn Error>> {
    let skeleton = &asset.skeleton;
    let graph = Graph::from_json(json, skeleton, &asset.clips)?;
    let parameter = |name: &str| graph.parameter(name).ok_or("the hero's graph has other parameters");
    let [left, forward, turn] = [parameter("left")?, parameter("forward")?, parameter("turn")?];
    let triggers = [(37, parameter("jump")?), (61, parameter("attack")?), (113, parameter("wave")?)];
    let (mut mixer, mut pose, mut model) =
        (Mixer::new(skeleton), Pose::rest(skeleton), ModelPose::rest(skeleton));
    let mut parameters = graph.parameters();
    let mut state = graph.start(&parameters, &mut mixer);
    let mut frames = Vec::new();
    for frame in 0..GRAPH_FRAMES {
        parameters.set(forward, ramp(frame, 192, 48.0))?;
        parameters.set(left, ramp(frame, 160, 80.0))?;
        parameters.set(turn, ramp(frame, 96, 48.0))?;
        for (every, trigger) in triggers {
            if frame % every == every - 1 {
                parameters.trigger(trigger)?;
            }
        }
        let mut markers = Vec::new();
        graph.update_telling(
            &mut state,
            &mut parameters,
            step_secs(frame),
            &mut mixer,
            |mixer, later_secs| {
                markers.extend(
                    mixer.markers().map(|event| (event.name, event.weight, event.secs_ago + later_secs)),
                );
            },
        );
        mixer.sample(&mut pose);
        model.compose(skeleton, &pose);
        let mut hash = Hash::of(&model);
        for layer in 0..graph.data().layers.len() {
            let path = state.state(layer).map_or("", |state| graph.state_path(state));
            path.bytes().for_each(|byte| hash.word(byte.into()));
        }
        for event in state.events() {
            let (kind, state) = match event.kind {
                GraphEventKind::Leave(state) => (0, state),
                GraphEventKind::Enter(state, _) => (1, state),
                _ => continue,
            };
            hash.word(kind);
            graph.state_path(state).bytes().for_each(|byte| hash.word(byte.into()));
            hash.numbers(&[event.secs_ago]);
        }
        for (name, weight, secs_ago) in markers {
            name.bytes().for_each(|byte| hash.word(byte.into()));
            hash.numbers(&[weight, secs_ago]);
        }
        frames.push(hash.0);
    }
    Ok(frames)
}

/// A pose to be corrected, and how far it got.
struct Frame<'a> {
    frame: usize,
    pose: &'a mut Pose,
    model: &'a mut ModelPose,
    world_from_model: DAffine3,
}

type Solve = Box<dyn FnMut(&mut Frame<'_>) -> Option<Reach>>;
/// The name of a run, and a number for each of its frames.
type Run = (&'static str, Vec<u32>);

fn solver_hashes(asset: &Asset) -> Result<Vec<Run>, Box<dyn Error>> {
    let solvers = [
        ("two_bone", two_bone(asset)?),
        ("look_at", look_at(asset)?),
        ("chain", chain(asset)?),
        ("feet", feet(asset)?),
        ("springs", springs(asset)?),
        ("constraints", constraints(asset)?),
        ("twist", twist(asset)?),
        ("mirror", mirrored(asset)?),
    ];
    let mut all: Vec<_> =
        solvers.into_iter().map(|(name, solve)| (name, run(asset, "Walk", solve))).collect();
    let mirror = mirror::find(&asset.skeleton)?;
    let mut other = asset.clone();
    other.clips = vec![mirror::clip(&mirror, clip(asset, "Attack"))?.into()];
    all.push(("mirrored_clip", run(&other, "Attack", Box::new(|_| None))));
    Ok(all)
}

fn clip<'a>(asset: &'a Asset, name: &str) -> &'a std::sync::Arc<canter::Clip> {
    asset.clips.iter().find(|clip| clip.name() == name).expect("the hero has it")
}

/// Walks along z, in the world, and lets a solver correct every pose.
fn run(asset: &Asset, name: &str, mut solve: Solve) -> Vec<u32> {
    let skeleton = &asset.skeleton;
    let (mut mixer, mut pose, mut model) =
        (Mixer::new(skeleton), Pose::rest(skeleton), ModelPose::rest(skeleton));
    mixer.play(clip(asset, name), Play::default());
    let mut frames = Vec::new();
    for frame in 0..SOLVER_FRAMES {
        mixer.advance(step_secs(frame));
        mixer.sample(&mut pose);
        model.compose(skeleton, &pose);
        let place = DVec3::new(0.5, f64::from(ramp(frame, 128, 512.0)), f64::from(ramp(frame, 300, 64.0)));
        // A quarter turn about the vertical: exact.
        let turned = DMat3::from_cols(DVec3::NEG_Z, DVec3::Y, DVec3::X);
        let world_from_model = DAffine3 { matrix3: turned, translation: place };
        let reach = solve(&mut Frame { frame, pose: &mut pose, model: &mut model, world_from_model });
        let mut hash = Hash::of(&model);
        if let Some(reach) = reach {
            hash.word(reach.is_reached.into());
            hash.numbers(&[reach.remaining]);
        }
        frames.push(hash.0);
    }
    frames
}

fn joint(asset: &Asset, name: &str) -> JointId {
    asset.skeleton.joint(name).expect("the hero has it")
}

fn joints<const N: usize>(asset: &Asset, names: [&str; N]) -> [JointId; N] {
    names.map(|name| joint(asset, name))
}

fn two_bone(asset: &Asset) -> Result<Solve, Box<dyn Error>> {
    let arm = joints(asset, ["upper_arm_R", "forearm_R", "hand_R"]);
    let solver = TwoBone::new(&asset.skeleton, arm)?.soften(0.9)?.max_stretch(1.25)?;
    Ok(Box::new(move |at| {
        let target = Vec3::new(ramp(at.frame, 64, 32.0), 1.25, ramp(at.frame, 96, 64.0));
        let mut goal = LimbGoal::at(target);
        if at.frame % 2 == 0 {
            goal = goal.pole(Vec3::new(-2.0, 1.0, -1.0));
        }
        goal.twist = ramp(at.frame, 32, 16.0);
        goal.end = match at.frame % 3 {
            0 => LimbEnd::Follow,
            1 => LimbEnd::Keep,
            _ => LimbEnd::Turn(Quat::from_xyzw(0.5, -0.5, 0.5, 0.5)),
        };
        goal.weight = if at.frame % 5 == 0 { 0.75 } else { 1.0 };
        Some(solver.apply(at.pose, at.model, &goal))
    }))
}

fn look_at(asset: &Asset) -> Result<Solve, Box<dyn Error>> {
    let [chest, neck, head] = joints(asset, ["chest", "neck", "head"]);
    let bones = [AimJoint::new(chest, 0.25).limit(0.5), AimJoint::new(neck, 0.5), AimJoint::new(head, 1.0)];
    let solver = Aim::new(&asset.skeleton, &bones, Vec3::Z)?.eye(Vec3::new(0.0, 0.125, 0.0625))?;
    let solver = solver.fade_behind(2.0, 2.5)?;
    Ok(Box::new(move |at| {
        let mut goal = AimGoal::at(Vec3::new(4.0 * ramp(at.frame, 64, 32.0), 1.5, ramp(at.frame, 96, 16.0)));
        if at.frame % 2 == 0 {
            goal = goal.up(Vec3::new(0.25, 1.0, 0.0));
        }
        Some(solver.apply(at.pose, at.model, &goal))
    }))
}

fn chain(asset: &Asset) -> Result<Solve, Box<dyn Error>> {
    let [a, b, c, d] = joints(asset, ["spine", "chest", "neck", "head"]);
    let free =
        Chain::new(&asset.skeleton, &[a, b, c, d].map(|joint| (joint, JointLimit::Free)))?.soften(0.9)?;
    let limits = [
        (a, JointLimit::Cone(0.5)),
        (b, JointLimit::Cone(0.25)),
        (c, JointLimit::Free),
        (d, JointLimit::Free),
    ];
    let cones = Chain::new(&asset.skeleton, &limits)?;
    let [a, b, c] = joints(asset, ["scarf_long_1", "scarf_long_2", "scarf_long_3"]);
    let hinge = JointLimit::Hinge { axis: Vec3::X, min: -1.0, max: 0.5 };
    let hinges = Chain::new(&asset.skeleton, &[(a, hinge), (b, hinge), (c, JointLimit::Free)])?;
    Ok(Box::new(move |at| {
        let mut goal =
            ChainGoal::at(Vec3::new(0.5 * ramp(at.frame, 64, 32.0), 1.25, ramp(at.frame, 96, 96.0)));
        if at.frame % 2 == 0 {
            goal = goal.pole(Vec3::new(0.0, 1.0, -1.0));
        }
        goal.end = if at.frame % 4 == 1 { LimbEnd::Keep } else { LimbEnd::Follow };
        let solver = [&free, &cones, &hinges][at.frame % 3];
        Some(solver.apply(at.pose, at.model, &goal))
    }))
}

/// Stairs along z that lean, with an edge.
fn ground(at: DVec3) -> Option<Ground> {
    let height = (at.z * 2.0).floor() / 16.0;
    (at.z > -0.5).then(|| Ground { height, normal: Vec3::new(0.125, 1.0, 0.0625) })
}

fn feet(asset: &Asset) -> Result<Solve, Box<dyn Error>> {
    let legs = [["thigh_L", "shin_L", "foot_L"], ["thigh_R", "shin_R", "foot_R"]];
    let legs = legs.map(|names| Leg::new(joints(asset, names)));
    let solver = Feet::new(&asset.skeleton, joint(asset, "hips"), &legs)?.reach(0.5)?.release(0.25)?;
    let mut state = FeetState::default();
    Ok(Box::new(move |at| {
        let contacts = [FootContact::Detect, FootContact::Known(at.frame % 60 < 30)];
        let weight = if at.frame % 70 == 9 { 0.5 } else { 1.0 };
        let (dt_secs, world_from_model) = (step_secs(at.frame), at.world_from_model);
        let step = FeetStep { dt_secs, world_from_model, contacts: &contacts, weight };
        if at.frame == 200 {
            state.reset();
        }
        Some(solver.apply(&mut state, at.pose, at.model, &step, ground))
    }))
}

fn springs(asset: &Asset) -> Result<Solve, Box<dyn Error>> {
    let [a, b, c, d] = joints(asset, ["scarf_long_1", "scarf_long_2", "scarf_long_3", "scarf_long_4"]);
    let swing =
        SpringJoint { stiffness: 0.5, drag: 0.25, gravity: Vec3::NEG_Y, wind: 0.5, hit_radius: 0.0625 };
    let mut long = SpringChain { colliders: vec![0, 1, 2], ..SpringChain::new(&[a, b, c, d], swing) };
    long.joints[2].1.drag = 0.75;
    let [a, b, c] = joints(asset, ["scarf_short_1", "scarf_short_2", "scarf_short_3"]);
    let short = SpringChain {
        tail: Some(Vec3::new(0.0, 0.125, 0.0)),
        center: SpringCenter::Model,
        colliders: vec![1],
        ..SpringChain::new(&[a, b, c], SpringJoint { stiffness: 1.0, ..swing })
    };
    let [spine, hips] = joints(asset, ["spine", "hips"]);
    let offset = Vec3::new(0.0, 0.125, 0.0);
    let colliders = [
        Collider { joint: spine, shape: ColliderShape::Sphere { offset, radius: 0.25 } },
        Collider {
            joint: spine,
            shape: ColliderShape::Capsule { offset: Vec3::ZERO, tail: offset, radius: 0.125 },
        },
        Collider { joint: hips, shape: ColliderShape::Plane { offset: Vec3::NEG_Y, normal: Vec3::Y } },
    ];
    let springs = Springs::new(&asset.skeleton, &[long, short], &colliders)?.teleport_distance(0.5)?;
    let mut state = SpringsState::new(&springs);
    Ok(Box::new(move |at| {
        match at.frame {
            150 => state.reset(),
            220 => state.teleport(),
            _ => {}
        }
        let wind = Vec3::new(ramp(at.frame, 64, 32.0), 0.0, 0.5);
        let weight = if at.frame % 40 == 3 { 0.5 } else { 1.0 };
        let (dt_secs, world_from_model) = (step_secs(at.frame), at.world_from_model);
        springs.apply(&mut state, at.pose, at.model, &SpringStep { dt_secs, world_from_model, wind, weight });
        None
    }))
}

fn constraints(asset: &Asset) -> Result<Solve, Box<dyn Error>> {
    let j = |name| joint(asset, name);
    let offset = Quat::from_xyzw(0.5, 0.5, 0.5, 0.5);
    let mut roll = Constraint::new(j("forearm_L"), j("hand_L"), ConstraintKind::Roll { axis: Vec3::Y });
    roll.weight = 0.5;
    let constraints = [
        Constraint::new(j("eye_L"), j("hand_R"), ConstraintKind::Aim { axis: Vec3::Z }),
        roll,
        Constraint::new(j("scarf_long_1"), j("thigh_L"), ConstraintKind::Rotation),
        Constraint::new(j("scarf_short_1"), j("scarf_long_1"), ConstraintKind::Copy { offset, limit: 0.25 }),
    ];
    let constraints = Constraints::new(&asset.skeleton, &constraints)?;
    Ok(Box::new(move |at| {
        constraints.apply(at.pose, at.model);
        None
    }))
}

fn twist(asset: &Asset) -> Result<Solve, Box<dyn Error>> {
    let bones = [(joint(asset, "shin_L"), 0.5)];
    let twist = Twist::new(&asset.skeleton, joint(asset, "thigh_L"), Vec3::Y, &bones)?;
    Ok(Box::new(move |at| {
        twist.apply(at.pose, at.model);
        None
    }))
}

fn mirrored(asset: &Asset) -> Result<Solve, Box<dyn Error>> {
    let mirror = mirror::find(&asset.skeleton)?;
    let skeleton = asset.skeleton.clone();
    let mut seen = Pose::rest(&skeleton);
    Ok(Box::new(move |at| {
        mirror.pose(at.pose, &mut seen);
        at.pose.clone_from(&seen);
        at.model.compose(&skeleton, at.pose);
        None
    }))
}
