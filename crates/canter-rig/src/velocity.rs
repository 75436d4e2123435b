//! How joints move: what a ragdoll starts with.

use canter::ModelPose;
use canter::glam::Vec3;

use crate::space::{linear, orientation};
use crate::turn::Turn;

/// How a joint moves, in the space of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointVelocity {
    /// Metres per second.
    pub linear: Vec3,
    /// The axis that it turns about, times radians per second.
    pub angular: Vec3,
}

/// Writes how every joint moves from one pose to the next, `dt_secs` later. Steps that are not above 0, and
/// flat joints, do not move. Turns of up to half a turn per step are told.
///
/// ```
/// # use canter::glam::Vec3;
/// # use canter::{ModelPose, Pose, Skeleton, Transform};
/// # let mut joints = Skeleton::builder();
/// # joints.joint("hips", None, Transform::IDENTITY);
/// # let skeleton = joints.build()?;
/// # let hips = skeleton.joint("hips").unwrap();
/// # let (mut pose, before) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
/// # let mut model = before.clone();
/// use canter_rig::{JointVelocity, joint_velocities};
///
/// pose.joint_mut(hips).translation.y += 0.1;
/// model.compose(&skeleton, &pose);
/// let mut velocities = vec![JointVelocity::default(); skeleton.joint_count()];
/// joint_velocities(&before, &model, 0.1, &mut velocities);
/// assert!(velocities[hips.index()].linear.abs_diff_eq(Vec3::Y, 1e-5));
/// # Ok::<(), canter::SkeletonError>(())
/// ```
///
/// # Panics
/// If the poses and the list are not of one length.
pub fn joint_velocities(before: &ModelPose, now: &ModelPose, dt_secs: f32, velocities: &mut [JointVelocity]) {
    let counts = [before.joint_count(), now.joint_count()];
    assert!(
        counts == [velocities.len(); 2],
        "poses of {counts:?} joints for {} velocities",
        velocities.len()
    );
    for ((velocity, before), now) in velocities.iter_mut().zip(before.joints()).zip(now.joints()) {
        *velocity = JointVelocity::default();
        if dt_secs.is_nan() || dt_secs <= 0.0 {
            continue;
        }
        let place = |rows: &[[f32; 4]; 3]| Vec3::new(rows[0][3], rows[1][3], rows[2][3]);
        velocity.linear = (place(&now.rows) - place(&before.rows)) / dt_secs;
        if let (Some(from), Some(to)) = (orientation(&linear(before)), orientation(&linear(now))) {
            velocity.angular = Vec3::from(Turn::between(from, to).scaled_axis()) / dt_secs;
        }
    }
}

#[cfg(test)]
mod tests {
    use canter::glam::{Quat, Vec3};
    use canter::{Pose, Skeleton, Transform};

    use super::*;

    #[test]
    fn a_turning_arm_has_the_speed_of_its_circle() {
        let mut joints = Skeleton::builder();
        joints.joint("shoulder", None, Transform::IDENTITY);
        joints.joint("hand", Some(0), Transform::from_translation(Vec3::X * 2.0));
        let skeleton = joints.build().unwrap();
        let model = |angle: f32| {
            let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
            pose.joint_mut(skeleton.joint("shoulder").unwrap()).rotation = Quat::from_rotation_z(angle);
            model.compose(&skeleton, &pose);
            model
        };
        let mut velocities = [JointVelocity::default(); 2];
        joint_velocities(&model(0.3), &model(0.301), 1e-3, &mut velocities);
        assert!(velocities[0].angular.abs_diff_eq(Vec3::Z, 2e-3), "{velocities:?}");
        assert!((velocities[1].linear.length() - 2.0).abs() < 2e-3, "{velocities:?}");
        joint_velocities(&model(0.3), &model(0.9), 0.0, &mut velocities);
        assert_eq!(velocities, [JointVelocity::default(); 2]);
    }
}
