//! The light that falls on things.

use canter::glam::Vec3;

/// A warm sun.
pub(crate) const SUN: Vec3 = Vec3::new(2.15, 2.02, 1.82);

/// What falls on a surface from above and from below, without the sun.
const SKY: Vec3 = Vec3::new(0.70, 0.78, 0.90);
const BOUNCE: Vec3 = Vec3::new(0.46, 0.43, 0.41);

/// Light from all sides but the sun's, on a surface that faces a direction.
pub(crate) fn bounce(normal: Vec3) -> Vec3 {
    BOUNCE.lerp(SKY, 0.5 + 0.5 * normal.y)
}

/// What a mirror sees in a direction: a bright sky, a pale horizon, a grey floor. Rough mirrors see it washed
/// out.
pub(crate) fn mirrored(direction: Vec3, roughness: f32) -> Vec3 {
    const HORIZON: Vec3 = Vec3::new(0.95, 0.95, 0.95);
    const ZENITH: Vec3 = Vec3::new(0.75, 0.85, 1.05);
    const FLOOR: Vec3 = Vec3::new(0.38, 0.36, 0.35);
    let up = direction.y;
    let soft = 0.15 + 0.85 * roughness;
    let floor_part = smooth((0.5 - up / (2.0 * soft)).clamp(0.0, 1.0));
    HORIZON.lerp(ZENITH, up.max(0.0)).lerp(FLOOR, floor_part)
}

pub(crate) fn smooth(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}
