//! Morph targets: as the clips say, or as a slider says.

use canter::MorphId;
use canter_scene::Model;

use super::Session;

/// A morph target of the figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Morph {
    /// What it is called.
    pub name: String,
    /// What a slider says; `None`: what the clips say.
    pub held_weight: Option<f32>,
    set: MorphId,
    target: usize,
}

/// All morph targets of a model.
pub(super) fn of(model: &Model) -> Vec<Morph> {
    let asset = &model.asset;
    let mut morphs = Vec::new();
    for node in &asset.nodes {
        let (Some(set), Some(mesh)) = (node.morph, node.mesh.and_then(|mesh| asset.meshes.get(mesh))) else {
            continue;
        };
        for target in 0..asset.skeleton.morph_rest(set).len() {
            let name = match mesh.target_names.get(target) {
                Some(name) => name.clone(),
                None => format!("{} {target}", asset.skeleton.morph_name(set)),
            };
            morphs.push(Morph { name, held_weight: None, set, target });
        }
    }
    morphs
}

impl Session {
    /// The morph targets, each with its present weight.
    pub fn morphs(&self) -> impl Iterator<Item = (&Morph, f32)> {
        let pose = &self.figure().pose;
        self.morphs.iter().map(|morph| (morph, pose.morph_weights(morph.set)[morph.target]))
    }

    /// Holds a morph target at a weight, or leaves it to the clips again.
    pub fn hold_morph(&mut self, index: usize, weight: Option<f32>) {
        if let Some(morph) = self.morphs.get_mut(index) {
            morph.held_weight = weight.filter(|weight| weight.is_finite());
            self.update(0.0);
        }
    }

    /// Puts what sliders say in the place of what clips say.
    pub(super) fn apply_morphs(&mut self) {
        if self.morphs.iter().all(|morph| morph.held_weight.is_none()) {
            return;
        }
        let Some(figure) = self.scene.character_mut(self.figure) else { return };
        for morph in &self.morphs {
            if let Some(weight) = morph.held_weight {
                figure.pose.morph_weights_mut(morph.set)[morph.target] = weight;
            }
        }
    }
}
