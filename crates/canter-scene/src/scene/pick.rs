//! What a ray meets first.

mod sight;

use canter::JointId;
use canter::glam::{DAffine3, DMat3, DVec3, Vec3};
use canter_gltf::{Primitive, Topology};

use super::{NodeId, Scene};
use crate::character::Character;
use crate::model::Part;
use sight::{Sight, entry, meet};

/// A half line in the world, for instance from the camera through a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts.
    pub origin: DVec3,
    /// Where it goes; of any length but zero.
    pub direction: DVec3,
}

impl Ray {
    /// A point on it.
    #[must_use]
    pub fn at(&self, distance: f64) -> DVec3 {
        self.origin + self.direction * distance
    }
}

/// Where a ray meets a triangle of a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The node at which the character stands.
    pub node: NodeId,
    /// Index of the [`Part`] of its model.
    pub part: usize,
    /// Index of the mesh in the file.
    pub mesh: usize,
    /// The triangle: its corners are the indices from three times this number on.
    pub triangle: usize,
    /// The shares of the triangle's corners in the place.
    pub barycentrics: Vec3,
    /// The place in the world.
    pub position: DVec3,
    /// Upright on the triangle in the world, on its front side, of length one.
    pub normal: DVec3,
    /// The joint that moves this place most.
    pub joint: JointId,
    /// How far along the ray, in lengths of its direction.
    pub distance: f64,
}

impl Scene {
    /// The nearest place at which a ray meets a triangle of a shown character, as it stands; either side of
    /// triangles counts.
    ///
    /// Boxes are tried first, and only meshes whose box is hit are posed, the nearest first. `None` also if
    /// the ray has no direction, or a number that is not finite.
    #[must_use]
    pub fn pick(&self, ray: &Ray) -> Option<Hit> {
        let sight = Sight::new(ray)?;
        let mut entries = Vec::new();
        for node in self.characters().filter(|&id| self.is_visible(id) == Some(true)) {
            let Some((character, world)) = self.character(node).zip(self.world(node)) else { continue };
            let ray_from_model = sight.ray_from_model(&world);
            if entry(&character.bounds(), &ray_from_model).is_none() {
                continue;
            }
            let parts = character.model.parts().iter().enumerate();
            for (part, _) in parts.filter(|(_, part)| character.model.is_shown(part, &character.pose)) {
                let entry = entry(&character.part_bounds(part), &ray_from_model);
                entries.extend(entry.map(|entry| (entry, node, part, ray_from_model)));
            }
        }
        entries.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut nearest: Option<(NodeId, usize, Meeting)> = None;
        for (entry, node, part, ray_from_model) in entries {
            if nearest.as_ref().is_some_and(|(.., nearest)| nearest.depth < entry) {
                break;
            }
            let Some(character) = self.character(node) else { continue };
            if let Some(meeting) = character.meet(&character.model.parts()[part], &ray_from_model)
                && nearest.as_ref().is_none_or(|(.., nearest)| meeting.depth < nearest.depth)
            {
                nearest = Some((node, part, meeting));
            }
        }
        let (node, part, meeting) = nearest?;
        let character = self.character(node)?;
        let model_part = &character.model.parts()[part];
        let distance = meeting.depth / sight.length;
        distance.is_finite().then_some(Hit {
            node,
            part,
            mesh: model_part.mesh,
            triangle: meeting.triangle,
            barycentrics: meeting.barycentrics,
            position: ray.at(distance),
            normal: normal(self.world(node)?.matrix3, meeting.edges),
            joint: character.strongest_joint(model_part, &meeting),
            distance,
        })
    }
}

/// Where a ray meets a triangle of a part.
struct Meeting {
    triangle: usize,
    barycentrics: Vec3,
    /// How far from the start of the ray, in metres.
    depth: f64,
    /// Two edges of the triangle as it stands, relative to the character.
    edges: [DVec3; 2],
}

/// Upright on two edges in the world.
fn normal(world_from_model: DMat3, edges: [DVec3; 2]) -> DVec3 {
    let [first, second] = edges.map(|edge| {
        let edge = world_from_model * edge;
        edge / edge.abs().max_element()
    });
    // A mirrored figure shows the other side of its triangles.
    first.cross(second).normalize_or_zero() * world_from_model.determinant().signum()
}

impl Character {
    fn meet(&self, part: &Part, ray_from_model: &DAffine3) -> Option<Meeting> {
        let primitive = self.model.primitive(part);
        if primitive.topology != Topology::Triangles {
            return None;
        }
        let positions = self.posed(part).positions;
        let mut nearest: Option<Meeting> = None;
        for (triangle, corners) in primitive.indices.chunks_exact(3).enumerate() {
            let corners = [0, 1, 2].map(|corner| positions[corners[corner] as usize].as_dvec3());
            if let Some((depth, barycentrics)) = meet(corners.map(|at| ray_from_model.transform_point3(at)))
                && nearest.as_ref().is_none_or(|nearest| depth < nearest.depth)
            {
                let edges = [corners[1] - corners[0], corners[2] - corners[0]];
                nearest = Some(Meeting { triangle, barycentrics, depth, edges });
            }
        }
        nearest
    }

    fn strongest_joint(&self, part: &Part, meeting: &Meeting) -> JointId {
        let primitive = self.model.primitive(part);
        let corners = &primitive.indices[3 * meeting.triangle..][..3];
        let influences = || {
            corners.iter().zip(meeting.barycentrics.to_array()).flat_map(|(&corner, share)| {
                influences(primitive, corner as usize).map(move |(joint, weight)| (joint, weight * share))
            })
        };
        let sum = |joint: u16| -> f32 { influences().filter(|one| one.0 == joint).map(|one| one.1).sum() };
        let strongest = influences().map(|(joint, _)| (joint, sum(joint))).max_by(|a, b| a.1.total_cmp(&b.1));
        match (part.skin, strongest) {
            (Some(skin), Some((joint, _))) => self.model.asset.skins[skin].joints()[usize::from(joint)],
            _ => part.joint,
        }
    }
}

fn influences(primitive: &Primitive, vertex: usize) -> impl Iterator<Item = (u16, f32)> {
    primitive
        .influences
        .iter()
        .flat_map(move |set| set.joints[vertex].into_iter().zip(set.weights[vertex].to_array()))
}
