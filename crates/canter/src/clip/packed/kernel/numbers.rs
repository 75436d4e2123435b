//! How numbers lie in packed rows, and how those of eight tracks are read.
#![expect(clippy::needless_range_loop, reason = "parts are counted, in several arrays at once")]

use fearless_simd::{Simd, f32x8, i8x16, i16x16, i32x8, prelude::*, u8x16, u8x32};

use super::Sample;
use crate::clip::packed::{Bits, Mix, PAIRS, PairRows, Weights};
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
    /// In which pair those keys are, and whether as its second row.
    pub(super) keys: [(usize, bool); 2],
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
        Self { pairs, weights: [mix.now, mix.left, mix.right], keys }
    }

    /// The weights of rows at the time.
    #[inline(always)]
    pub(super) fn now<S: Simd>(&self, simd: S) -> RowWeights<S> {
        [splats(simd, self.weights[0]); 2]
    }

    /// The same at both keys.
    #[inline(always)]
    pub(super) fn at_keys<S: Simd>(&self, simd: S) -> RowWeights<S> {
        [splats(simd, self.weights[1]), splats(simd, self.weights[2])]
    }
}

/// The weights of all rows, at the keys on both sides of a time, or at the time itself.
pub(super) type RowWeights<S> = [[i16x16<S>; PAIRS]; 2];

/// Up to eight tracks of a run.
pub(super) struct Strip<'a> {
    pub(super) pairs: Pairs<'a>,
    pub(super) constants: &'a [f32],
    /// How many tracks. In lanes that have none is whatever comes next.
    pub(super) lanes: usize,
}

impl Strip<'_> {
    /// The constants of all tracks.
    #[inline(always)]
    pub(super) fn constants<S: Simd, const N: usize>(&self, simd: S) -> [f32x8<S>; N] {
        let mut numbers = [f32x8::splat(simd, 0.0); N];
        for i in 0..N {
            let own: &[f32; LANES] = first(self.constants, i * self.lanes);
            numbers[i] = f32x8::simd_from(simd, *own);
        }
        numbers
    }
}

/// So many from somewhere on.
#[inline(always)]
fn first<T, const N: usize>(all: &[T], at: usize) -> &[T; N] {
    all[at..].first_chunk().expect("as long as tracks have it")
}

/// How the numbers of a run are read.
pub(super) trait Numbers {
    /// Bytes of a number in two rows.
    fn pair_bytes(bits: Bits) -> usize;

    /// `N` numbers of each track, at one set of weights.
    fn read<S: Simd, const N: usize>(
        simd: S,
        sample: &Sample<'_>,
        strip: &Strip<'_>,
        weights: &[i16x16<S>; PAIRS],
    ) -> [f32x8<S>; N];

    /// The same at both keys.
    fn read_keys<S: Simd, const N: usize>(
        simd: S,
        sample: &Sample<'_>,
        strip: &Strip<'_>,
        weights: &RowWeights<S>,
    ) -> [[f32x8<S>; N]; 2];
}

/// Integers of a width.
pub(super) struct Integers<W>(std::marker::PhantomData<W>);

impl<W: Width> Integers<W> {
    /// A number of all tracks in all rows.
    #[inline(always)]
    fn words<S: Simd>(simd: S, strip: &Strip<'_>, part: usize) -> [i16x16<S>; PAIRS] {
        let ([a, b, c], lanes) = (strip.pairs, strip.lanes);
        let at = part * lanes * W::PAIR_BYTES;
        [W::words(simd, a, at, lanes), W::words(simd, b, at, lanes), W::words(simd, c, at, lanes)]
    }
}

impl<W: Width> Numbers for Integers<W> {
    #[inline(always)]
    fn pair_bytes(_: Bits) -> usize {
        W::PAIR_BYTES
    }

    #[inline(always)]
    fn read<S: Simd, const N: usize>(
        simd: S,
        _: &Sample<'_>,
        strip: &Strip<'_>,
        weights: &[i16x16<S>; PAIRS],
    ) -> [f32x8<S>; N] {
        let mut sums = [f32x8::splat(simd, 0.0); N];
        for part in 0..N {
            sums[part] = sum(Self::words(simd, strip, part), *weights);
        }
        sums
    }

    #[inline(always)]
    fn read_keys<S: Simd, const N: usize>(
        simd: S,
        _: &Sample<'_>,
        strip: &Strip<'_>,
        [left, right]: &RowWeights<S>,
    ) -> [[f32x8<S>; N]; 2] {
        let mut sums = [[f32x8::splat(simd, 0.0); N]; 2];
        for part in 0..N {
            let words = Self::words(simd, strip, part);
            (sums[0][part], sums[1][part]) = (sum(words, *left), sum(words, *right));
        }
        sums
    }
}

#[inline(always)]
fn sum<S: Simd>([a, b, c]: [i16x16<S>; PAIRS], [of_a, of_b, of_c]: [i16x16<S>; PAIRS]) -> f32x8<S> {
    let whole = a.pairwise_dot_product(of_a) + b.pairwise_dot_product(of_b) + c.pairwise_dot_product(of_c);
    f32x8::float_from(whole)
}

/// Numbers as they are: those of all tracks in the first row, then in the second.
pub(super) struct Floats;

impl Numbers for Floats {
    #[inline(always)]
    fn pair_bytes(_: Bits) -> usize {
        Bits::Float.pair_bytes()
    }

    #[inline(always)]
    fn read<S: Simd, const N: usize>(
        simd: S,
        sample: &Sample<'_>,
        strip: &Strip<'_>,
        weights: &[i16x16<S>; PAIRS],
    ) -> [f32x8<S>; N] {
        let [mut read, right] = Self::read_keys(simd, sample, strip, &[*weights; 2]);
        let alpha = f32x8::splat(simd, sample.segment.alpha);
        for part in 0..N {
            read[part] = read[part] + (right[part] - read[part]) * alpha;
        }
        read
    }

    #[inline(always)]
    fn read_keys<S: Simd, const N: usize>(
        simd: S,
        sample: &Sample<'_>,
        strip: &Strip<'_>,
        _: &RowWeights<S>,
    ) -> [[f32x8<S>; N]; 2] {
        let mut keys = [[f32x8::splat(simd, 0.0); N]; 2];
        for key in 0..2 {
            let (pair, is_second) = sample.mixed.keys[key];
            for part in 0..N {
                let row = 2 * part + usize::from(is_second);
                let bytes: &[u8; 4 * LANES] = first(strip.pairs[pair], row * 4 * strip.lanes);
                let mut numbers = [0.0; LANES];
                for lane in 0..LANES {
                    let [a, b, c, d] =
                        [bytes[4 * lane], bytes[4 * lane + 1], bytes[4 * lane + 2], bytes[4 * lane + 3]];
                    numbers[lane] = f32::from_le_bytes([a, b, c, d]);
                }
                keys[key][part] = f32x8::simd_from(simd, numbers);
            }
        }
        keys
    }
}

/// Numbers of any kind, for levels for which they are compiled once.
pub(super) struct Any;

impl Numbers for Any {
    #[inline(always)]
    fn pair_bytes(bits: Bits) -> usize {
        bits.pair_bytes()
    }

    #[inline(always)]
    fn read<S: Simd, const N: usize>(
        simd: S,
        sample: &Sample<'_>,
        strip: &Strip<'_>,
        weights: &[i16x16<S>; PAIRS],
    ) -> [f32x8<S>; N] {
        if sample.kind.bits == Bits::Float {
            return Floats::read(simd, sample, strip, weights);
        }
        let [sums, _] = Self::read_keys(simd, sample, strip, &[*weights; 2]);
        sums
    }

    #[inline(always)]
    fn read_keys<S: Simd, const N: usize>(
        simd: S,
        sample: &Sample<'_>,
        strip: &Strip<'_>,
        weights: &RowWeights<S>,
    ) -> [[f32x8<S>; N]; 2] {
        let bits = sample.kind.bits;
        if bits == Bits::Float {
            return Floats::read_keys(simd, sample, strip, weights);
        }
        let mut sums = [[f32x8::splat(simd, 0.0); N]; 2];
        for part in 0..N {
            let mut words = [i16x16::splat(simd, 0); PAIRS];
            for pair in 0..PAIRS {
                let (bytes, at) = (strip.pairs[pair], part * strip.lanes * bits.pair_bytes());
                let numbers = match bits {
                    Bits::Eight => Eight::numbers(bytes, at, strip.lanes),
                    Bits::Twelve => Twelve::numbers(bytes, at, strip.lanes),
                    Bits::Sixteen | Bits::Float => Sixteen::numbers(bytes, at, strip.lanes),
                };
                words[pair] = i16x16::simd_from(simd, numbers);
            }
            for set in 0..2 {
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
    const PAIR_BYTES: usize;

    /// One number of so many tracks in two rows, from somewhere on.
    fn words<S: Simd>(simd: S, bytes: &[u8], at: usize, lanes: usize) -> i16x16<S>;

    /// The same, one by one.
    fn numbers(bytes: &[u8], at: usize, lanes: usize) -> [i16; 2 * LANES];
}

pub(super) struct Sixteen;

impl Width for Sixteen {
    const PAIR_BYTES: usize = 4;

    #[inline(always)]
    fn words<S: Simd>(simd: S, bytes: &[u8], at: usize, lanes: usize) -> i16x16<S> {
        if IS_LITTLE {
            let own: &[u8; 4 * LANES] = first(bytes, at);
            return u8x32::simd_from(simd, *own).bitcast();
        }
        i16x16::simd_from(simd, Self::numbers(bytes, at, lanes))
    }

    fn numbers(bytes: &[u8], at: usize, _: usize) -> [i16; 2 * LANES] {
        let own: &[u8; 4 * LANES] = first(bytes, at);
        std::array::from_fn(|i| i16::from_le_bytes([own[2 * i], own[2 * i + 1]]))
    }
}

/// The high bytes of all words, then of each track the four bits below them, those of the first row in the lower half of
/// a byte.
pub(super) struct Twelve;

impl Width for Twelve {
    const PAIR_BYTES: usize = 3;

    #[inline(always)]
    fn words<S: Simd>(simd: S, bytes: &[u8], at: usize, lanes: usize) -> i16x16<S> {
        if !IS_LITTLE {
            return i16x16::simd_from(simd, Self::numbers(bytes, at, lanes));
        }
        let high: &[u8; 2 * LANES] = first(bytes, at);
        let low: &[u8; LANES] = first(bytes, at + 2 * lanes);
        let (mut even, mut odd) = ([0; 2 * LANES], [0; 2 * LANES]);
        for i in 0..LANES {
            even[i] = low[i] << 4;
            odd[i] = low[i] & 0xf0;
        }
        let high = u8x16::simd_from(simd, *high);
        let low = u8x16::simd_from(simd, even).zip_low(u8x16::simd_from(simd, odd));
        low.zip_low(high).combine(low.zip_high(high)).bitcast()
    }

    fn numbers(bytes: &[u8], at: usize, lanes: usize) -> [i16; 2 * LANES] {
        let high: &[u8; 2 * LANES] = first(bytes, at);
        let low: &[u8; LANES] = first(bytes, at + 2 * lanes);
        std::array::from_fn(|i| {
            let low = low[i / 2];
            i16::from_le_bytes([if i % 2 == 0 { low << 4 } else { low & 0xf0 }, high[i]])
        })
    }
}

pub(super) struct Eight;

impl Width for Eight {
    const PAIR_BYTES: usize = 2;

    #[inline(always)]
    fn words<S: Simd>(simd: S, bytes: &[u8], at: usize, _: usize) -> i16x16<S> {
        let own: &[u8; 2 * LANES] = first(bytes, at);
        let mut signed = [0; 2 * LANES];
        for i in 0..2 * LANES {
            signed[i] = own[i].cast_signed();
        }
        let (first, last) = i8x16::simd_from(simd, signed).widen();
        first.combine(last)
    }

    fn numbers(bytes: &[u8], at: usize, _: usize) -> [i16; 2 * LANES] {
        let own: &[u8; 2 * LANES] = first(bytes, at);
        std::array::from_fn(|i| own[i].cast_signed().into())
    }
}
