//! Poses that are kept under a name, and blended back later.

use canter::{Pose, Skeleton};

use crate::turn::Turn;

/// Poses of one skeleton with names: what a character looked like before it fell, a grip, a face.
///
/// ```
/// # use canter::glam::Vec3;
/// # use canter::{Pose, Skeleton, Transform};
/// # let mut joints = Skeleton::builder();
/// # joints.joint("hips", None, Transform::IDENTITY);
/// # let skeleton = joints.build()?;
/// # let hips = skeleton.joint("hips").unwrap();
/// # let mut pose = Pose::rest(&skeleton);
/// use canter_rig::PoseCache;
///
/// let mut cache = PoseCache::default();
/// cache.keep("before the fall", &pose);
/// pose.joint_mut(hips).translation = Vec3::X;
/// cache.blend("before the fall", &skeleton, 0.25, &mut pose); // a quarter back
/// assert_eq!(pose.joint(hips).translation, Vec3::X * 0.75);
/// # Ok::<(), canter::SkeletonError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoseCache {
    poses: Vec<(String, Pose)>,
}

impl PoseCache {
    /// Keeps a pose, in place of one of that name. Allocates the first time only.
    pub fn keep(&mut self, name: &str, pose: &Pose) {
        match self.poses.iter_mut().find(|(known, _)| known == name) {
            Some((_, kept)) => kept.clone_from(pose),
            None => self.poses.push((name.to_owned(), pose.clone())),
        }
    }

    /// The pose of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Pose> {
        self.poses.iter().find(|(known, _)| known == name).map(|(_, pose)| pose)
    }

    /// Forgets a pose; returns whether there was one.
    pub fn forget(&mut self, name: &str) -> bool {
        let count = self.poses.len();
        self.poses.retain(|(known, _)| known != name);
        self.poses.len() < count
    }

    /// Blends a pose that was kept over another: 0, less, or NaN leaves that as it is, 1 or more is the kept
    /// one, bit for bit. Returns whether there is one of that name.
    ///
    /// # Panics
    /// If a pose was made for another skeleton.
    pub fn blend(&self, name: &str, skeleton: &Skeleton, weight: f32, pose: &mut Pose) -> bool {
        let Some(kept) = self.get(name) else { return false };
        if weight >= 1.0 {
            pose.clone_from(kept);
        } else if weight > 0.0 {
            for joint in skeleton.joints() {
                let kept = kept.joint(joint);
                let mut local = pose.joint_mut(joint);
                local.translation = local.translation.lerp(kept.translation, weight);
                local.scale = local.scale.lerp(kept.scale, weight);
                let to = Turn::from_quat(kept.rotation);
                local.rotation = Turn::from_quat(local.rotation).toward(to, weight).to_quat();
            }
            for morph in skeleton.morphs() {
                for (own, kept) in pose.morph_weights_mut(morph).iter_mut().zip(kept.morph_weights(morph)) {
                    *own += (kept - *own) * weight;
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use canter::Transform;
    use canter::glam::{Quat, Vec3};

    use super::*;

    #[test]
    fn poses_are_kept_replaced_blended_and_forgotten() {
        let mut joints = Skeleton::builder();
        joints.joint("hips", None, Transform::IDENTITY);
        let face = joints.morph_set("face", vec![0.0, 1.0]);
        let skeleton = joints.build().unwrap();
        let hips = skeleton.joint("hips").unwrap();
        let rest = Pose::rest(&skeleton);
        let mut turned = rest.clone();
        turned.joint_mut(hips).rotation = Quat::from_rotation_y(1.0);
        turned.morph_weights_mut(face)[0] = 1.0;
        let mut cache = PoseCache::default();
        cache.keep("a", &rest);
        cache.keep("a", &turned);
        let mut pose = rest.clone();
        for weight in [0.0, -1.0, f32::NAN] {
            assert!(cache.blend("a", &skeleton, weight, &mut pose));
            assert_eq!(pose, rest);
        }
        cache.blend("a", &skeleton, 0.5, &mut pose);
        assert!(pose.joint(hips).rotation.abs_diff_eq(Quat::from_rotation_y(0.5), 1e-6));
        assert_eq!(pose.joint(hips).scale, Vec3::ONE);
        assert_eq!(pose.morph_weights(face), [0.5, 1.0]);
        cache.blend("a", &skeleton, 1.0, &mut pose);
        assert_eq!(pose, turned);
        assert!(cache.forget("a") && !cache.forget("a") && !cache.blend("a", &skeleton, 1.0, &mut pose));
    }
}
