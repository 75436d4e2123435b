//! Vectors and matrices in registers, calculated in one order everywhere.
//!
//! glam's `Vec3A` adds products in the order that a machine is quickest with, and rounds some of them less.
//! Its `Vec3` is plain numbers, which is the same on all of them; but compilers put pairs of those into
//! registers and shuffle them to and fro, which took a third of the time of a limb.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use canter::Mat3x4;
use canter::glam::{DMat3, Mat4, Vec3, Vec3A, Vec3Swizzles, Vec4};

/// Three numbers in a register.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Vector3(Vec3A);

impl Vector3 {
    pub(crate) const ZERO: Self = Self(Vec3A::ZERO);
    pub(crate) const X: Self = Self(Vec3A::X);
    pub(crate) const Y: Self = Self(Vec3A::Y);
    pub(crate) const Z: Self = Self(Vec3A::Z);
    pub(crate) const AXES: [Self; 3] = [Self::X, Self::Y, Self::Z];

    #[inline(always)]
    pub(crate) const fn new(x: f32, y: f32, z: f32) -> Self {
        Self(Vec3A::new(x, y, z))
    }

    #[inline(always)]
    pub(crate) const fn from_array([x, y, z]: [f32; 3]) -> Self {
        Self::new(x, y, z)
    }

    #[inline(always)]
    pub(crate) fn to_array(self) -> [f32; 3] {
        self.0.to_array()
    }

    #[inline(always)]
    pub(crate) fn dot(self, other: Self) -> f32 {
        let products = self.0 * other.0;
        (products.x + products.y) + products.z
    }

    #[inline(always)]
    pub(crate) fn cross(self, other: Self) -> Self {
        Self((self.0.zxy() * other.0 - self.0 * other.0.zxy()).zxy())
    }

    #[inline(always)]
    pub(crate) fn length_squared(self) -> f32 {
        self.dot(self)
    }

    #[inline(always)]
    pub(crate) fn length(self) -> f32 {
        self.length_squared().sqrt()
    }

    #[inline(always)]
    pub(crate) fn distance(self, other: Self) -> f32 {
        (self - other).length()
    }

    #[inline(always)]
    pub(crate) fn lerp(self, to: Self, part: f32) -> Self {
        self * (1.0 - part) + to * part
    }

    #[inline(always)]
    pub(crate) fn is_finite(self) -> bool {
        self.0.is_finite()
    }

    /// At length one; `None` if it has no length, or none that is a number.
    #[inline]
    pub(crate) fn try_normalize(self) -> Option<Self> {
        let factor = 1.0 / self.length();
        (factor > 0.0 && factor < f32::INFINITY).then(|| self * factor)
    }

    #[inline]
    pub(crate) fn normalize_or_zero(self) -> Self {
        self.try_normalize().unwrap_or(Self::ZERO)
    }

    /// Some direction at right angles to this one, which is of length one.
    #[cold]
    pub(crate) fn any_orthonormal_vector(self) -> Self {
        Vec3::from(self).any_orthonormal_vector().into()
    }
}

impl From<Vec3> for Vector3 {
    #[inline(always)]
    fn from(vector: Vec3) -> Self {
        Self::new(vector.x, vector.y, vector.z)
    }
}

impl From<Vector3> for Vec3 {
    #[inline(always)]
    fn from(vector: Vector3) -> Self {
        Self::from_array(vector.to_array())
    }
}

impl Add for Vector3 {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Vector3 {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Vector3 {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Vector3 {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<f32> for Vector3 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f32) -> Self {
        Self(self.0 * factor)
    }
}

/// Three columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Matrix3 {
    pub(crate) x_axis: Vector3,
    pub(crate) y_axis: Vector3,
    pub(crate) z_axis: Vector3,
}

impl Matrix3 {
    pub(crate) const IDENTITY: Self = Self::from_cols(Vector3::X, Vector3::Y, Vector3::Z);

    #[inline(always)]
    pub(crate) const fn from_cols(x_axis: Vector3, y_axis: Vector3, z_axis: Vector3) -> Self {
        Self { x_axis, y_axis, z_axis }
    }

    /// Of half the precision.
    pub(crate) fn from_double(matrix: &DMat3) -> Self {
        let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.as_vec3().into());
        Self::from_cols(x, y, z)
    }

    #[inline(always)]
    pub(crate) fn transpose(&self) -> Self {
        let ([a, b, c], [d, e, f], [g, h, i]) =
            (self.x_axis.to_array(), self.y_axis.to_array(), self.z_axis.to_array());
        Self::from_cols(Vector3::new(a, d, g), Vector3::new(b, e, h), Vector3::new(c, f, i))
    }

    #[inline(always)]
    pub(crate) fn determinant(&self) -> f32 {
        self.z_axis.dot(self.x_axis.cross(self.y_axis))
    }

    /// What a vector is along each axis: the transpose times the vector.
    #[inline(always)]
    pub(crate) fn dots(&self, vector: Vector3) -> Vector3 {
        Vector3::new(self.x_axis.dot(vector), self.y_axis.dot(vector), self.z_axis.dot(vector))
    }

    /// Whether it turns and scales evenly only: whether products of its rows are those of axes at right angles,
    /// all of one length. So it is if it is transposed, too.
    #[inline(always)]
    pub(crate) fn is_even(&self) -> bool {
        let [x, y, z] = [self.x_axis.0, self.y_axis.0, self.z_axis.0];
        let squares = x * x + y * y + z * z;
        let skews = x * x.yzx() + y * y.yzx() + z * z.yzx();
        let size = squares.x;
        let limit = Vec3A::splat(1e-5 * size);
        let is_even = (squares - Vec3A::splat(size)).abs().cmple(limit) & skews.abs().cmple(limit);
        is_even.all() && size > 1e-12 && size < 1e12
    }

    #[inline(always)]
    pub(crate) fn is_finite(&self) -> bool {
        self.x_axis.is_finite() && self.y_axis.is_finite() && self.z_axis.is_finite()
    }
}

impl Mul<Vector3> for Matrix3 {
    type Output = Vector3;

    #[inline(always)]
    fn mul(self, vector: Vector3) -> Vector3 {
        let [x, y, z] = vector.to_array();
        self.x_axis * x + self.y_axis * y + self.z_axis * z
    }
}

impl Mul<Vec3> for Matrix3 {
    type Output = Vector3;

    #[inline(always)]
    fn mul(self, vector: Vec3) -> Vector3 {
        self * Vector3::from(vector)
    }
}

impl Mul for Matrix3 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self::from_cols(self * other.x_axis, self * other.y_axis, self * other.z_axis)
    }
}

/// The transpose of a matrix without its translation.
#[inline(always)]
pub(crate) fn transposed(matrix: &Mat3x4) -> Matrix3 {
    let [x, y, z] = &matrix.rows;
    let row = |row: &[f32; 4]| Vector3(Vec3A::from_vec4(Vec4::from_array(*row)));
    Matrix3::from_cols(row(x), row(y), row(z))
}

/// A matrix without its translation, and its translation.
#[inline(always)]
pub(crate) fn columns(matrix: &Mat3x4) -> (Matrix3, Vector3) {
    let [x, y, z] = &matrix.rows;
    let row = |row: &[f32; 4]| Vec4::from_array(*row);
    let columns = Mat4::from_cols(row(x), row(y), row(z), row(z)).transpose();
    let column = |column: Vec4| Vector3(Vec3A::from_vec4(column));
    let linear = Matrix3::from_cols(column(columns.x_axis), column(columns.y_axis), column(columns.z_axis));
    (linear, column(columns.w_axis))
}
