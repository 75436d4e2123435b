//! The colour of a sample of a surface: the twin of `surface.wgsl`, function by function.

use std::f32::consts::PI;

use canter::glam::{Vec2, Vec3, Vec4};
use canter_gltf::AlphaMode;

use crate::color::tone_mapped;
use crate::light::{SUN, bounce, mirrored, smooth};
use crate::material::{Layer, Material};
use crate::shadow::ShadowMap;
use crate::surface::{Place, Surface, corners_of};

/// What all samples of a picture share.
pub(crate) struct Shader<'a> {
    pub(crate) eye: Vec3,
    pub(crate) sun: Vec3,
    pub(crate) shadow: &'a ShadowMap,
}

/// What all samples of a triangle share.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Facet {
    /// Which size each texture is taken in, in the order of [`Material::layers`].
    levels: [usize; 5],
    /// Upright on the triangle, if it is shaded flat.
    upright: Vec3,
    /// Where u of the normal texture grows, and where v shrinks.
    tangents: [Vec3; 2],
}

impl Facet {
    /// `samples`: the area on the screen.
    pub(crate) fn new(surface: &Surface<'_>, corners: [u32; 3], samples: f32) -> Self {
        let mut facet = Self::default();
        for (level, layer) in facet.levels.iter_mut().zip(surface.material.layers()) {
            let Some(layer) = layer else { continue };
            let texels = surface.texture_corners(layer, corners).map(|at| at * layer.texture.size());
            *level = layer.texture.level(area(texels), samples);
        }
        let positions = corners_of(&surface.positions, corners);
        if surface.is_flat {
            facet.upright = (positions[1] - positions[0]).cross(positions[2] - positions[0]);
        }
        if let Some(layer) = &surface.material.normal {
            facet.tangents = tangents(positions, surface.texture_corners(layer, corners));
        }
        facet
    }
}

/// Twice the area of a triangle.
pub(crate) fn area([a, b, c]: [Vec2; 3]) -> f32 {
    (b - a).perp_dot(c - a).abs()
}

/// Where u of a texture grows on a triangle, and where v shrinks: v runs down in pictures, and up in the
/// space of normals.
fn tangents([a, b, c]: [Vec3; 3], [at_a, at_b, at_c]: [Vec2; 3]) -> [Vec3; 2] {
    let (ab, ac) = (b - a, c - a);
    let (uv_ab, uv_ac) = (at_b - at_a, at_c - at_a);
    let side = if uv_ab.perp_dot(uv_ac) < 0.0 { -1.0 } else { 1.0 };
    let tangent = (ab * uv_ac.y - ac * uv_ab.y) * side;
    let other = (ab * uv_ac.x - ac * uv_ab.x) * side;
    let size = tangent.length_squared().max(other.length_squared());
    if size > 0.0 { [tangent, other].map(|axis| axis / size.sqrt()) } else { [Vec3::ZERO; 2] }
}

impl Shader<'_> {
    /// Light as the screen shows it, and alpha; `None` where the surface has a hole.
    #[inline]
    pub(crate) fn shade(&self, surface: &Surface<'_>, facet: &Facet, place: &Place) -> Option<Vec4> {
        let material = &surface.material;
        let base = surface.base_color(place, facet.levels[0]);
        let alpha = match material.alpha_mode {
            AlphaMode::Opaque => 1.0,
            AlphaMode::Mask { cutoff } if base.w < cutoff => return None,
            AlphaMode::Mask { .. } => 1.0,
            AlphaMode::Blend => base.w.clamp(0.0, 1.0),
        };
        let base = base.truncate().max(Vec3::ZERO);
        if material.is_unlit {
            return Some(tone_mapped(base).extend(alpha));
        }
        let mut emitted = material.emissive;
        if let Some(layer) = &material.emission
            && emitted != Vec3::ZERO
        {
            emitted *= sample(surface, layer, place, facet.levels[4]).truncate();
        }
        Some(tone_mapped(self.lit(surface, facet, place, base) + emitted).extend(alpha))
    }

    /// Metal and plastic under the sun and the sky.
    fn lit(&self, surface: &Surface<'_>, facet: &Facet, place: &Place, base: Vec3) -> Vec3 {
        let material = &surface.material;
        let position = place.mix(&surface.positions);
        let to_eye = (self.eye - position).normalize_or(Vec3::Z);
        let flat_normal = seen_normal(surface, facet, place, to_eye);
        let normal = bumped(surface, facet, place, flat_normal);
        let (rough, occlusion) = rough_and_occlusion(surface, facet, place);
        let roughness = (material.roughness * rough.y).clamp(0.08, 1.0);
        let metallic = (material.metallic * rough.z).clamp(0.0, 1.0);
        let mirror = Vec3::splat(0.04).lerp(base, metallic);
        let facing = normal.dot(to_eye).clamp(0.0, 1.0);
        let open = 1.0 + (occlusion - 1.0) * material.occlusion_strength;

        // White in full sun comes out a little below white.
        const EXPOSURE: f32 = 0.52;
        let matt = base * (1.0 - metallic);
        let mut light = matt * bounce(normal) * (0.75 * open);
        let sheen = mirror + (Vec3::ONE - mirror) * (fifth_power(1.0 - facing) * (1.0 - roughness) * 0.6);
        light += sheen * mirrored(reflected(to_eye, normal), roughness) * (1.2 * open);

        let slope = normal.dot(self.sun);
        // The surface's own slope decides on its shadow: bumps cast none.
        let flat_slope = flat_normal.dot(self.sun);
        if slope > 0.0 && flat_slope > 0.0 {
            let reach = smooth((flat_slope / 0.25).min(1.0));
            let reached = reach * self.shadow.light(position, flat_normal, flat_slope);
            let half = (self.sun + to_eye).normalize_or(normal);
            let shine = glint(normal.dot(half), facing, slope, roughness);
            let edge = mirror + (Vec3::ONE - mirror) * fifth_power(1.0 - half.dot(to_eye).clamp(0.0, 1.0));
            light += SUN * (slope * reached) * (matt + edge * shine * PI);
        }
        light * EXPOSURE
    }
}

/// The normal of the side that is seen.
#[inline]
fn seen_normal(surface: &Surface<'_>, facet: &Facet, place: &Place, to_eye: Vec3) -> Vec3 {
    if surface.is_flat {
        let normal = facet.upright.normalize_or(to_eye);
        return if normal.dot(to_eye) < 0.0 { -normal } else { normal };
    }
    let normal = place.mix(&surface.normals).normalize_or(to_eye);
    // Both sides are lit: what is seen faces the eye. (A little less: smooth surfaces turn away at edges.)
    if normal.dot(to_eye) < -0.2 { -normal } else { normal }
}

/// The normal with the texture's bumps on it. Without tangents, the direction of u on the triangle serves.
#[inline]
fn bumped(surface: &Surface<'_>, facet: &Facet, place: &Place, normal: Vec3) -> Vec3 {
    let Material { normal: Some(layer), normal_scale, .. } = &surface.material else { return normal };
    let bump = sample(surface, layer, place, facet.levels[2]).truncate() * 2.0 - 1.0;
    let tangent = place.mix(&surface.tangents);
    let [tangent, other] = if tangent.truncate().length_squared() < 0.25 {
        if facet.tangents == [Vec3::ZERO; 2] {
            return normal;
        }
        facet.tangents
    } else {
        [tangent.truncate(), normal.cross(tangent.truncate()) * tangent.w]
    };
    let scaled = Vec3::new(bump.x * normal_scale, bump.y * normal_scale, bump.z);
    (tangent * scaled.x + other * scaled.y + normal * scaled.z).normalize_or(normal)
}

/// Roughness in y and metalness in z, and occlusion.
#[inline]
fn rough_and_occlusion(surface: &Surface<'_>, facet: &Facet, place: &Place) -> (Vec4, f32) {
    let Material { rough, occlusion, .. } = &surface.material;
    let of = |layer: &Layer, number: usize| sample(surface, layer, place, facet.levels[number]);
    match (rough, occlusion) {
        (None, None) => (Vec4::ONE, 1.0),
        (Some(rough), None) => (of(rough, 1), 1.0),
        (None, Some(occlusion)) => (Vec4::ONE, of(occlusion, 3).x),
        (Some(rough), Some(occlusion)) if rough.is_same(occlusion) => {
            let both = of(rough, 1);
            (both, both.x)
        }
        (Some(rough), Some(occlusion)) => (of(rough, 1), of(occlusion, 3).x),
    }
}

#[inline]
fn sample(surface: &Surface<'_>, layer: &Layer, place: &Place, level: usize) -> Vec4 {
    layer.texture.sample(surface.texture_place(layer, place), level)
}

/// How much of the sun a rough surface mirrors toward the eye (Trowbridge and Reitz's microfacets).
fn glint(half: f32, facing: f32, slope: f32, roughness: f32) -> f32 {
    let alpha = roughness * roughness;
    let square = alpha * alpha;
    let spread = half * half * (square - 1.0) + 1.0;
    let facets = square / (PI * spread * spread);
    let shading = |cos: f32| cos * (1.0 - alpha / 2.0) + alpha / 2.0;
    facets / (4.0 * shading(facing) * shading(slope)).max(0.01)
}

fn reflected(to_eye: Vec3, normal: Vec3) -> Vec3 {
    normal * (2.0 * normal.dot(to_eye)) - to_eye
}

fn fifth_power(x: f32) -> f32 {
    let square = x * x;
    square * square * x
}
