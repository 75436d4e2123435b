//! The colour of a sample of a surface.

use std::f32::consts::PI;

use canter::glam::{Vec3, Vec4};
use canter_gltf::AlphaMode;

use crate::color::tone_mapped;
use crate::light::{SUN, ambient, mirrored};
use crate::shadow::ShadowMap;
use crate::surface::Cover;
use crate::varying::Varying;

/// What all samples of a picture share.
pub(crate) struct Shader<'a> {
    pub(crate) eye: Vec3,
    pub(crate) sun: Vec3,
    pub(crate) shadow: &'a ShadowMap,
}

impl Shader<'_> {
    /// Light as the screen shows it, and alpha; `None` where the surface has a hole.
    #[inline]
    pub(crate) fn shade(&self, cover: &Cover, level: usize, at: &Varying) -> Option<Vec4> {
        let mut base = cover.base_color * at.color();
        if let Some(texture) = &cover.texture {
            base *= texture.sample(at.uv(), level);
        }
        let alpha = match cover.alpha_mode {
            AlphaMode::Opaque => 1.0,
            AlphaMode::Mask { cutoff } if base.w < cutoff => return None,
            AlphaMode::Mask { .. } => 1.0,
            AlphaMode::Blend => base.w.clamp(0.0, 1.0),
        };
        let base = base.truncate().max(Vec3::ZERO);
        let light = if cover.is_unlit { base } else { self.lit(cover, base, at) + cover.emissive };
        Some(tone_mapped(light).extend(alpha))
    }

    /// Metal and plastic under the sun and the sky.
    fn lit(&self, cover: &Cover, base: Vec3, at: &Varying) -> Vec3 {
        let to_eye = (self.eye - at.position()).normalize_or(Vec3::Z);
        let normal = at.normal().normalize_or(to_eye);
        // Both sides are lit: what is seen faces the eye.
        let normal = if normal.dot(to_eye) < -0.2 { -normal } else { normal };
        let roughness = cover.roughness.clamp(0.08, 1.0);
        let metallic = cover.metallic.clamp(0.0, 1.0);
        let mirror = Vec3::splat(0.04).lerp(base, metallic);
        let facing = normal.dot(to_eye).clamp(0.0, 1.0);
        let grazing = fifth_power(1.0 - facing);

        // White in full sun comes out a little below white.
        const EXPOSURE: f32 = 0.52;
        let matt = base * (1.0 - metallic);
        let mut light = matt * ambient(normal) * 0.75;
        let sheen = mirror + (Vec3::ONE - mirror) * (grazing * (1.0 - roughness) * 0.6);
        light += sheen * mirrored(reflected(to_eye, normal), roughness) * 1.2;

        let slope = normal.dot(self.sun);
        if slope > 0.0 {
            let lit = self.shadow.light(at.position(), normal, slope);
            let half = (self.sun + to_eye).normalize_or(normal);
            let glint = glint(normal.dot(half), facing, slope, roughness);
            let edge = mirror + (Vec3::ONE - mirror) * fifth_power(1.0 - half.dot(to_eye).clamp(0.0, 1.0));
            light += SUN * (slope * lit) * (matt + edge * glint * PI);
        }
        light * EXPOSURE
    }
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
