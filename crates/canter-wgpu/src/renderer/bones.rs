//! The skeletons of characters, as rods.

use bytemuck::{Pod, Zeroable};
use canter::glam::{DVec3, Vec3};
use canter_scene::Scene;

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

/// The rods of all joints of all visible characters: dots over rods.
pub(super) fn collect(scene: &Scene, eye: DVec3, rods: &mut Vec<Rod>) {
    rods.clear();
    let shown = || scene.characters().filter(|id| scene.is_visible(*id) == Some(true));
    for is_dot in [false, true] {
        for id in shown() {
            let (Some(character), Some(world)) = (scene.character(id), scene.world(id)) else { continue };
            let eye_from_model = relative(world, eye).as_affine3();
            let skeleton = &character.model.asset.skeleton;
            let place = |joint| {
                let at: Vec3 =
                    eye_from_model.transform_point3(character.model_pose.joint(joint).w_axis.truncate());
                at.to_array()
            };
            for joint in character.model.bones() {
                let to = place(joint);
                let end = [to[0], to[1], to[2], 0.0];
                if is_dot {
                    rods.push(Rod { from: to, radius: 2.2, to: end, color: DOT });
                } else if let Some(parent) =
                    skeleton.parent(joint).filter(|&parent| character.model.is_bone(parent))
                {
                    rods.push(Rod { from: place(parent), radius: 1.3, to: end, color: ROD });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use canter::glam::DAffine3;
    use canter_scene::{Character, Model, Parent};

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
            let mut scene = Scene::new();
            scene.spawn(Character::new(&model), Parent::World, DAffine3::IDENTITY).unwrap();
            let mut rods = Vec::new();
            collect(&scene, DVec3::ZERO, &mut rods);
            let is_dot = |rod: &&Rod| rod.from[..] == rod.to[..3];
            assert_eq!(rods.iter().filter(is_dot).count(), joints, "{name}");
        }
    }
}
