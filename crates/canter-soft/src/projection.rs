//! From the world into the picture.

use canter::glam::Mat4;
use canter::glam::camera::rh;
use canter_scene::Camera;

/// From positions relative to the camera's target, along the axes of the world, to clip space, with x, y and
/// z within ±w.
pub(crate) fn clip_from_origin(camera: &Camera, aspect: f32) -> Mat4 {
    let (forward, up) = camera.forward_and_up();
    let view_from_origin = rh::view::look_to_mat4((camera.eye - camera.target).as_vec3(), forward, up);
    let (near, far) = (camera.distance() * 0.01, camera.distance() * 1000.0);
    rh::proj::opengl::perspective(camera.fov_y.clamp(0.01, 3.0), aspect, near, far) * view_from_origin
}
