//! What solvers cost: nanoseconds per call, the least of many runs.
#![expect(clippy::print_stdout, reason = "figures are what a benchmark is for")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use canter::glam::{DAffine3, DVec3, Quat, Vec3};
use canter::{Clip, JointId, Mixer, ModelPose, Play, Pose, Skeleton, Track, Transform};
use canter_rig::{
    Aim, AimGoal, AimJoint, Chain, ChainGoal, Feet, FeetState, FeetStep, Ground, JointLimit, Leg, LimbGoal,
    SpringChain, SpringJoint, SpringStep, Springs, SpringsGroup, SpringsMember, SpringsState, TwoBone,
    mirror,
};

const RUNS: u16 = 200;
const CALLS: u16 = 500;
/// So few that all of them are in the first cache, and so many that reading the clock does not count.
const CHARACTERS: u16 = 20;

/// All of it, or what is named: `cargo bench -p canter-rig --bench solvers -- springs`.
fn main() {
    println!("nanoseconds per call, least of many runs; what is put back between them is not counted");
    let names: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    let benches: [(&str, fn()); 7] = [
        ("frame", ordinary_frame),
        ("two_bone", two_bone),
        ("aim", aim),
        ("chains", chains),
        ("feet", feet),
        ("springs", springs),
        ("mirrored", mirrored),
    ];
    for (name, bench) in benches {
        if names.is_empty() || names.iter().any(|wanted| wanted == name) {
            bench();
        }
    }
}

/// The least time of one call, less that of what comes before it.
fn nanos(mut prepare: impl FnMut(u16), mut both: impl FnMut(u16)) -> f64 {
    let least = |work: &mut dyn FnMut(u16)| {
        let run = |work: &mut dyn FnMut(u16)| {
            let start = Instant::now();
            for call in 0..CALLS {
                work(call);
            }
            start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
        };
        (0..RUNS).map(|_| run(work)).fold(f64::INFINITY, f64::min)
    };
    let (whole, before) = (least(&mut both), least(&mut prepare));
    whole - before
}

/// Joints in a row, slightly bent, the first one on a root.
fn row(joints: usize, length: f32) -> (Skeleton, Vec<JointId>) {
    let mut builder = Skeleton::builder();
    builder.joint("root", None, Transform::from_translation(Vec3::Y));
    for joint in 0..joints {
        let bend = if joint % 2 == 0 { 0.05 } else { -0.03 };
        let rest = Transform {
            translation: Vec3::new(0.0, -length, bend * length),
            rotation: Quat::from_rotation_x(0.1),
            scale: Vec3::ONE,
        };
        builder.joint(format!("joint {joint}"), Some(joint), rest);
    }
    let skeleton = builder.build().expect("a tree");
    let row = (0..joints).filter_map(|joint| skeleton.joint(&format!("joint {joint}"))).collect();
    (skeleton, row)
}

/// The same skeleton with a knee that is bent at rest, as those of most clips are.
fn bent(skeleton: &Skeleton, knee: JointId) -> Skeleton {
    let mut builder = Skeleton::builder();
    for joint in skeleton.joints() {
        let mut rest = skeleton.rest(joint);
        if joint == knee {
            rest.rotation = Quat::from_rotation_x(0.5);
        }
        builder.joint(skeleton.name(joint), skeleton.parent(joint).map(JointId::index), rest);
    }
    builder.build().expect("a tree")
}

fn target(call: u16, reach: f32) -> Vec3 {
    let part = f32::from(call % 100) / 100.0;
    Vec3::new(0.3 * part, 1.0 - reach * (0.5 + 0.3 * part), 0.2)
}

/// What a character of 64 joints costs without any solver: two clips are blended and composed. A yardstick:
/// on a machine that does nothing else it takes less than a microsecond.
fn ordinary_frame() {
    let mut builder = Skeleton::builder();
    for joint in 0..64_usize {
        builder.joint(format!("joint {joint}"), joint.checked_sub(1), Transform::from_translation(Vec3::Y));
    }
    let skeleton = Arc::new(builder.build().expect("a tree"));
    let mut mixer = Mixer::new(&skeleton);
    for angle in [0.5, 0.8] {
        let mut clip = Clip::builder("clip", &skeleton);
        for joint in skeleton.joints() {
            let times: Vec<f32> = (0..61_u8).map(|key| f32::from(key) / 60.0).collect();
            let turns = times.iter().map(|secs| Quat::from_rotation_x(angle * secs)).collect();
            clip.rotation(joint, Track::linear(times, turns));
        }
        mixer.play(&Arc::new(clip.build().expect("a clip")), Play::default());
    }
    let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
    let time = nanos(
        |_| (),
        |_| {
            mixer.advance(1.0 / 60.0);
            mixer.sample(&mut pose);
            model.compose(&skeleton, &pose);
            black_box(&model);
        },
    );
    println!("{:>52} {time:>8.1}", "a frame of 64 joints and 2 clips, for comparison");
}

fn two_bone() {
    let (skeleton, row) = row(4, 0.4);
    let leg = TwoBone::new(&skeleton, [row[0], row[1], row[2]]).expect("a leg");
    // One degree from straight: there the plane of the limb has to be found, too.
    on_pose("two_bone: a leg with a toe, and a pole", &skeleton, 1.0, |call, pose, model| {
        let goal = LimbGoal::at(target(call, 0.8)).pole(Vec3::Z * 9.0);
        black_box(leg.apply(pose, model, black_box(&goal)));
    });
    on_pose("two_bone: solved only, composed by the caller", &skeleton, 1.0, |call, pose, model| {
        let goal = LimbGoal::at(target(call, 0.8)).pole(Vec3::Z * 9.0);
        black_box(leg.solve(pose, model, black_box(&goal)));
    });
    let bent = bent(&skeleton, row[1]);
    on_pose("two_bone: a leg that is bent", &bent, 1.0, |call, pose, model| {
        let goal = LimbGoal::at(target(call, 0.8)).pole(Vec3::Z * 9.0);
        black_box(leg.apply(pose, model, black_box(&goal)));
    });
    on_pose("composing the leg again: 4 joints", &skeleton, 1.0, |_, pose, model| {
        model.recompose(black_box(leg.subtree()), pose);
    });
}

fn aim() {
    let (skeleton, row) = row(4, 0.2);
    let joints: Vec<AimJoint> = row.iter().map(|&joint| AimJoint::new(joint, 0.25).limit(1.0)).collect();
    let look = Aim::new(&skeleton, &joints, Vec3::Z).expect("a head");
    on_pose("aim: 4 joints with limits", &skeleton, 1.0, |call, pose, model| {
        let goal = AimGoal::at(target(call, 0.8) + Vec3::Z);
        black_box(look.apply(pose, model, black_box(&goal)));
    });
    on_pose("aim: solved only, composed by the caller", &skeleton, 1.0, |call, pose, model| {
        let goal = AimGoal::at(target(call, 0.8) + Vec3::Z);
        black_box(look.solve(pose, model, black_box(&goal)));
    });
}

fn chains() {
    let (skeleton, row) = row(8, 0.2);
    let joints: Vec<_> = row.iter().map(|&joint| (joint, JointLimit::Free)).collect();
    let tail = Chain::new(&skeleton, &joints).expect("a tail");
    on_pose("chain: FABRIK over 8 joints", &skeleton, 1.0, |call, pose, model| {
        black_box(tail.apply(pose, model, black_box(&ChainGoal::at(target(call, 1.4)))));
    });
}

fn feet() {
    let mut builder = Skeleton::builder();
    builder.joint("hips", None, Transform::from_translation(Vec3::Y * 0.85));
    for (side, x) in [("L", 0.1), ("R", -0.1)] {
        let at = |x: f32, y: f32, z: f32| Transform::from_translation(Vec3::new(x, y, z));
        let thigh = builder.joint(format!("thigh {side}"), Some(0), at(x, 0.0, 0.0));
        let shin = builder.joint(format!("shin {side}"), Some(thigh), at(0.0, -0.4, 0.04));
        let foot = builder.joint(format!("foot {side}"), Some(shin), at(0.0, -0.38, -0.04));
        builder.joint(format!("toe {side}"), Some(foot), at(0.0, -0.05, 0.1));
    }
    let skeleton = builder.build().expect("a tree");
    let joint = |name: &str, side: &str| skeleton.joint(&format!("{name} {side}")).expect("it was added");
    let leg = |side: &str| Leg::new(["thigh", "shin", "foot"].map(|name| joint(name, side)));
    let hips = skeleton.joint("hips").expect("it was added");
    let plain = ["L", "R"].map(leg);
    let toed = ["L", "R"].map(|side| leg(side).toe(joint("toe", side)));
    for (name, legs) in
        [("feet: two legs and the pelvis on a slope", plain), ("feet: the same with toes", toed)]
    {
        let feet = Feet::new(&skeleton, hips, &legs).expect("two legs");
        let mut state = FeetState::default();
        on_pose(name, &skeleton, 1.0, |call, pose, model| {
            let world = DAffine3::from_translation(DVec3::X * f64::from(call % 50) * 0.001);
            let normal = Vec3::new(-0.2, 1.0, 0.0);
            let ground = |place: DVec3| Some(Ground { height: 0.2 * place.x, normal });
            black_box(feet.apply(&mut state, pose, model, &FeetStep::new(0.016, world), ground));
        });
    }
}

fn springs() {
    let (skeleton, row) = row(9, 0.1);
    let swing = SpringJoint { gravity: Vec3::NEG_Y, ..SpringJoint::default() };
    let springs = Springs::new(&skeleton, &[SpringChain::new(&row, swing)], &[]).expect("a strand");
    // Where a frame ends between two steps, what is shown is a step more.
    let rates = [("60 Hz", 1.0 / 60.0, 1.0), ("50 Hz", 0.02, 2.2), ("15 Hz", 4.0 / 60.0, 4.0)];
    let alone = rates.map(|(name, dt_secs, steps)| {
        let mut state = SpringsState::new(&springs);
        let name = format!("springs: per joint and step, {name}, 8 bones");
        on_pose(&name, &skeleton, 8.0 * steps, |call, pose, model| {
            let world = DAffine3::from_translation(DVec3::X * f64::from(call % 50) * 0.01);
            let step = SpringStep::new(dt_secs, world);
            springs.apply(&mut state, pose, model, black_box(&step));
        })
    });
    step_more(alone);
    let in_lanes = rates.map(|(name, dt_secs, steps)| {
        let name = format!("the same, 8 characters in lanes, {name}");
        spring_group(&name, &skeleton, &springs, dt_secs, steps)
    });
    step_more(in_lanes);
}

/// What a step takes beside all that a frame needs once: poses are read, joints turned and composed.
fn step_more([in_one, _, in_four]: [f64; 3]) {
    println!("{:>52} {:>8.1}", "a step more in a frame, per joint", (4.0 * in_four - in_one) / 3.0);
}

/// As [`on_pose`] measures.
fn spring_group(name: &str, skeleton: &Skeleton, springs: &Springs, dt_secs: f32, steps: f64) -> f64 {
    /// So few that all of them are in the first cache, too.
    const GROUPS: usize = 2;
    let mut groups: Vec<_> = (0..GROUPS).map(|_| SpringsGroup::new(springs)).collect();
    let mut characters =
        vec![(Pose::rest(skeleton), ModelPose::rest(skeleton)); GROUPS * SpringsGroup::LANES];
    let mut least = f64::INFINITY;
    let mut number = 0;
    for _ in 0..RUNS * (CALLS / 8) {
        for (pose, model) in &mut characters {
            pose.reset(skeleton);
            model.compose(skeleton, pose);
        }
        black_box(&mut characters);
        number = (number + 1) % 50;
        let start = Instant::now();
        for (group, characters) in groups.iter_mut().zip(characters.chunks_mut(SpringsGroup::LANES)) {
            let world = DAffine3::from_translation(DVec3::X * f64::from(number) * 0.01);
            let step = SpringStep::new(dt_secs, world);
            let mut members = characters.iter_mut().map(|(pose, model)| SpringsMember { pose, model, step });
            let mut members: [SpringsMember<'_>; SpringsGroup::LANES] =
                std::array::from_fn(|_| members.next().expect("eight characters"));
            springs.apply_group(group, black_box(&mut members));
        }
        least = least.min(start.elapsed().as_secs_f64());
        black_box(&mut characters);
    }
    #[expect(clippy::cast_precision_loss, reason = "few")]
    let joints = (8 * GROUPS * SpringsGroup::LANES) as f64;
    let nanos = least * 1e9 / (joints * steps);
    println!("{name:>52} {nanos:>8.1}");
    nanos
}

fn mirrored() {
    let mut builder = Skeleton::builder();
    builder.joint("hips", None, Transform::IDENTITY);
    for joint in 0..63_u8 {
        let side = if joint % 2 == 0 { "L" } else { "R" };
        let x = if joint % 2 == 0 { 1.0 } else { -1.0 };
        builder.joint(
            format!("joint {}.{side}", joint / 2),
            Some(0),
            Transform::from_translation(Vec3::X * x),
        );
    }
    let skeleton = builder.build().expect("a tree");
    let mirror = mirror::find(&skeleton).expect("a figure");
    let rest = Pose::rest(&skeleton);
    on_pose("mirror: a pose of 64 joints", &skeleton, 1.0, |_, pose, _| {
        mirror.pose(black_box(&rest), pose);
    });
}

/// Measures a call on characters that were put back and composed before the clock started: what comes before a
/// solver is neither measured nor waited for.
fn on_pose(
    name: &str,
    skeleton: &Skeleton,
    per: f64,
    mut call: impl FnMut(u16, &mut Pose, &mut ModelPose),
) -> f64 {
    let rest = (Pose::rest(skeleton), ModelPose::rest(skeleton));
    let mut characters = vec![rest.clone(); CHARACTERS.into()];
    let mut least = f64::INFINITY;
    let mut number = 0;
    for _ in 0..RUNS * (CALLS / CHARACTERS) {
        for (pose, model) in &mut characters {
            pose.reset(skeleton);
            model.compose(skeleton, pose);
        }
        black_box(&mut characters);
        let start = Instant::now();
        for (pose, model) in &mut characters {
            number = (number + 1) % CALLS;
            call(number, pose, model);
        }
        least = least.min(start.elapsed().as_secs_f64());
        black_box(&mut characters);
    }
    let nanos = least * 1e9 / (f64::from(CHARACTERS) * per);
    println!("{name:>52} {nanos:>8.1}");
    nanos
}
