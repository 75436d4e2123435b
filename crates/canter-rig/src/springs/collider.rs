//! What springs do not go through.

use canter::glam::Vec3;
use canter::{JointId, ModelPose};

use super::state::{add, get, map_one, set};
use super::sweep::Rod;
use crate::error::{RigError, check_direction, check_range};
use crate::lane::{Lane, Vector, Vectors};
use crate::space::{linear_of, position};
use crate::vector::{Matrix3, Vector3};

/// A shape that hangs on a joint, and that springs do not go through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collider {
    /// What it hangs on.
    pub joint: JointId,
    /// Its shape.
    pub shape: ColliderShape,
}

/// The shape of a collider, in the space of its joint. Radii grow with the largest scale of the joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColliderShape {
    /// Springs stay outside.
    Sphere {
        /// Its centre.
        offset: Vec3,
        /// In metres.
        radius: f32,
    },
    /// Springs stay outside of everything that is nearer to a line than the radius.
    Capsule {
        /// One end of the line.
        offset: Vec3,
        /// The other.
        tail: Vec3,
        /// In metres.
        radius: f32,
    },
    /// Springs stay inside.
    InsideSphere {
        /// Its centre.
        offset: Vec3,
        /// In metres.
        radius: f32,
    },
    /// Springs stay inside of everything that is nearer to a line than the radius.
    InsideCapsule {
        /// One end of the line.
        offset: Vec3,
        /// The other.
        tail: Vec3,
        /// In metres.
        radius: f32,
    },
    /// Springs stay on the side that the normal points to.
    Plane {
        /// A point of it.
        offset: Vec3,
        /// Need not be of length one.
        normal: Vec3,
    },
}

impl Collider {
    pub(super) fn check(&self) -> Result<(), RigError> {
        let (points, radius) = match self.shape {
            ColliderShape::Sphere { offset, radius } | ColliderShape::InsideSphere { offset, radius } => {
                ([offset, offset], radius)
            }
            ColliderShape::Capsule { offset, tail, radius }
            | ColliderShape::InsideCapsule { offset, tail, radius } => ([offset, tail], radius),
            ColliderShape::Plane { offset, normal } => {
                check_direction("normal", normal)?;
                ([offset, normal], 0.0)
            }
        };
        check_range("radius", radius, 0.0, 1e9)?;
        let largest = points.iter().map(|point| point.abs().max_element()).fold(0.0, f32::max);
        check_range("offset", largest, 0.0, 1e9)?;
        if points.iter().all(|point| point.is_finite()) {
            Ok(())
        } else {
            Err(RigError::Number { setting: "offset" })
        }
    }

    /// Where it is, in the world as springs see it.
    pub(super) fn place(&self, model: &ModelPose, world: &Matrix3) -> Placed {
        let linear = *world * linear_of(model, self.joint);
        let place = *world * position(model, self.joint);
        let at = |offset: Vec3| place + linear * offset;
        let scale = linear.x_axis.length().max(linear.y_axis.length()).max(linear.z_axis.length());
        let (ends, radius) = match self.shape {
            ColliderShape::Sphere { offset, radius } | ColliderShape::InsideSphere { offset, radius } => {
                ([at(offset); 2], radius)
            }
            ColliderShape::Capsule { offset, tail, radius }
            | ColliderShape::InsideCapsule { offset, tail, radius } => ([at(offset), at(tail)], radius),
            ColliderShape::Plane { offset, normal } => {
                // A point above the plane, which can be moved and interpolated as all others.
                let normal = (linear * normal.normalize_or_zero()).try_normalize().unwrap_or(Vector3::Y);
                ([at(offset), at(offset) + normal], 0.0)
            }
        };
        Placed { ends, radius: radius * scale }
    }
}

/// A collider in the world: both ends of its line, or a point of a plane and one above it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    pub(super) ends: [Vector3; 2],
    pub(super) radius: f32,
}

/// Those of `N` characters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlacedLanes<const N: usize> {
    ends: [Vectors<N>; 2],
    radius: [f32; N],
}

impl<const N: usize> PlacedLanes<N> {
    pub(super) const NONE: Self = Self { ends: [[[0.0; N]; 3]; 2], radius: [0.0; N] };

    pub(super) fn set(&mut self, lane: usize, placed: &Placed) {
        for (ends, end) in self.ends.iter_mut().zip(placed.ends) {
            set(ends, lane, end);
        }
        self.radius[lane] = placed.radius;
    }

    pub(super) fn copy(&mut self, lane: usize, from: &Self) {
        for (ends, from) in self.ends.iter_mut().zip(&from.ends) {
            set(ends, lane, get(from, lane));
        }
        self.radius[lane] = from.radius[lane];
    }

    pub(super) fn shift(&mut self, ways: &Vectors<N>) {
        for ends in &mut self.ends {
            add(ends, ways);
        }
    }

    pub(super) fn map(&mut self, lane: usize, map: impl Fn(Vector3) -> Vector3) {
        for ends in &mut self.ends {
            map_one(ends, lane, &map);
        }
    }
}

/// A collider at the time of a step.
#[derive(Clone, Copy)]
pub(super) struct Obstacle<L: Lane> {
    start: L::Vector,
    end: L::Vector,
    radius: L,
}

impl<L: Lane> Obstacle<L> {
    #[inline(always)]
    pub(super) fn between<const N: usize>(
        like: L,
        before: &PlacedLanes<N>,
        now: &PlacedLanes<N>,
        part: L,
    ) -> Self
    where
        L: Lane<Numbers = [f32; N]>,
    {
        let load = |ends: &Vectors<N>| L::Vector::load(like, ends);
        let (radius_before, radius) = (like.load(&before.radius), like.load(&now.radius));
        Self {
            start: load(&before.ends[0]).toward(load(&now.ends[0]), part),
            end: load(&before.ends[1]).toward(load(&now.ends[1]), part),
            radius: radius_before + (radius - radius_before) * part,
        }
    }

    /// The direction of a bone whose tail is out of it. First as the specification has it: the tail is pushed
    /// out, and put back onto its rod. Where that leaves it inside, it is swung along its rod until it is
    /// out.
    #[inline(always)]
    pub(super) fn push(&self, shape: &ColliderShape, bone: &Rod<L>, shown: L::Vector) -> L::Vector {
        let (pushed, is_inside) = self.pushed(shape, bone, shown);
        if !L::any(is_inside) {
            return shown;
        }
        let once = pushed.minus(bone.head).normalized_or(bone.rod);
        let once = L::Vector::select(is_inside, once, shown);
        let (_, is_still_inside) = self.pushed(shape, bone, once);
        if !L::any(is_still_inside) {
            return once;
        }
        L::Vector::select(is_still_inside, self.swung(shape, bone, once), once)
    }

    /// Where a tail is pushed to, and whether it was inside.
    #[inline(always)]
    fn pushed(&self, shape: &ColliderShape, bone: &Rod<L>, shown: L::Vector) -> (L::Vector, L::Mask) {
        let tail = bone.head.plus(shown.times(bone.length));
        let zero = self.radius.all(0.0);
        if let ColliderShape::Plane { .. } = shape {
            let (normal, has_normal) = self.end.minus(self.start).normalized();
            let depth = tail.minus(self.start).dot(normal) - bone.hit_radius;
            return (tail.minus(normal.times(depth)), depth.less(zero) & has_normal);
        }
        let away = tail.minus(self.nearest(tail));
        let (direction, has_length) = away.normalized();
        let length = L::select(has_length, away.dot(direction), zero);
        let direction = L::Vector::select(has_length, direction, bone.rod);
        let room = self.room(shape, bone);
        let is_inside = if is_shell(shape) { room.less(length) } else { length.less(room) };
        (tail.plus(direction.times(room - length)), is_inside)
    }

    /// How far from its line a tail stays, at least or at most.
    #[inline(always)]
    fn room(&self, shape: &ColliderShape, bone: &Rod<L>) -> L {
        if !is_shell(shape) {
            return self.radius + bone.hit_radius;
        }
        let (room, zero) = (self.radius - bone.hit_radius, self.radius.all(0.0));
        L::select(room.less(zero), zero, room)
    }

    /// The direction in which the tail is at the surface, in the plane of the bone and the collider.
    #[inline(always)]
    fn swung(&self, shape: &ColliderShape, bone: &Rod<L>, shown: L::Vector) -> L::Vector {
        let (one, zero) = (self.radius.all(1.0), self.radius.all(0.0));
        // An axis, and how far along it the tail gets to the surface, as a part of the rod. Where the collider
        // is around the head there is no such way.
        let (axis, along, has_way) = if let ColliderShape::Plane { .. } = shape {
            let axis = self.end.minus(self.start).normalized_or(shown);
            let along = (self.start.minus(bone.head).dot(axis) + bone.hit_radius) / bone.length;
            (axis, along, zero.less(bone.length))
        } else {
            let tail = bone.head.plus(shown.times(bone.length));
            let way = self.nearest(tail).minus(bone.head);
            let (axis, has_length) = way.normalized();
            let (axis, room) = (L::Vector::select(has_length, axis, bone.rod), self.room(shape, bone));
            let distance = L::select(has_length, way.dot(axis), zero);
            let numerator = (bone.length * bone.length + distance * distance) - room * room;
            let denominator = (bone.length * distance) * one.all(2.0);
            (axis, numerator / denominator, denominator.all(1e-20).less(denominator))
        };
        let along = L::select(one.less(along), one, along);
        let along = L::select(along.less(-one), -one, along);
        let beside = shown.minus(axis.times(shown.dot(axis)));
        let across = bone.rod.minus(axis.times(bone.rod.dot(axis))).normalized_or(axis.any_perpendicular());
        let beside = beside.normalized_or(across);
        let squared = (one - along) * (one + along);
        let squared = L::select(squared.less(zero), zero, squared);
        let swung = axis.times(along).plus(beside.times(squared.sqrt())).normalized_or(shown);
        L::Vector::select(has_way, swung, shown)
    }

    /// The point of the line between both ends that is nearest to another.
    #[inline(always)]
    fn nearest(&self, point: L::Vector) -> L::Vector {
        let (zero, one) = (self.radius.all(0.0), self.radius.all(1.0));
        let way = self.end.minus(self.start);
        let squared = way.dot(way);
        let has_length = zero.less(squared);
        let part = point.minus(self.start).dot(way) / L::select(has_length, squared, one);
        let part = L::select(part.less(zero), zero, part);
        let part = L::select(one.less(part), one, part);
        self.start.plus(way.times(part))
    }
}

/// Whether springs stay inside.
fn is_shell(shape: &ColliderShape) -> bool {
    matches!(shape, ColliderShape::InsideSphere { .. } | ColliderShape::InsideCapsule { .. })
}
