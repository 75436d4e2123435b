//! Blend spaces: from a place to the weights of samples.
//!
//! Whatever the method, weights are exact at samples, add up to one, and change without jumps.

mod angle;
mod bands;
mod grid;
mod hull;
mod line;
mod polar;
mod triangles;

use bands::Bands;
use line::Line;
use polar::Polar;
use triangles::Triangles;

use crate::data::MethodData;

/// So many samples a space has at most: their weights are found without memory of their own.
pub const MOST_SAMPLES: usize = 64;

/// Less of a weight is nothing: rounding leaves that of a sum.
const SMALLEST: f64 = 1e-9;

/// Samples on a line or a plane, ready to be asked for their weights.
#[derive(Clone, Debug)]
pub struct Space {
    samples: Vec<[f32; 2]>,
    method: Method,
    extent: f32,
}

#[derive(Clone, Debug)]
enum Method {
    Line(Line),
    Triangles(Triangles),
    Bands(Bands),
    Polar(Polar),
}

/// Samples cannot make a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpaceError {
    /// There are none, or more than [`MOST_SAMPLES`].
    Count(usize),
    /// The place of a sample is not finite, or beyond 10¹⁸.
    Place(usize),
    /// Two samples are at one place, or so near that nothing lies between them.
    Same(usize, usize),
}

impl Space {
    /// Samples along a line, in any order.
    ///
    /// # Errors
    /// If there are none or too many, or two at one place.
    pub fn line(places: &[f32]) -> Result<Self, SpaceError> {
        let samples: Vec<_> = places.iter().map(|place| [*place, 0.0]).collect();
        check(&samples)?;
        Ok(Self {
            method: Method::Line(Line::new(places.iter().copied())),
            extent: extent(&samples),
            samples,
        })
    }

    /// Samples on a plane.
    ///
    /// # Errors
    /// If there are none or too many, or two at one place.
    pub fn plane(samples: &[[f32; 2]], method: MethodData) -> Result<Self, SpaceError> {
        check(samples)?;
        let method = match method {
            MethodData::Triangles => Method::Triangles(Triangles::new(samples)),
            MethodData::Cartesian => Method::Bands(Bands::new(samples)),
            MethodData::Directional => Method::Polar(Polar::new(samples)),
        };
        Ok(Self { samples: samples.to_vec(), method, extent: extent(samples) })
    }

    /// Where its samples are; on a line the second numbers are 0.
    #[must_use]
    pub fn samples(&self) -> &[[f32; 2]] {
        &self.samples
    }

    /// Its triangles, by the numbers of samples, if it has any.
    #[must_use]
    pub fn triangles(&self) -> &[[u8; 3]] {
        match &self.method {
            Method::Triangles(triangles) => triangles.corners(),
            _ => &[],
        }
    }

    /// Writes the weight of every sample at a place. Outside of the samples it is that of the nearest place
    /// between them; by direction, that of the nearest distance.
    ///
    /// # Panics
    /// If there are not as many weights as samples.
    pub fn weigh(&self, at: [f32; 2], weights: &mut [f32]) {
        assert_eq!(weights.len(), self.samples.len(), "as many weights as samples");
        // Far outside nothing changes any more, and squares stay finite.
        let at = at.map(|x| if x.is_finite() { f64::from(x).clamp(-1e18, 1e18) } else { 0.0 });
        weights.fill(0.0);
        match &self.method {
            Method::Line(line) => line.weigh(at[0], weights),
            Method::Triangles(triangles) => triangles.weigh(at, weights),
            Method::Bands(bands) => bands.weigh(at, weights),
            Method::Polar(polar) => polar.weigh(at, weights),
        }
    }

    /// The longest way between two samples along one axis: what a change of place is measured by.
    pub(crate) fn extent(&self) -> f32 {
        self.extent
    }
}

fn extent(samples: &[[f32; 2]]) -> f32 {
    let along = |axis: usize| {
        let places = samples.iter().map(|sample| sample[axis]);
        let (min, max) = places.fold((f32::MAX, f32::MIN), |(min, max), x| (min.min(x), max.max(x)));
        max - min
    };
    along(0).max(along(1))
}

fn check(samples: &[[f32; 2]]) -> Result<(), SpaceError> {
    if samples.is_empty() || samples.len() > MOST_SAMPLES {
        return Err(SpaceError::Count(samples.len()));
    }
    let is_place = |sample: &[f32; 2]| sample.iter().all(|x| x.abs() <= 1e18);
    if let Some(wrong) = samples.iter().position(|sample| !is_place(sample)) {
        return Err(SpaceError::Place(wrong));
    }
    let largest = samples.iter().flatten().fold(0.0_f32, |largest, x| largest.max(x.abs()));
    for (second, b) in samples.iter().enumerate() {
        let is_near = |a: &[f32; 2]| (a[0] - b[0]).abs().max((a[1] - b[1]).abs()) <= 1e-6 * largest;
        if let Some(first) = samples[..second].iter().position(is_near) {
            return Err(SpaceError::Same(first, second));
        }
    }
    Ok(())
}

/// Of two numbers that are none of them NaN: one instruction, which `f64::min` is not.
#[inline]
fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// As [`least`].
#[inline]
fn greatest(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Divides what samples claim by its sum; `sample` says which of them each claim is of. Where nobody claims
/// anything, the first one has it all.
#[inline]
fn write_shares(claims: &mut [f64], sample: impl Fn(usize) -> usize, weights: &mut [f32]) {
    let mut sum = 0.0;
    for claim in &mut *claims {
        *claim = if *claim >= SMALLEST { *claim } else { 0.0 };
        sum += *claim;
    }
    if sum < SMALLEST {
        weights[0] = 1.0;
        return;
    }
    let per_claim = 1.0 / sum;
    for (index, claim) in claims.iter().enumerate() {
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
        let share = (claim * per_claim) as f32;
        weights[sample(index)] = share;
    }
}
