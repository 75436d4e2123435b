//! What solvers cost: nanoseconds per call, the least of many runs.
#![expect(clippy::print_stdout, reason = "figures are what a benchmark is for")]

use std::hint::black_box;
use std::time::Instant;

use canter::glam::{DAffine3, DVec3, Quat, Vec3};
use canter::{JointId, ModelPose, Pose, Skeleton, Transform};
use canter_rig::{
    Aim, AimGoal, AimJoint, Chain, ChainGoal, JointLimit, LimbGoal, SpringChain, SpringJoint, SpringStep,
    Springs, SpringsState, TwoBone, mirror,
};

const RUNS: u16 = 200;
const CALLS: u16 = 500;

fn main() {
    println!(
        "nanoseconds, least of {RUNS} runs; the pose is put back before every call, which is not counted"
    );
    two_bone();
    aim();
    chains();
    springs();
    mirrored();
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

fn target(call: u16, reach: f32) -> Vec3 {
    let part = f32::from(call % 100) / 100.0;
    Vec3::new(0.3 * part, 1.0 - reach * (0.5 + 0.3 * part), 0.2)
}

fn two_bone() {
    let (skeleton, row) = row(4, 0.4);
    let leg = TwoBone::new(&skeleton, [row[0], row[1], row[2]]).expect("a leg");
    on_pose("two_bone: a leg with a toe, and a pole", &skeleton, 1.0, |call, pose, model| {
        let goal = LimbGoal::at(target(call, 0.8)).pole(Vec3::Z * 9.0);
        black_box(leg.apply(pose, model, black_box(&goal)));
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
}

fn chains() {
    let (skeleton, row) = row(8, 0.2);
    let joints: Vec<_> = row.iter().map(|&joint| (joint, JointLimit::Free)).collect();
    let tail = Chain::new(&skeleton, &joints).expect("a tail");
    on_pose("chain: FABRIK over 8 joints", &skeleton, 1.0, |call, pose, model| {
        black_box(tail.apply(pose, model, black_box(&ChainGoal::at(target(call, 1.4)))));
    });
}

fn springs() {
    let (skeleton, row) = row(9, 0.1);
    let swing = SpringJoint { gravity: Vec3::NEG_Y, ..SpringJoint::default() };
    let springs = Springs::new(&skeleton, &[SpringChain::new(&row, swing)], &[]).expect("a strand");
    for (name, dt_secs, steps) in [("60 Hz", 1.0 / 60.0, 2.0), ("15 Hz", 4.0 / 60.0, 5.0)] {
        let mut state = SpringsState::new(&springs);
        let per = 8.0 * steps;
        let name = format!("springs: per joint and step, {name}, 8 bones");
        on_pose(&name, &skeleton, per, |call, pose, model| {
            let world = DAffine3::from_translation(DVec3::X * f64::from(call % 50) * 0.01);
            let step = SpringStep::new(dt_secs, world);
            springs.apply(&mut state, pose, model, black_box(&step));
        });
    }
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
    on_pose("mirror: a pose of 64 joints", &skeleton, 1.0, |_, pose, _| mirror.pose(black_box(&rest), pose));
}

/// Measures a call on a pose that is put back before each.
fn on_pose(name: &str, skeleton: &Skeleton, per: f64, mut call: impl FnMut(u16, &mut Pose, &mut ModelPose)) {
    let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::rest(skeleton));
    let (mut pose_only, mut model_only) = (pose.clone(), model.clone());
    let time = nanos(
        |_| {
            pose_only.reset(black_box(skeleton));
            model_only.compose(skeleton, &pose_only);
            black_box((&pose_only, &model_only));
        },
        |number| {
            pose.reset(black_box(skeleton));
            model.compose(skeleton, &pose);
            call(number, &mut pose, &mut model);
            black_box((&pose, &model));
        },
    );
    println!("{name:>52} {:>8.1}", time / per);
}
