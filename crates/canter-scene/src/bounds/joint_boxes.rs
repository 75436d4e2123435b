//! One box per joint, around all vertices that the joint has weight on.
//!
//! A skinned vertex is a weighted mean of the places to which its joints would take it. So the box around all
//! boxes, each placed by its joint, contains it in every pose. What has no skin is in the box of its node.

use std::collections::BTreeMap;

use canter::glam::{Vec3, Vec4};
use canter::{Mat3x4, ModelPose, MorphId, Pose};
use canter_gltf::{Asset, Primitive};

use super::Bounds;
use super::kernel::{BoxGroup, LANES, LARGEST, Lanes, MorphRange, NO_BOX, box_of, union};
use crate::model::Part;

/// Room for rounding, relative to the numbers that are added up: a palette, a vertex with eight weights and a
/// placed box take some 40 roundings of half an epsilon each.
const ROUNDING: f32 = 64.0 * f32::EPSILON;
/// Weights whose sum is farther from 1 are divided by it when a vertex is posed; others are taken as is.
const SUM_TOLERANCE: f32 = 1e-3;

/// The boxes of some parts of a model.
#[derive(Debug)]
pub(crate) struct JointBoxes {
    groups: Vec<BoxGroup>,
    axes: Axes,
    /// How far outside vertices may be, relative to their distance from the origin: by rounding, and since
    /// weights do not quite sum to 1.
    slack: f32,
    /// The morph weights that matter.
    morphs: Vec<MorphId>,
    /// Some vertices are too far away to calculate with.
    is_unbounded: bool,
}

/// The axes along which boxes lie.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Axes {
    /// Those of each joint: boxes follow the model pose.
    Joints,
    /// Those of the mesh: boxes follow the palette.
    Mesh,
}

impl JointBoxes {
    pub(crate) fn new(asset: &Asset, parts: &[Part]) -> Self {
        let mut sum_error = 0.0;
        let mut drafts = |axes: Axes| {
            let mut drafts: BTreeMap<usize, Draft> = BTreeMap::new();
            sum_error = for_each_influence(asset, parts, axes, |influence| {
                drafts.entry(influence.matrix).or_default().add(influence);
            });
            (axes, drafts)
        };
        // The large boxes make the bounds large: the smaller volume in sum is the better choice.
        let volume = |(_, drafts): &(Axes, BTreeMap<usize, Draft>)| -> f32 {
            drafts.values().map(|draft| draft.bounds.size().element_product() * draft.volume_scale).sum()
        };
        let (joints, mesh) = (drafts(Axes::Joints), drafts(Axes::Mesh));
        let (axes, mut drafts) = if volume(&joints) < volume(&mesh) { joints } else { mesh };
        if drafts.values().any(|draft| !draft.morphs.is_empty()) {
            for_each_influence(asset, parts, axes, |influence| {
                drafts.entry(influence.matrix).or_default().add_morphed(influence);
            });
        }
        let mut morphs: Vec<_> =
            drafts.values().flat_map(|draft| draft.morphs.keys().map(|(morph, _)| *morph)).collect();
        morphs.sort_unstable();
        morphs.dedup();
        let matrix_count = match axes {
            Axes::Joints => asset.skeleton.joint_count(),
            Axes::Mesh => parts.iter().map(|part| part.palette.end).max().unwrap_or(0),
        };
        let is_unbounded = drafts.values().any(|draft| draft.is_unbounded);
        let groups = groups(&drafts, matrix_count);
        Self { groups, axes, slack: sum_error + ROUNDING, morphs, is_unbounded }
    }

    /// The box around all vertices in a pose.
    ///
    /// # Panics
    /// If something is of another model.
    pub(crate) fn bounds(&self, pose: &Pose, model_pose: &ModelPose, palette: &[Mat3x4]) -> Bounds {
        if self.is_unbounded {
            return Bounds::ALL;
        }
        let matrices = match self.axes {
            Axes::Joints => model_pose.joints(),
            Axes::Mesh => palette,
        };
        // Without an early end, so that many are looked at at once.
        let is_any = |weights: &[f32]| weights.iter().fold(false, |is_any, weight| is_any | (*weight != 0.0));
        let is_morphed = self.morphs.iter().any(|morph| is_any(pose.morph_weights(*morph)));
        union(&self.groups, matrices, is_morphed.then_some(pose), self.slack)
    }
}

/// A vertex and a joint that has weight on it.
struct Influence<'a> {
    part: &'a Part,
    primitive: &'a Primitive,
    vertex: usize,
    /// The matrix that the joint's box follows.
    matrix: usize,
    box_from_mesh: Mat3x4,
    /// How much larger than in the box a volume is relative to the joint.
    volume_scale: f32,
}

/// Returns the largest difference between a sum of weights and 1.
fn for_each_influence(
    asset: &Asset,
    parts: &[Part],
    axes: Axes,
    mut call: impl FnMut(&Influence<'_>),
) -> f32 {
    let mut sum_error = 0.0_f32;
    for part in parts {
        let primitive = &asset.meshes[part.mesh].primitives[part.primitive];
        let skin = part.skin.map(|skin| &asset.skins[skin]);
        for vertex in 0..primitive.positions.len() {
            let mut call = |joint: u16| {
                // As when vertices are posed: a joint beyond the skin counts as its last one.
                let index = usize::from(joint).min(part.palette.len().saturating_sub(1));
                let (joint, joint_from_mesh) = match skin {
                    Some(skin) => (skin.joints()[index], skin.joint_from_mesh()[index]),
                    None => (part.joint, Mat3x4::IDENTITY),
                };
                let (matrix, box_from_mesh, volume_scale) = match axes {
                    Axes::Joints => (joint.index(), joint_from_mesh, 1.0),
                    Axes::Mesh => {
                        let volume_scale = joint_from_mesh.to_mat4().determinant().abs();
                        (part.palette.start + index, Mat3x4::IDENTITY, volume_scale)
                    }
                };
                call(&Influence { part, primitive, vertex, matrix, box_from_mesh, volume_scale });
            };
            let sets = if skin.is_some() { &primitive.influences[..] } else { &[] };
            let sum: f32 = sets.iter().map(|set| set.weights[vertex].element_sum()).sum();
            if sum <= 0.0 || sum.is_nan() {
                call(sets.first().map_or(0, |set| set.joints[vertex][0]));
                continue;
            }
            for set in sets {
                let weights = set.joints[vertex].into_iter().zip(set.weights[vertex].to_array());
                weights.filter(|(_, weight)| *weight != 0.0).for_each(|(joint, _)| call(joint));
            }
            let error = (sum - 1.0).abs();
            sum_error = sum_error.max(if error <= SUM_TOLERANCE { error } else { 0.0 });
        }
    }
    sum_error
}

/// A box while vertices are added to it.
#[derive(Clone, Debug, Default)]
struct Draft {
    bounds: Bounds,
    volume_scale: f32,
    /// The largest sum of absolute numbers in a coordinate: rounding is relative to it.
    reach: Vec3,
    /// Whether that is too large to calculate with, or NaN.
    is_unbounded: bool,
    /// By morph target that moves some of it.
    morphs: BTreeMap<(MorphId, usize), Morphed>,
}

/// A box with a morph target of weight 1.
#[derive(Clone, Debug, Default)]
struct Morphed {
    bounds: Bounds,
    deltas: Bounds,
    /// Of the deltas, as in [`Draft`].
    reach: Vec3,
}

impl Draft {
    fn add(&mut self, influence: &Influence<'_>) {
        let &Influence { primitive, vertex, .. } = influence;
        let (point, reach) = product(&influence.box_from_mesh, primitive.positions[vertex].extend(1.0));
        self.bounds = self.bounds.with(point);
        self.volume_scale = influence.volume_scale;
        self.reach = self.reach.max(reach);
        self.is_unbounded |= !reach.cmple(Vec3::splat(LARGEST)).all();
        for (target, deltas) in primitive.targets.iter().enumerate() {
            if let (Some(morph), Some(&delta)) = (influence.part.morph, deltas.positions.get(vertex))
                && delta != Vec3::ZERO
            {
                self.morphs.entry((morph, target)).or_default();
            }
        }
    }

    /// Adds a vertex to the boxes of morph targets.
    fn add_morphed(&mut self, influence: &Influence<'_>) {
        let &Influence { part, primitive, vertex, .. } = influence;
        let (point, _) = product(&influence.box_from_mesh, primitive.positions[vertex].extend(1.0));
        for (&(morph, target), morphed) in &mut self.morphs {
            let target = primitive.targets.get(target).filter(|_| part.morph == Some(morph));
            let delta = target.and_then(|target| target.positions.get(vertex)).copied().unwrap_or_default();
            let (delta, reach) = product(&influence.box_from_mesh, delta.extend(0.0));
            morphed.bounds = morphed.bounds.with(point + delta);
            morphed.deltas = morphed.deltas.with(delta);
            morphed.reach = morphed.reach.max(reach);
            self.is_unbounded |= !reach.cmple(Vec3::splat(LARGEST)).all();
        }
    }

    /// How far a target moves the faces of the box, and its deltas; all zero if it moves nothing.
    fn morphed(&self, target: &(MorphId, usize)) -> [Bounds; 2] {
        let Some(Morphed { bounds, deltas, reach }) = self.morphs.get(target) else {
            return [Bounds::EMPTY.with(Vec3::ZERO); 2];
        };
        let faces = Bounds { min: bounds.min - self.bounds.min, max: bounds.max - self.bounds.max };
        let room = reach * ROUNDING;
        [faces, *deltas].map(|range| Bounds { min: range.min - room, max: range.max + room })
    }
}

/// A matrix times a vector, and the same of absolute numbers.
fn product(matrix: &Mat3x4, vector: Vec4) -> (Vec3, Vec3) {
    let rows = matrix.rows.map(Vec4::from_array);
    (rows.map(|row| row.dot(vector)).into(), rows.map(|row| row.abs().dot(vector.abs())).into())
}

/// The boxes in lanes, by the matrices that they follow.
fn groups(drafts: &BTreeMap<usize, Draft>, matrix_count: usize) -> Vec<BoxGroup> {
    let mut groups: Vec<BoxGroup> = Vec::new();
    for &matrix in drafts.keys() {
        if groups.last().is_none_or(|group| group.first + LANES <= matrix) {
            groups.push(group(drafts, matrix.min(matrix_count.saturating_sub(LANES))));
        }
    }
    groups
}

fn group(drafts: &BTreeMap<usize, Draft>, first: usize) -> BoxGroup {
    let lanes = |of: &dyn Fn(&Draft) -> Vec3, other: Vec3| -> Lanes {
        let vector = |lane, result| drafts.get(&(first + box_of(lane, result))).map_or(other, of);
        let number = |lane, row: usize| vector(lane, row / 3)[row % 3];
        std::array::from_fn(|row| std::array::from_fn(|lane| number(lane, row)))
    };
    let in_group = drafts.range(first..first + LANES);
    let mut targets: Vec<_> = in_group.flat_map(|(_, draft)| draft.morphs.keys().copied()).collect();
    targets.sort_unstable();
    targets.dedup();
    let range = |of: (MorphId, usize)| MorphRange {
        face_min: lanes(&|draft| draft.morphed(&of)[0].min, Vec3::ZERO),
        face_max: lanes(&|draft| draft.morphed(&of)[0].max, Vec3::ZERO),
        delta_min: lanes(&|draft| draft.morphed(&of)[1].min, Vec3::ZERO),
        delta_max: lanes(&|draft| draft.morphed(&of)[1].max, Vec3::ZERO),
        morph: of.0,
        target: of.1,
    };
    BoxGroup {
        center: lanes(&|draft| draft.bounds.center(), Vec3::ZERO),
        half: lanes(&|draft| draft.bounds.half_size() + draft.reach * ROUNDING, Vec3::splat(NO_BOX)),
        first,
        morphs: targets.into_iter().map(range).collect(),
    }
}
