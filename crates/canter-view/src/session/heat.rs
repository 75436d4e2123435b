//! The figure in the colours of a joint's weights.

use std::sync::Arc;

use canter::JointId;
use canter::glam::Vec3;
use canter_gltf::{Asset, Material, Primitive, PropertyTarget};
use canter_scene::{Model, Part};

use super::Session;

impl Session {
    /// Whether the figure is coloured by how much the picked joint moves it.
    #[must_use]
    pub fn shows_weights(&self) -> bool {
        self.shows_weights
    }

    /// Colours the figure by how much the picked joint moves it, or as the file says.
    pub fn show_weights(&mut self, shows: bool) {
        if self.shows_weights != shows {
            self.shows_weights = shows;
            self.color_by_weight();
            self.touch();
        }
    }

    /// Gives the figure the model that it has to be drawn with. Its matrices are the same ones.
    pub(super) fn color_by_weight(&mut self) {
        let model = match self.picked.filter(|_| self.shows_weights) {
            Some(joint) => colored(&self.model, joint),
            None => Arc::clone(&self.model),
        };
        if let Some(figure) = self.scene.character_mut(self.figure) {
            figure.model = model;
        }
    }
}

/// The same model without textures, with colours at its vertices.
fn colored(model: &Model, joint: JointId) -> Arc<Model> {
    let mut asset = model.asset.clone();
    // Boxes are fitted to clips, which takes time: all they do here is cull.
    asset.clips.clear();
    asset.images.clear();
    asset.textures.clear();
    asset.materials = vec![Material { metallic: 0.0, roughness: 0.7, ..Material::default() }];
    asset.animated.retain(|animated| matches!(animated.target, PropertyTarget::Visible { .. }));
    for mesh in &mut asset.meshes {
        for primitive in &mut mesh.primitives {
            primitive.material = Some(0);
        }
    }
    for part in model.parts() {
        let colors = (0..model.primitive(part).positions.len())
            .map(|vertex| color(weight(&model.asset, part, vertex, joint)).extend(1.0))
            .collect();
        primitive(&mut asset, part).colors = colors;
    }
    Arc::new(Model::new(asset))
}

fn primitive<'a>(asset: &'a mut Asset, part: &Part) -> &'a mut Primitive {
    &mut asset.meshes[part.mesh].primitives[part.primitive]
}

/// How much a joint moves a vertex, from 0 to 1.
fn weight(asset: &Asset, part: &Part, vertex: usize, joint: JointId) -> f32 {
    let Some(skin) = part.skin else { return f32::from(u8::from(part.joint == joint)) };
    let joints = asset.skins[skin].joints();
    let sets = &asset.meshes[part.mesh].primitives[part.primitive].influences;
    let influences =
        sets.iter().flat_map(|set| set.joints[vertex].into_iter().zip(set.weights[vertex].to_array()));
    let own = influences.filter(|(index, _)| joints.get(usize::from(*index)) == Some(&joint));
    own.map(|(_, weight)| weight).sum::<f32>().clamp(0.0, 1.0)
}

/// From slate for nothing over blue, green and yellow to red; linear.
pub(super) fn color(weight: f32) -> Vec3 {
    const STEPS: [Vec3; 5] = [
        Vec3::new(0.20, 0.22, 0.26),
        Vec3::new(0.02, 0.16, 0.60),
        Vec3::new(0.02, 0.45, 0.25),
        Vec3::new(0.85, 0.60, 0.02),
        Vec3::new(0.80, 0.04, 0.02),
    ];
    let at = weight * (STEPS.len() - 1) as f32;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 3")]
    let step = (at as usize).min(STEPS.len() - 2);
    STEPS[step].lerp(STEPS[step + 1], at - step as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_add_up_to_one_and_colors_go_from_slate_to_red() {
        let model = Model::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/hero.glb")).unwrap();
        let asset = &model.asset;
        for part in model.parts() {
            let sum: f32 = asset.skeleton.joints().map(|joint| weight(asset, part, 0, joint)).sum();
            assert!((sum - 1.0).abs() < 1e-3, "{sum}");
        }
        assert!(color(1.0).x > 0.7 && color(1.0).z < 0.1);
        assert!(color(0.0).max_element() < 0.3);
    }

    #[test]
    fn only_the_figure_is_colored_and_only_while_a_joint_is_picked() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/hero.glb");
        let mut session = Session::load(path.as_ref()).unwrap();
        session.show_weights(true);
        assert!(Arc::ptr_eq(&session.figure().model, session.model()));
        session.pick(session.skeleton().joint("hand_R"));
        let colors = |session: &Session| {
            let meshes = &session.figure().model.asset.meshes;
            meshes
                .iter()
                .flat_map(|mesh| &mesh.primitives)
                .flat_map(|it| it.colors.clone())
                .collect::<Vec<_>>()
        };
        let hand = colors(&session);
        assert!(hand.iter().any(|color| color.x > 0.7) && hand.iter().any(|color| color.x < 0.3));
        session.advance(0.1);
        session.pick(session.skeleton().joint("head"));
        assert_ne!(colors(&session), hand);
        session.show_weights(false);
        assert!(Arc::ptr_eq(&session.figure().model, session.model()));
    }
}
