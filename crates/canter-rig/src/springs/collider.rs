//! What springs do not go through.

use canter::glam::{Mat3, Vec3};
use canter::{JointId, ModelPose};

use crate::error::{RigError, check_direction, check_range};
use crate::space::{linear_of, position};

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
    pub(super) fn place(&self, model: &ModelPose, world: &Mat3) -> Placed {
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
                let normal = (linear * normal.normalize_or_zero()).try_normalize().unwrap_or(Vec3::Y);
                ([at(offset), at(offset) + normal], 0.0)
            }
        };
        Placed { ends, radius: radius * scale }
    }

    /// Pushes a tail out; `rod` is the direction of its bone.
    pub(super) fn push(&self, placed: &Placed, tail: Vec3, hit_radius: f32, rod: Vec3) -> Option<Vec3> {
        let [start, end] = placed.ends;
        match self.shape {
            ColliderShape::Plane { .. } => {
                let normal = (end - start).try_normalize()?;
                let depth = (tail - start).dot(normal) - hit_radius;
                (depth < 0.0).then(|| tail - normal * depth)
            }
            ColliderShape::Sphere { .. } | ColliderShape::Capsule { .. } => {
                let away = tail - nearest(start, end, tail);
                let room = placed.radius + hit_radius;
                (away.length_squared() < room * room)
                    .then(|| tail + away.try_normalize().unwrap_or(rod) * (room - away.length()))
            }
            ColliderShape::InsideSphere { .. } | ColliderShape::InsideCapsule { .. } => {
                let away = tail - nearest(start, end, tail);
                let room = (placed.radius - hit_radius).max(0.0);
                let length = away.length();
                (length > room).then(|| tail - away * ((length - room) / length))
            }
        }
    }
}

/// A collider in the world: both ends of its line, or a point of a plane and one above it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Placed {
    pub(super) ends: [Vec3; 2],
    pub(super) radius: f32,
}

impl Placed {
    pub(super) fn lerp(&self, to: &Self, part: f32) -> Self {
        Self {
            ends: [self.ends[0].lerp(to.ends[0], part), self.ends[1].lerp(to.ends[1], part)],
            radius: self.radius + (to.radius - self.radius) * part,
        }
    }

    pub(super) fn map(&mut self, map: impl Fn(Vec3) -> Vec3) {
        self.ends = self.ends.map(map);
    }
}

/// The point of a line between two points that is nearest to a third.
fn nearest(start: Vec3, end: Vec3, point: Vec3) -> Vec3 {
    let way = end - start;
    let squared = way.length_squared();
    if squared > 0.0 { start + way * ((point - start).dot(way) / squared).clamp(0.0, 1.0) } else { start }
}
