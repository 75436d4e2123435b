//! Makes solvers of what JavaScript wrote; `packages/canter/src/rig` writes it in the same order.

use canter::glam::{Quat, Vec3};
use canter::{JointId, Skeleton};
use canter_rig::{
    Aim, AimJoint, Chain, Collider, ColliderShape, Constraint, ConstraintKind, Constraints, Feet, JointLimit,
    Leg, RigError, SpringCenter, SpringChain, SpringJoint, Springs, SpringsState, Twist, TwoBone,
};

use super::Solver;
use super::feet::FeetRun;
use super::mirror::MirrorRun;
use crate::reader::Reader;

/// The kinds are those of `packages/canter/src/rig/solver.ts`.
pub(super) fn solver(skeleton: &Skeleton, kind: u32, reader: &mut Reader<'_>) -> Result<Solver, String> {
    let reads = &mut Reads { skeleton, reader };
    let made = match kind {
        0 => two_bone(reads),
        1 => aim(reads),
        2 => chain(reads),
        3 => feet(reads),
        4 => springs(reads),
        5 => constraints(reads),
        6 => twist(reads),
        _ => return MirrorRun::new(skeleton).map(|mirror| Solver::Mirror(mirror.into())),
    };
    made.map_err(|error| error.to_string())
}

/// What JavaScript wrote, about a skeleton.
struct Reads<'a, 'b> {
    skeleton: &'a Skeleton,
    reader: &'a mut Reader<'b>,
}

impl Reads<'_, '_> {
    /// JavaScript has looked for it: there is one.
    fn joint(&mut self) -> JointId {
        joint(self.skeleton, self.reader)
    }

    fn number(&mut self) -> Option<f32> {
        self.reader.option(&mut Reader::float)
    }

    fn direction(&mut self) -> Option<Vec3> {
        self.reader.option(&mut vector)
    }
}

fn joint(skeleton: &Skeleton, reader: &mut Reader<'_>) -> JointId {
    let index = reader.number() as usize;
    let last = skeleton.joint_count().saturating_sub(1);
    skeleton.joint_at(index.min(last)).expect("JavaScript asks for solvers of skeletons with joints only")
}

fn vector(reader: &mut Reader<'_>) -> Vec3 {
    Vec3::new(reader.float(), reader.float(), reader.float())
}

fn two_bone(reads: &mut Reads<'_, '_>) -> Result<Solver, RigError> {
    let joints = [reads.joint(), reads.joint(), reads.joint()];
    let mut solver = TwoBone::new(reads.skeleton, joints)?;
    if let Some(axis) = reads.direction() {
        solver = solver.hinge(axis)?;
    }
    if let Some(direction) = reads.direction() {
        solver = solver.bends_towards(reads.skeleton, direction)?;
    }
    if let Some(part) = reads.number() {
        solver = solver.soften(part)?;
    }
    if let Some(factor) = reads.number() {
        solver = solver.max_stretch(factor)?;
    }
    Ok(Solver::TwoBone(solver.into()))
}

fn aim(reads: &mut Reads<'_, '_>) -> Result<Solver, RigError> {
    let skeleton = reads.skeleton;
    let joints = reads.reader.list(&mut |reader| AimJoint {
        joint: joint(skeleton, reader),
        share: reader.float(),
        limit: reader.float(),
    });
    let mut solver = Aim::new(skeleton, &joints, vector(reads.reader))?;
    if let Some(offset) = reads.direction() {
        solver = solver.eye(offset)?;
    }
    if let Some(from) = reads.number() {
        solver = solver.fade_behind(from, reads.reader.float())?;
    }
    Ok(Solver::Aim(solver.into()))
}

fn chain(reads: &mut Reads<'_, '_>) -> Result<Solver, RigError> {
    let skeleton = reads.skeleton;
    let joints = reads.reader.list(&mut |reader| {
        let joint = joint(skeleton, reader);
        let limit = match reader.number() {
            0 => JointLimit::Free,
            1 => JointLimit::Cone(reader.float()),
            _ => JointLimit::Hinge { axis: vector(reader), min: reader.float(), max: reader.float() },
        };
        (joint, limit)
    });
    let mut solver = Chain::new(skeleton, &joints)?;
    if let Some(part) = reads.number() {
        solver = solver.soften(part)?;
    }
    Ok(Solver::Chain(solver.into()))
}

fn feet(reads: &mut Reads<'_, '_>) -> Result<Solver, RigError> {
    let skeleton = reads.skeleton;
    let pelvis = reads.joint();
    let legs = reads.reader.list(&mut |reader| {
        Leg::new([joint(skeleton, reader), joint(skeleton, reader), joint(skeleton, reader)])
    });
    let mut solver = Feet::new(skeleton, pelvis, &legs)?;
    if let Some(part) = reads.number() {
        solver = solver.reach(part)?;
    }
    if let Some(part) = reads.number() {
        solver = solver.release(part)?;
    }
    Ok(Solver::Feet(FeetRun::new(solver, legs.len()).into()))
}

fn springs(reads: &mut Reads<'_, '_>) -> Result<Solver, RigError> {
    let skeleton = reads.skeleton;
    let chains = reads.reader.list(&mut |reader| SpringChain {
        joints: reader.list(&mut |reader| (joint(skeleton, reader), spring_joint(reader))),
        tail: reader.option(&mut vector),
        center: match reader.number() {
            0 => SpringCenter::World,
            1 => SpringCenter::Model,
            _ => SpringCenter::Joint(joint(skeleton, reader)),
        },
        colliders: reader.list(&mut |reader| reader.number() as usize),
    });
    let colliders =
        reads.reader.list(&mut |reader| Collider { joint: joint(skeleton, reader), shape: shape(reader) });
    let mut springs = Springs::new(skeleton, &chains, &colliders)?;
    if let Some(metres) = reads.number() {
        springs = springs.teleport_distance(metres)?;
    }
    let state = SpringsState::new(&springs);
    Ok(Solver::Springs((springs, state).into()))
}

fn spring_joint(reader: &mut Reader<'_>) -> SpringJoint {
    SpringJoint {
        stiffness: reader.float(),
        drag: reader.float(),
        gravity: vector(reader),
        wind: reader.float(),
        hit_radius: reader.float(),
    }
}

fn shape(reader: &mut Reader<'_>) -> ColliderShape {
    let (kind, offset, tail, radius) = (reader.number(), vector(reader), vector(reader), reader.float());
    match kind {
        0 => ColliderShape::Sphere { offset, radius },
        1 => ColliderShape::Capsule { offset, tail, radius },
        2 => ColliderShape::InsideSphere { offset, radius },
        3 => ColliderShape::InsideCapsule { offset, tail, radius },
        _ => ColliderShape::Plane { offset, normal: tail },
    }
}

fn constraints(reads: &mut Reads<'_, '_>) -> Result<Solver, RigError> {
    let skeleton = reads.skeleton;
    let constraints = reads.reader.list(&mut |reader| Constraint {
        joint: joint(skeleton, reader),
        source: joint(skeleton, reader),
        weight: reader.float(),
        kind: match reader.number() {
            0 => ConstraintKind::Rotation,
            1 => ConstraintKind::Roll { axis: vector(reader) },
            2 => ConstraintKind::Aim { axis: vector(reader) },
            _ => ConstraintKind::Copy {
                offset: Quat::from_xyzw(reader.float(), reader.float(), reader.float(), reader.float()),
                limit: reader.float(),
            },
        },
    });
    Constraints::new(skeleton, &constraints).map(Solver::Constraints)
}

fn twist(reads: &mut Reads<'_, '_>) -> Result<Solver, RigError> {
    let skeleton = reads.skeleton;
    let (source, axis) = (reads.joint(), vector(reads.reader));
    let joints = reads.reader.list(&mut |reader| (joint(skeleton, reader), reader.float()));
    Twist::new(skeleton, source, axis, &joints).map(Solver::Twist)
}
