//! A plane cut into cells, and the few samples and pairs of samples that matter in each.
//!
//! By gradient bands every sample has to ask every other one. In a cell most claims are nothing all over, and
//! of what is left most others never take anything away: both are found when a space is built, so that no
//! result changes.

use super::{MOST_SAMPLES, SMALLEST, least, write_shares};

/// From a least to a greatest number along both axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) min: [f64; 2],
    pub(super) max: [f64; 2],
}

/// How far places are on the way from one sample to another.
pub(super) trait Pair {
    /// The least and the greatest in a cell, or what is beyond these.
    fn range(&self, cell: &Cell) -> [f64; 2];
    /// Whether they are nowhere in a cell further on this way than on another one from the same sample.
    fn is_at_most(&self, other: &Self, cell: &Cell) -> bool;
    /// Writes the numbers of the slopes that say how far, in a cell; `pair` is its own number. Of several,
    /// the one that takes most away counts.
    fn slopes(&self, pair: usize, cell: &Cell, slopes: &mut Vec<usize>);
}

#[derive(Clone, Debug)]
pub(super) struct Grid {
    bounds: Cell,
    /// Cells per unit, and how many there are.
    per_unit: [f64; 2],
    size: [usize; 2],
    /// Of each cell, where its samples and its questions begin; and where the last ones end.
    starts: Vec<Start>,
    /// Those that may have a claim in a cell.
    samples: Vec<u8>,
    questions: Vec<Question>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Start {
    samples: u32,
    questions: u32,
}

/// What a slope leaves of a sample's claim.
#[derive(Clone, Copy, Debug)]
struct Question {
    slope: u16,
    /// Which of the cell's samples.
    of: u8,
}

/// Samples, each with the numbers of its pairs.
type List = Vec<(usize, Vec<usize>)>;

/// A sample with the pairs that may take something of its claim in a part of the plane; `None` if it has none.
fn shorten<P: Pair>(part: &Cell, sample: usize, own: Vec<usize>, pairs: &[P]) -> Option<(usize, Vec<usize>)> {
    let is_nothing = |pair: &usize| 1.0 - pairs[*pair].range(part)[0] < 0.5 * SMALLEST;
    if own.iter().any(is_nothing) {
        return None;
    }
    let mut kept: Vec<usize> = Vec::new();
    for pair in own {
        let takes = pairs[pair].range(part)[1] > 0.0;
        if takes && !kept.iter().any(|other| pairs[pair].is_at_most(&pairs[*other], part)) {
            kept.push(pair);
        }
    }
    Some((sample, kept))
}

impl Grid {
    /// Of `pairs`, as many for each sample as there are others; with so many cells along each axis, a power of two.
    pub(super) fn new<P: Pair>(bounds: Cell, count: usize, samples: usize, pairs: &[P]) -> Self {
        let lengths = [0, 1].map(|axis| bounds.max[axis] - bounds.min[axis]);
        let size = lengths.map(|length| if length > 0.0 { count } else { 1 });
        let per_unit = [0, 1].map(|axis| match lengths[axis] > 0.0 {
            #[expect(clippy::cast_precision_loss, reason = "there are few")]
            true => size[axis] as f64 / lengths[axis],
            false => 0.0,
        });
        let mut grid = Self {
            bounds,
            per_unit,
            size,
            starts: vec![Start::default()],
            samples: Vec::new(),
            questions: Vec::new(),
        };
        let others = samples - 1;
        let all = (0..samples).map(|sample| (sample, (sample * others..(sample + 1) * others).collect()));
        let mut cells = vec![Vec::new(); size[0] * size[1]];
        grid.split([0, 0], size, all.collect(), pairs, &mut cells);
        for (cell, list) in grid.cells().iter().zip(cells) {
            grid.add(cell, &list, pairs);
        }
        grid
    }

    /// Finds what matters in a part of the plane, and of that what matters in the quarters of that part.
    fn split<P: Pair>(
        &self,
        from: [usize; 2],
        size: [usize; 2],
        list: List,
        pairs: &[P],
        cells: &mut [List],
    ) {
        let part = self.cell(from, size);
        let list: List =
            list.into_iter().filter_map(|(sample, own)| shorten(&part, sample, own, pairs)).collect();
        if size == [1, 1] {
            cells[from[1] * self.size[0] + from[0]] = list;
            return;
        }
        let half = size.map(|size| size.div_ceil(2));
        for row in (0..size[1]).step_by(half[1]) {
            for column in (0..size[0]).step_by(half[0]) {
                self.split([from[0] + column, from[1] + row], half, list.clone(), pairs, cells);
            }
        }
    }

    /// Adds the next cell.
    fn add<P: Pair>(&mut self, cell: &Cell, list: &List, pairs: &[P]) {
        let small = |number: usize| u8::try_from(number).expect("there are few samples");
        let mut questions = Vec::new();
        for (of, (sample, own)) in list.iter().enumerate() {
            let mut slopes = Vec::new();
            own.iter().for_each(|pair| pairs[*pair].slopes(*pair, cell, &mut slopes));
            questions.extend(slopes.into_iter().enumerate().map(|(turn, slope)| (turn, of, slope)));
            self.samples.push(small(*sample));
        }
        // Each in turn, so that none has to wait for what the last one left of the same claim.
        questions.sort_unstable();
        self.questions.extend(questions.into_iter().map(|(_, of, slope)| Question {
            slope: u16::try_from(slope).expect("there are few samples"),
            of: small(of),
        }));
        let number = |number: usize| u32::try_from(number).expect("there are few samples");
        let start = Start { samples: number(self.samples.len()), questions: number(self.questions.len()) };
        self.starts.push(start);
    }

    /// All of them, in the order of their numbers.
    pub(super) fn cells(&self) -> Vec<Cell> {
        let rows = 0..self.size[1];
        rows.flat_map(|row| (0..self.size[0]).map(move |column| [column, row]))
            .map(|at| self.cell(at, [1, 1]))
            .collect()
    }

    /// So many cells together.
    #[expect(clippy::cast_precision_loss, reason = "there are few")]
    fn cell(&self, at: [usize; 2], cells: [usize; 2]) -> Cell {
        let Self { bounds, size, .. } = self;
        let edge = |axis: usize, number: usize| {
            let part = number as f64 / size[axis] as f64;
            bounds.min[axis] + part * (bounds.max[axis] - bounds.min[axis])
        };
        // What lies on an edge is rounded to either side.
        let margin = |axis: usize| 1e-9 * (bounds.max[axis] - bounds.min[axis]);
        Cell {
            min: [0, 1].map(|axis| edge(axis, at[axis]) - margin(axis)),
            max: [0, 1].map(|axis| edge(axis, at[axis] + cells[axis]) + margin(axis)),
        }
    }

    /// The number of the cell that a place is in; `None` outside of all.
    #[inline]
    pub(super) fn find(&self, at: [f64; 2]) -> Option<usize> {
        let Self { bounds: Cell { min, max }, per_unit, size, .. } = self;
        if !(at[0] >= min[0] && at[0] <= max[0] && at[1] >= min[1] && at[1] <= max[1]) {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is inside")]
        let [column, row] =
            [0, 1].map(|axis| (((at[axis] - min[axis]) * per_unit[axis]) as usize).min(size[axis] - 1));
        Some(row * size[0] + column)
    }

    /// Writes the weights in a cell, if `at` says what a slope leaves of a claim.
    #[inline]
    pub(super) fn weigh(&self, cell: usize, at: impl Fn(usize) -> f64, weights: &mut [f32]) {
        let (start, end) = (self.starts[cell], self.starts[cell + 1]);
        let samples = &self.samples[start.samples as usize..end.samples as usize];
        let questions = &self.questions[start.questions as usize..end.questions as usize];
        // Most cells have few: to begin with many claims takes longer than to ask what is left of them.
        if samples.len() <= 16 {
            weigh_in::<16>(samples, questions, at, weights);
        } else {
            weigh_in::<MOST_SAMPLES>(samples, questions, at, weights);
        }
    }
}

/// The weights of samples, with room for so many, a power of two. One loop over all questions, however many each
/// sample has: how often many short ones run cannot be foretold.
#[inline]
fn weigh_in<const ROOM: usize>(
    samples: &[u8],
    questions: &[Question],
    at: impl Fn(usize) -> f64,
    weights: &mut [f32],
) {
    let mut claims = [1.0; ROOM];
    for question in questions {
        // The remainder is itself; that it is inside need not be checked.
        let claim = &mut claims[usize::from(question.of) % ROOM];
        *claim = least(*claim, at(usize::from(question.slope)));
    }
    write_shares(&mut claims[..samples.len()], |claim| usize::from(samples[claim]), weights);
}
