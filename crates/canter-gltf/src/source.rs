//! A file that is being loaded: what every step needs.

use crate::accessor::{Accessor, Accessors, Expected};
use crate::count::count;
use crate::error::Failure;
use crate::options::LoadOptions;
use crate::place::Place;
use crate::resolver::Resolver;
use crate::schema::{Document, Index};
use crate::warning::{Report, WarningCode};

/// The parsed file, its bytes, and where warnings go.
pub(crate) struct Source<'a> {
    pub(crate) document: &'a Document<'a>,
    pub(crate) accessors: Accessors<'a>,
    pub(crate) report: &'a Report,
    pub(crate) resolver: &'a dyn Resolver,
    pub(crate) options: &'a LoadOptions,
}

impl Source<'_> {
    /// The accessor at `index`, which `used_at` names, if it has one of the expected formats.
    pub(crate) fn accessor(
        &self,
        index: Index,
        expected: &Expected,
        used_at: &Place<'_>,
    ) -> Result<Accessor<'_>, Failure> {
        self.accessors.get(index, expected, used_at, self.report)
    }

    /// Rest weights for `targets` morph targets from a list of the file, which may be absent or of another
    /// length.
    pub(crate) fn morph_weights(
        &self,
        given: &[f32],
        targets: usize,
        place: &Place<'_>,
    ) -> Result<Vec<f32>, Failure> {
        self.accessors.budget.take(targets as u64 * 4, place)?;
        if !given.is_empty() && given.len() != targets {
            self.report.warn(
                place,
                WarningCode::MorphWeightCount,
                format_args!("{} for {}", count(given.len(), "weight"), count(targets, "morph target")),
            );
        }
        let mut weights = vec![0.0; targets];
        for (weight, &given) in weights.iter_mut().zip(given) {
            if !given.is_finite() {
                return Err(place.invalid("a number that is not finite", "finite numbers"));
            }
            *weight = given;
        }
        Ok(weights)
    }
}
