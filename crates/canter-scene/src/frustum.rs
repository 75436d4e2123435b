//! What a camera sees.

use canter::glam::{DAffine3, DMat4, DVec3, DVec4};

use crate::bounds::Bounds;

/// The part of the world that a camera sees, as six planes.
///
/// ```
/// use canter::glam::dcamera::rh::{proj::directx as proj, view};
/// use canter::glam::{DAffine3, DVec3, Vec3};
/// use canter_scene::{Bounds, Frustum};
///
/// let projection = proj::perspective_infinite(1.0, 16.0 / 9.0, 0.1);
/// let view = view::look_at_mat4(DVec3::new(0.0, 1.0, 5.0), DVec3::Y, DVec3::Y);
/// let frustum = Frustum::new(projection * view);
/// let bounds = Bounds { min: Vec3::splat(-1.0), max: Vec3::ONE };
/// assert!(frustum.sees(&bounds, &DAffine3::IDENTITY));
/// assert!(!frustum.sees(&bounds, &DAffine3::from_translation(DVec3::Z * 20.0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frustum {
    /// What is inside has a positive product with all of them.
    planes: [DVec4; 6],
}

impl Frustum {
    /// The frustum of a projection times a view, with depths from 0 to 1 as in wgpu, in either direction. A
    /// far plane at infinity sees everything.
    #[must_use]
    pub fn new(clip_from_world: DMat4) -> Self {
        let [x, y, z, w] = [0, 1, 2, 3].map(|row| clip_from_world.row(row));
        Self { planes: [w + x, w - x, w + y, w - y, z, w - z] }
    }

    /// Whether it may see something of a box that stands somewhere. It never misses one; it may take one for
    /// visible that is just beside a corner.
    #[must_use]
    pub fn sees(&self, bounds: &Bounds, world_from_bounds: &DAffine3) -> bool {
        self.sees_swept(bounds, world_from_bounds, DVec3::ZERO)
    }

    /// Whether it may see something of the space that a box goes through when it is moved: of a box and its
    /// shadow, if it is moved away from the light.
    #[must_use]
    pub fn sees_swept(&self, bounds: &Bounds, world_from_bounds: &DAffine3, movement: DVec3) -> bool {
        if bounds.is_empty() {
            return false;
        }
        let center = world_from_bounds.transform_point3(bounds.center().as_dvec3());
        let half = bounds.half_size().as_dvec3();
        let axes = world_from_bounds.matrix3;
        let [x, y, z] = [axes.x_axis * half.x, axes.y_axis * half.y, axes.z_axis * half.z];
        self.planes.iter().all(|plane| {
            let normal = plane.truncate();
            let reach = normal.dot(x).abs() + normal.dot(y).abs() + normal.dot(z).abs();
            let reach = reach + normal.dot(movement).max(0.0);
            let distance = normal.dot(center) + plane.w;
            let room = ROUNDING * (normal.abs().dot(center.abs()) + plane.w.abs() + reach);
            let is_outside = distance + reach + room < 0.0; // false for NaN: what cannot be told is seen
            !is_outside
        })
    }
}

/// In relation to the numbers that are added up.
const ROUNDING: f64 = 1e-12;
