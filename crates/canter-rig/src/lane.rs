//! Numbers of one character or joint, or of eight side by side: kernels are written once for both.
//!
//! Only + - * / and square roots, comparisons and choices, in one order: both give the same bits.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use fearless_simd::{Simd, f32x8, mask32x8, prelude::*};

/// Runs a kernel of eight lanes in the instruction set of a level: AVX2 and SSE2 alone on x86-64, as in the
/// core's kernels, since each further instruction set takes long to compile.
macro_rules! dispatch {
    ($level:expr, $simd:ident => $kernel:expr) => {{
        let level: fearless_simd::Level = $level;
        #[cfg(target_arch = "x86_64")]
        {
            use fearless_simd::Simd as _;
            if let Some($simd) = level.as_avx2() {
                $simd.vectorize(
                    #[inline(always)]
                    || $kernel,
                )
            } else if let Some($simd) = level.as_sse2() {
                $simd.vectorize(
                    #[inline(always)]
                    || $kernel,
                )
            } else {
                unreachable!("every x86-64 has SSE2")
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            fearless_simd::dispatch!(level, $simd => $kernel)
        }
    }};
}

pub(crate) use dispatch;

/// A number of each of `N` characters or joints.
pub(crate) trait Lane<const N: usize>:
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
pub(crate) type Vectors<const N: usize> = [[f32; N]; 3];

/// The same in registers.
#[derive(Clone, Copy)]
pub(crate) struct Vector<L>(pub(crate) [L; 3]);

impl<L> Vector<L> {
    #[inline(always)]
    pub(crate) fn load<const N: usize>(like: L, numbers: &Vectors<N>) -> Self
    where
        L: Lane<N>,
    {
        Self([like.load(&numbers[0]), like.load(&numbers[1]), like.load(&numbers[2])])
    }

    #[inline(always)]
    pub(crate) fn store<const N: usize>(self, numbers: &mut Vectors<N>)
    where
        L: Lane<N>,
    {
        self.0[0].store(&mut numbers[0]);
        self.0[1].store(&mut numbers[1]);
        self.0[2].store(&mut numbers[2]);
    }

    #[inline(always)]
    pub(crate) fn all<const N: usize>(like: L, vector: canter::glam::Vec3) -> Self
    where
        L: Lane<N>,
    {
        Self([like.all(vector.x), like.all(vector.y), like.all(vector.z)])
    }

    #[inline(always)]
    pub(crate) fn plus<const N: usize>(self, other: Self) -> Self
    where
        L: Lane<N>,
    {
        let (Self([x, y, z]), Self([a, b, c])) = (self, other);
        Self([x + a, y + b, z + c])
    }

    #[inline(always)]
    pub(crate) fn minus<const N: usize>(self, other: Self) -> Self
    where
        L: Lane<N>,
    {
        let (Self([x, y, z]), Self([a, b, c])) = (self, other);
        Self([x - a, y - b, z - c])
    }

    #[inline(always)]
    pub(crate) fn times<const N: usize>(self, factor: L) -> Self
    where
        L: Lane<N>,
    {
        let Self([x, y, z]) = self;
        Self([x * factor, y * factor, z * factor])
    }

    #[inline(always)]
    pub(crate) fn dot<const N: usize>(self, other: Self) -> L
    where
        L: Lane<N>,
    {
        let (Self([x, y, z]), Self([a, b, c])) = (self, other);
        (x * a + y * b) + z * c
    }

    #[inline(always)]
    pub(crate) fn cross<const N: usize>(self, other: Self) -> Self
    where
        L: Lane<N>,
    {
        let (Self([x, y, z]), Self([a, b, c])) = (self, other);
        Self([y * c - b * z, z * a - c * x, x * b - a * y])
    }

    #[inline(always)]
    pub(crate) fn toward<const N: usize>(self, to: Self, part: L) -> Self
    where
        L: Lane<N>,
    {
        self.plus(to.minus(self).times(part))
    }

    #[inline(always)]
    pub(crate) fn select<const N: usize>(mask: L::Mask, yes: Self, no: Self) -> Self
    where
        L: Lane<N>,
    {
        let (Self([x, y, z]), Self([a, b, c])) = (yes, no);
        Self([L::select(mask, x, a), L::select(mask, y, b), L::select(mask, z, c)])
    }

    /// At length one; `otherwise` if it has no length, or none that is a number.
    #[inline(always)]
    pub(crate) fn normalized_or<const N: usize>(self, otherwise: Self) -> Self
    where
        L: Lane<N>,
    {
        let (direction, has_length) = self.normalized();
        Self::select(has_length, direction, otherwise)
    }

    /// At length one, and whether it has a length.
    #[inline(always)]
    pub(crate) fn normalized<const N: usize>(self) -> (Self, L::Mask)
    where
        L: Lane<N>,
    {
        let squared = self.dot(self);
        let has_length = squared.all(1e-36).less(squared) & squared.less(squared.all(1e36));
        (self.times(squared.all(1.0) / squared.sqrt()), has_length)
    }

    /// Some direction at right angles to this one, which is of length one.
    #[inline(always)]
    pub(crate) fn any_perpendicular<const N: usize>(self) -> Self
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

/// A rotation, nearly of length one: only what is written is brought to it exactly.
#[derive(Clone, Copy)]
pub(crate) struct Rotation<L> {
    pub(crate) vector: Vector<L>,
    pub(crate) w: L,
}

impl<L> Rotation<L> {
    #[inline(always)]
    pub(crate) fn load<const N: usize>(like: L, numbers: &[[f32; N]; 4]) -> Self
    where
        L: Lane<N>,
    {
        let [x, y, z, w] = numbers;
        Self { vector: Vector([like.load(x), like.load(y), like.load(z)]), w: like.load(w) }
    }

    /// The same angle the other way round.
    #[inline(always)]
    pub(crate) fn inverse<const N: usize>(self) -> Self
    where
        L: Lane<N>,
    {
        let Vector([x, y, z]) = self.vector;
        Self { vector: Vector([-x, -y, -z]), w: self.w }
    }

    /// The square of its length.
    #[inline(always)]
    pub(crate) fn squared<const N: usize>(self) -> L
    where
        L: Lane<N>,
    {
        self.vector.dot(self.vector) + self.w * self.w
    }

    #[inline(always)]
    pub(crate) fn times<const N: usize>(self, factor: L) -> Self
    where
        L: Lane<N>,
    {
        Self { vector: self.vector.times(factor), w: self.w * factor }
    }

    /// No rotation where the square of its length is not between two numbers, or is no number.
    #[inline(always)]
    pub(crate) fn or_none<const N: usize>(self, least: L, most: L) -> Self
    where
        L: Lane<N>,
    {
        let squared = self.squared();
        let is_one = least.less(squared) & squared.less(most);
        let (zero, one) = (squared.all(0.0), squared.all(1.0));
        let vector = Vector::select(is_one, self.vector, Vector([zero; 3]));
        Self { vector, w: L::select(is_one, self.w, one) }
    }

    #[inline(always)]
    pub(crate) fn store<const N: usize>(self, numbers: &mut [[f32; N]; 4])
    where
        L: Lane<N>,
    {
        let ([x, y, z, w], Vector([own_x, own_y, own_z])) = (numbers, self.vector);
        own_x.store(x);
        own_y.store(y);
        own_z.store(z);
        self.w.store(w);
    }

    /// Another rotation, then this one.
    #[inline(always)]
    pub(crate) fn after<const N: usize>(self, first: Self) -> Self
    where
        L: Lane<N>,
    {
        let across = self.vector.cross(first.vector);
        Self {
            vector: first.vector.times(self.w).plus(self.vector.times(first.w)).plus(across),
            w: self.w * first.w - self.vector.dot(first.vector),
        }
    }

    #[inline(always)]
    pub(crate) fn rotate<const N: usize>(self, vector: Vector<L>) -> Vector<L>
    where
        L: Lane<N>,
    {
        let twice = self.vector.cross(vector);
        let twice = twice.plus(twice);
        vector.plus(twice.times(self.w)).plus(self.vector.cross(twice))
    }

    #[inline(always)]
    pub(crate) fn store_where<const N: usize>(self, mask: L::Mask, like: L, turn: &mut [[f32; N]; 4])
    where
        L: Lane<N>,
    {
        let Vector([x, y, z]) = self.vector;
        for (numbers, new) in turn.iter_mut().zip([x, y, z, self.w]) {
            L::select(mask, new, like.load(numbers)).store(numbers);
        }
    }
}
