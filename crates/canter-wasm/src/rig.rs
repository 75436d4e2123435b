//! A posed skeleton with its palettes.

use std::rc::Rc;

use canter::glam::{Mat4, Quat, Vec3};
use canter::{JointId, Mat3x4, ModelPose, MorphId, Pose, Transform};

use crate::host::Host;
use crate::model::Model;

/// A posed skeleton: what a mixer writes, and what a renderer reads.
pub(crate) struct Rig {
    model: Rc<Model>,
    pub(crate) pose: Pose,
    model_pose: ModelPose,
    palettes: Palettes,
}

/// The palettes of all skins. They are never resized: JavaScript looks at them where they lie.
enum Palettes {
    Mat4(Vec<Mat4>),
    Packed(Vec<Mat3x4>),
}

impl Rig {
    fn new(model: &Rc<Model>, is_packed: bool) -> Self {
        let matrices = model.asset.skins.matrix_count();
        let palettes = if is_packed {
            Palettes::Packed(vec![Mat3x4::IDENTITY; matrices])
        } else {
            Palettes::Mat4(vec![Mat4::IDENTITY; matrices])
        };
        let skeleton = &model.asset.skeleton;
        let (pose, model_pose) = (Pose::rest(skeleton), ModelPose::rest(skeleton));
        let mut rig = Self { model: Rc::clone(model), pose, model_pose, palettes };
        rig.compose();
        rig
    }

    /// Makes model matrices and palettes of the pose.
    pub(crate) fn compose(&mut self) {
        self.model_pose.compose(&self.model.asset.skeleton, &self.pose);
        let skins = &self.model.asset.skins;
        match &mut self.palettes {
            Palettes::Mat4(palettes) => skins.write_palettes(&self.model_pose, palettes),
            Palettes::Packed(palettes) => skins.write_palettes(&self.model_pose, palettes),
        }
    }

    /// Address of a skin's palette, and how many numbers it has.
    fn palette(&self, skin: usize) -> Option<(usize, usize)> {
        let range = self.model.asset.skins.ranges().nth(skin)?;
        Some(match &self.palettes {
            Palettes::Mat4(palettes) => (palettes[range.clone()].as_ptr().addr(), 16 * range.len()),
            Palettes::Packed(palettes) => (palettes[range.clone()].as_ptr().addr(), 12 * range.len()),
        })
    }

    fn joint(&self, index: u32) -> Option<JointId> {
        self.model.asset.skeleton.joint_at(index as usize)
    }

    fn morph(&self, index: u32) -> Option<MorphId> {
        self.model.asset.skeleton.morphs().nth(index as usize)
    }
}

impl Host {
    pub(crate) fn new_rig(&mut self, model: u32, is_packed: bool) -> u32 {
        let rig = self.models.get(model).map(|model| Rig::new(model, is_packed));
        rig.map_or(0, |rig| self.rigs.insert(rig))
    }

    pub(crate) fn palette(&mut self, rig: u32, skin: u32) {
        let palette = self.rigs.get(rig).and_then(|rig| rig.palette(skin as usize));
        let (address, len) = palette.unwrap_or((0, 0));
        self.put_place(address, len);
    }

    /// Where the model matrices lie: three rows of four numbers for each joint.
    pub(crate) fn model_matrices(&mut self, rig: u32) {
        let joints = self.rigs.get(rig).map(|rig| rig.model_pose.joints());
        let (address, len) = joints.map_or((0, 0), |joints| (joints.as_ptr().addr(), 12 * joints.len()));
        self.put_place(address, len);
    }

    /// Answers a joint's transform: translation, rotation, scale.
    pub(crate) fn joint(&mut self, rig: u32, joint: u32) {
        let Some(rig) = self.rigs.get(rig) else { return };
        let Some(joint) = rig.joint(joint) else { return };
        let Transform { translation: t, rotation: r, scale: s } = rig.pose.joint(joint);
        *self.answer = [t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z].map(f32::to_bits);
    }

    /// Gives a joint the transform in the answer.
    pub(crate) fn set_joint(&mut self, rig: u32, joint: u32) {
        let [tx, ty, tz, rx, ry, rz, rw, sx, sy, sz] = self.answer.map(f32::from_bits);
        let Some(rig) = self.rigs.get_mut(rig) else { return };
        let Some(joint) = rig.joint(joint) else { return };
        let transform = Transform {
            translation: Vec3::new(tx, ty, tz),
            rotation: Quat::from_xyzw(rx, ry, rz, rw),
            scale: Vec3::new(sx, sy, sz),
        };
        rig.pose.set_joint(joint, transform);
    }

    pub(crate) fn compose(&mut self, rig: u32) {
        if let Some(rig) = self.rigs.get_mut(rig) {
            rig.compose();
        }
    }

    pub(crate) fn reset_pose(&mut self, rig: u32) {
        if let Some(rig) = self.rigs.get_mut(rig) {
            rig.pose.reset(&rig.model.asset.skeleton);
            rig.compose();
        }
    }

    /// Where the weights of a set of morph targets lie.
    pub(crate) fn morph_weights(&mut self, rig: u32, morph: u32) {
        let weights = self.rigs.get(rig).and_then(|rig| Some(rig.pose.morph_weights(rig.morph(morph)?)));
        let (address, len) = weights.map_or((0, 0), |weights| (weights.as_ptr().addr(), weights.len()));
        self.put_place(address, len);
    }
}
