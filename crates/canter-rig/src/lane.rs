//! Numbers of one character or joint, or of eight side by side: kernels are written once for both.
//!
//! Only + - * / and square roots, comparisons and choices, in one order: both give the same bits. Of one
//! character, the three numbers of a vector are side by side instead.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use canter::glam::Vec3;
use fearless_simd::{Level, Simd, f32x8, mask32x8, prelude::*};

use crate::vector::Vector3;

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

/// What is calculated for `N` characters side by side.
pub(crate) trait Kernel<const N: usize> {
    /// What `like` is does not matter.
    fn run<L: Lane<Numbers = [f32; N]>>(self, like: L);
}

/// What runs kernels.
pub(crate) trait Runner<const N: usize>: Copy {
    fn run(self, kernel: impl Kernel<N>);
}

/// Those of one character, in the instruction set of a level: AVX2 has fewer moves and shuffles for the three
/// numbers of a vector, too.
#[derive(Clone, Copy)]
pub(crate) struct Lone(pub(crate) Level);

impl Runner<1> for Lone {
    // What the plain kernel needs would else be made ready by callers in any case.
    #[inline(never)]
    fn run(self, kernel: impl Kernel<1>) {
        let Self(level) = self;
        #[cfg(target_arch = "x86_64")]
        {
            use fearless_simd::Simd as _;
            if let Some(simd) = level.as_avx2() {
                return simd.vectorize(
                    #[inline(always)]
                    || kernel.run(0.0),
                );
            }
        }
        // Elsewhere there is one instruction set only.
        #[cfg(not(target_arch = "x86_64"))]
        let _ = level;
        kernel.run(0.0);
    }
}

/// Those of eight, in the instruction set of a level.
impl Runner<8> for Level {
    // As for one.
    #[inline(never)]
    fn run(self, kernel: impl Kernel<8>) {
        dispatch!(self, simd => kernel.run(f32x8::splat(simd, 0.0)));
    }
}

/// A number of one character or joint, or of eight.
pub(crate) trait Lane:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    type Mask: Copy + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask> + Not<Output = Self::Mask>;
    type Vector: Vector<Self>;
    /// The same in memory.
    type Numbers;

    /// Reads the numbers; what `self` is does not matter.
    fn load(self, numbers: &Self::Numbers) -> Self;
    fn store(self, numbers: &mut Self::Numbers);
    /// The same number for all.
    fn all(self, number: f32) -> Self;
    fn sqrt(self) -> Self;
    fn less(self, than: Self) -> Self::Mask;
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    fn any(mask: Self::Mask) -> bool;
}

impl Lane for f32 {
    type Mask = bool;
    type Vector = Vector3;
    type Numbers = [Self; 1];

    #[inline(always)]
    fn load(self, numbers: &[Self; 1]) -> Self {
        numbers[0]
    }

    #[inline(always)]
    fn store(self, numbers: &mut [Self; 1]) {
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

impl<S: Simd> Lane for f32x8<S> {
    type Mask = mask32x8<S>;
    type Vector = VectorLanes<Self>;
    type Numbers = [f32; 8];

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

/// The numbers of one character or joint.
#[inline(always)]
pub(crate) fn flat(numbers: &[[f32; 1]; 4]) -> &[f32; 4] {
    numbers.as_flattened().first_chunk().expect("four numbers are as many")
}

/// A vector of one character or joint, or of eight.
pub(crate) trait Vector<L: Lane<Vector = Self>>: Copy {
    fn from_parts(parts: [L; 3]) -> Self;
    fn parts(self) -> [L; 3];
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, factor: L) -> Self;
    fn dot(self, other: Self) -> L;
    fn cross(self, other: Self) -> Self;
    fn select(mask: L::Mask, yes: Self, no: Self) -> Self;

    #[inline(always)]
    fn load(like: L, [x, y, z]: &[L::Numbers; 3]) -> Self {
        Self::from_parts([like.load(x), like.load(y), like.load(z)])
    }

    #[inline(always)]
    fn store(self, [x, y, z]: &mut [L::Numbers; 3]) {
        let [own_x, own_y, own_z] = self.parts();
        own_x.store(x);
        own_y.store(y);
        own_z.store(z);
    }

    #[inline(always)]
    fn all(like: L, vector: Vec3) -> Self {
        Self::from_parts([like.all(vector.x), like.all(vector.y), like.all(vector.z)])
    }

    #[inline(always)]
    fn toward(self, to: Self, part: L) -> Self {
        self.plus(to.minus(self).times(part))
    }

    /// At length one; `otherwise` if it has no length, or none that is a number.
    #[cfg_attr(not(all(canter_web, not(target_feature = "simd128"))), inline(always))]
    fn normalized_or(self, otherwise: Self) -> Self {
        let (direction, has_length) = self.normalized();
        Self::select(has_length, direction, otherwise)
    }

    /// At length one, and its length: both nothing if it has no length, or none that is a number.
    #[inline(always)]
    fn measured(self) -> (Self, L) {
        let squared = self.dot(self);
        let (is_usual, length, zero) = (Self::is_usual(squared), squared.sqrt(), squared.all(0.0));
        let per_length = L::select(is_usual, squared.all(1.0) / length, zero);
        (self.times(per_length), L::select(is_usual, length, zero))
    }

    /// At length one, and whether it has a length.
    #[inline(always)]
    fn normalized(self) -> (Self, L::Mask) {
        let squared = self.dot(self);
        (self.times(squared.all(1.0) / squared.sqrt()), Self::is_usual(squared))
    }

    /// Whether what has this squared length can be brought to length one.
    #[inline(always)]
    fn is_usual(squared: L) -> L::Mask {
        squared.all(1e-36).less(squared) & squared.less(squared.all(1e36))
    }

    /// What it is along three others.
    #[inline(always)]
    fn along(self, rows: [Self; 3]) -> Self {
        Self::from_parts([rows[0].dot(self), rows[1].dot(self), rows[2].dot(self)])
    }

    /// Some direction at right angles to this one, which is of length one.
    #[inline(always)]
    fn any_perpendicular(self) -> Self {
        let [x, y, z] = self.parts();
        let (zero, one) = (x.all(0.0), x.all(1.0));
        let sign = L::select(z.less(zero), -one, one);
        let a = -(one / (sign + z));
        Self::from_parts([(x * y) * a, sign + (y * y) * a, -y])
    }
}

impl Vector<f32> for Vector3 {
    #[inline(always)]
    fn from_parts(parts: [f32; 3]) -> Self {
        Self::from_array(parts)
    }

    #[inline(always)]
    fn parts(self) -> [f32; 3] {
        self.to_array()
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self - other
    }

    #[inline(always)]
    fn times(self, factor: f32) -> Self {
        self * factor
    }

    #[inline(always)]
    fn dot(self, other: Self) -> f32 {
        self.dot(other)
    }

    #[inline(always)]
    fn cross(self, other: Self) -> Self {
        self.cross(other)
    }

    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
}

/// Vectors of eight characters or joints.
#[derive(Clone, Copy)]
pub(crate) struct VectorLanes<L>([L; 3]);

impl<L: Lane<Vector = Self>> Vector<L> for VectorLanes<L> {
    #[inline(always)]
    fn from_parts(parts: [L; 3]) -> Self {
        Self(parts)
    }

    #[inline(always)]
    fn parts(self) -> [L; 3] {
        self.0
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        let (Self([x, y, z]), Self([a, b, c])) = (self, other);
        Self([x + a, y + b, z + c])
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        let (Self([x, y, z]), Self([a, b, c])) = (self, other);
        Self([x - a, y - b, z - c])
    }

    #[inline(always)]
    fn times(self, factor: L) -> Self {
        let Self([x, y, z]) = self;
        Self([x * factor, y * factor, z * factor])
    }

    #[inline(always)]
    fn dot(self, other: Self) -> L {
        let (Self([x, y, z]), Self([a, b, c])) = (self, other);
        (x * a + y * b) + z * c
    }

    #[inline(always)]
    fn cross(self, other: Self) -> Self {
        let (Self([x, y, z]), Self([a, b, c])) = (self, other);
        Self([y * c - b * z, z * a - c * x, x * b - a * y])
    }

    #[inline(always)]
    fn select(mask: L::Mask, yes: Self, no: Self) -> Self {
        let (Self([x, y, z]), Self([a, b, c])) = (yes, no);
        Self([L::select(mask, x, a), L::select(mask, y, b), L::select(mask, z, c)])
    }
}

/// A rotation, nearly of length one: only what is written is brought to it exactly.
#[derive(Clone, Copy)]
pub(crate) struct Rotation<L: Lane> {
    pub(crate) vector: L::Vector,
    pub(crate) w: L,
}

impl<L: Lane> Rotation<L> {
    #[inline(always)]
    pub(crate) fn from_parts([x, y, z, w]: [L; 4]) -> Self {
        Self { vector: L::Vector::from_parts([x, y, z]), w }
    }

    /// None.
    #[inline(always)]
    pub(crate) fn none(like: L) -> Self {
        Self { vector: L::Vector::from_parts([like.all(0.0); 3]), w: like.all(1.0) }
    }

    /// The square of its length.
    #[inline(always)]
    pub(crate) fn squared(self) -> L {
        self.vector.dot(self.vector) + self.w * self.w
    }

    #[inline(always)]
    pub(crate) fn times(self, factor: L) -> Self {
        Self { vector: self.vector.times(factor), w: self.w * factor }
    }

    /// No rotation where the square of its length is not between two numbers, or is no number.
    #[inline(always)]
    pub(crate) fn or_none(self, least: L, most: L) -> Self {
        let squared = self.squared();
        let is_one = least.less(squared) & squared.less(most);
        let none = Self::none(squared);
        let vector = L::Vector::select(is_one, self.vector, none.vector);
        Self { vector, w: L::select(is_one, self.w, none.w) }
    }

    #[inline(always)]
    pub(crate) fn store(self, [x, y, z, w]: &mut [L::Numbers; 4]) {
        let [own_x, own_y, own_z] = self.vector.parts();
        own_x.store(x);
        own_y.store(y);
        own_z.store(z);
        self.w.store(w);
    }

    /// Another rotation, then this one.
    // Where each lane is code of its own, once is enough.
    #[cfg_attr(not(all(canter_web, not(target_feature = "simd128"))), inline(always))]
    pub(crate) fn after(self, first: Self) -> Self {
        let across = self.vector.cross(first.vector);
        Self {
            vector: first.vector.times(self.w).plus(self.vector.times(first.w)).plus(across),
            w: self.w * first.w - self.vector.dot(first.vector),
        }
    }

    #[inline(always)]
    pub(crate) fn store_where(self, mask: L::Mask, like: L, turn: &mut [L::Numbers; 4]) {
        let [x, y, z] = self.vector.parts();
        for (numbers, new) in turn.iter_mut().zip([x, y, z, self.w]) {
            L::select(mask, new, like.load(numbers)).store(numbers);
        }
    }
}
