//! Numbers of one character, or of eight side by side: kernels are written once for both.
//!
//! Only + - * / and square roots, comparisons and choices, in one order: both give the same bits.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use fearless_simd::{Simd, f32x8, mask32x8, prelude::*};

/// A number of each of `N` characters.
pub(super) trait Lane<const N: usize>:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    type Mask: Copy + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask> + Not<Output = Self::Mask>;

    /// Reads the numbers; what `self` is does not matter.
    fn load(self, numbers: &[f32; N]) -> Self;
    fn store(self, numbers: &mut [f32; N]);
    /// The same number for all.
    fn all(self, number: f32) -> Self;
    fn sqrt(self) -> Self;
    fn less(self, than: Self) -> Self::Mask;
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    fn any(mask: Self::Mask) -> bool;
}

impl Lane<1> for f32 {
    type Mask = bool;

    #[inline(always)]
    fn load(self, numbers: &[f32; 1]) -> Self {
        numbers[0]
    }

    #[inline(always)]
    fn store(self, numbers: &mut [f32; 1]) {
        numbers[0] = self;
    }

    #[inline(always)]
    fn all(self, number: f32) -> Self {
        number
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self::sqrt(self)
    }

    #[inline(always)]
    fn less(self, than: Self) -> bool {
        self < than
    }

    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }

    #[inline(always)]
    fn any(mask: bool) -> bool {
        mask
    }
}

impl<S: Simd> Lane<8> for f32x8<S> {
    type Mask = mask32x8<S>;

    #[inline(always)]
    fn load(self, numbers: &[f32; 8]) -> Self {
        Self::simd_from(self.token(), *numbers)
    }

    #[inline(always)]
    fn store(self, numbers: &mut [f32; 8]) {
        *numbers = *self;
    }

    #[inline(always)]
    fn all(self, number: f32) -> Self {
        Self::splat(self.token(), number)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        SimdFloat::sqrt(self)
    }

    #[inline(always)]
    fn less(self, than: Self) -> mask32x8<S> {
        self.simd_lt(than)
    }

    #[inline(always)]
    fn select(mask: mask32x8<S>, yes: Self, no: Self) -> Self {
        mask.select(yes, no)
    }

    #[inline(always)]
    fn any(mask: mask32x8<S>) -> bool {
        mask.any_true()
    }
}

/// Vectors of `N` characters, in memory.
pub(super) type Vectors<const N: usize> = [[f32; N]; 3];

/// The same in registers.
#[derive(Clone, Copy)]
pub(super) struct Vector<L>(pub(super) [L; 3]);

impl<L> Vector<L> {
    #[inline(always)]
    pub(super) fn load<const N: usize>(like: L, numbers: &Vectors<N>) -> Self
    where
        L: Lane<N>,
    {
        Self([like.load(&numbers[0]), like.load(&numbers[1]), like.load(&numbers[2])])
    }

    #[inline(always)]
    pub(super) fn store<const N: usize>(self, numbers: &mut Vectors<N>)
    where
        L: Lane<N>,
    {
        self.0[0].store(&mut numbers[0]);
        self.0[1].store(&mut numbers[1]);
        self.0[2].store(&mut numbers[2]);
    }

    #[inline(always)]
    pub(super) fn all<const N: usize>(like: L, vector: canter::glam::Vec3) -> Self
    where
        L: Lane<N>,
    {
        Self([like.all(vector.x), like.all(vector.y), like.all(vector.z)])
    }

    #[inline(always)]
    pub(super) fn plus<const N: usize>(self, other: Self) -> Self
    where
        L: Lane<N>,
    {
        let (Self([x, y, z]), Self([a, b, c])) = (self, other);
        Self([x + a, y + b, z + c])
    }

    #[inline(always)]
    pub(super) fn minus<const N: usize>(self, other: Self) -> Self
    where
        L: Lane<N>,
    {
        let (Self([x, y, z]), Self([a, b, c])) = (self, other);
        Self([x - a, y - b, z - c])
    }

    #[inline(always)]
    pub(super) fn times<const N: usize>(self, factor: L) -> Self
    where
        L: Lane<N>,
    {
        let Self([x, y, z]) = self;
        Self([x * factor, y * factor, z * factor])
    }

    #[inline(always)]
    pub(super) fn dot<const N: usize>(self, other: Self) -> L
    where
        L: Lane<N>,
    {
        let (Self([x, y, z]), Self([a, b, c])) = (self, other);
        (x * a + y * b) + z * c
    }

    #[inline(always)]
    pub(super) fn cross<const N: usize>(self, other: Self) -> Self
    where
        L: Lane<N>,
    {
        let (Self([x, y, z]), Self([a, b, c])) = (self, other);
        Self([y * c - b * z, z * a - c * x, x * b - a * y])
    }

    #[inline(always)]
    pub(super) fn toward<const N: usize>(self, to: Self, part: L) -> Self
    where
        L: Lane<N>,
    {
        self.plus(to.minus(self).times(part))
    }

    #[inline(always)]
    pub(super) fn select<const N: usize>(mask: L::Mask, yes: Self, no: Self) -> Self
    where
        L: Lane<N>,
    {
        let (Self([x, y, z]), Self([a, b, c])) = (yes, no);
        Self([L::select(mask, x, a), L::select(mask, y, b), L::select(mask, z, c)])
    }

    /// At length one; `otherwise` if it has no length, or none that is a number.
    #[inline(always)]
    pub(super) fn normalized_or<const N: usize>(self, otherwise: Self) -> Self
    where
        L: Lane<N>,
    {
        let (direction, has_length) = self.normalized();
        Self::select(has_length, direction, otherwise)
    }

    /// At length one, and whether it has a length.
    #[inline(always)]
    pub(super) fn normalized<const N: usize>(self) -> (Self, L::Mask)
    where
        L: Lane<N>,
    {
        let squared = self.dot(self);
        let has_length = squared.all(1e-36).less(squared) & squared.less(squared.all(1e36));
        (self.times(squared.all(1.0) / squared.sqrt()), has_length)
    }

    /// Some direction at right angles to this one, which is of length one.
    #[inline(always)]
    pub(super) fn any_perpendicular<const N: usize>(self) -> Self
    where
        L: Lane<N>,
    {
        let Self([x, y, z]) = self;
        let (zero, one) = (x.all(0.0), x.all(1.0));
        let sign = L::select(z.less(zero), -one, one);
        let a = -(one / (sign + z));
        Self([(x * y) * a, sign + (y * y) * a, -y])
    }
}
