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
            // Joints of skins only: other nodes (lights, cameras, armatures) are no bones.
            let mut bones: Vec<_> =
                character.model.asset.skins.iter().flat_map(|skin| skin.joints()).copied().collect();
            bones.sort_unstable();
            bones.dedup();
            for &joint in &bones {
                let to = place(joint);
                let end = [to[0], to[1], to[2], 0.0];
                if is_dot {
                    rods.push(Rod { from: to, radius: 2.2, to: end, color: DOT });
                } else if let Some(parent) =
                    skeleton.parent(joint).filter(|parent| bones.binary_search(parent).is_ok())
                {
                    rods.push(Rod { from: place(parent), radius: 1.3, to: end, color: ROD });
                }
            }
        }
    }
}
