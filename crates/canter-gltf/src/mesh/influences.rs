//! Which joints move a vertex, and how much.

use canter::glam::Vec4;

use crate::count::count;
use crate::place::Place;
use crate::warning::{Report, WarningCode};

/// Four joints and their weights for each vertex.
///
/// Over all sets of a primitive, the weights of a vertex add up to one. A joint without weight is joint 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Influences {
    /// Places in the skin's list of joints.
    pub joints: Vec<[u16; 4]>,
    /// Weights from 0 to 1.
    pub weights: Vec<Vec4>,
}

impl Influences {
    /// Sums of weights that differ from one by less stay as they are: the file's own rounding.
    pub const SUM_TOLERANCE: f32 = 1e-4;

    /// The largest joint index in use.
    pub(crate) fn largest_joint(&self) -> Option<u16> {
        self.joints.iter().flatten().copied().max()
    }
}

/// Makes the weights of each vertex add up to one, and drops the sets that have none.
pub(super) fn clean(sets: &mut Vec<Influences>, place: &Place<'_>, report: &Report) {
    let vertices = sets.iter().map(|set| set.weights.len()).min().unwrap_or(0);
    let mut negative = 0_usize;
    for set in sets.iter_mut().filter(|set| has_negative(&set.weights)) {
        for weight in set.weights.iter_mut().filter(|weight| weight.min_element() < 0.0) {
            *weight = weight.max(Vec4::ZERO);
            negative += 1;
        }
    }
    if negative > 0 {
        report.warn(
            place,
            WarningCode::NegativeWeights,
            format_args!("negative weights of {} are read as 0", count(negative, "vertex")),
        );
    }

    let sum = |sets: &[Influences], vertex: usize| -> f32 {
        sets.iter().map(|set| set.weights[vertex].element_sum()).sum()
    };
    let off =
        (0..vertices).filter(|&vertex| (sum(sets, vertex) - 1.0).abs() > Influences::SUM_TOLERANCE).count();
    if off > 0 {
        let mut unbound = 0_usize;
        for vertex in 0..vertices {
            let sum = sum(sets, vertex);
            if sum > 0.0 && sum.is_finite() {
                // Dividing twice would round twice; a reciprocal would, too.
                sets.iter_mut().for_each(|set| set.weights[vertex] /= sum);
            } else {
                sets.iter_mut().for_each(|set| set.weights[vertex] = Vec4::ZERO);
                sets[0].weights[vertex] = Vec4::X;
                unbound += 1;
            }
        }
        let message = format!(
            "the weights of {off} of {} do not sum to one; they were normalised",
            count(vertices, "vertex")
        );
        match unbound {
            0 => report.warn(place, WarningCode::WeightSum, message),
            _ => report.warn(
                place,
                WarningCode::WeightSum,
                format!("{message} (without any weight {unbound}, which then follow the first joint)"),
            ),
        }
    }

    for set in sets.iter_mut() {
        let lanes: &[f32] = bytemuck::cast_slice(&set.weights);
        for (joint, weight) in set.joints.as_flattened_mut().iter_mut().zip(lanes) {
            // The file may have anything here, and a shader reads it. No branch: nobody can guess which are
            // 0.
            *joint = if *weight == 0.0 { 0 } else { *joint };
        }
    }
    sets.retain(|set| set.weights.iter().any(|weight| *weight != Vec4::ZERO));
}

/// Without an early end, so that many are looked at at once.
fn has_negative(weights: &[Vec4]) -> bool {
    let lanes: &[f32] = bytemuck::cast_slice(weights);
    lanes.iter().fold(false, |negative, lane| negative | (*lane < 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(joints: [u16; 4], weights: [f32; 4]) -> Influences {
        Influences { joints: vec![joints], weights: vec![weights.into()] }
    }

    fn cleaned(mut sets: Vec<Influences>) -> (Vec<Influences>, usize) {
        let report = Report::default();
        clean(&mut sets, &Place::Root, &report);
        (sets, report.into_warnings().len())
    }

    #[test]
    fn weights_that_sum_to_one_stay_bit_for_bit() {
        let weights = [0.3, 0.3, 0.4, 0.000_01];
        assert_eq!(cleaned(vec![set([1, 2, 3, 4], weights)]), (vec![set([1, 2, 3, 4], weights)], 0));
    }

    #[test]
    fn weights_are_normalised_over_all_sets() {
        let (sets, warnings) =
            cleaned(vec![set([1, 2, 0, 0], [1.0, 0.5, 0.0, 0.0]), set([3; 4], [0.5, 0.0, 0.0, 0.0])]);
        assert_eq!(
            sets,
            [set([1, 2, 0, 0], [0.5, 0.25, 0.0, 0.0]), set([3, 0, 0, 0], [0.25, 0.0, 0.0, 0.0])]
        );
        assert_eq!(warnings, 1);
    }

    #[test]
    fn sets_without_weight_are_dropped_and_idle_joints_cleared() {
        let (sets, warnings) = cleaned(vec![set([7, 9, 9, 9], [1.0, 0.0, 0.0, 0.0]), set([9; 4], [0.0; 4])]);
        assert_eq!((sets, warnings), (vec![set([7, 0, 0, 0], [1.0, 0.0, 0.0, 0.0])], 0));
    }

    #[test]
    fn a_vertex_without_weight_follows_its_first_joint() {
        let (sets, warnings) = cleaned(vec![set([5, 6, 7, 8], [0.0; 4])]);
        assert_eq!((sets, warnings), (vec![set([5, 0, 0, 0], [1.0, 0.0, 0.0, 0.0])], 1));
    }
}
