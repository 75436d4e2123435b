//! Samples on a plane by gradient bands of distance and direction from the middle, for clips that walk in
//! directions: between forward and left at full speed there is no standing.

use std::f64::consts::{PI, TAU};

use canter::math;

use super::{MOST_SAMPLES, write_shares};

/// How much a difference of direction counts beside one of distance, which is relative to the mean of both.
const PER_RADIAN: f64 = 2.0;

#[derive(Clone, Debug)]
pub(super) struct Polar {
    samples: Vec<Sample>,
    /// The shortest distance of a sample from the middle that is not in the middle itself.
    least_radius: f64,
    pairs: Vec<Pair>,
}

#[derive(Clone, Copy, Debug)]
struct Sample {
    radius: f64,
    angle: f64,
    is_middle: bool,
}

/// The way from one sample to another one.
#[derive(Clone, Copy, Debug)]
struct Pair {
    /// How far a metre outwards, and a radian towards the other one, are on it.
    per_metre: f64,
    per_radian: f64,
    /// Towards it, from -π to π, without its sign; 0 if one of them is in the middle.
    turn: f64,
    side: f64,
    /// A third of the other way round, and one over it.
    third: f64,
    per_third: f64,
    length2: f64,
}

fn sample(at: [f64; 2]) -> Sample {
    let radius = (at[0] * at[0] + at[1] * at[1]).sqrt();
    #[expect(clippy::cast_possible_truncation, reason = "the same function for samples and places")]
    let angle = f64::from(math::atan2(at[1] as f32, at[0] as f32));
    Sample { radius, angle, is_middle: radius <= 0.0 }
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

impl Pair {
    fn new(a: &Sample, b: &Sample) -> Self {
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
            per_third: third.recip(),
            length2,
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
    /// evenly in the third between.
    #[inline]
    fn turn_of(&self, around: f64) -> f64 {
        let ahead = if around < 0.0 { around + TAU } else { around };
        if ahead <= self.turn {
            return ahead;
        }
        let back = TAU - ahead;
        if back <= self.third {
            -back
        } else if back >= 2.0 * self.third {
            self.turn
        } else {
            (back - self.third) * self.per_third * (self.turn + self.third) - self.third
        }
    }
}

impl Polar {
    pub(super) fn new(samples: &[[f32; 2]]) -> Self {
        let samples: Vec<_> = samples.iter().map(|place| sample(place.map(f64::from))).collect();
        let radii = samples.iter().filter(|sample| !sample.is_middle).map(|sample| sample.radius);
        let least_radius = radii.fold(f64::MAX, f64::min);
        let mut pairs = Vec::new();
        for (from, a) in samples.iter().enumerate() {
            let others = samples.iter().enumerate().filter(|(to, _)| *to != from);
            let mut found: Vec<_> = others.map(|(_, b)| Pair::new(a, b)).collect();
            found.sort_by(|a, b| a.length2.total_cmp(&b.length2));
            pairs.extend(found);
        }
        Self { samples, least_radius, pairs }
    }

    pub(super) fn weigh(&self, at: [f64; 2], weights: &mut [f32]) {
        let others = self.samples.len() - 1;
        if others == 0 {
            weights[0] = 1.0;
            return;
        }
        let at = sample(at);
        // In the middle there is no direction.
        let part = (at.radius / self.least_radius).min(1.0);
        let mut claims = [0.0_f64; MOST_SAMPLES];
        for ((claim, from), pairs) in
            claims.iter_mut().zip(&self.samples).zip(self.pairs.chunks_exact(others))
        {
            let (metres, around) = (at.radius - from.radius, turn(from.angle, at.angle));
            *claim = 1.0;
            for pair in pairs {
                *claim = claim.min(1.0 - pair.along(metres, around, part));
                if *claim <= 0.0 {
                    break;
                }
            }
        }
        write_shares(&claims[..self.samples.len()], weights);
    }
}
