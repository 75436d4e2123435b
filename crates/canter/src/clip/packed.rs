//! Rows of a packed clip: small integers, mixed by integer products.
//!
//! A packed timeline has two lists of rows: keys, and control points of a uniform cubic B-spline, of which there
//! are fewer. The spline gives the *keys*; between two keys a clip runs straight, as the clip that was packed
//! does. So a sample is a weighted sum of up to five rows, whose weights depend on time alone. Rows lie in
//! pairs, number beside number, so that one instruction multiplies eight joints in two rows and adds both
//! products; three pairs hold any five rows. Sums of integers are exact, whatever the order.

pub(crate) mod bytes;
pub(crate) mod kernel;
mod store;

use crate::clip::Property;
use crate::pose::LANES;

/// What a weight of one is, of spline rows: no weight of a B-spline is above two thirds.
const SPLINE_ONE: i32 = 1 << 15;
/// The same of keys, which may have a weight of one.
const KEY_ONE: i32 = 1 << 14;

/// Pairs of rows that a sample reads.
pub(crate) const PAIRS: usize = 3;

/// Which rows of a packed timeline a strip is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Basis {
    Keys,
    Spline,
}

impl Basis {
    /// What a sum is multiplied by to be a number again.
    #[expect(clippy::cast_precision_loss, reason = "a power of two")]
    pub(crate) const fn unit(self) -> f32 {
        match self {
            Self::Keys => 1.0 / KEY_ONE as f32,
            Self::Spline => 1.0 / SPLINE_ONE as f32,
        }
    }
}

/// How many bits a number takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Bits {
    Eight,
    Twelve,
    Sixteen,
    /// Sixteen, and only for the lanes that are driven: there are few.
    Sparse,
}

impl Bits {
    /// Bytes of one number of all lanes in two rows.
    pub(crate) fn pair_bytes(self, lanes: u8) -> usize {
        match self {
            Self::Eight => 2 * LANES,
            Self::Twelve => 3 * LANES,
            Self::Sixteen => 4 * LANES,
            Self::Sparse => 4 * lanes.count_ones() as usize,
        }
    }

    /// The largest integer.
    pub(crate) fn largest(self) -> i32 {
        match self {
            Self::Eight => 127,
            Self::Twelve => 2047,
            Self::Sixteen | Self::Sparse => 32767,
        }
    }

    /// What the kernel multiplies integers with by reading them.
    pub(crate) fn shift(self) -> u32 {
        if self == Self::Twelve { 4 } else { 0 }
    }
}

/// What the numbers of a strip mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Of translation or scale, or a quaternion of which the sum is brought to length one.
    Sum,
    /// A scale that is the same along all axes.
    Uniform,
    /// Quaternions: both keys are brought to length one, and slerped.
    Quaternions,
    /// Modified Rodrigues parameters of the turn from a mean rotation: both keys are slerped.
    Turns,
}

impl Form {
    /// How many numbers a value of a property is.
    pub(crate) fn parts(self, property: Property) -> usize {
        match self {
            Self::Turns => 3,
            Self::Uniform => 1,
            Self::Sum | Self::Quaternions => property.width(),
        }
    }

    /// Whether arcs are drawn between keys.
    pub(crate) fn has_arcs(self) -> bool {
        matches!(self, Self::Quaternions | Self::Turns)
    }

    /// How many lanes its offsets take.
    pub(crate) fn offset_parts(self, property: Property) -> usize {
        if self == Self::Turns { 4 } else { self.parts(property) }
    }
}

/// One property of eight joints in the rows of a packed timeline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedStrip {
    /// Where it begins in a pair of rows, in bytes.
    pub(crate) at: u32,
    /// Where its scales are among the constants, and behind them its offsets: a number is its sum times its lane's
    /// scale, and its offset. Turns have the mean rotation there.
    pub(crate) scales: u32,
    pub(crate) basis: Basis,
    pub(crate) bits: Bits,
    pub(crate) form: Form,
    /// A bit for each lane that it drives.
    pub(crate) lanes: u8,
    /// What it is of, and of which group: where it is written to if the clip is packed throughout.
    pub(crate) property: Property,
    pub(crate) group: u16,
}

impl PackedStrip {
    /// Strips of the same kind are read together.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        (self.basis, self.bits, self.form, self.property)
            == (other.basis, other.bits, other.form, other.property)
    }
}

/// The rows of a packed timeline.
#[derive(Clone, Debug)]
pub(crate) struct PackedRows {
    /// How many pieces the spline has from the first key to the last.
    pub(crate) spans: u32,
    /// Whether it ends as it begins: then there are as many control points as pieces, else three more.
    pub(crate) is_periodic: bool,
    pub(crate) spline: PairRows,
    pub(crate) keys: PairRows,
}

/// Rows, two by two.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairRows {
    pub(crate) bytes: Vec<u8>,
    /// Bytes of a pair.
    pub(crate) stride: usize,
    /// Whether arcs are drawn between its keys: then those are needed one by one.
    pub(crate) has_arcs: bool,
}

impl PairRows {
    pub(crate) fn pairs(&self) -> usize {
        self.bytes.len().checked_div(self.stride).unwrap_or(0)
    }
}

/// Where a sample falls in rows of a basis, and what it is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mix {
    /// Where the pairs begin.
    pub(crate) pairs: [u32; PAIRS],
    /// The weights of both rows of each pair, at the time itself.
    pub(crate) now: Weights,
    /// The same at the keys on both sides of it.
    pub(crate) left: Weights,
    pub(crate) right: Weights,
}

/// For each pair of rows the weights of both in one number, as the kernel reads them: that of the even row in the low
/// half.
pub(crate) type Weights = [i32; PAIRS];

impl Mix {
    pub(crate) const EMPTY: Self =
        Self { pairs: [0; PAIRS], now: [0; PAIRS], left: [0; PAIRS], right: [0; PAIRS] };
}

/// The places of a sample in both bases.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedPlace {
    pub(crate) spline: Mix,
    pub(crate) keys: Mix,
}

impl PackedPlace {
    pub(crate) const EMPTY: Self = Self { spline: Mix::EMPTY, keys: Mix::EMPTY };
}

impl PackedRows {
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.spline.bytes.len() + self.keys.bytes.len()
    }

    /// Finds the rows of a place between two keys.
    pub(crate) fn locate(&self, secs: &[f32], key: usize, alpha: f32, place: &mut PackedPlace) {
        let right = (key + 1).min(secs.len() - 1);
        if !self.keys.bytes.is_empty() {
            self.locate_keys(key, alpha, &mut place.keys);
        }
        if !self.spline.bytes.is_empty() {
            self.locate_spline(secs, [key, right], alpha, &mut place.spline);
        }
    }

    fn locate_keys(&self, key: usize, alpha: f32, mix: &mut Mix) {
        let (first, last) = (key / 2, self.keys.pairs() - 1);
        mix.pairs = [0, 1, 2].map(|pair| offset((first + pair).min(last), self.keys.stride));
        let odd = key % 2;
        let mut left = [0.0; 2 * PAIRS];
        let mut right = [0.0; 2 * PAIRS];
        left[odd] = 1.0;
        // Behind the last key there is no row, and alpha is zero.
        right[odd + 1] = 1.0;
        mix.now = mixed(&left, &right, alpha, KEY_ONE);
        if self.keys.has_arcs {
            mix.left = weights(&left, KEY_ONE);
            mix.right = if alpha > 0.0 { weights(&right, KEY_ONE) } else { mix.left };
        }
    }

    fn locate_spline(&self, secs: &[f32], keys: [usize; 2], alpha: f32, mix: &mut Mix) {
        let [(span, x), (right_span, right_x)] = keys.map(|key| spline_place(secs, self.spans, key));
        let first = span & !1;
        let pairs = self.spline.pairs();
        mix.pairs = [0, 1, 2].map(|pair| {
            let pair = first as usize / 2 + pair;
            offset(if self.is_periodic { pair % pairs } else { pair.min(pairs - 1) }, self.spline.stride)
        });
        let (mut left, mut right) = ([0.0; 2 * PAIRS], [0.0; 2 * PAIRS]);
        put(&mut left, span - first, basis(x));
        put(&mut right, right_span - first, basis(right_x));
        mix.now = mixed(&left, &right, alpha, SPLINE_ONE);
        if self.spline.has_arcs {
            mix.left = weights(&left, SPLINE_ONE);
            mix.right = weights(&right, SPLINE_ONE);
        }
    }
}

/// On which piece of a spline a key lies, and where on it.
pub(crate) fn spline_place(secs: &[f32], spans: u32, key: usize) -> (u32, f32) {
    let (first, last) = (secs[0], secs[secs.len() - 1]);
    #[expect(clippy::cast_precision_loss, reason = "few")]
    let whole = spans as f32;
    let along = ((secs[key] - first) / (last - first) * whole).clamp(0.0, whole);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
    let span = (along as u32).min(spans - 1);
    #[expect(clippy::cast_precision_loss, reason = "few")]
    let x = along - span as f32;
    (span, x)
}

/// The uniform cubic B-spline: the weights of the four control points of a piece.
pub(crate) fn basis(x: f32) -> [f32; 4] {
    let (squared, rest) = (x * x, 1.0 - x);
    let (cubed, rest_cubed) = (squared * x, rest * rest * rest);
    let sixth = 1.0 / 6.0;
    let second = (3.0 * cubed - 6.0 * squared + 4.0) * sixth;
    let (first, last) = (rest_cubed * sixth, cubed * sixth);
    [first, second, 1.0 - first - second - last, last]
}

#[inline]
fn put(rows: &mut [f32; 2 * PAIRS], first: u32, weights: [f32; 4]) {
    let first = (first as usize).min(2 * PAIRS - 4);
    rows[first..first + 4].copy_from_slice(&weights);
}

fn mixed(left: &[f32; 2 * PAIRS], right: &[f32; 2 * PAIRS], alpha: f32, one: i32) -> Weights {
    let mut both = [0.0; 2 * PAIRS];
    for i in 0..2 * PAIRS {
        both[i] = left[i] + (right[i] - left[i]) * alpha;
    }
    weights(&both, one)
}

/// Rounds weights so that they still add up to one.
#[inline(always)]
fn weights(rows: &[f32; 2 * PAIRS], one: i32) -> Weights {
    /// Numbers from here on have no digits behind the point: adding it rounds, and the integer is in the last bits.
    const ROUNDS: f32 = (3_i32 << 22) as f32;
    let mut whole = [0_i32; 2 * PAIRS];
    let (mut sum, mut largest) = (0, 0);
    for i in 0..2 * PAIRS {
        #[expect(clippy::cast_precision_loss, reason = "a power of two")]
        let rounded = (rows[i] * one as f32 + ROUNDS).to_bits().wrapping_sub(ROUNDS.to_bits()).cast_signed();
        whole[i] = rounded;
        sum += rounded;
        if rounded > whole[largest] {
            largest = i;
        }
    }
    whole[largest] += one - sum;
    let mut pairs = [0; PAIRS];
    for i in 0..PAIRS {
        // None is negative, and none above 2¹⁵.
        pairs[i] = whole[2 * i] | (whole[2 * i + 1] << 16);
    }
    pairs
}

#[expect(clippy::cast_possible_truncation, reason = "the size of rows is bounded when a clip is packed")]
fn offset(pair: usize, stride: usize) -> u32 {
    (pair * stride) as u32
}
