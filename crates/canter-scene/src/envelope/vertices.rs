//! The vertices of a mesh and the joints that move them, as an envelope is fitted to them.

use std::collections::{BTreeMap, HashSet};

use canter::glam::{Mat4, Vec3};
use canter::{JointId, Mat3x4, Skeleton, Skin};
use canter_gltf::Primitive;

use super::Sample;

/// The vertices of all primitives of a mesh at a node.
#[derive(Clone, Debug)]
pub(crate) struct Vertices {
    pub(super) positions: Vec<Vec3>,
    /// Where the influences of each vertex end; they begin where those of the one before it end.
    pub(super) ends: Vec<usize>,
    pub(super) influences: Vec<(usize, f32)>,
    /// What each morph target adds, vertex by vertex.
    pub(super) targets: Vec<Vec<Vec3>>,
    pub(super) joints: Joints,
    /// All vertices follow a node.
    pub(super) is_rigid: bool,
    /// What joints get instead of the vertex itself, by vertex and joint. See [`shares`](super::shares).
    pub(super) shares: BTreeMap<(usize, usize), Share>,
}

/// Weights whose sum is off by no more are left as they are. (Poses leave less; what they divide lies in its boxes either way.)
const MOST_OFF: f32 = 1e-3;

/// A point that a joint moves in place of a vertex.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    pub(super) position: Vec3,
    /// How far it goes when the vertex goes one step.
    pub(super) stride: f32,
}

/// The joints of a skin.
#[derive(Clone, Debug)]
pub(super) struct Joints {
    /// Which joint of the skeleton each is.
    pub(super) in_skeleton: Vec<usize>,
    pub(super) joint_from_mesh: Vec<Mat3x4>,
    /// Where each joint is in the mesh.
    pub(super) pivots: Vec<Vec3>,
    /// The nearest joint of the skin above it.
    pub(super) parents: Vec<Option<usize>>,
    /// How many joints are above it.
    pub(super) depths: Vec<u32>,
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
            // As every pose does: without any weight a vertex follows its first joint, and weights add up to one or nearly so; for
            // what little they are off, boxes have room.
            let sum: f32 = influences[start..].iter().map(|influence| influence.1).sum();
            if (sum - 1.0).abs() <= MOST_OFF {
                return;
            }
            if sum > 0.0 {
                influences[start..].iter_mut().for_each(|influence| influence.1 /= sum);
            } else {
                let first = primitive.influences.first().map_or(0, |set| usize::from(set.joints[vertex][0]));
                influences.truncate(start);
                influences.push((first.min(last), 1.0));
            }
        })
    }

    /// Primitives that follow a node, which is a joint of the skeleton.
    pub(crate) fn rigid<'a>(primitives: impl Iterator<Item = &'a Primitive>, node: JointId) -> Self {
        let joints = Joints {
            in_skeleton: vec![node.index()],
            joint_from_mesh: vec![Mat3x4::IDENTITY],
            pivots: vec![Vec3::ZERO],
            parents: vec![None],
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
            shares: BTreeMap::new(),
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

    /// Some vertices that lie far out: those of each joint that do in one of fourteen directions.
    pub(super) fn outline(&self) -> Vec<usize> {
        let directions = (0..14).map(|index: i32| match index {
            0..6 => Vec3::AXES[(index / 2) as usize] * (index % 2 * 2 - 1) as f32,
            _ => Vec3::from_array([1, 2, 4].map(|bit| if (index - 6) & bit == 0 { 1.0 } else { -1.0 })),
        });
        let directions: Vec<_> = directions.collect();
        let mut farthest = vec![[(f32::NEG_INFINITY, 0); 14]; self.joints.pivots.len()];
        for (vertex, position) in self.positions.iter().enumerate() {
            for &(joint, _) in self.influences(vertex) {
                for (direction, farthest) in directions.iter().zip(&mut farthest[joint]) {
                    let distance = direction.dot(*position);
                    if distance > farthest.0 {
                        *farthest = (distance, vertex);
                    }
                }
            }
        }
        let found = farthest.iter().flatten().filter(|found| found.0 > f32::NEG_INFINITY);
        let mut outline: Vec<_> = found.map(|found| found.1).collect();
        outline.sort_unstable();
        outline.dedup();
        outline
    }

    /// What a joint moves for a vertex.
    pub(super) fn share(&self, vertex: usize, joint: usize) -> Share {
        let whole = Share { position: self.positions[vertex], stride: 1.0 };
        self.shares.get(&(vertex, joint)).copied().unwrap_or(whole)
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
        // The joint of the skin that each joint of the skeleton is, or else the nearest one above it.
        let mut nearest: Vec<Option<usize>> = vec![None; skeleton.joint_count()];
        for (index, joint) in skin.joints().iter().enumerate() {
            nearest[joint.index()] = Some(index);
        }
        for joint in skeleton.joints() {
            let above = skeleton.parent(joint).and_then(|above| nearest[above.index()]);
            nearest[joint.index()] = nearest[joint.index()].or(above);
        }
        let above = |joint: &JointId| skeleton.parent(*joint).and_then(|above| nearest[above.index()]);
        Self {
            in_skeleton: skin.joints().iter().map(|joint| joint.index()).collect(),
            joint_from_mesh: skin.joint_from_mesh().to_vec(),
            pivots: skin.joint_from_mesh().iter().map(pivot).collect(),
            parents: skin.joints().iter().map(above).collect(),
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
