//! Vertices as they go into a file, one surface per material.

use glam::{DVec3, Vec3};

use super::math::lerp;
use super::mesh::Mesh;
pub(crate) use super::part::Material;
use super::part::{Part, Shape};
use super::rig::Rig;
use super::sdf::gradient;
use super::weights::influences;

#[derive(Clone)]
pub(crate) struct Vertex {
    pub position: Vec3,
    pub normal: Vec3,
    pub colour: [u8; 4],
    pub joints: [u8; 4],
    /// All zero in what no skeleton moves.
    pub weights: [u8; 4],
}

pub(crate) struct Surface {
    pub material: Material,
    pub vertices: Vec<Vertex>,
    pub indices: Vec<u16>,
}

/// What lies deeper than this in another part, with all its corners, is never seen: more than
/// cloth shifts in any pose.
const HIDDEN_DEPTH: f64 = 0.022;

/// One surface for each material that the parts use; skinned if there is a rig.
pub(crate) fn surfaces(parts: &[Part], rig: Option<&Rig>) -> Vec<Surface> {
    let mut surfaces: Vec<Surface> = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let mut mesh = part.mesh();
        if matches!(part.shape, Shape::Solid(_)) {
            let others = || parts.iter().enumerate().filter(|(other, _)| *other != index);
            let hidden = |p: DVec3| {
                others().any(|(_, other)| other.distance(p).is_some_and(|distance| distance < -HIDDEN_DEPTH))
            };
            mesh.retain(|corners| !corners.into_iter().all(hidden));
        }
        let material = part.material;
        let known = surfaces.iter().position(|surface| surface.material == material);
        let slot = known.unwrap_or_else(|| {
            surfaces.push(Surface { material, vertices: Vec::new(), indices: Vec::new() });
            surfaces.len() - 1
        });
        surfaces[slot].append(part, &mesh, parts, rig);
    }
    surfaces
}

impl Surface {
    fn append(&mut self, part: &Part, mesh: &Mesh, parts: &[Part], rig: Option<&Rig>) {
        let first = self.vertices.len();
        for &position in &mesh.positions {
            let normal = gradient(&part.field, position, 1e-3).normalize();
            let light = match (&part.shape, part.material) {
                (Shape::Sheet(_), _) => DVec3::ONE,
                (Shape::Solid(_), Material::Skin) => skin_light(openness(parts, position, normal)),
                (Shape::Solid(_), _) => DVec3::splat(openness(parts, position, normal)),
            };
            let (joints, weights) =
                rig.map_or(([0; 4], [0; 4]), |rig| influences(rig, part.binding, position).quantised());
            self.vertices.push(Vertex {
                position: position.as_vec3(),
                normal: normal.as_vec3(),
                colour: (part.paint)(position).lit(light).quantised(),
                joints,
                weights,
            });
        }
        let corners = mesh.triangles.iter().flatten();
        self.indices.extend(
            corners.map(|corner| {
                u16::try_from(first + corner).expect("a surface has fewer than 65536 vertices")
            }),
        );
    }
}

/// How much ambient light reaches a point: one in the open, less in folds and under overhangs.
fn openness(parts: &[Part], position: DVec3, normal: DVec3) -> f64 {
    /// Steps away from the surface in metres, and how much another surface near there takes away.
    const PROBES: [(f64, f64); 4] = [(0.008, 0.20), (0.02, 0.20), (0.045, 0.17), (0.09, 0.12)];
    let mut light = 1.0;
    for (step, share) in PROBES {
        let probe = position + normal * step;
        let nearest = parts.iter().filter_map(|part| part.distance(probe)).fold(step, f64::min);
        light -= share * (1.0 - nearest / step).clamp(0.0, 1.0);
    }
    light
}

/// Light that enters skin comes out red, also in the shade.
fn skin_light(openness: f64) -> DVec3 {
    DVec3::new(lerp(openness, 1.0, 0.45), lerp(openness, 1.0, 0.12), openness)
}
