//! One box per joint, around all vertices that the joint has weight on.
//!
//! A skinned vertex is a weighted mean of the places to which its joints would take it. So the box around all boxes,
//! each placed by its joint, contains it in every pose. What has no skin is in the box of its node.

use std::collections::BTreeMap;

use canter::glam::{Vec3, Vec4};
use canter::{Mat3x4, ModelPose, MorphId, Pose};
use canter_gltf::{Asset, Primitive};

use super::Bounds;
use super::kernel::{BoxGroup, BoxLanes, LANES, LARGEST, Lanes, MorphRange, NO_BOX, row_of, union};
use crate::model::Part;

/// Room for rounding, relative to the numbers that are added up: a palette, a vertex with eight weights and a placed box take
/// some 40 roundings of half an epsilon each.
const ROUNDING: f32 = 64.0 * f32::EPSILON;
/// Weights whose sum is farther from 1 are divided by it when a vertex is posed; others are taken as they are.
const SUM_TOLERANCE: f32 = 1e-3;

/// The boxes of some parts of a model.
#[derive(Debug)]
pub(crate) struct JointBoxes {
    groups: Vec<BoxGroup>,
    axes: Axes,
    /// How far outside vertices may be, relative to their distance from the origin, since weights do not quite sum to 1.
    slack: f32,
    /// The morph weights that matter.
    morphs: Vec<MorphId>,
    /// Some vertices are too far away to calculate with.
    is_unbounded: bool,
}

impl JointBoxes {
    pub(crate) fn new(asset: &Asset, parts: &[Part]) -> Self {
        let axes = Axes::of_smaller_boxes(asset, parts);
        let mut drafts: BTreeMap<usize, Draft> = BTreeMap::new();
        let sum_error = for_each_influence(asset, parts, |influence| {
            drafts.entry(axes.matrix(influence)).or_insert(Draft::EMPTY).add(influence, axes);
        });
        if drafts.values().any(|draft| !draft.morphs.is_empty()) {
            for_each_influence(asset, parts, |influence| {
                drafts.entry(axes.matrix(influence)).or_insert(Draft::EMPTY).add_morphed(influence, axes);
            });
        }
        let mut morphs: Vec<_> =
            drafts.values().flat_map(|draft| draft.morphs.keys().map(|(morph, _)| *morph)).collect();
        morphs.sort_unstable();
        morphs.dedup();
        Self {
            is_unbounded: drafts.values().any(|draft| draft.is_unbounded),
            groups: groups(&drafts, axes.matrix_count(asset, parts)),
            axes,
            slack: sum_error + ROUNDING,
            morphs,
        }
    }

    /// The box around all vertices in a pose.
    ///
    /// # Panics
    /// If something is of another model.
    pub(crate) fn bounds(&self, pose: &Pose, model_pose: &ModelPose, palette: &[Mat3x4]) -> Bounds {
        let matrices = match self.axes {
            Axes::Joints => model_pose.joints(),
            Axes::Mesh => palette,
        };
        // Without an early end, many are looked at at once.
        let is_any = |weights: &[f32]| weights.iter().fold(false, |is_any, weight| is_any | (*weight != 0.0));
        let is_morphed = self.morphs.iter().any(|morph| is_any(pose.morph_weights(*morph)));
        if self.is_unbounded {
            return Bounds::ALL;
        }
        union(&self.groups, matrices, is_morphed.then_some(pose), self.slack)
    }
}

/// The axes along which boxes lie.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Axes {
    /// Those of each joint: boxes follow the model pose.
    Joints,
    /// Those of the mesh: boxes follow the palette.
    Mesh,
}

impl Axes {
    /// Volumes are compared in sum: it is the large boxes that make the bounds large.
    fn of_smaller_boxes(asset: &Asset, parts: &[Part]) -> Self {
        let mut boxes: BTreeMap<usize, [Bounds; 2]> = BTreeMap::new();
        let mut scales: BTreeMap<usize, Vec3> = BTreeMap::new();
        for_each_influence(asset, parts, |influence| {
            let both = boxes.entry(influence.place).or_insert([Bounds::EMPTY; 2]);
            let position = influence.primitive.positions[influence.vertex];
            both[0] = both[0].with(influence.joint_from_mesh.transform_point(position));
            both[1] = both[1].with(position);
            scales.entry(influence.place).or_insert_with(|| {
                let matrix = influence.joint_from_mesh.to_mat4();
                Vec3::new(matrix.x_axis.length(), matrix.y_axis.length(), matrix.z_axis.length())
            });
        });
        let volume = |size: Vec3| size.element_product();
        let along_joints: f32 = boxes.values().map(|both| volume(both[0].size())).sum();
        let along_mesh: f32 =
            boxes.values().zip(scales.values()).map(|(both, scale)| volume(both[1].size() * scale)).sum();
        if along_joints < along_mesh { Self::Joints } else { Self::Mesh }
    }

    fn matrix(self, influence: &Influence<'_>) -> usize {
        match self {
            Self::Joints => influence.joint,
            Self::Mesh => influence.place,
        }
    }

    fn matrix_count(self, asset: &Asset, parts: &[Part]) -> usize {
        match self {
            Self::Joints => asset.skeleton.joint_count(),
            Self::Mesh => parts.iter().map(|part| part.palette.end).max().unwrap_or(0),
        }
    }

    fn box_from_mesh(self, influence: &Influence<'_>) -> Mat3x4 {
        match self {
            Self::Joints => influence.joint_from_mesh,
            Self::Mesh => Mat3x4::IDENTITY,
        }
    }
}

/// A vertex and a joint that has weight on it.
struct Influence<'a> {
    part: &'a Part,
    primitive: &'a Primitive,
    vertex: usize,
    /// Of the joint in the palette.
    place: usize,
    /// Of the joint in the skeleton.
    joint: usize,
    joint_from_mesh: Mat3x4,
}

/// Returns the largest difference between a sum of weights and 1.
fn for_each_influence(asset: &Asset, parts: &[Part], mut call: impl FnMut(&Influence<'_>)) -> f32 {
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
                let (place, joint) = (part.palette.start + index, joint.index());
                call(&Influence { part, primitive, vertex, place, joint, joint_from_mesh });
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
#[derive(Clone, Debug)]
struct Draft {
    bounds: Bounds,
    /// The largest sum of absolute numbers in a coordinate: rounding is relative to it.
    reach: Vec3,
    /// Whether that is too large to calculate with, or NaN.
    is_unbounded: bool,
    /// The box while a morph target that moves some of it has a weight of 1, the range of deltas, and their reach.
    morphs: BTreeMap<(MorphId, usize), (Bounds, Bounds, Vec3)>,
}

impl Draft {
    const EMPTY: Self =
        Self { bounds: Bounds::EMPTY, reach: Vec3::ZERO, is_unbounded: false, morphs: BTreeMap::new() };

    fn add(&mut self, influence: &Influence<'_>, axes: Axes) {
        let &Influence { primitive, vertex, .. } = influence;
        let (point, reach) = product(&axes.box_from_mesh(influence), primitive.positions[vertex].extend(1.0));
        self.bounds = self.bounds.with(point);
        self.reach = self.reach.max(reach);
        self.is_unbounded |= !reach.cmple(Vec3::splat(LARGEST)).all();
        for (target, deltas) in primitive.targets.iter().enumerate() {
            if let (Some(morph), Some(&delta)) = (influence.part.morph, deltas.positions.get(vertex))
                && delta != Vec3::ZERO
            {
                let still = (Bounds::EMPTY, Bounds::EMPTY, Vec3::ZERO);
                self.morphs.entry((morph, target)).or_insert(still);
            }
        }
    }

    /// Adds a vertex as the targets move it that move some of the box.
    fn add_morphed(&mut self, influence: &Influence<'_>, axes: Axes) {
        let &Influence { part, primitive, vertex, .. } = influence;
        let box_from_mesh = axes.box_from_mesh(influence);
        let (point, _) = product(&box_from_mesh, primitive.positions[vertex].extend(1.0));
        for (&(morph, target), (bounds, deltas, reach)) in &mut self.morphs {
            let of_target = primitive.targets.get(target).filter(|_| part.morph == Some(morph));
            let delta =
                of_target.and_then(|target| target.positions.get(vertex)).copied().unwrap_or(Vec3::ZERO);
            let (delta, delta_reach) = product(&box_from_mesh, delta.extend(0.0));
            *bounds = bounds.with(point + delta);
            *deltas = deltas.with(delta);
            *reach = reach.max(delta_reach);
            self.is_unbounded |= !delta_reach.cmple(Vec3::splat(LARGEST)).all();
        }
    }

    /// How far a target moves the faces of the box, and its deltas; all zero if it moves nothing.
    fn morphed(&self, target: &(MorphId, usize)) -> [Bounds; 2] {
        let Some((bounds, deltas, reach)) = self.morphs.get(target) else {
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
        std::array::from_fn(|result| {
            let draft = |lane| drafts.get(&(first + row_of(result, lane).0));
            let vectors: [Vec3; LANES] = std::array::from_fn(|lane| draft(lane).map_or(other, of));
            [0, 1, 2].map(|coordinate| vectors.map(|vector| vector[coordinate]))
        })
    };
    let boxes = BoxLanes {
        center: lanes(&|draft| draft.bounds.center(), Vec3::ZERO),
        half: lanes(&|draft| draft.bounds.half_size() + draft.reach * ROUNDING, Vec3::splat(NO_BOX)),
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
    BoxGroup { boxes, first, morphs: targets.into_iter().map(range).collect() }
}
