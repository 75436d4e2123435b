//! The skeletons of characters, as rods.

use bytemuck::{Pod, Zeroable};
use canter::glam::{DVec3, Vec3};
use canter_scene::Figure;

use super::draws::relative;

/// A rod from joint to joint, or a dot. Places are relative to the eye; the radius is in pixels.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Rod {
    from: [f32; 3],
    radius: f32,
    to: [f32; 4],
    color: [f32; 4],
}

const ROD: [f32; 4] = [1.0, 0.42, 0.08, 0.85];
const DOT: [f32; 4] = [1.0, 0.9, 0.55, 1.0];

/// The rods of all joints of all figures of a frame. Memory is kept from frame to frame.
#[derive(Debug, Default)]
pub(super) struct Rods {
    rods: Vec<Rod>,
    dots: Vec<Rod>,
}

impl Rods {
    pub(super) fn clear(&mut self) {
        self.rods.clear();
        self.dots.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.rods.len()
    }

    pub(super) fn add(&mut self, figure: &Figure<'_>, eye: DVec3) {
        let eye_from_model = relative(figure.world_from_model, eye).as_affine3();
        let skeleton = &figure.model.asset.skeleton;
        let place = |joint| {
            let at: Vec3 = eye_from_model.transform_point3(figure.model_pose.joint(joint).w_axis.truncate());
            at.to_array()
        };
        for joint in figure.model.bones() {
            let to = place(joint);
            let end = [to[0], to[1], to[2], 0.0];
            self.dots.push(Rod { from: to, radius: 2.2, to: end, color: DOT });
            let parent = skeleton.parent(joint).filter(|&parent| figure.model.is_bone(parent));
            if let Some(parent) = parent {
                self.rods.push(Rod { from: place(parent), radius: 1.3, to: end, color: ROD });
            }
        }
    }

    /// All of them in the order of drawing: dots over rods. Nothing is added after that.
    pub(super) fn in_order(&mut self) -> &[Rod] {
        self.rods.append(&mut self.dots);
        &self.rods
    }
}

#[cfg(test)]
mod tests {
    use canter::glam::DAffine3;
    use canter_scene::{Character, Model};

    use super::*;

    /// As the renderer on the CPU has it: a machine of rigid parts moves by its joints, too.
    #[test]
    fn a_file_without_skins_shows_all_its_joints() {
        for (name, has_skins) in [("hero", true), ("sword", false)] {
            let path = format!("{}/../../assets/{name}.glb", env!("CARGO_MANIFEST_DIR"));
            let model = Model::load(path).unwrap();
            assert_eq!(!model.asset.skins.is_empty(), has_skins);
            let joints = match model.asset.skins.first() {
                Some(skin) => skin.len(),
                None => model.asset.skeleton.joint_count(),
            };
            let mut rods = Rods::default();
            rods.add(&Character::new(&model).figure(DAffine3::IDENTITY), DVec3::ZERO);
            let is_dot = |rod: &&Rod| rod.from[..] == rod.to[..3];
            assert_eq!(rods.in_order().iter().filter(is_dot).count(), joints, "{name}");
        }
    }
}
