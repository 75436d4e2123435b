//! The skeletons, drawn on top of the picture.

use canter::glam::{DVec3, Mat4, Vec2, Vec3};
use canter_scene::Figure;

use crate::picture::Picture;
use crate::surface::relative;

const BONE: Vec3 = Vec3::new(0.10, 0.52, 0.86);
const JOINT: Vec3 = Vec3::new(1.0, 1.0, 1.0);
const RIM: Vec3 = Vec3::new(0.03, 0.12, 0.25);

pub(crate) fn draw(picture: &mut Picture, figures: &[Figure<'_>], origin: DVec3, clip_from_origin: Mat4) {
    let size = Vec2::new(picture.width as f32, picture.height as f32);
    let unit = (size.min_element() / 480.0).clamp(0.6, 3.0);
    for figure in figures {
        let clip_from_model = clip_from_origin * relative(figure.world_from_model, origin);
        let places: Vec<Option<Vec2>> = (figure.model_pose.joints().iter())
            .map(|joint| {
                let clip = clip_from_model * joint.to_mat4().w_axis;
                let at = Vec2::new(clip.x, -clip.y) / clip.w * 0.5 + 0.5;
                (clip.w > 0.0 && at.is_finite()).then_some(at * size)
            })
            .collect();
        let skeleton = &figure.model.asset.skeleton;
        let is_bone = |joint| figure.model.is_bone(joint);
        let ends: Vec<(Vec2, Vec2)> = (skeleton.joints())
            .filter_map(|joint| {
                let parent = skeleton.parent(joint)?;
                let both = is_bone(joint) && is_bone(parent);
                Some((places[parent.index()]?, places[joint.index()]?)).filter(|_| both)
            })
            .collect();
        for &(from, to) in &ends {
            stroke(picture, from, to, [3.1, 1.6].map(|width| width * unit), RIM, 0.55);
        }
        for &(from, to) in &ends {
            stroke(picture, from, to, [2.3, 0.8].map(|width| width * unit), BONE, 0.95);
        }
        for joint in figure.model.bones() {
            if let Some(at) = places[joint.index()] {
                stroke(picture, at, at, [2.2 * unit; 2], RIM, 0.7);
                stroke(picture, at, at, [1.5 * unit; 2], JOINT, 1.0);
            }
        }
    }
}

/// A line that has one half width at its start and another at its end.
fn stroke(picture: &mut Picture, from: Vec2, to: Vec2, half_widths: [f32; 2], color: Vec3, alpha: f32) {
    let widest = half_widths[0].max(half_widths[1]) + 1.0;
    let edge = Vec2::new(picture.width as f32, picture.height as f32);
    let min = (from.min(to) - widest).clamp(Vec2::ZERO, edge).as_uvec2();
    let max = (from.max(to) + widest).ceil().clamp(Vec2::ZERO, edge).as_uvec2();
    let along = to - from;
    for y in min.y..max.y {
        for x in min.x..max.x {
            let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            let part = ((at - from).dot(along) / along.length_squared().max(1e-6)).clamp(0.0, 1.0);
            let half_width = half_widths[0] + (half_widths[1] - half_widths[0]) * part;
            let cover = (half_width + 0.5 - at.distance(from + along * part)).clamp(0.0, 1.0) * alpha;
            if cover > 0.0 {
                blend(picture, x, y, color, cover);
            }
        }
    }
}

/// In bytes, as people draw on pictures.
fn blend(picture: &mut Picture, x: u32, y: u32, color: Vec3, alpha: f32) {
    let start = (y as usize * picture.width as usize + x as usize) * 4;
    let Some(pixel) = picture.pixels.get_mut(start..start + 4) else { return };
    let below = f32::from(pixel[3]) / 255.0 * (1.0 - alpha);
    let whole = alpha + below;
    for (byte, color) in pixel.iter_mut().zip(color.to_array()) {
        let mixed = (color * alpha * 255.0 + f32::from(*byte) * below) / whole;
        *byte = to_byte(mixed);
    }
    pixel[3] = to_byte(whole * 255.0);
}

fn to_byte(value: f32) -> u8 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float is cut off at 0 and 255"
    )]
    let byte = (value + 0.5) as u8;
    byte
}
