//! Samples on a plane by gradient bands of distance and direction from the middle, for clips that walk in
//! directions: between forward and left at full speed there is no standing.

use std::f64::consts::{PI, TAU};

use super::angle::angle;
use super::grid::{Cell, Grid, Pair};
use super::{MOST_SAMPLES, greatest, least, write_shares};

/// How much a difference of direction counts beside one of distance, which is relative to the mean of both.
const PER_RADIAN: f64 = 2.0;

#[derive(Clone, Debug)]
pub(super) struct Polar {
    samples: Vec<Sample>,
    /// One over the shortest distance of a sample from the middle that is not in the middle itself.
    per_least_radius: f64,
    arcs: Vec<Arc>,
    /// [`SLOPES`] for each of them.
    slopes: Vec<Slope>,
    /// By distance and direction.
    grid: Grid,
}

/// Of an arc: where the turn rises, as it is and a circle further on or back; and where it falls, likewise.
const SLOPES: [(Course, f64); 5] = [
    (Course::Rises, 0.0),
    (Course::Rises, TAU),
    (Course::Rises, -TAU),
    (Course::Falls, 0.0),
    (Course::Falls, TAU),
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Course {
    /// Up to the second sample, and even behind it.
    Rises,
    /// Even behind the second sample, then falling to what is behind the first one.
    Falls,
}

/// One minus how far a place is on an arc, in a part of the circle: there the turn is the lesser of two
/// lines.
#[derive(Clone, Copy, Debug)]
struct Slope {
    at_middle: f64,
    per_metre: f64,
    most_around: f64,
    around: f64,
    per_radian: f64,
}

impl Slope {
    fn new(arc: &Arc, course: Course, circle: f64) -> Self {
        let Arc { turn, third, per_third, side, from, .. } = *arc;
        // Where the second sample is ahead by `at_zero + side * angle`.
        let at_zero = circle - side * from.angle;
        let (around, per_radian) = match course {
            Course::Rises => (at_zero, side),
            Course::Falls => (turn - (at_zero - turn - third) * per_third, -side * per_third),
        };
        Self {
            at_middle: 1.0 + from.radius * arc.per_metre,
            per_metre: arc.per_metre,
            most_around: turn * arc.per_radian,
            around: around * arc.per_radian,
            per_radian: per_radian * arc.per_radian,
        }
    }

    #[inline]
    fn at(&self, at: &Sample, part: f64) -> f64 {
        let around = least(self.most_around, self.around + at.angle * self.per_radian);
        self.at_middle - (at.radius * self.per_metre + part * around)
    }
}

#[derive(Clone, Copy, Debug)]
struct Sample {
    radius: f64,
    angle: f64,
    is_middle: bool,
}

/// The way from one sample to another one.
#[derive(Clone, Copy, Debug)]
struct Arc {
    /// How far a metre outwards, and a radian towards the other one, are on it.
    per_metre: f64,
    per_radian: f64,
    /// Towards it, from -π to π, without its sign; 0 if one of them is in the middle.
    turn: f64,
    side: f64,
    /// A third of the other way round, and how steeply it falls from there to minus a third.
    third: f64,
    per_third: f64,
    length2: f64,
    from: Sample,
    least_radius: f64,
}

#[inline]
fn sample(at: [f64; 2]) -> Sample {
    let radius = (at[0] * at[0] + at[1] * at[1]).sqrt();
    Sample { radius, angle: angle(at), is_middle: radius <= 0.0 }
}

/// The turn from one angle to another, from -π to π.
fn turn(from: f64, to: f64) -> f64 {
    let turn = to - from;
    if turn > PI {
        turn - TAU
    } else if turn < -PI {
        turn + TAU
    } else {
        turn
    }
}

impl Arc {
    fn new(a: &Sample, b: &Sample, least_radius: f64) -> Self {
        let mean_radius = (a.radius + b.radius) / 2.0;
        let radial = (b.radius - a.radius) / mean_radius;
        let turn = if a.is_middle || b.is_middle { 0.0 } else { turn(a.angle, b.angle) };
        let around = PER_RADIAN * turn;
        let length2 = radial * radial + around * around;
        let third = (TAU - turn.abs()) / 3.0;
        Self {
            per_metre: radial / (mean_radius * length2),
            per_radian: PER_RADIAN * PER_RADIAN * turn.abs() / length2,
            turn: turn.abs(),
            side: turn.signum(),
            third,
            per_third: (turn.abs() + third) / third,
            length2,
            from: *a,
            least_radius,
        }
    }

    /// How far a place is on the way, from 0 to 1 and beyond: so many metres further out than the first sample,
    /// and turned so far from it, of which a part counts.
    #[inline]
    fn along(&self, metres: f64, around: f64, part: f64) -> f64 {
        metres * self.per_metre + part * self.turn_of(around * self.side) * self.per_radian
    }

    /// A turn from the first sample, led on so that nothing jumps on the far side of the circle: behind the
    /// first sample it counts as negative, behind the second as no more than the way there, and it changes
    /// evenly in the third between. Without branches: where a stick points cannot be foretold.
    #[inline]
    fn turn_of(&self, around: f64) -> f64 {
        let ahead = around + if around < 0.0 { TAU } else { 0.0 };
        let falling = self.turn - (ahead - self.turn - self.third) * self.per_third;
        least(least(ahead, self.turn), greatest(falling, ahead - TAU))
    }
}

impl Arc {
    /// The turn at an angle, by what it counts.
    fn around(&self, angle: f64) -> f64 {
        self.turn_of(turn(self.from.angle, angle) * self.side) * self.per_radian
    }

    /// Angles at which that bends.
    fn bends(&self) -> [f64; 4] {
        let Self { turn, third, .. } = *self;
        [0.0, turn, turn + third, turn + 2.0 * third].map(|ahead| self.from.angle + self.side * ahead)
    }

    /// The least and the greatest of what changes evenly with the angle between bends.
    fn range_around(cell: &Cell, bends: &[f64], at: impl Fn(f64) -> f64) -> [f64; 2] {
        let (from, to) = (cell.min[1], cell.max[1]);
        let turned = bends.iter().flat_map(|bend| [-TAU, 0.0, TAU].map(|by| bend + by));
        let inside = turned.filter(|angle| (from..=to).contains(angle));
        let values = [from, to].into_iter().chain(inside).map(at);
        values.fold([f64::MAX, f64::MIN], |[min, max], x| [min.min(x), max.max(x)])
    }

    /// The least and the greatest of so much per metre outwards, and of a range around.
    fn range_with(&self, cell: &Cell, per_metre: f64, around: [f64; 2]) -> [f64; 2] {
        let radii = [cell.min[0], cell.max[0]];
        let [a, b] = radii.map(|radius| (radius - self.from.radius) * per_metre);
        let [near, far] = radii.map(|radius| (radius / self.least_radius).clamp(0.0, 1.0));
        let least = (near * around[0]).min(far * around[0]);
        let greatest = (near * around[1]).max(far * around[1]);
        [a.min(b) + least, a.max(b) + greatest]
    }
}

impl Pair for Arc {
    fn range(&self, cell: &Cell) -> [f64; 2] {
        let around = Self::range_around(cell, &self.bends(), |angle| self.around(angle));
        self.range_with(cell, self.per_metre, around)
    }

    fn is_at_most(&self, other: &Self, cell: &Cell) -> bool {
        let [[a, b, c, d], [e, f, g, h]] = [self.bends(), other.bends()];
        let more = |angle: f64| other.around(angle) - self.around(angle);
        let around = Self::range_around(cell, &[a, b, c, d, e, f, g, h], more);
        self.range_with(cell, other.per_metre - self.per_metre, around)[0] >= 0.0
    }

    /// A cell is narrower than a third of any way round, so that it has at most one bend. Where that is
    /// between falling and rising the further one counts, so both are asked.
    fn slopes(&self, pair: usize, cell: &Cell, slopes: &mut Vec<usize>) {
        if self.per_radian <= 0.0 {
            return slopes.push(pair * SLOPES.len());
        }
        let Self { turn, third, side, from, .. } = *self;
        for (index, (course, circle)) in SLOPES.into_iter().enumerate() {
            let [a, b] = [cell.min[1], cell.max[1]].map(|angle| circle + side * (angle - from.angle));
            let (first, last) = (a.min(b), a.max(b));
            let begins = -third;
            let turns = turn + 0.5 * third;
            let ends = turn + 2.0 * third;
            let middle = f64::midpoint(first, last);
            let is_here = match course {
                Course::Rises => last >= begins && middle < turns,
                Course::Falls => middle >= turns && first <= ends,
            };
            if is_here {
                slopes.push(pair * SLOPES.len() + index);
            }
        }
    }
}

impl Polar {
    pub(super) fn new(samples: &[[f32; 2]]) -> Self {
        let samples: Vec<_> = samples.iter().map(|place| sample(place.map(f64::from))).collect();
        let radii = samples.iter().filter(|sample| !sample.is_middle).map(|sample| sample.radius);
        let (least_radius, most_radius) =
            radii.fold((f64::MAX, 0.0_f64), |(min, max), radius| (min.min(radius), max.max(radius)));
        let mut arcs = Vec::new();
        for (from, a) in samples.iter().enumerate() {
            let others = samples.iter().enumerate().filter(|(to, _)| *to != from);
            let mut found: Vec<_> = others.map(|(_, b)| Arc::new(a, b, least_radius)).collect();
            found.sort_by(|a, b| a.length2.total_cmp(&b.length2));
            arcs.extend(found);
        }
        // A little beyond the outermost sample: sticks are pushed no further.
        let half_turn = PI + 1e-6;
        let bounds = Cell { min: [0.0, -half_turn], max: [1.25 * most_radius, half_turn] };
        let of_arc = |arc: &Arc| SLOPES.map(|(course, circle)| Slope::new(arc, course, circle));
        let slopes = arcs.iter().flat_map(of_arc).collect();
        let grid = Grid::new(bounds, 32, samples.len(), &arcs);
        Self { grid, samples, per_least_radius: 1.0 / least_radius, arcs, slopes }
    }

    pub(super) fn weigh(&self, at: [f64; 2], weights: &mut [f32]) {
        if self.samples.len() == 1 {
            weights[0] = 1.0;
            return;
        }
        let at = sample(at);
        let Some(cell) = self.grid.find([at.radius, at.angle]) else {
            return self.weigh_all(&at, weights);
        };
        let part = self.part(&at);
        self.grid.weigh(cell, |slope| self.slopes[slope].at(&at, part), weights);
    }

    /// How much of a direction there is: none in the middle.
    #[inline]
    fn part(&self, at: &Sample) -> f64 {
        least(at.radius * self.per_least_radius, 1.0)
    }

    /// The same by asking all.
    fn weigh_all(&self, at: &Sample, weights: &mut [f32]) {
        let part = self.part(at);
        let mut claims = [0.0_f64; MOST_SAMPLES];
        for ((claim, from), arcs) in
            claims.iter_mut().zip(&self.samples).zip(self.arcs.chunks_exact(self.samples.len() - 1))
        {
            let (metres, around) = (at.radius - from.radius, turn(from.angle, at.angle));
            *claim = 1.0;
            for arc in arcs {
                *claim = claim.min(1.0 - arc.along(metres, around, part));
                if *claim <= 0.0 {
                    break;
                }
            }
        }
        write_shares(&mut claims[..self.samples.len()], |claim| claim, weights);
    }
}

#[cfg(test)]
mod tests {
    use canter_testing::random::Random;

    use super::*;

    #[test]
    fn asking_those_who_matter_is_asking_all() {
        let mut random = Random(2);
        for count in [2, 3, 5, 12, 20] {
            for has_middle in [false, true] {
                let mut samples: Vec<_> =
                    (0..count).map(|_| [random.between(-2.0, 3.0), random.between(-1.0, 1.0)]).collect();
                if has_middle {
                    samples[0] = [0.0, 0.0];
                }
                let polar = Polar::new(&samples);
                for _ in 0..500 {
                    let at = [random.between(-3.0, 4.0), random.between(-2.0, 2.0)].map(f64::from);
                    let (mut few, mut all) = (vec![0.0; count], vec![0.0; count]);
                    polar.weigh(at, &mut few);
                    polar.weigh_all(&sample(at), &mut all);
                    let apart = few.iter().zip(&all).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                    assert!(apart <= 1e-7, "{apart} at {at:?} of {samples:?}");
                }
            }
        }
    }
}
