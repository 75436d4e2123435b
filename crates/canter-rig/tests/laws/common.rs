//! Random limbs in random poses, and what is compared of them.

use canter::glam::{DMat3, DMat4, Mat3, Mat4, Quat, Vec3};
use canter::{JointId, ModelPose, Pose, Skeleton, Transform};
use canter_testing::random::Random;

/// A chain that hangs on a few joints above it, in a pose.
pub(crate) struct Limb {
    pub(crate) skeleton: Skeleton,
    /// The chain, from start to end, then what hangs on its end.
    pub(crate) joints: Vec<JointId>,
    pub(crate) pose: Pose,
    pub(crate) model: ModelPose,
}

/// What scales a limb has.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Scales {
    None,
    /// Even ones in the chain, uneven and mirrored ones above it.
    Above,
    Uneven,
}

impl Scales {
    pub(crate) fn above(is_scaled: bool) -> Self {
        if is_scaled { Self::Above } else { Self::None }
    }
}

impl Limb {
    /// Of so many bones, bent at rest, with something in its hand.
    pub(crate) fn random(random: &mut Random, bones: usize, scales: Scales) -> Self {
        let mut builder = Skeleton::builder();
        let mut place = |random: &mut Random, offset: Vec3, name: String, parent: Option<usize>, kind: u8| {
            let even = random.between(0.5, 1.5) * random.pick(&[1.0, -1.0]);
            let scale = match (scales, kind) {
                (Scales::None, _) => Vec3::ONE,
                (Scales::Above, 1) => Vec3::splat(even),
                _ => Vec3::new(
                    random.between(0.6, 1.4),
                    random.between(0.6, 1.4),
                    random.between(0.6, 1.4) * random.pick(&[1.0, -1.0]),
                ),
            };
            builder.joint(
                name,
                parent,
                Transform { translation: offset, rotation: random.turn(180.0), scale },
            )
        };
        let top = place(random, random.clone().vector(1.0), "top".into(), None, 0);
        let above = place(random, random.clone().vector(1.0), "above".into(), Some(top), 0);
        let mut parent = above;
        for bone in 0..=bones {
            let offset = random.axis() * random.between(0.2, 0.6);
            parent = place(random, offset, format!("bone {bone}"), Some(parent), 1);
        }
        place(random, Vec3::X * 0.1, "finger".into(), Some(parent), 1);
        let skeleton = builder.build().unwrap();
        let names = (0..=bones).map(|bone| format!("bone {bone}")).chain(["finger".to_owned()]);
        let joints = names.map(|name| skeleton.joint(&name).unwrap()).collect();
        let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
        for joint in skeleton.joints() {
            let turn = random.turn(60.0);
            let mut local = pose.joint_mut(joint);
            local.rotation = (local.rotation * turn).normalize();
        }
        model.compose(&skeleton, &pose);
        Self { skeleton, joints, pose, model }
    }

    pub(crate) fn position(&self, joint: usize) -> Vec3 {
        position(&self.model, self.joints[joint])
    }

    /// The lengths of the chain's bones in the space above it, where they keep them.
    pub(crate) fn lengths(&self, bones: usize) -> Vec<f32> {
        let above = self.skeleton.parent(self.joints[0]).unwrap();
        let inverse = self.model.joint(above).inverse();
        let place = |joint: usize| inverse.transform_point3(self.position(joint));
        (0..bones).map(|bone| place(bone).distance(place(bone + 1))).collect()
    }

    /// The same as the pose has them, in double precision: not rounded as places in the model are.
    pub(crate) fn exact_lengths(&self, bones: usize) -> Vec<f64> {
        let mut above = DMat4::IDENTITY;
        let mut places = Vec::new();
        for &joint in &self.joints[..=bones] {
            let Transform { translation, rotation, scale } = self.pose.joint(joint);
            let local = DMat4::from_translation(translation.as_dvec3())
                * DMat4::from_mat3(DMat3::from_quat(rotation.as_dquat()))
                * DMat4::from_scale(scale.as_dvec3());
            above *= local;
            places.push(above.w_axis.truncate());
        }
        places.windows(2).map(|pair| pair[0].distance(pair[1])).collect()
    }

    /// Whether bones are as long as they were, within a millionth each: a rotation that rounding left off length
    /// one scales all that hangs on it.
    pub(crate) fn keeps_lengths(&self, before: &[f64]) -> bool {
        let ratios: Vec<f64> = self
            .exact_lengths(before.len())
            .iter()
            .zip(before)
            .map(|(after, before)| after / before)
            .collect();
        let above = std::iter::once(&1.0).chain(&ratios);
        ratios.iter().zip(above).all(|(ratio, above)| (ratio - above).abs() < 1e-6)
    }

    /// A point so far from the start, in the space above the chain, in a random direction.
    pub(crate) fn point_at(&self, random: &mut Random, distance: f32) -> Vec3 {
        let above = self.skeleton.parent(self.joints[0]).unwrap();
        let matrix = self.model.joint(above);
        let start = matrix.inverse().transform_point3(self.position(0));
        matrix.transform_point3(start + random.axis() * distance)
    }

    /// Gives some joints odd places and scales.
    pub(crate) fn distort(&mut self, random: &mut Random) {
        let flat = Vec3::new(1.0, 0.0, 1.0);
        for joint in self.skeleton.joints() {
            if random.chance(0.3) {
                let mut local = self.pose.joint_mut(joint);
                local.translation = random.pick(&[Vec3::ZERO, Vec3::X, Vec3::splat(1e-20), Vec3::Y * 1e15]);
                local.scale = random.pick(&[Vec3::ZERO, Vec3::ONE, flat, Vec3::splat(-1e-9)]);
            }
        }
        self.model.compose(&self.skeleton, &self.pose);
    }

    /// Whether model and pose still fit each other, bit for bit.
    pub(crate) fn assert_composed(&self) {
        let mut whole = ModelPose::rest(&self.skeleton);
        whole.compose(&self.skeleton, &self.pose);
        assert_eq!(whole, self.model, "the model pose is not what the pose composes to");
    }
}

pub(crate) fn position(model: &ModelPose, joint: JointId) -> Vec3 {
    model.joint(joint).w_axis.truncate()
}

/// The same skeleton and pose, seen in a mirror at x = 0.
pub(crate) fn mirrored(skeleton: &Skeleton, pose: &Pose) -> (Skeleton, Pose, ModelPose) {
    let flip = |t: Transform| Transform {
        translation: mirror(t.translation),
        rotation: Quat::from_xyzw(t.rotation.x, -t.rotation.y, -t.rotation.z, t.rotation.w),
        scale: t.scale,
    };
    let mut builder = Skeleton::builder();
    for joint in skeleton.joints() {
        let parent = skeleton.parent(joint).map(JointId::index);
        builder.joint(skeleton.name(joint), parent, flip(skeleton.rest(joint)));
    }
    let other = builder.build().unwrap();
    let mut flipped = Pose::rest(&other);
    for joint in skeleton.joints() {
        let twin = other.joint(skeleton.name(joint)).unwrap();
        flipped.set_joint(twin, flip(pose.joint(joint)));
    }
    let mut model = ModelPose::rest(&other);
    model.compose(&other, &flipped);
    (other, flipped, model)
}

pub(crate) fn mirror(point: Vec3) -> Vec3 {
    Vec3::new(-point.x, point.y, point.z)
}

/// Moves everything: the roots of the skeleton in the pose.
pub(crate) fn moved(skeleton: &Skeleton, pose: &Pose, by: Mat4) -> (Pose, ModelPose) {
    let mut pose = pose.clone();
    for joint in skeleton.joints().filter(|&joint| skeleton.parent(joint).is_none()) {
        let mut local = pose.joint_mut(joint);
        local.translation = by.transform_point3(local.translation);
        local.rotation = (Quat::from_mat3(&Mat3::from_mat4(by)) * local.rotation).normalize();
    }
    let mut model = ModelPose::rest(skeleton);
    model.compose(skeleton, &pose);
    (pose, model)
}

pub(crate) fn is_finite(pose: &Pose, skeleton: &Skeleton) -> bool {
    skeleton.joints().all(|joint| {
        let Transform { translation, rotation, scale } = pose.joint(joint);
        translation.is_finite() && rotation.is_finite() && scale.is_finite()
    })
}
