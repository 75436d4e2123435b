//! A posed skeleton with its palettes.

use std::rc::Rc;

#[cfg(feature = "motion")]
use canter::glam::DAffine3;
use canter::glam::{Mat4, Quat, Vec3};
use canter::{JointId, Mat3x4, ModelPose, MorphId, Pose, Transform};

use crate::asset::LoadedAsset;
use crate::host::Host;

/// A posed skeleton: what a mixer writes, and what a renderer reads.
pub(crate) struct PosedSkeleton {
    asset: Rc<LoadedAsset>,
    pub(crate) pose: Pose,
    model_pose: ModelPose,
    palettes: Palettes,
    /// Where the character is, for solvers that stand or swing in the world.
    #[cfg(feature = "motion")]
    pub(crate) world_from_model: DAffine3,
    /// Whether the model pose is that of the pose. Solvers leave both fitting, and change them one after another.
    #[cfg(feature = "motion")]
    is_composed: bool,
}

/// The palettes of all skins. They are never resized: JavaScript looks at them in place.
enum Palettes {
    Mat4(Vec<Mat4>),
    Packed(Vec<Mat3x4>),
}

impl PosedSkeleton {
    fn new(asset: &Rc<LoadedAsset>, is_packed: bool) -> Self {
        let matrices = asset.gltf.skins.matrix_count();
        let palettes = if is_packed {
            Palettes::Packed(vec![Mat3x4::IDENTITY; matrices])
        } else {
            Palettes::Mat4(vec![Mat4::IDENTITY; matrices])
        };
        let skeleton = &asset.gltf.skeleton;
        let (pose, model_pose) = (Pose::rest(skeleton), ModelPose::rest(skeleton));
        let mut posed = Self {
            asset: Rc::clone(asset),
            pose,
            model_pose,
            palettes,
            #[cfg(feature = "motion")]
            world_from_model: DAffine3::IDENTITY,
            #[cfg(feature = "motion")]
            is_composed: true,
        };
        posed.compose();
        posed
    }

    /// Calculates model matrices and palettes from the pose.
    pub(crate) fn compose(&mut self) {
        self.model_pose.compose(&self.asset.gltf.skeleton, &self.pose);
        #[cfg(feature = "motion")]
        {
            self.is_composed = true;
        }
        self.write_palettes();
    }

    /// The pose was changed: model matrices and palettes are not its own any more.
    #[cfg(feature = "motion")]
    pub(crate) fn touch(&mut self) {
        self.is_composed = false;
    }

    /// The pose, and the model pose that belongs to it. Palettes wait until JavaScript asks for them.
    #[cfg(feature = "motion")]
    pub(crate) fn fresh(&mut self) -> (&mut Pose, &mut ModelPose) {
        if !self.is_composed {
            self.model_pose.compose(&self.asset.gltf.skeleton, &self.pose);
            self.is_composed = true;
        }
        (&mut self.pose, &mut self.model_pose)
    }

    fn write_palettes(&mut self) {
        let skins = &self.asset.gltf.skins;
        match &mut self.palettes {
            Palettes::Mat4(palettes) => skins.write_palettes(&self.model_pose, palettes),
            Palettes::Packed(palettes) => skins.write_palettes(&self.model_pose, palettes),
        }
    }

    /// Address of a skin's palette, and how many numbers it has.
    fn palette(&self, skin: usize) -> Option<(usize, usize)> {
        let range = self.asset.gltf.skins.ranges().nth(skin)?;
        Some(match &self.palettes {
            Palettes::Mat4(palettes) => (palettes[range.clone()].as_ptr().addr(), 16 * range.len()),
            Palettes::Packed(palettes) => (palettes[range.clone()].as_ptr().addr(), 12 * range.len()),
        })
    }

    fn joint(&self, index: u32) -> Option<JointId> {
        self.asset.gltf.skeleton.joint_at(index as usize)
    }

    fn morph(&self, index: u32) -> Option<MorphId> {
        self.asset.gltf.skeleton.morphs().nth(index as usize)
    }
}

impl Host {
    pub(crate) fn new_skeleton(&mut self, asset: u32, is_packed: bool) -> u32 {
        let skeleton = self.assets.get(asset).map(|asset| PosedSkeleton::new(asset, is_packed));
        skeleton.map_or(0, |skeleton| self.skeletons.insert(skeleton))
    }

    pub(crate) fn palette(&mut self, skeleton: u32, skin: u32) {
        let palette = self.skeletons.get(skeleton).and_then(|skeleton| skeleton.palette(skin as usize));
        let (address, len) = palette.unwrap_or((0, 0));
        self.put_place(address, len);
    }

    /// Where the model matrices are: three rows of four numbers for each joint.
    pub(crate) fn model_matrices(&mut self, skeleton: u32) {
        let joints = self.skeletons.get(skeleton).map(|skeleton| skeleton.model_pose.joints());
        let (address, len) = joints.map_or((0, 0), |joints| (joints.as_ptr().addr(), 12 * joints.len()));
        self.put_place(address, len);
    }

    /// Writes a joint's transform to the answer: translation, rotation, scale.
    pub(crate) fn joint(&mut self, skeleton: u32, joint: u32) {
        let Some(skeleton) = self.skeletons.get(skeleton) else { return };
        let Some(joint) = skeleton.joint(joint) else { return };
        let Transform { translation: t, rotation: r, scale: s } = skeleton.pose.joint(joint);
        let numbers = [t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z].map(f32::to_bits);
        self.answer[..10].copy_from_slice(&numbers);
    }

    /// Gives a joint the transform in the answer.
    pub(crate) fn set_joint(&mut self, skeleton: u32, joint: u32) {
        let [tx, ty, tz, rx, ry, rz, rw, sx, sy, sz, ..] = self.answer.map(f32::from_bits);
        let Some(skeleton) = self.skeletons.get_mut(skeleton) else { return };
        let Some(joint) = skeleton.joint(joint) else { return };
        let transform = Transform {
            translation: Vec3::new(tx, ty, tz),
            rotation: Quat::from_xyzw(rx, ry, rz, rw),
            scale: Vec3::new(sx, sy, sz),
        };
        skeleton.pose.set_joint(joint, transform);
        #[cfg(feature = "motion")]
        skeleton.touch();
    }

    pub(crate) fn compose(&mut self, skeleton: u32) {
        if let Some(skeleton) = self.skeletons.get_mut(skeleton) {
            #[cfg(feature = "motion")]
            if skeleton.is_composed {
                skeleton.write_palettes();
                return;
            }
            skeleton.compose();
        }
    }

    pub(crate) fn reset_pose(&mut self, skeleton: u32) {
        if let Some(skeleton) = self.skeletons.get_mut(skeleton) {
            skeleton.pose.reset(&skeleton.asset.gltf.skeleton);
            skeleton.compose();
        }
    }

    /// Where the weights of a set of morph targets are.
    pub(crate) fn morph_weights(&mut self, skeleton: u32, morph: u32) {
        let skeleton = self.skeletons.get(skeleton);
        let weights = skeleton.and_then(|skeleton| Some(skeleton.pose.morph_weights(skeleton.morph(morph)?)));
        let (address, len) = weights.map_or((0, 0), |weights| (weights.as_ptr().addr(), weights.len()));
        self.put_place(address, len);
    }
}
