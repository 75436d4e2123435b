//! The vertices of a mesh and the joints that move them, as an envelope is fitted to them.

use std::collections::HashSet;

use canter::glam::{Mat4, Vec3};
use canter::{JointId, Mat3x4, Skeleton, Skin};
use canter_gltf::Primitive;

use super::Sample;

/// The vertices of all primitives of a mesh at a node.
#[derive(Debug)]
pub(crate) struct Vertices {
    pub(super) positions: Vec<Vec3>,
    /// Where the influences of each vertex end; they begin where those of the one before it end.
    ends: Vec<usize>,
    influences: Vec<(usize, f32)>,
    /// What each morph target adds, vertex by vertex.
    pub(super) targets: Vec<Vec<Vec3>>,
    pub(super) joints: Joints,
    /// All vertices follow a node.
    pub(super) is_rigid: bool,
}

/// The joints of a skin.
#[derive(Debug)]
pub(super) struct Joints {
    /// Which joint of the skeleton each is.
    pub(super) in_skeleton: Vec<usize>,
    pub(super) joint_from_mesh: Vec<Mat3x4>,
    /// Where each joint is in the mesh.
    pub(super) pivots: Vec<Vec3>,
    /// How many joints are above it.
    depths: Vec<u32>,
}

impl Vertices {
    /// Primitives that follow a skin.
    pub(crate) fn skinned<'a>(
        primitives: impl Iterator<Item = &'a Primitive>,
        skin: &Skin,
        skeleton: &Skeleton,
    ) -> Self {
        // Loading has checked joints; of what was built by hand, those beyond the skin count as its last one, as in every pose.
        let last = skin.len().saturating_sub(1);
        Self::new(primitives, Joints::of_skin(skin, skeleton), |primitive, vertex, influences| {
            let start = influences.len();
            for set in &primitive.influences {
                let pairs = set.joints[vertex].into_iter().zip(set.weights[vertex].to_array());
                influences.extend(
                    pairs
                        .map(|(joint, weight)| (usize::from(joint).min(last), weight))
                        .filter(|pair| pair.1 != 0.0),
                );
            }
            if influences.len() == start {
                influences.push((0, 0.0));
            }
        })
    }

    /// Primitives that follow a node, which is a joint of the skeleton.
    pub(crate) fn rigid<'a>(primitives: impl Iterator<Item = &'a Primitive>, node: JointId) -> Self {
        let joints = Joints {
            in_skeleton: vec![node.index()],
            joint_from_mesh: vec![Mat3x4::IDENTITY],
            pivots: vec![Vec3::ZERO],
            depths: vec![0],
        };
        let vertices = Self::new(primitives, joints, |_, _, influences| influences.push((0, 1.0)));
        Self { is_rigid: true, ..vertices }
    }

    fn new<'a>(
        primitives: impl Iterator<Item = &'a Primitive>,
        joints: Joints,
        influences_of: impl Fn(&Primitive, usize, &mut Vec<(usize, f32)>),
    ) -> Self {
        let mut all = Self {
            positions: Vec::new(),
            ends: Vec::new(),
            influences: Vec::new(),
            targets: Vec::new(),
            joints,
            is_rigid: false,
        };
        let mut seen = HashSet::new();
        for primitive in primitives {
            let start = all.positions.len();
            for (vertex, &position) in primitive.positions.iter().enumerate() {
                let first = all.influences.len();
                influences_of(primitive, vertex, &mut all.influences);
                // Vertices that differ in nothing that moves them are one here: seams have many of them.
                let bits = |number: f32| u64::from(number.to_bits());
                let key: Vec<_> = (all.influences[first..].iter())
                    .flat_map(|&(joint, weight)| [u64::try_from(joint).unwrap_or(u64::MAX), bits(weight)])
                    .chain(position.to_array().map(bits))
                    .collect();
                if primitive.targets.is_empty() && !seen.insert(key) {
                    all.influences.truncate(first);
                    continue;
                }
                all.positions.push(position);
                all.ends.push(all.influences.len());
            }
            for (index, target) in primitive.targets.iter().enumerate() {
                if all.targets.len() == index {
                    all.targets.push(vec![Vec3::ZERO; start]);
                }
                all.targets[index].extend(&target.positions);
            }
            for target in &mut all.targets {
                target.resize(all.positions.len(), Vec3::ZERO);
            }
        }
        all
    }

    pub(super) fn influences(&self, vertex: usize) -> &[(usize, f32)] {
        let start = vertex.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.influences[start..self.ends[vertex]]
    }

    /// The joint that moves a vertex most.
    pub(super) fn strongest(&self, vertex: usize) -> usize {
        let strongest = self.influences(vertex).iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
        strongest.map_or(0, |(joint, _)| joint)
    }

    /// Where a vertex is in the mesh when morph targets are added.
    pub(super) fn morphed(&self, vertex: usize, weights: &[f32]) -> Vec3 {
        let steps = self.targets.iter().zip(weights).map(|(steps, &weight)| steps[vertex] * weight);
        steps.fold(self.positions[vertex], |position, step| position + step)
    }

    /// Where a vertex is in a pose.
    pub(super) fn posed(&self, vertex: usize, pose: &Sample<'_>) -> Vec3 {
        let position = self.morphed(vertex, pose.morph_weights);
        self.influences(vertex).iter().fold(Vec3::ZERO, |sum, &(joint, weight)| {
            sum + pose.palette[joint].transform_point(position) * weight
        })
    }
}

impl Joints {
    fn of_skin(skin: &Skin, skeleton: &Skeleton) -> Self {
        let mut depths = vec![0; skeleton.joint_count()];
        for joint in skeleton.joints() {
            depths[joint.index()] = skeleton.parent(joint).map_or(0, |above| depths[above.index()] + 1);
        }
        let pivot = |joint_from_mesh: &Mat3x4| {
            let pivot = invert(joint_from_mesh.to_mat4()).transform_point3(Vec3::ZERO);
            if pivot.is_finite() { pivot } else { Vec3::ZERO }
        };
        Self {
            in_skeleton: skin.joints().iter().map(|joint| joint.index()).collect(),
            joint_from_mesh: skin.joint_from_mesh().to_vec(),
            pivots: skin.joint_from_mesh().iter().map(pivot).collect(),
            depths: skin.joints().iter().map(|joint| depths[joint.index()]).collect(),
        }
    }

    /// Where two joints agree if one is the other's parent and nothing but turns: at the lower one.
    pub(super) fn pivot_between(&self, a: usize, b: usize) -> Vec3 {
        self.pivots[if self.depths[a] >= self.depths[b] { a } else { b }]
    }
}

/// The inverse; all zeros or not finite where there is none.
fn invert(matrix: Mat4) -> Mat4 {
    if matrix.determinant() == 0.0 { Mat4::ZERO } else { matrix.inverse() }
}
