//! The keys of a sampler: times, and values for each of them.

use canter::{FloatText, Interpolation, Track};

use crate::accessor::{Component, Expected, Kind};
use crate::count::count;
use crate::error::Failure;
use crate::place::Place;
use crate::schema::animation::Sampler;
use crate::source::Source;
use crate::warning::WarningCode;

const TIMES: Expected = Expected { kinds: &[Kind::Scalar], components: &[Component::F32], normalized: None };

/// Times before 0 by less than this are an exporter's rounding.
const NEGATIVE_TOLERANCE_SECS: f32 = 1e-3;

pub(super) struct Keys<'a> {
    source: &'a Source<'a>,
    pub(super) sampler: &'a Sampler<'a>,
    /// The place of the samplers, and which of them it is.
    place: (Place<'a>, usize),
    /// Several channels may share a sampler; what is odd about it is told once.
    pub(super) is_first_use: bool,
    pub(super) interpolation: Interpolation,
    pub(super) times: Vec<f32>,
}

impl<'a> Keys<'a> {
    /// Without times yet.
    pub(super) fn new(
        source: &'a Source<'a>,
        sampler: &'a Sampler<'a>,
        place: (Place<'a>, usize),
        is_first_use: bool,
    ) -> Result<Self, Failure> {
        let interpolation = match sampler.interpolation.as_ref().map_or("LINEAR", |name| name.0.as_ref()) {
            "LINEAR" => Interpolation::Linear,
            "STEP" => Interpolation::Step,
            "CUBICSPLINE" => Interpolation::CubicSpline,
            other => {
                let place = place.0.item(place.1);
                let expected = "LINEAR, STEP or CUBICSPLINE";
                return Err(place.field("interpolation").invalid(format_args!("\"{other}\""), expected));
            }
        };
        Ok(Self { source, sampler, place, is_first_use, interpolation, times: Vec::new() })
    }

    /// With tangents a key has three values.
    pub(super) fn values_per_key(&self) -> usize {
        if self.interpolation == Interpolation::CubicSpline { 3 } else { 1 }
    }

    pub(super) fn into_track(self, numbers: Vec<f32>) -> Track<f32> {
        Track::new(self.interpolation, self.times, numbers)
    }

    /// Says something about the values.
    pub(super) fn warn(&self, code: WarningCode, message: &str) {
        if self.is_first_use {
            let place = self.place.0.item(self.place.1);
            self.source.report.warn(&place.field("output"), code, message);
        }
    }

    /// The times of the keys: finite, not negative, not descending.
    pub(super) fn read_times(&self) -> Result<Vec<f32>, Failure> {
        let place = self.place.0.item(self.place.1);
        let place = &place.field("input");
        let report = self.source.report;
        let mut times: Vec<f32> = self.source.accessor(self.sampler.input, &TIMES, place)?.floats(place)?;
        let (mut before, mut rounded, mut jumps) = (0.0, false, 0_usize);
        for (key, time) in times.iter_mut().enumerate() {
            if *time < 0.0 {
                if *time < -NEGATIVE_TOLERANCE_SECS {
                    let found = format_args!("{} s at key {key}", FloatText((*time).into()));
                    return Err(place.invalid(found, "times from 0"));
                }
                rounded = true;
                *time = 0.0;
            }
            if *time < before {
                return Err(place.invalid(
                    format_args!(
                        "{} s at key {key}, after {} s",
                        FloatText((*time).into()),
                        FloatText(before.into())
                    ),
                    "ascending times",
                ));
            }
            jumps += usize::from(key > 0 && *time == before);
            before = *time;
        }
        if self.is_first_use && rounded {
            report.warn(place, WarningCode::NegativeTimes, "times a little before 0 are read as 0");
        }
        if self.is_first_use && jumps > 0 {
            report.warn(
                place,
                WarningCode::EqualTimes,
                format_args!("at the time of the key before: {}; the value jumps", count(jumps, "key")),
            );
        }
        Ok(times)
    }

    /// The numbers of all values, one after another, where a value is `elements` of the accessor.
    pub(super) fn numbers(&self, expected: &Expected, elements: usize) -> Result<Vec<f32>, Failure> {
        let place = self.place.0.item(self.place.1);
        let place = &place.field("output");
        let needed = self.times.len() * self.values_per_key() * elements;
        let accessor = self.source.accessor(self.sampler.output, expected, place)?;
        if accessor.count < needed {
            let expected = format_args!("{needed} for the keys of the sampler's input");
            return Err(place.invalid(count(accessor.count, "value"), expected));
        }
        if accessor.count > needed {
            let values = count(accessor.count, "value");
            let message = format_args!("{values} where {needed} would do; the rest is ignored");
            self.source.report.warn(place, WarningCode::SurplusValues, message);
        }
        let mut numbers = accessor.floats(place)?;
        numbers.truncate(needed * accessor.format.kind.lanes());
        Ok(numbers)
    }
}
