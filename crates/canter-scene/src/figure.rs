//! A character as renderers see it.

use std::slice;
use std::sync::Arc;

use canter::glam::{DAffine3, DVec3};
use canter::{JointId, Mat3x4, ModelPose, Pose};

use crate::bounds::Bounds;
use crate::character::Character;
use crate::model::{Model, Part};
use crate::skinning::{MeshTransform, PosedVertices};

/// What a renderer has to know of a character in a frame, borrowed from whoever keeps it: a
/// [`Scene`](crate::Scene), the components of an ECS, or variables of yours.
///
/// Renderers draw anything that gives figures: `&scene`, or an iterator of yours.
#[derive(Clone, Copy, Debug)]
pub struct Figure<'a> {
    /// The file.
    pub model: &'a Arc<Model>,
    /// Where it stands.
    pub world_from_model: DAffine3,
    /// Its pose, of which the morph weights are read.
    pub pose: &'a Pose,
    /// Where its joints stand, relative to the character.
    pub model_pose: &'a ModelPose,
    /// The palettes of all skins of the file, as [`Skins::write_palettes`](canter::Skins::write_palettes)
    /// writes them. What follows is not read: a [`Character::palette`] will do.
    pub palette: &'a [Mat3x4],
    /// A box around it as it stands, relative to the character; renderers calculate one where it is not
    /// known.
    pub bounds: Option<Bounds>,
}

impl<'a> Figure<'a> {
    /// Whether the poses and the palette are as large as those of the model. Renderers leave out figures that
    /// do not fit.
    #[must_use]
    pub fn fits(&self) -> bool {
        let asset = &self.model.asset;
        let joints = asset.skeleton.joint_count();
        self.pose.joint_count() == joints
            && self.model_pose.joint_count() == joints
            && self.palette.len() >= asset.skins.matrix_count()
    }

    /// The matrices of a part: `model_from_mesh` for every joint of its skin, or one alone.
    ///
    /// # Panics
    /// If the part is of another model.
    #[must_use]
    pub fn part_palette(&self, part: &Part) -> &'a [Mat3x4] {
        match part.skin {
            Some(_) => &self.palette[part.palette.clone()],
            None => slice::from_ref(&self.model_pose.joints()[part.joint.index()]),
        }
    }

    /// The weights of a part's morph targets; empty if it has none.
    ///
    /// # Panics
    /// If the part is of another model.
    #[must_use]
    pub fn morph_weights(&self, part: &Part) -> &'a [f32] {
        part.morph.map_or(&[], |morph| self.pose.morph_weights(morph))
    }

    /// The parts that are shown in its pose.
    pub fn shown_parts(&self) -> impl Iterator<Item = &'a Part> + use<'a> {
        let Self { model, pose, .. } = *self;
        model.parts().iter().filter(|part| model.is_shown(part, pose))
    }

    /// The vertices of a part as they stand, relative to the character: morphed and skinned on the CPU.
    ///
    /// # Panics
    /// If the part is of another model.
    #[must_use]
    pub fn posed(&self, part: &Part) -> PosedVertices {
        let transform = MeshTransform::Palette(self.part_palette(part));
        PosedVertices::new(self.model.primitive(part), self.morph_weights(part), transform)
    }

    /// Where its [bones](Model::bones) are in the world. Those that are nowhere (infinitely far, NaN) are left
    /// out.
    pub fn bone_places(&self) -> impl Iterator<Item = DVec3> + use<'a> {
        let Self { model, model_pose, world_from_model, .. } = *self;
        let place = move |joint: JointId| {
            let at = model_pose.joints()[joint.index()].to_mat4().w_axis.truncate();
            world_from_model.transform_point3(at.as_dvec3())
        };
        model.bones().map(place).filter(|at| at.is_finite())
    }

    /// The matrices of all parts, where [`Part::palette`] says: the figure's own, or, where there are rigid
    /// parts, a copy with theirs in `buffer`.
    ///
    /// # Panics
    /// If the figure does not [fit](Self::fits).
    #[must_use]
    pub fn whole_palette<'b>(&self, buffer: &'b mut Vec<Mat3x4>) -> &'b [Mat3x4]
    where
        'a: 'b,
    {
        let skinned = &self.palette[..self.model.asset.skins.matrix_count()];
        let rigid = self.model.rigid_joints();
        if rigid.is_empty() {
            return skinned;
        }
        buffer.clear();
        buffer.extend_from_slice(skinned);
        buffer.extend(rigid.iter().map(|joint| self.model_pose.joints()[joint.index()]));
        buffer
    }
}

impl Character {
    /// The character as renderers see it, standing somewhere.
    #[must_use]
    pub fn figure(&self, world_from_model: DAffine3) -> Figure<'_> {
        Figure {
            model: &self.model,
            world_from_model,
            pose: &self.pose,
            model_pose: &self.model_pose,
            palette: &self.palette,
            bounds: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an ECS has: the palettes of the skins, and nothing of rigid parts.
    #[test]
    fn the_palettes_of_the_skins_are_enough() {
        for name in ["hero", "sword"] {
            let path = format!("{}/../../assets/{name}.glb", env!("CARGO_MANIFEST_DIR"));
            let mut character = Character::new(&Model::load(path).unwrap());
            if let Some(clip) = character.model.asset.clips.first().cloned() {
                character.mixer.crossfade_to(&clip, 0.0);
            }
            character.update(0.3);
            let skins = character.model.asset.skins.matrix_count();
            let whole = character.figure(DAffine3::IDENTITY);
            let figure = Figure { palette: &whole.palette[..skins], bounds: None, ..whole };
            assert!(figure.fits());
            for part in character.model.parts() {
                assert_eq!(figure.part_palette(part), character.part_palette(part), "{name}");
                assert_eq!(figure.posed(part), character.posed(part), "{name}");
            }
            let mut buffer = vec![Mat3x4::IDENTITY; 3];
            assert_eq!(figure.whole_palette(&mut buffer), character.palette, "{name}");
        }
    }

    #[test]
    fn poses_of_another_skeleton_do_not_fit() {
        let load = |name| format!("{}/../../assets/{name}.glb", env!("CARGO_MANIFEST_DIR"));
        let [hero, sword] = ["hero", "sword"].map(|name| Character::new(&Model::load(load(name)).unwrap()));
        let (hero, sword) = (hero.figure(DAffine3::IDENTITY), sword.figure(DAffine3::IDENTITY));
        assert!(hero.fits() && sword.fits());
        for wrong in [
            Figure { pose: sword.pose, ..hero },
            Figure { model_pose: sword.model_pose, ..hero },
            Figure { palette: &[], ..hero },
        ] {
            assert!(!wrong.fits());
        }
    }
}
