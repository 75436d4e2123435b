//! What morph targets do to boxes.

use canter::Mat3x4;
use canter::glam::{Vec3, Vec4};
use fearless_simd::Simd;

use super::blend::Blend;
use super::blends::Blends;
use super::corners::Corners;
use super::octets::Octets;
use super::{JointBox, Region};

/// How an envelope is calculated while something is morphed: what no target reaches as ever, the rest one by one.
#[derive(Clone, Debug, Default)]
pub(super) struct Morphs {
    pub(super) still_boxes: Octets,
    pub(super) still_blends: Blends,
    boxes: Vec<(JointBox, Vec<Swelling>)>,
    blends: Vec<(Blend, Vec<Swelling>)>,
}

/// What a morph target at full weight adds to the positions of a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swelling {
    pub(super) target: usize,
    pub(super) region: Region,
    /// The longest step along each axis.
    pub(super) reach: Vec3,
}

impl Morphs {
    pub(super) fn new(boxes: Vec<(JointBox, Vec<Swelling>)>, blends: Vec<(Blend, Vec<Swelling>)>) -> Self {
        let (still_boxes, boxes): (Vec<_>, Vec<_>) =
            boxes.into_iter().partition(|(_, swellings)| swellings.is_empty());
        let (still_blends, blends): (Vec<_>, Vec<_>) =
            blends.into_iter().partition(|(_, swellings)| swellings.is_empty());
        Self {
            still_boxes: Octets::new(&still_boxes.iter().map(|(part, _)| *part).collect::<Vec<_>>()),
            still_blends: Blends::new(still_blends.into_iter().map(|(blend, _)| blend).collect()),
            boxes,
            blends,
        }
    }

    /// These, if a weight matters.
    #[inline(always)]
    pub(super) fn in_use(&self, weights: &[f32]) -> Option<&Self> {
        let is_morphed =
            !(self.boxes.is_empty() && self.blends.is_empty()) && weights.iter().any(|weight| *weight != 0.0);
        is_morphed.then_some(self)
    }

    /// The box around a box and all boxes that targets reach.
    #[inline(always)]
    pub(super) fn add_boxes_to<S: Simd>(
        &self,
        simd: S,
        corners: Corners<S>,
        joints: &[Mat3x4],
        weights: &[f32],
    ) -> Corners<S> {
        let mut corners = corners;
        for (part, swellings) in &self.boxes {
            let (swollen, _) = swell(swellings, weights);
            corners = corners.union(Corners::under(simd, &part.region.plus(swollen), &joints[part.joint]));
        }
        corners
    }

    /// The box around a box and all blends that targets reach.
    #[inline(always)]
    pub(super) fn add_blends_to<S: Simd>(
        &self,
        simd: S,
        corners: Corners<S>,
        palette: &[Mat3x4],
        weights: &[f32],
    ) -> Corners<S> {
        let mut corners = corners;
        for (blend, swellings) in &self.blends {
            let (swollen, reach) = swell(swellings, weights);
            corners = corners.union(Corners::of(simd, &blend.under(palette, swollen, reach)));
        }
        corners
    }
}

/// What the morph targets add to a box, and how far they take any of its vertices.
#[inline(always)]
pub(super) fn swell(swellings: &[Swelling], weights: &[f32]) -> (Region, Vec3) {
    let (mut center, mut half) = (Vec4::ZERO, Vec4::ZERO);
    let mut reach = Vec3::ZERO;
    for swelling in swellings {
        let weight = weights.get(swelling.target).copied().unwrap_or(0.0);
        if weight != 0.0 {
            center += swelling.region.center * weight;
            half += swelling.region.half * weight.abs();
            reach += swelling.reach * weight.abs();
        }
    }
    (Region { center, half }, reach)
}

#[cfg(test)]
mod tests {
    use super::super::made_up::{bent, bounds_in, chain, numbers};
    use super::super::{Sample, fit};
    use super::*;
    use crate::bounds::Bounds;

    /// Targets that move some vertices of the last of three joints, where boxes alone do and where they do not.
    #[test]
    fn vertices_stay_inside_when_targets_move_some_of_them() {
        let (mut outside_without, mut in_blends) = (0, 0);
        for seed in 0..60 {
            let mut next = numbers(seed);
            let smear = if seed % 2 == 0 { 0.0 } else { 1.0 };
            let vertices: Vec<_> = (0..60)
                .map(|number| {
                    let mut weights = [0.0; 3];
                    weights[number % 3] = 1.0;
                    let weights = weights.map(|weight| weight + next().abs() * smear);
                    let sum: f32 = weights.iter().sum();
                    let place = Vec3::new((number % 3) as f32 + next() * 0.5, next(), next());
                    (place, weights.map(|weight| weight / sum).to_vec())
                })
                .collect();
            let mut vertices = chain(&vertices);
            let mut target = || {
                let step = |vertex: usize| {
                    if vertex % 6 == 5 { Vec3::new(next(), next(), next()) } else { Vec3::ZERO }
                };
                (0..60).map(step).collect()
            };
            vertices.targets = vec![target(), target()];
            let palettes: Vec<Vec<Mat3x4>> = (0..20).map(|_| bent(&vertices, &mut next, 0.0)).collect();
            let pose = |palette| Sample { joints: palette, palette, morph_weights: &[] };
            let poses: Vec<_> = palettes.iter().map(|palette| pose(&palette[..])).collect();
            let envelope = fit(vertices.clone(), &poses);
            in_blends += envelope.morphs.blends.len();
            for number in 0..40 {
                let palette = bent(&vertices, &mut next, 0.0);
                let weights = [next() * 2.0, if number % 2 == 0 { 0.0 } else { next() * 2.0 }];
                let pose = Sample { joints: &palette, palette: &palette, morph_weights: &weights };
                let places = (0..60).map(|vertex| vertices.posed(vertex, &pose));
                let truth = Bounds::around(places);
                let is_in = |pose: Sample<'_>| {
                    let bounds = bounds_in(&envelope, &pose);
                    bounds.contains(truth.min) && bounds.contains(truth.max)
                };
                assert!(is_in(pose), "{seed}, {number}");
                outside_without += usize::from(!is_in(Sample { morph_weights: &[0.0, 0.0], ..pose }));
            }
        }
        assert!(
            outside_without > 100 && in_blends > 10,
            "outside without the targets: {outside_without}, blends that they reach: {in_blends}"
        );
    }
}
