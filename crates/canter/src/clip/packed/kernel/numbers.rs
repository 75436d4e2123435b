//! How numbers lie in packed rows, and how those of eight tracks are read.

use fearless_simd::{Simd, f32x8, i8x16, i16x16, i32x8, prelude::*, u8x16, u8x32};

use crate::clip::packed::{Bits, Kind, Mix, PAIRS, PairRows, Weights};
use crate::clip::rows::Segment;
use crate::pose::LANES;

/// Pairs of rows, from somewhere on.
pub(super) type Pairs<'a> = [&'a [u8]; PAIRS];

/// What is read of a run at an instant.
pub(super) struct Mixed<'a> {
    /// From the numbers of the run on.
    pub(super) pairs: Pairs<'a>,
    /// At the time, and at the keys on both sides of it.
    weights: [Weights; 3],
    /// In which pair those keys are, whether as its second row, and how far it is from the one to the other.
    keys: [(usize, bool); 2],
    alpha: f32,
}

impl<'a> Mixed<'a> {
    /// From so many bytes on in each pair of rows.
    #[inline(always)]
    pub(super) fn new(rows: &'a PairRows, mix: &Mix, segment: &Segment, first: usize) -> Self {
        let bytes = &rows.bytes[..];
        let [a, b, c] = mix.pairs;
        let pairs =
            [&bytes[a as usize + first..], &bytes[b as usize + first..], &bytes[c as usize + first..]];
        let [left, right] = segment.packed.between;
        let keys = [(0, left % 2 == 1), (usize::from(right / 2 != left / 2), right % 2 == 1)];
        Self { pairs, weights: [mix.now, mix.left, mix.right], keys, alpha: segment.alpha }
    }

    /// The weights of rows at the time.
    #[inline(always)]
    pub(super) fn now<S: Simd>(&self, simd: S) -> [[i16x16<S>; PAIRS]; 1] {
        [splats(simd, self.weights[0])]
    }

    /// The same at both keys.
    #[inline(always)]
    pub(super) fn at_keys<S: Simd>(&self, simd: S) -> [[i16x16<S>; PAIRS]; 2] {
        [splats(simd, self.weights[1]), splats(simd, self.weights[2])]
    }
}

/// Numbers of a few tracks, spread as if they were eight.
pub(super) struct Spread {
    pub(super) pairs: [[u8; MOST_BYTES]; PAIRS],
    pub(super) constants: [f32; MOST_CONSTANTS],
}

const MOST_BYTES: usize = 4 * LANES * 8;
const MOST_CONSTANTS: usize = 9 * LANES;

impl Spread {
    pub(super) const EMPTY: Self = Self { pairs: [[0; MOST_BYTES]; PAIRS], constants: [0.0; MOST_CONSTANTS] };

    /// Those that begin in pairs of rows and in constants. In lanes that have none is whatever comes next.
    #[inline(always)]
    pub(super) fn set(&mut self, kind: Kind, lanes: usize, pairs: Pairs<'_>, constants: &[f32]) {
        let parts = kind.form.parts(kind.property);
        for (pair, out) in pairs.into_iter().zip(&mut self.pairs) {
            match kind.bits {
                Bits::Eight => copy::<{ 2 * LANES }, _>(pair, 2 * lanes, out, parts),
                Bits::Sixteen => copy::<{ 4 * LANES }, _>(pair, 4 * lanes, out, parts),
                // The first row, then the second.
                Bits::Float => copy::<{ 4 * LANES }, _>(pair, 4 * lanes, out, 2 * parts),
                Bits::Twelve => {
                    for part in 0..parts {
                        let (from, to) = (3 * lanes * part, 3 * LANES * part);
                        copy::<{ 2 * LANES }, _>(&pair[from..], 0, &mut out[to..], 1);
                        copy::<LANES, _>(&pair[from + 2 * lanes..], 0, &mut out[to + 2 * LANES..], 1);
                    }
                }
            }
        }
        copy::<LANES, _>(constants, lanes, &mut self.constants, kind.constants());
    }
}

/// Copies `N` of each of some columns, of which there are fewer: so the compiler knows how many they are.
#[inline(always)]
fn copy<const N: usize, T: Copy>(from: &[T], stride: usize, to: &mut [T], columns: usize) {
    for (column, to) in to.chunks_exact_mut(N).take(columns).enumerate() {
        to.copy_from_slice(&from[column * stride..][..N]);
    }
}

/// The constants of eight tracks.
#[inline(always)]
pub(super) fn constants<S: Simd, const N: usize>(simd: S, own: &[f32]) -> [f32x8<S>; N] {
    let own: &[[f32; LANES]; N] = own.as_chunks().0.first_chunk().expect("those of eight tracks");
    let mut numbers = [f32x8::splat(simd, 0.0); N];
    for i in 0..N {
        numbers[i] = f32x8::simd_from(simd, own[i]);
    }
    numbers
}

/// How the numbers of a run are read.
pub(super) trait Numbers {
    /// `N` numbers of the eight tracks with which pairs begin, at one set of weights or at both keys.
    fn read<S: Simd, const N: usize, const M: usize>(
        simd: S,
        mixed: &Mixed<'_>,
        of: (Bits, Pairs<'_>),
        weights: &[[i16x16<S>; PAIRS]; M],
    ) -> [[f32x8<S>; N]; M];
}

/// Integers of a width.
pub(super) struct Integers<W>(std::marker::PhantomData<W>);

impl<W: Width> Numbers for Integers<W> {
    #[inline(always)]
    fn read<S: Simd, const N: usize, const M: usize>(
        simd: S,
        _: &Mixed<'_>,
        (_, [a, b, c]): (Bits, Pairs<'_>),
        weights: &[[i16x16<S>; PAIRS]; M],
    ) -> [[f32x8<S>; N]; M] {
        let (a, b, c) = (W::columns::<N>(a), W::columns::<N>(b), W::columns::<N>(c));
        let mut sums = [[f32x8::splat(simd, 0.0); N]; M];
        for part in 0..N {
            let words = [W::words(simd, &a[part]), W::words(simd, &b[part]), W::words(simd, &c[part])];
            for set in 0..M {
                sums[set][part] = sum(words, weights[set]);
            }
        }
        sums
    }
}

#[inline(always)]
fn sum<S: Simd>([a, b, c]: [i16x16<S>; PAIRS], [of_a, of_b, of_c]: [i16x16<S>; PAIRS]) -> f32x8<S> {
    let whole = a.pairwise_dot_product(of_a) + b.pairwise_dot_product(of_b) + c.pairwise_dot_product(of_c);
    f32x8::float_from(whole)
}

/// Numbers as they are: those of all lanes in the first row, then in the second.
pub(super) struct Floats;

impl Numbers for Floats {
    #[inline(always)]
    fn read<S: Simd, const N: usize, const M: usize>(
        simd: S,
        mixed: &Mixed<'_>,
        (_, pairs): (Bits, Pairs<'_>),
        _: &[[i16x16<S>; PAIRS]; M],
    ) -> [[f32x8<S>; N]; M] {
        let mut keys = [[f32x8::splat(simd, 0.0); N]; 2];
        for key in 0..2 {
            let (pair, is_second) = mixed.keys[key];
            let rows: &[[[u8; 4]; LANES]] = pairs[pair].as_chunks().0.as_chunks().0;
            for part in 0..N {
                let mut numbers = [0.0; LANES];
                for lane in 0..LANES {
                    numbers[lane] = f32::from_le_bytes(rows[2 * part + usize::from(is_second)][lane]);
                }
                keys[key][part] = f32x8::simd_from(simd, numbers);
            }
        }
        let [left, right] = keys;
        let mut read = [left; M];
        if M == 2 {
            read[1] = right;
            return read;
        }
        let alpha = f32x8::splat(simd, mixed.alpha);
        for part in 0..N {
            read[0][part] = left[part] + (right[part] - left[part]) * alpha;
        }
        read
    }
}

/// Numbers of any kind, for levels for which they are compiled once.
pub(super) struct Any;

impl Numbers for Any {
    #[inline(always)]
    fn read<S: Simd, const N: usize, const M: usize>(
        simd: S,
        mixed: &Mixed<'_>,
        (bits, pairs): (Bits, Pairs<'_>),
        weights: &[[i16x16<S>; PAIRS]; M],
    ) -> [[f32x8<S>; N]; M] {
        if bits == Bits::Float {
            return Floats::read(simd, mixed, (bits, pairs), weights);
        }
        let mut sums = [[f32x8::splat(simd, 0.0); N]; M];
        for part in 0..N {
            let mut words = [i16x16::splat(simd, 0); PAIRS];
            for pair in 0..PAIRS {
                let column = match bits {
                    Bits::Eight => Eight::columns::<N>(pairs[pair])[part].map(|it| it.cast_signed().into()),
                    Bits::Twelve => twelve_bits(Twelve::columns::<N>(pairs[pair])[part]),
                    Bits::Sixteen | Bits::Float => sixteen_bits(Sixteen::columns::<N>(pairs[pair])[part]),
                };
                words[pair] = i16x16::simd_from(simd, column);
            }
            for set in 0..M {
                sums[set][part] = sum(words, weights[set]);
            }
        }
        sums
    }
}

/// Whether words lie in memory as they are stored, so that they need not be put together byte by byte.
const IS_LITTLE: bool = cfg!(target_endian = "little");

/// The weights of two rows in all lanes.
#[inline(always)]
fn splat<S: Simd>(simd: S, weights: i32) -> i16x16<S> {
    if IS_LITTLE {
        return i32x8::splat(simd, weights).bitcast();
    }
    let [a, b, c, d] = weights.to_le_bytes();
    let mut words = [i16::from_le_bytes([a, b]); 2 * LANES];
    for lane in 0..LANES {
        words[2 * lane + 1] = i16::from_le_bytes([c, d]);
    }
    i16x16::simd_from(simd, words)
}

#[inline(always)]
fn splats<S: Simd>(simd: S, weights: Weights) -> [i16x16<S>; PAIRS] {
    [splat(simd, weights[0]), splat(simd, weights[1]), splat(simd, weights[2])]
}

/// How integers lie in memory: of each track that of the first row and that of the second.
pub(super) trait Width {
    /// One number of eight tracks in two rows.
    type Column;

    /// The first numbers: says once what would else be checked for each of them.
    fn columns<const N: usize>(bytes: &[u8]) -> &[Self::Column; N];

    fn words<S: Simd>(simd: S, column: &Self::Column) -> i16x16<S>;
}

#[inline(always)]
fn columns<const BYTES: usize, const N: usize>(bytes: &[u8]) -> &[[u8; BYTES]; N] {
    bytes.as_chunks().0.first_chunk().expect("those of eight tracks")
}

pub(super) struct Sixteen;

impl Width for Sixteen {
    type Column = [u8; 4 * LANES];

    #[inline(always)]
    fn columns<const N: usize>(bytes: &[u8]) -> &[Self::Column; N] {
        columns(bytes)
    }

    #[inline(always)]
    fn words<S: Simd>(simd: S, column: &Self::Column) -> i16x16<S> {
        if IS_LITTLE {
            return u8x32::simd_from(simd, *column).bitcast();
        }
        i16x16::simd_from(simd, sixteen_bits(*column))
    }
}

fn sixteen_bits(column: [u8; 4 * LANES]) -> [i16; 2 * LANES] {
    std::array::from_fn(|i| i16::from_le_bytes([column[2 * i], column[2 * i + 1]]))
}

/// The high bytes of all words, then of each track the four bits below them, those of the first row in the lower half of
/// a byte.
pub(super) struct Twelve;

impl Width for Twelve {
    type Column = [u8; 3 * LANES];

    #[inline(always)]
    fn columns<const N: usize>(bytes: &[u8]) -> &[Self::Column; N] {
        columns(bytes)
    }

    #[inline(always)]
    fn words<S: Simd>(simd: S, column: &Self::Column) -> i16x16<S> {
        if !IS_LITTLE {
            return i16x16::simd_from(simd, twelve_bits(*column));
        }
        let (mut high, mut first, mut second) = ([0; 2 * LANES], [0; 2 * LANES], [0; 2 * LANES]);
        for i in 0..LANES {
            high[i] = column[i];
            high[LANES + i] = column[LANES + i];
            first[i] = column[2 * LANES + i] << 4;
            second[i] = column[2 * LANES + i] & 0xf0;
        }
        let high = u8x16::simd_from(simd, high);
        let low = u8x16::simd_from(simd, first).zip_low(u8x16::simd_from(simd, second));
        low.zip_low(high).combine(low.zip_high(high)).bitcast()
    }
}

fn twelve_bits(column: [u8; 3 * LANES]) -> [i16; 2 * LANES] {
    std::array::from_fn(|i| {
        let low = column[2 * LANES + i / 2];
        i16::from_le_bytes([if i % 2 == 0 { low << 4 } else { low & 0xf0 }, column[i]])
    })
}

pub(super) struct Eight;

impl Width for Eight {
    type Column = [u8; 2 * LANES];

    #[inline(always)]
    fn columns<const N: usize>(bytes: &[u8]) -> &[Self::Column; N] {
        columns(bytes)
    }

    #[inline(always)]
    fn words<S: Simd>(simd: S, column: &Self::Column) -> i16x16<S> {
        let mut signed = [0; 2 * LANES];
        for i in 0..2 * LANES {
            signed[i] = column[i].cast_signed();
        }
        let (first, last) = i8x16::simd_from(simd, signed).widen();
        first.combine(last)
    }
}
