//! A piece of the figure: a solid or a sheet, its colours, material and binding.

use glam::DVec3;

use super::colour::Colour;
use super::decimate::{Limits, decimate};
use super::math::ramp;
use super::mesh::Mesh;
use super::mesher::{Region, mesh_surface, project};
use super::weights::Binding;

/// The figure's few materials; colours come with the vertices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Material {
    Skin,
    Hair,
    Cloth,
    Leather,
    Metal,
    Eyes,
}

pub(crate) struct Part {
    pub material: Material,
    pub binding: Binding,
    pub paint: Box<dyn Fn(DVec3) -> Colour>,
    /// Where the part is solid; for sheets, the solid below, which lends its normals.
    pub field: Box<dyn Fn(DVec3) -> f64>,
    pub region: Region,
    pub shape: Shape,
}

pub(crate) enum Shape {
    /// Meshed from the field with this resolution.
    Solid(Detail),
    /// Drawn already, lying on the field's surface.
    Sheet(Mesh),
}

#[derive(Clone, Copy)]
pub(crate) struct Detail {
    /// Grid spacing in metres: half of the smallest feature that should survive.
    pub cell: f64,
    pub limits: Limits,
}

impl Detail {
    /// Cloth, limbs, boots.
    pub(crate) const BODY: Self =
        Self { cell: 0.007, limits: Limits { tolerance: 0.0015, longest_edge: 0.045 } };
    /// Straps, trims and what is looked at from near.
    pub(crate) const FINE: Self =
        Self { cell: 0.005, limits: Limits { tolerance: 0.0008, longest_edge: 0.04 } };
    /// Tufts: fine at the tips, smooth between.
    pub(crate) const HAIR: Self =
        Self { cell: 0.005, limits: Limits { tolerance: 0.0013, longest_edge: 0.05 } };
    /// Fingers stand 2 to 3 mm apart where they leave the palm.
    pub(crate) const HAND: Self =
        Self { cell: 0.0032, limits: Limits { tolerance: 0.00055, longest_edge: 0.03 } };
}

impl Part {
    /// White, and bound to the root, until told otherwise.
    pub(crate) fn solid(material: Material, region: Region, field: impl Fn(DVec3) -> f64 + 'static) -> Self {
        Self {
            material,
            binding: Binding::Rigid("root"),
            paint: Box::new(|_| Colour::srgb(0xffffff)),
            field: Box::new(field),
            region,
            shape: Shape::Solid(Detail::BODY),
        }
    }

    pub(crate) fn bound_to(self, binding: Binding) -> Self {
        Self { binding, ..self }
    }

    pub(crate) fn coloured(self, hex: u32) -> Self {
        let colour = Colour::srgb(hex);
        self.painted(move |_| colour)
    }

    pub(crate) fn with_detail(self, detail: Detail) -> Self {
        Self { shape: Shape::Solid(detail), ..self }
    }

    /// Fades from one colour below to another above, between two heights.
    pub(crate) fn graded(self, (low_y, low_hex): (f64, u32), (high_y, high_hex): (f64, u32)) -> Self {
        let (low, high) = (Colour::srgb(low_hex), Colour::srgb(high_hex));
        self.painted(move |p| low.mix(high, ramp(p.y, low_y, high_y)))
    }

    pub(crate) fn painted(self, paint: impl Fn(DVec3) -> Colour + 'static) -> Self {
        Self { paint: Box::new(paint), ..self }
    }

    pub(crate) fn mesh(&self) -> Mesh {
        match &self.shape {
            Shape::Sheet(mesh) => mesh.clone(),
            Shape::Solid(detail) => {
                let fine = mesh_surface(&self.field, self.region, detail.cell);
                let mut mesh = decimate(fine, detail.limits);
                project(&mut mesh.positions, &self.field, detail.cell);
                mesh
            }
        }
    }

    /// Distance to the part, or nothing if the part does not reach that far.
    pub(crate) fn distance(&self, p: DVec3) -> Option<f64> {
        let near = p.cmpge(self.region.low).all() && p.cmple(self.region.high).all();
        (near && matches!(self.shape, Shape::Solid(_))).then(|| (self.field)(p))
    }
}

/// A box from its lowest to its highest corner.
pub(crate) const fn region(low: [f64; 3], high: [f64; 3]) -> Region {
    Region { low: DVec3::from_array(low), high: DVec3::from_array(high) }
}

/// The same box on the other side.
pub(crate) fn mirrored(region: Region, side: super::side::Side) -> Region {
    let (a, b) = (side.mirror(region.low), side.mirror(region.high));
    Region { low: a.min(b), high: a.max(b) }
}
