//! Rotations in plain numbers, calculated in one order everywhere.
//!
//! glam's quaternions use the registers that a machine has, and sums of products then differ in the last bit
//! from one to the next.

use canter::glam::{Quat, Vec3};
use canter::math;

use crate::space::Axes;
use crate::vector::{Matrix3, Vector3};

/// A unit quaternion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Turn {
    vector: Vector3,
    w: f32,
}

/// Vectors shorter than this part of what they are measured against have no direction.
pub(crate) const TINY: f32 = 1e-6;

impl Turn {
    pub(crate) const IDENTITY: Self = Self { vector: Vector3::ZERO, w: 1.0 };

    /// Of a rotation that may be a little off length one; no rotation if it has none.
    #[inline]
    pub(crate) fn from_quat(rotation: Quat) -> Self {
        let [x, y, z, w] = rotation.to_array();
        Self { vector: Vector3::new(x, y, z), w }.normalized()
    }

    /// Of x, y, z and w, as they are.
    #[inline]
    pub(crate) fn from_numbers([x, y, z, w]: [f32; 4]) -> Self {
        Self { vector: Vector3::new(x, y, z), w }
    }

    /// x, y, z and w.
    #[inline]
    pub(crate) fn to_numbers(self) -> [f32; 4] {
        let [x, y, z] = self.vector.to_array();
        [x, y, z, self.w]
    }

    #[inline]
    pub(crate) fn to_quat(self) -> Quat {
        Quat::from_array(self.to_numbers())
    }

    /// About an axis of length one.
    pub(crate) fn about(axis: Vector3, radians: f32) -> Self {
        let (sin, cos) = math::sin_cos(0.5 * radians);
        Self { vector: axis * sin, w: cos }
    }

    /// The shortest way from one direction to another, both of length one. Between opposite ones it leads
    /// about `axis`, as far as that is at right angles to them; if it is along them, about some axis that is
    /// always the same.
    #[inline]
    pub(crate) fn arc(from: Vector3, to: Vector3, axis: Vector3) -> Self {
        let half = from + to;
        let w = 0.5 * half.length_squared();
        // Half a turn, within what rounding leaves of it.
        if w < 1e-12 {
            return Self { vector: perpendicular(axis, from), w: 0.0 };
        }
        // The square of the cosine of half the angle is half of that.
        let cos = (0.5 * w).sqrt();
        let arc = Self { vector: from.cross(to) * (0.5 / cos), w: cos }.normalized();
        if w > 1e-3 { arc } else { arc.corrected(from, to) }
    }

    /// What is nearly half a turn is about an axis that rounding decides: the rest of the way to where it should
    /// lead is made, too.
    #[cold]
    fn corrected(self, from: Vector3, to: Vector3) -> Self {
        let near = self.rotate(from);
        let vector = near.cross(to) * 0.5;
        (Self { vector, w: 1.0 }.normalized() * self).normalized()
    }

    /// The way from one direction to another, both of length one and at right angles to `axis`, which is, too:
    /// about that axis exactly, also where it is nearly half a turn.
    #[inline]
    pub(crate) fn arc_about(axis: Vector3, from: Vector3, to: Vector3) -> Self {
        Self::by_cos_sin(axis, from.dot(to), axis.dot(from.cross(to)))
    }

    /// A part of the shortest way from one vector to another, which are as long as each other: `size` is the
    /// square of their length. See [`arc`](Self::arc) for `axis`.
    #[inline]
    pub(crate) fn part_of_arc(from: Vector3, to: Vector3, size: f32, axis: Vector3, part: f32) -> Self {
        // As many times too long as the root of `squared`.
        let cos = size + from.dot(to);
        let squared = 2.0 * (size * cos);
        if cos < 1e-6 * size {
            let from = from.normalize_or_zero();
            return Self { vector: perpendicular(axis.normalize_or_zero(), from), w: 0.0 }.part(part);
        }
        let length = squared.sqrt();
        if part >= 1.0 {
            return Self { vector: from.cross(to) * (1.0 / length), w: cos / length }.normalized();
        }
        let w = cos * part + length * (1.0 - part);
        let vector = from.cross(to) * part;
        let factor = 1.0 / (vector.length_squared() + w * w).sqrt();
        Self { vector: vector * factor, w: w * factor }
    }

    /// What turns one frame, three axes of length one at right angles, into another. As exactly of length one
    /// as those are.
    // Always, since two matrices would go through memory otherwise.
    #[inline(always)]
    pub(crate) fn between(from: Matrix3, to: Matrix3) -> Self {
        let axis =
            (from.x_axis.cross(to.x_axis) + from.y_axis.cross(to.y_axis)) + from.z_axis.cross(to.z_axis);
        let trace = (from.x_axis.dot(to.x_axis) + from.y_axis.dot(to.y_axis)) + from.z_axis.dot(to.z_axis);
        // That is four times the square of the cosine of half the angle, and twice the sine of the whole.
        let squared = 1.0 + trace;
        if squared > 0.1 {
            let root = squared.sqrt();
            return Self { vector: axis * (0.5 / root), w: 0.5 * root };
        }
        Self::from_mat3(to * from.transpose())
    }

    /// From the largest of the four numbers, so that none is divided by nearly nothing.
    #[inline(never)]
    fn from_mat3(m: Matrix3) -> Self {
        let [x, y, z] = [m.x_axis, m.y_axis, m.z_axis].map(Vec3::from);
        let (sum, difference) = (y.y + x.x, y.y - x.x);
        let turn = if z.z <= 0.0 && difference <= 0.0 {
            Self { vector: Vector3::new((1.0 - z.z) - difference, x.y + y.x, x.z + z.x), w: y.z - z.y }
        } else if z.z <= 0.0 {
            Self { vector: Vector3::new(x.y + y.x, (1.0 - z.z) + difference, y.z + z.y), w: z.x - x.z }
        } else if sum <= 0.0 {
            Self { vector: Vector3::new(x.z + z.x, y.z + z.y, (1.0 + z.z) - sum), w: x.y - y.x }
        } else {
            Self { vector: Vector3::new(y.z - z.y, z.x - x.z, x.y - y.x), w: (1.0 + z.z) + sum }
        };
        turn.normalized()
    }

    /// About an axis of length one, by an angle whose cosine and sine are known. Half of the angle takes a
    /// square root, and no trigonometry.
    #[inline]
    pub(crate) fn by_cos_sin(axis: Vector3, cos: f32, sin: f32) -> Self {
        // From the larger one of both halves, so that nothing is divided by nearly nothing.
        let half = (0.5 + 0.5 * cos.abs()).sqrt();
        let other = 0.5 * sin / half;
        let turn = if cos >= 0.0 {
            Self { vector: axis * other, w: half }
        } else {
            Self { vector: axis * half, w: other }
        };
        turn.normalized()
    }

    /// A rotation of a pose, turned; it may be a little off length one, and counts as none if it has none.
    #[inline]
    pub(crate) fn turn_quat(self, rotation: Quat) -> Quat {
        let turned = self * Self::from_numbers(rotation.to_array());
        let squared = turned.vector.length_squared() + turned.w * turned.w;
        if is_nearly_one(squared) {
            let factor = 1.5 - 0.5 * squared;
            return Self { vector: turned.vector * factor, w: turned.w * factor }.to_quat();
        }
        (self * Self::from_quat(rotation)).normalized().to_quat()
    }

    #[inline]
    pub(crate) fn inverse(self) -> Self {
        Self { vector: -self.vector, w: self.w }
    }

    #[inline]
    pub(crate) fn rotate(self, vector: Vector3) -> Vector3 {
        let twice = self.vector.cross(vector) * 2.0;
        vector + twice * self.w + self.vector.cross(twice)
    }

    #[inline]
    pub(crate) fn normalized(self) -> Self {
        let squared = self.vector.length_squared() + self.w * self.w;
        if is_nearly_one(squared) {
            let factor = 1.5 - 0.5 * squared;
            return Self { vector: self.vector * factor, w: self.w * factor };
        }
        if !(squared > 1e-30 && squared < 1e30) {
            return Self::IDENTITY;
        }
        let factor = 1.0 / squared.sqrt();
        Self { vector: self.vector * factor, w: self.w * factor }
    }

    /// A part of it, by the shorter way.
    #[inline]
    pub(crate) fn part(self, weight: f32) -> Self {
        if weight >= 1.0 {
            return self;
        }
        let side = if self.w < 0.0 { -weight } else { weight };
        Self { vector: self.vector * side, w: self.w * side + (1.0 - weight) }.normalized()
    }

    /// A part of its angle, by the shorter way.
    pub(crate) fn share(self, weight: f32) -> Self {
        if weight >= 1.0 {
            return self;
        }
        let turn = self.shorter();
        Self::about(turn.vector.normalize_or_zero(), turn.radians() * weight)
    }

    /// Its axis times its angle, by the shorter way.
    pub(crate) fn scaled_axis(self) -> Vector3 {
        let turn = self.shorter();
        turn.vector.normalize_or_zero() * turn.radians()
    }

    /// From this to another, by the shorter way: a weighted mean, brought back to length one.
    pub(crate) fn toward(self, to: Self, weight: f32) -> Self {
        let dot = self.vector.dot(to.vector) + self.w * to.w;
        let (own, other) = (1.0 - weight, if dot < 0.0 { -weight } else { weight });
        Self { vector: self.vector * own + to.vector * other, w: self.w * own + to.w * other }.normalized()
    }

    /// By no more than an angle.
    #[inline]
    pub(crate) fn at_most(self, limit: Limit) -> Self {
        let turn = self.shorter();
        if turn.w >= limit.cos {
            return turn;
        }
        let axis = turn.vector.normalize_or_zero();
        Self { vector: axis * limit.sin, w: limit.cos }
    }

    /// The same rotation with a cosine that is not negative.
    #[inline]
    pub(crate) fn shorter(self) -> Self {
        if self.w < 0.0 { Self { vector: -self.vector, w: -self.w } } else { self }
    }

    /// The angle, from 0 to π.
    pub(crate) fn radians(self) -> f32 {
        2.0 * math::atan2(self.vector.length(), self.w.abs())
    }

    /// What part of it turns about an axis of length one; the rest swings that axis. None of it if the axis
    /// ends up opposite to where it was.
    #[inline]
    pub(crate) fn twist(self, axis: Vector3) -> Self {
        Self { vector: axis * self.vector.dot(axis), w: self.w }.normalized()
    }

    /// The angle about an axis of length one, from -π to π.
    pub(crate) fn radians_about(self, axis: Vector3) -> f32 {
        let turn = self.shorter();
        2.0 * math::atan2(turn.vector.dot(axis), turn.w)
    }

    /// The same rotation seen from another space.
    #[inline]
    pub(crate) fn seen_from(self, space: &Axes) -> Self {
        self.with_axis(space.axis(self.vector))
    }

    /// The same rotation seen from a space that is turned and scaled evenly only, by the transpose of what
    /// leads from it to here: that is its inverse, but for the scale.
    #[inline]
    pub(crate) fn seen_evenly(self, transpose: &Matrix3, mirrors: bool) -> Self {
        let axis = *transpose * self.vector;
        let squared = transpose.x_axis.length_squared();
        let factor = if is_nearly_one(squared) { 1.5 - 0.5 * squared } else { 1.0 / squared.sqrt() };
        // Axes turn the other way where a space is mirrored.
        Self { vector: axis * if mirrors { -factor } else { factor }, w: self.w }
    }

    /// The same angle about another axis, of any length.
    #[inline]
    pub(crate) fn with_axis(self, axis: Vector3) -> Self {
        let ratio = self.vector.length_squared() / axis.length_squared();
        let factor = if ratio > 0.0 && ratio < f32::MAX { ratio.sqrt() } else { 0.0 };
        Self { vector: axis * factor, w: self.w }.normalized()
    }

    /// Axes, turned.
    pub(crate) fn turn_axes(self, axes: Matrix3) -> Matrix3 {
        Matrix3::from_cols(self.rotate(axes.x_axis), self.rotate(axes.y_axis), self.rotate(axes.z_axis))
    }

    #[inline]
    pub(crate) fn vector(self) -> Vector3 {
        self.vector
    }
}

impl std::ops::Mul for Turn {
    type Output = Self;

    /// The second rotation, then the first.
    #[inline]
    fn mul(self, then: Self) -> Self {
        Self {
            vector: then.vector * self.w + self.vector * then.w + self.vector.cross(then.vector),
            w: self.w * then.w - self.vector.dot(then.vector),
        }
    }
}

/// What of a vector is at right angles to a direction of length one, at length one; some such direction,
/// always the same, if nothing is.
#[inline]
pub(crate) fn perpendicular(vector: Vector3, direction: Vector3) -> Vector3 {
    let beside = vector - direction * vector.dot(direction);
    let (squared, whole) = (beside.length_squared(), vector.length_squared());
    if is_nearly_one(squared) && whole < 4.0 {
        return beside * (1.5 - 0.5 * squared);
    }
    if squared > 0.01 * whole && whole < 1e30 && whole > 1e-30 {
        return beside * (1.0 / squared.sqrt());
    }
    nearly_parallel(vector, direction)
}

/// The same where hardly anything is left.
#[cold]
fn nearly_parallel(vector: Vector3, direction: Vector3) -> Vector3 {
    let beside = vector - direction * vector.dot(direction);
    let enough = TINY * TINY * vector.length_squared();
    if beside.length_squared() > enough && enough.is_finite() {
        // Twice, since what was left may be mostly rounding.
        let beside = beside.normalize_or_zero();
        let beside = (beside - direction * beside.dot(direction)).normalize_or_zero();
        if beside != Vector3::ZERO {
            return beside;
        }
    }
    direction.any_orthonormal_vector()
}

/// Whether a squared length is so near to one that a step of Newton's is as exact as a square root, and a
/// tenth of its cost.
#[inline]
fn is_nearly_one(squared: f32) -> bool {
    (squared - 1.0).abs() < 1e-4
}

/// The largest angle that something turns by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limit {
    /// Of half the angle.
    sin: f32,
    cos: f32,
}

impl Limit {
    /// Of half the angle, which the caller knows.
    pub(crate) const fn from_half(sin: f32, cos: f32) -> Self {
        Self { sin, cos }
    }

    /// None.
    pub(crate) const NONE: Self = Self { sin: 1.0, cos: 0.0 };

    /// Of so many radians, from 0 to π.
    pub(crate) fn new(radians: f32) -> Self {
        let (sin, cos) = math::sin_cos(0.5 * radians.clamp(0.0, std::f32::consts::PI));
        Self { sin, cos }
    }
}

/// Axes of length one: a direction, then what of `second` is at right angles to it.
#[inline]
pub(crate) fn frame(first: Vector3, second: Vector3) -> Matrix3 {
    let second = perpendicular(second, first);
    Matrix3::from_cols(first, second, first.cross(second))
}

/// The smooth step from 0 to 1 while `x` goes from 0 to 1.
#[inline]
pub(crate) fn smooth_step(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}
