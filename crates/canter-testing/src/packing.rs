//! How far a packed clip is from the one that was packed.

use canter::glam::{DAffine3, DVec3};
use canter::{Clip, Pose, Skeleton, Transform};

/// How far points 3 cm beside all joints are apart at most, in millimetres of a skeleton in metres, at so many times.
pub fn apart_mm(skeleton: &Skeleton, a: &Clip, b: &Clip, steps: u16) -> f64 {
    let mut most = 0.0_f64;
    let mut pose = Pose::rest(skeleton);
    for step in 0..=steps {
        let secs = a.duration_secs() * f32::from(step) / f32::from(steps);
        let [a, b] = [a, b].map(|clip| {
            clip.sample(secs, &mut pose);
            places(skeleton, &pose)
        });
        for (a, b) in a.iter().zip(&b) {
            for axis in [DVec3::X, DVec3::NEG_Y, DVec3::Z] {
                // So far in space, however the joint is scaled.
                let point = axis * (0.03 / a.transform_vector3(axis).length().max(1e-12));
                most = most.max(a.transform_point3(point).distance(b.transform_point3(point)) * 1e3);
            }
        }
    }
    most
}

/// Where joints are, composed in double precision: what single precision adds on the way down a chain is no error
/// of packing.
fn places(skeleton: &Skeleton, pose: &Pose) -> Vec<DAffine3> {
    let mut places: Vec<DAffine3> = Vec::new();
    for joint in skeleton.joints() {
        let Transform { translation, rotation, scale } = pose.joint(joint);
        let own = DAffine3::from_scale_rotation_translation(
            scale.as_dvec3(),
            rotation.as_dquat().normalize(),
            translation.as_dvec3(),
        );
        places.push(skeleton.parent(joint).map_or(own, |parent| places[parent.index()] * own));
    }
    places
}
