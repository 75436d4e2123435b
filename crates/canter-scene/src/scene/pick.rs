//! What a ray meets first.

use canter::JointId;
use canter::glam::{DVec3, Vec3};
use canter_gltf::{Primitive, Topology};

use super::{NodeId, Scene};
use crate::character::Character;
use crate::model::Part;

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
    /// The nearest place at which a ray meets a triangle of a shown character, as it stands; either side of triangles counts.
    ///
    /// Boxes are tried first, and only meshes whose box is hit are posed, the nearest first.
    #[must_use]
    pub fn pick(&self, ray: &Ray) -> Option<Hit> {
        let mut entries = Vec::new();
        for node in self.characters().filter(|&id| self.is_visible(id) == Some(true)) {
            let Some((character, local)) = self.character(node).zip(self.local_ray(node, ray)) else {
                continue;
            };
            let boxes: Vec<_> = character.bounds.iter().map(|bounds| local.entry(bounds)).collect();
            let parts = character.model.parts().iter().enumerate();
            entries.extend(parts.filter_map(|(part, of)| Some((boxes[of.bounds]?, node, part, local))));
        }
        entries.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut nearest: Option<(f64, NodeId, usize, Meeting)> = None;
        for (entry, node, part, local) in entries {
            if nearest.as_ref().is_some_and(|nearest| nearest.0 < entry) {
                break;
            }
            let Some(character) = self.character(node) else { continue };
            if let Some(meeting) = character.meet(&character.model.parts()[part], &local)
                && nearest.as_ref().is_none_or(|nearest| meeting.distance < nearest.0)
            {
                nearest = Some((meeting.distance, node, part, meeting));
            }
        }
        let (distance, node, part, meeting) = nearest?;
        let character = self.character(node)?;
        let model_part = &character.model.parts()[part];
        let world_from_model = self.world(node)?.matrix3;
        let edges = meeting.edges.map(|edge| world_from_model * edge);
        // A mirrored figure shows the other side of its triangles.
        let side = world_from_model.determinant().signum();
        Some(Hit {
            node,
            part,
            mesh: model_part.mesh,
            triangle: meeting.triangle,
            barycentrics: meeting.barycentrics,
            position: ray.at(distance),
            normal: edges[0].cross(edges[1]).normalize_or_zero() * side,
            joint: character.strongest_joint(model_part, &meeting),
            distance,
        })
    }

    /// The ray as a character sees it; distances along it stay the same. `None` if the character is squashed flat, or the ray
    /// is none.
    fn local_ray(&self, node: NodeId, ray: &Ray) -> Option<LocalRay> {
        let model_from_world = self.world(node)?.inverse();
        let local = LocalRay {
            origin: model_from_world.transform_point3(ray.origin),
            direction: model_from_world.transform_vector3(ray.direction),
        };
        let is_a_ray =
            local.origin.is_finite() && local.direction.is_finite() && local.direction != DVec3::ZERO;
        is_a_ray.then_some(local)
    }
}

#[derive(Clone, Copy)]
struct LocalRay {
    origin: DVec3,
    direction: DVec3,
}

/// Where a ray meets a triangle of a part.
struct Meeting {
    triangle: usize,
    barycentrics: Vec3,
    distance: f64,
    /// Two edges of the triangle as it stands.
    edges: [DVec3; 2],
}

impl LocalRay {
    /// Where it enters a box.
    fn entry(&self, bounds: &crate::Bounds) -> Option<f64> {
        if bounds.is_empty() {
            return None;
        }
        let (min, max) = (bounds.min.as_dvec3() - self.origin, bounds.max.as_dvec3() - self.origin);
        let (mut enter, mut leave) = (0.0_f64, f64::INFINITY);
        for axis in 0..3 {
            let (near, far) = (min[axis] / self.direction[axis], max[axis] / self.direction[axis]);
            if self.direction[axis] != 0.0 {
                (enter, leave) = (enter.max(near.min(far)), leave.min(near.max(far)));
            } else if min[axis] > 0.0 || max[axis] < 0.0 {
                return None;
            }
        }
        (enter <= leave).then_some(enter)
    }

    fn meet(&self, [a, b, c]: [DVec3; 3]) -> Option<(f64, [f64; 2])> {
        let (ab, ac) = (b - a, c - a);
        let normal = ab.cross(ac);
        let slope = -self.direction.dot(normal);
        let from_corner = self.origin - a;
        let turned = from_corner.cross(self.direction);
        let (share_b, share_c) = (ac.dot(turned) / slope, -ab.dot(turned) / slope);
        let distance = from_corner.dot(normal) / slope;
        // A ray along the triangle has a slope of 0, and every comparison fails.
        (share_b >= 0.0 && share_c >= 0.0 && share_b + share_c <= 1.0 && distance >= 0.0)
            .then_some((distance, [share_b, share_c]))
    }
}

impl Character {
    fn meet(&self, part: &Part, ray: &LocalRay) -> Option<Meeting> {
        let primitive = self.model.primitive(part);
        if primitive.topology != Topology::Triangles {
            return None;
        }
        let positions = self.posed(part).positions;
        let mut nearest: Option<Meeting> = None;
        for (triangle, corners) in primitive.indices.chunks_exact(3).enumerate() {
            let corners = [0, 1, 2].map(|corner| positions[corners[corner] as usize].as_dvec3());
            if let Some((distance, [share_b, share_c])) = ray.meet(corners)
                && nearest.as_ref().is_none_or(|nearest| distance < nearest.distance)
            {
                let barycentrics = DVec3::new(1.0 - share_b - share_c, share_b, share_c).as_vec3();
                let edges = [corners[1] - corners[0], corners[2] - corners[0]];
                nearest = Some(Meeting { triangle, barycentrics, distance, edges });
            }
        }
        nearest
    }

    fn strongest_joint(&self, part: &Part, meeting: &Meeting) -> JointId {
        let primitive = self.model.primitive(part);
        let corners = &primitive.indices[3 * meeting.triangle..][..3];
        let influences = corners.iter().zip(meeting.barycentrics.to_array()).flat_map(|(&corner, share)| {
            influences(primitive, corner as usize).map(move |(joint, weight)| (joint, weight * share))
        });
        let mut sums: Vec<(u16, f32)> = Vec::new();
        for (joint, weight) in influences {
            match sums.iter_mut().find(|sum| sum.0 == joint) {
                Some(sum) => sum.1 += weight,
                None => sums.push((joint, weight)),
            }
        }
        let strongest = sums.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
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
