//! What of a clip is packed: small integers, mixed by integer products.
//!
//! A packed timeline has two lists of rows: keys, and control points of a uniform cubic B-spline, of which there
//! are fewer. The spline gives the *keys*; between two keys a clip runs straight, as the clip that was packed
//! does. So a sample is a weighted sum of up to five rows, whose weights depend on time alone. Rows lie in
//! pairs, number beside number, so that one instruction multiplies eight joints in two rows and adds both
//! products; three pairs hold any five rows. Sums of integers are exact, whatever the order.
//!
//! Tracks of the same kind follow each other in a [`Run`], whatever joints they are of. Eight of them at a time are
//! read, and what comes out is written to where their joints are in the pose.

pub(crate) mod bytes;
pub(crate) mod kernel;
mod store;

use crate::clip::Property;
use crate::pose::{JointGroup, LANES};

/// What a weight of one is, of spline rows: no weight of a B-spline is above two thirds.
const SPLINE_ONE: u16 = 1 << 15;
/// The same of keys, which may have a weight of one: it has to be a number of 16 bits.
const KEY_ONE: i32 = (1 << 15) - 1;

/// Pairs of rows that a sample reads.
pub(crate) const PAIRS: usize = 3;

/// So many groups of joints are sampled before any is blended; runs do not reach over their ends.
pub(crate) const BLOCK_GROUPS: usize = 8;
pub(crate) const BLOCK_JOINTS: usize = BLOCK_GROUPS * LANES;

/// Which rows of a packed timeline a track is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Basis {
    Keys,
    Spline,
}

impl Basis {
    const fn one(self) -> i32 {
        match self {
            Self::Keys => KEY_ONE,
            Self::Spline => SPLINE_ONE as i32,
        }
    }

    /// By how much neighbouring weights differ.
    pub(crate) fn weight_step(self) -> f64 {
        1.0 / f64::from(self.one())
    }
}

/// How many bits a number takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Bits {
    Eight,
    Twelve,
    Sixteen,
    /// Numbers as they are, where integers are too coarse. Only key by key.
    Float,
}

impl Bits {
    /// Bytes of one number of a track in two rows.
    pub(crate) fn pair_bytes(self) -> usize {
        match self {
            Self::Eight => 2,
            Self::Twelve => 3,
            Self::Sixteen => 4,
            Self::Float => 8,
        }
    }

    /// The largest integer.
    pub(crate) fn largest(self) -> f64 {
        match self {
            Self::Eight => 127.0,
            Self::Twelve => 2047.0,
            Self::Sixteen => 32767.0,
            Self::Float => f64::INFINITY,
        }
    }

    /// What a sum of integers has to be multiplied with to be a mean of them.
    pub(crate) fn unit(self, basis: Basis) -> f64 {
        match self {
            Self::Eight | Self::Sixteen => basis.weight_step(),
            // The kernel reads them as integers of sixteen bits, of which the last four are zero.
            Self::Twelve => basis.weight_step() / 16.0,
            Self::Float => 1.0,
        }
    }
}

/// What the numbers of a track mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Form {
    /// Of translation or scale, or a quaternion of which the sum is brought to length one.
    Sum,
    /// A scale that is the same along all axes.
    Uniform,
    /// Half of the angle about an axis that does not change: what lies between two keys is exact without an arc.
    Hinge,
    /// Quaternions: both keys are brought to length one, and slerped.
    Quaternions,
    /// Modified Rodrigues parameters of the turn from a mean rotation: both keys are slerped.
    Turns,
}

/// No angle of a hinge is farther from the middle of all of them: so far the series of its sine and cosine hold.
pub(crate) const WIDEST_HINGE: f32 = 1.0;

impl Form {
    /// How many numbers a value of a property is.
    pub(crate) fn parts(self, property: Property) -> usize {
        match self {
            Self::Turns => 3,
            Self::Uniform | Self::Hinge => 1,
            Self::Sum | Self::Quaternions => property.width(),
        }
    }

    /// Whether arcs are drawn between keys.
    pub(crate) fn has_arcs(self) -> bool {
        matches!(self, Self::Quaternions | Self::Turns)
    }

    /// How many constants a track has: a scale, which makes numbers of sums, and what those are added to. Turns
    /// have the mean rotation there; hinges that of the middle and, turned by it, the axis.
    pub(crate) fn constants(self, property: Property) -> usize {
        1 + match self {
            Self::Hinge => 8,
            Self::Turns => 4,
            Self::Sum | Self::Uniform | Self::Quaternions => self.parts(property),
        }
    }
}

/// Tracks of one kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) kind: Kind,
    /// All of their joints are in one block of [`BLOCK_JOINTS`].
    pub(crate) block: u16,
    pub(crate) tracks: u16,
    pub(crate) place: RunPlace,
}

/// Where what belongs to a run begins, behind what belongs to the one before it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunPlace {
    /// In each pair of rows, in bytes.
    pub(crate) bytes: u32,
    pub(crate) constants: u32,
    pub(crate) joints: u32,
    /// So many groups of joints it begins with that are driven as a whole: they are written at once.
    pub(crate) whole_groups: u16,
}

impl Run {
    /// Its place is known when all runs are.
    pub(crate) fn new(kind: Kind, block: u16, tracks: u16) -> Self {
        Self { kind, block, tracks, place: RunPlace::default() }
    }

    #[inline(always)]
    fn joints<'a>(&self, all: &'a [u16]) -> &'a [u16] {
        &all[self.place.joints as usize..][..usize::from(self.tracks)]
    }
}

/// How tracks are packed. Those of a block are sorted by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kind {
    pub(crate) basis: Basis,
    pub(crate) form: Form,
    pub(crate) property: Property,
    pub(crate) bits: Bits,
}

impl Kind {
    /// Bytes of a track in two rows.
    pub(crate) fn pair_bytes(self) -> usize {
        self.form.parts(self.property) * self.bits.pair_bytes()
    }

    pub(crate) fn constants(self) -> usize {
        self.form.constants(self.property)
    }
}

/// A track that does not move, but is not as the rest pose has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Still {
    pub(crate) joint: u16,
    pub(crate) property: Property,
    pub(crate) value: [f32; 4],
}

/// Which properties of a group of joints are not driven as a whole, so that those of rest have to be there before: a bit
/// each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Undriven(u8);

impl Undriven {
    pub(crate) const ALL: Self = Self(0b111);

    pub(crate) fn drive(&mut self, property: Property) {
        self.0 &= !(1 << property as u8);
    }

    #[inline(always)]
    fn has(self, property: Property) -> bool {
        self.0 >> property as u8 & 1 > 0
    }

    #[inline(always)]
    pub(crate) fn copy(self, rest: &JointGroup, out: &mut JointGroup) {
        if self.has(Property::Translation) {
            out.translation = rest.translation;
        }
        if self.has(Property::Rotation) {
            out.rotation = rest.rotation;
        }
        if self.has(Property::Scale) {
            out.scale = rest.scale;
        }
    }
}

/// The packed tracks of a timeline.
#[derive(Clone, Debug)]
pub(crate) struct PackedRows {
    /// How many pieces the spline has from the first key to the last.
    pub(crate) spans: u32,
    /// Whether it ends as it begins: then there are as many control points as pieces, else three more.
    pub(crate) is_periodic: bool,
    /// How the spline makes each key. None if there is no spline.
    pub(crate) knots: Box<[Knot]>,
    pub(crate) spline: PairRows,
    pub(crate) keys: PairRows,
    /// Block by block.
    pub(crate) runs: Box<[Run]>,
    /// For eight tracks at a time: the first constant of all of them, then the next; behind them [`CONSTANTS_BEYOND`].
    pub(crate) constants: Box<[f32]>,
    /// Of all tracks, in ascending order within a run.
    pub(crate) joints: Box<[u16]>,
}

/// Whether these are all joints of a group.
fn is_group(joints: &[u16; LANES]) -> bool {
    let first = usize::from(joints[0]);
    first % LANES == 0 && (first..).zip(joints).all(|(joint, own)| joint == usize::from(*own))
}

/// A count of things that are counted in 16 bits.
#[expect(clippy::cast_possible_truncation, reason = "a block has few tracks")]
pub(crate) fn short(count: usize) -> u16 {
    count as u16
}

/// What is read beyond the last number of less than eight tracks: bytes of rows, and constants.
pub(crate) const BYTES_BEYOND: usize = 8 * LANES;
pub(crate) const CONSTANTS_BEYOND: usize = LANES;

/// Rows, two by two.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairRows {
    /// For eight tracks at a time: the first number of all of them, then the next. Behind all rows there are
    /// [`BYTES_BEYOND`].
    pub(crate) bytes: Box<[u8]>,
    /// Bytes of a pair.
    pub(crate) stride: usize,
    pub(crate) pairs: usize,
    /// Whether arcs are drawn between its keys: then those are needed one by one.
    pub(crate) has_arcs: bool,
}

impl PairRows {
    pub(crate) fn new(pairs: usize, stride: usize) -> Self {
        let bytes = if stride > 0 { pairs * stride + BYTES_BEYOND } else { 0 };
        Self { bytes: vec![0; bytes].into(), stride, pairs, has_arcs: false }
    }

    /// All rows, without what lies behind them.
    pub(crate) fn rows(&self) -> &[u8] {
        &self.bytes[..self.bytes.len().saturating_sub(BYTES_BEYOND)]
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
    /// The keys on both sides of it.
    pub(crate) between: [u32; 2],
}

impl PackedPlace {
    pub(crate) const EMPTY: Self = Self { spline: Mix::EMPTY, keys: Mix::EMPTY, between: [0; 2] };
}

impl PackedRows {
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&self.knots[..])
            + self.spline.bytes.len()
            + self.keys.bytes.len()
            + size_of_val(&self.runs[..])
            + size_of_val(&self.constants[..])
            + size_of_val(&self.joints[..])
    }

    /// Whether a property of a joint is among its tracks.
    pub(crate) fn drives(&self, joint: usize, property: Property) -> bool {
        let is_it = |own: &u16| usize::from(*own) == joint;
        self.runs
            .iter()
            .any(|run| run.kind.property == property && run.joints(&self.joints).iter().any(is_it))
    }

    /// The properties that are driven of whole groups of joints.
    pub(crate) fn whole_groups(&self) -> impl Iterator<Item = (usize, Property)> {
        self.runs.iter().flat_map(|run| {
            let groups = run.joints(&self.joints).chunks(LANES).take(usize::from(run.place.whole_groups));
            groups.map(|joints| (usize::from(joints[0]) / LANES, run.kind.property))
        })
    }

    /// Whether arcs are drawn between any keys.
    pub(crate) fn has_arcs(&self) -> bool {
        self.keys.has_arcs || self.spline.has_arcs
    }

    /// Finds out where runs begin, and in which rows arcs are drawn between keys.
    pub(crate) fn lay_out(&mut self) {
        let mut next = RunPlace::default();
        let (mut key_bytes, mut spline_bytes) = (0, 0);
        for run in &mut self.runs {
            let (bytes, rows) = match run.kind.basis {
                Basis::Keys => (&mut key_bytes, &mut self.keys),
                Basis::Spline => (&mut spline_bytes, &mut self.spline),
            };
            run.place = RunPlace { bytes: *bytes, ..next };
            rows.has_arcs |= run.kind.form.has_arcs();
            let joints = run.joints(&self.joints).as_chunks().0;
            run.place.whole_groups = short(joints.iter().take_while(|joints| is_group(joints)).count());
            let tracks = usize::from(run.tracks);
            *bytes += offset(tracks, run.kind.pair_bytes());
            next.constants += offset(tracks, run.kind.constants());
            next.joints += u32::from(run.tracks);
        }
    }

    /// Finds the rows of a place between two keys.
    pub(crate) fn locate(&self, secs: &[f32], key: usize, alpha: f32, place: &mut PackedPlace) {
        let right = (key + 1).min(secs.len() - 1);
        place.between = [offset(key, 1), offset(right, 1)];
        if self.keys.stride > 0 {
            self.locate_keys(key, alpha, &mut place.keys);
        }
        if self.spline.stride > 0 {
            self.locate_spline([key, right], alpha, &mut place.spline);
        }
    }

    fn locate_keys(&self, key: usize, alpha: f32, mix: &mut Mix) {
        let (first, last) = (key / 2, self.keys.pairs - 1);
        for (pair, at) in mix.pairs.iter_mut().enumerate() {
            *at = offset((first + pair).min(last), self.keys.stride);
        }
        let odd = key % 2;
        // Behind the last key there is no row, and alpha is zero.
        let weigh = |alpha: f32| {
            let right = whole(alpha, KEY_ONE);
            let mut rows = [0; 2 * PAIRS];
            (rows[odd], rows[odd + 1]) = (KEY_ONE - right, right);
            in_pairs(rows)
        };
        mix.now = weigh(alpha);
        if self.keys.has_arcs {
            mix.left = weigh(0.0);
            mix.right = if alpha > 0.0 { weigh(1.0) } else { mix.left };
        }
    }

    fn locate_spline(&self, keys: [usize; 2], alpha: f32, mix: &mut Mix) {
        let [left, right] = keys.map(|key| self.knots[key]);
        let pairs = self.spline.pairs;
        for (pair, at) in mix.pairs.iter_mut().enumerate() {
            let pair = usize::from(left.span) / 2 + pair;
            let pair = if self.is_periodic && pair >= pairs { pair - pairs } else { pair };
            // A spline of a single pair begins anew twice.
            *at = offset(pair.min(pairs - 1), self.spline.stride);
        }
        // Rows are counted from the first pair on. No key is more than one piece behind the one before it.
        let left_at = usize::from(left.span % 2);
        let right_at = left_at + usize::from(right.span != left.span);
        let right_share = whole(alpha, WHOLE_ALPHA);
        let (of_left, of_right, mut rows) = (left.weights(), right.weights(), [0; 2 * PAIRS]);
        for i in 0..4 {
            rows[left_at + i] += i32::from(of_left[i]) * (WHOLE_ALPHA - right_share);
        }
        for i in 0..4 {
            rows[right_at + i] += i32::from(of_right[i]) * right_share;
        }
        // Sums are rounded instead of weights, so that these add up to one.
        let (mut sum, mut before) = (0, 0);
        for row in &mut rows {
            sum += *row;
            let rounded = (sum + WHOLE_ALPHA / 2) >> ALPHA_BITS;
            (*row, before) = (rounded - before, rounded);
        }
        mix.now = in_pairs(rows);
        if self.spline.has_arcs {
            mix.left = left.rows(left_at);
            mix.right = right.rows(right_at);
        }
    }
}

/// Parts of the way from one key to the next. Weights of rows times it are numbers of 31 bits.
const WHOLE_ALPHA: i32 = 1 << ALPHA_BITS;
const ALPHA_BITS: u32 = 15;

/// How a spline makes a key: of four control points that follow each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Knot {
    /// The first of them.
    pub(crate) span: u16,
    /// Of the first, the second and the last. That of the third is what is missing to [`SPLINE_ONE`].
    outer: [u16; 3],
}

/// More pieces than these no spline has.
pub(crate) const MOST_SPANS: u32 = u16::MAX as u32;

impl Knot {
    /// Of all keys, for a spline of so many pieces.
    #[expect(clippy::cast_precision_loss, reason = "few")]
    pub(crate) fn all(secs: &[f32], spans: u32) -> Box<[Self]> {
        let length_secs = secs[secs.len() - 1] - secs[0];
        // One that is too short for that has no pieces but the first.
        let per_sec = Some(spans as f32 / length_secs).filter(|pace| pace.is_finite()).unwrap_or(0.0);
        let knot = |secs_of_key: &f32| {
            let along = ((secs_of_key - secs[0]) * per_sec).max(0.0);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
            let span = (along as u32).min(spans - 1).min(MOST_SPANS) as u16;
            Self::new(span, (along - f32::from(span)).min(1.0))
        };
        secs.iter().map(knot).collect()
    }

    fn new(span: u16, x: f32) -> Self {
        let exact = basis(x);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to `SPLINE_ONE`")]
        let mut weights = exact.map(|weight| whole(weight, SPLINE_ONE.into()) as u16);
        // The second or the third is two fifths at least.
        let largest = if x < 0.5 { 1 } else { 2 };
        let others: u16 = (0..4).filter(|i| *i != largest).map(|i| weights[i]).sum();
        weights[largest] = SPLINE_ONE - others;
        let [first, second, _, last] = weights;
        Self { span, outer: [first, second, last] }
    }

    fn weights(&self) -> [u16; 4] {
        let [first, second, last] = self.outer;
        [first, second, SPLINE_ONE - first - second - last, last]
    }

    /// Its weights, from 0 to 1.
    pub(crate) fn shares(&self) -> [f64; 4] {
        self.weights().map(|weight| f64::from(weight) / f64::from(SPLINE_ONE))
    }

    /// Its weights among those of all rows that are read.
    fn rows(&self, first: usize) -> Weights {
        let (weights, mut rows) = (self.weights(), [0; 2 * PAIRS]);
        for i in 0..4 {
            rows[first + i] = i32::from(weights[i]);
        }
        in_pairs(rows)
    }
}

/// The uniform cubic B-spline: the weights of the four control points of a piece.
fn basis(x: f32) -> [f32; 4] {
    let (squared, rest) = (x * x, 1.0 - x);
    let (cubed, rest_cubed) = (squared * x, rest * rest * rest);
    let sixth = 1.0 / 6.0;
    let second = (3.0 * cubed - 6.0 * squared + 4.0) * sixth;
    let (first, last) = (rest_cubed * sixth, cubed * sixth);
    [first, second, 1.0 - first - second - last, last]
}

/// A number from 0 to 1 as so many parts of one.
#[inline]
#[expect(clippy::cast_precision_loss, reason = "a power of two")]
fn whole(number: f32, one: i32) -> i32 {
    /// Numbers from here on have no digits behind the point: adding it rounds, and the integer is in the last bits.
    const ROUNDS: f32 = (3_i32 << 22) as f32;
    (number * one as f32 + ROUNDS).to_bits().wrapping_sub(ROUNDS.to_bits()).cast_signed()
}

/// None is negative, and none above 2¹⁵.
#[inline]
fn in_pairs(rows: [i32; 2 * PAIRS]) -> Weights {
    [rows[0] | (rows[1] << 16), rows[2] | (rows[3] << 16), rows[4] | (rows[5] << 16)]
}

#[expect(clippy::cast_possible_truncation, reason = "the size of rows is bounded when a clip is packed")]
fn offset(pair: usize, stride: usize) -> u32 {
    (pair * stride) as u32
}
