//! What clips animate beside transforms and morph weights: what is shown, and how surfaces look.

use canter::glam::{Mat3, Vec2, Vec3, Vec4};
use canter::{MorphId, Pose};
use canter_gltf::{AnimatedProperty, Asset, Material, PropertyTarget, TextureSlot};

use super::{Model, Part};

/// The numbers of a material in a pose: as the file has them, but for those that clips animate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaterialValues {
    /// Linear colour and alpha.
    pub base_color: Vec4,
    /// Linear light that the surface gives off.
    pub emissive: Vec3,
    /// `texture_from_uv` of each texture, in the order of [`TextureSlot::ALL`]; the identity where there is
    /// none.
    pub texture_from_uv: [Mat3; 5],
}

impl MaterialValues {
    /// As the file has them.
    #[must_use]
    pub fn new(material: &Material) -> Self {
        let matrix = |slot| material.texture(slot).map_or(Mat3::IDENTITY, |texture| texture.texture_from_uv);
        Self {
            base_color: material.base_color,
            emissive: material.emissive,
            texture_from_uv: TextureSlot::ALL.map(matrix),
        }
    }

    fn set(&mut self, target: PropertyTarget, values: &[f32]) {
        match (target, values) {
            (PropertyTarget::BaseColor { .. }, &[r, g, b, a]) => self.base_color = Vec4::new(r, g, b, a),
            (PropertyTarget::Emissive { .. }, &[r, g, b]) => self.emissive = Vec3::new(r, g, b),
            (PropertyTarget::TextureOffset { slot, .. }, &[u, v]) => {
                self.texture_from_uv[slot as usize].z_axis = Vec2::new(u, v).extend(1.0);
            }
            _ => {}
        }
    }
}

/// What is animated, by what it changes.
#[derive(Debug, Default)]
pub(super) struct Animated {
    /// Whether nodes are shown: those above come before those below.
    switches: Vec<Switch>,
    /// By material, as far as any is animated.
    materials: Vec<Vec<AnimatedProperty>>,
}

/// A node that clips show and hide.
#[derive(Debug)]
struct Switch {
    shown: MorphId,
    /// The next one above it.
    above: Option<usize>,
}

impl Animated {
    pub(super) fn new(asset: &Asset) -> Self {
        let mut materials: Vec<Vec<AnimatedProperty>> = Vec::new();
        for &animated in &asset.animated {
            let material = match animated.target {
                PropertyTarget::BaseColor { material }
                | PropertyTarget::Emissive { material }
                | PropertyTarget::TextureOffset { material, .. } => material,
                _ => continue,
            };
            if materials.len() <= material {
                materials.resize(material + 1, Vec::new());
            }
            materials[material].push(animated);
        }
        Self { switches: Vec::new(), materials }
    }

    /// For each node whether it can be shown at all, and the switch that decides about it.
    pub(super) fn visibility(&mut self, asset: &Asset) -> Vec<Option<Option<usize>>> {
        let mut own = vec![None; asset.nodes.len()];
        for animated in &asset.animated {
            if let PropertyTarget::Visible { node } = animated.target
                && let Some(own) = own.get_mut(node)
            {
                *own = Some(animated.values);
            }
        }
        let mut visibility = vec![None; asset.nodes.len()];
        let roots = (0..asset.nodes.len()).filter(|&node| asset.nodes[node].parent.is_none());
        let mut waiting: Vec<(usize, Option<usize>)> = roots.map(|root| (root, None)).collect();
        while let Some((index, mut switch)) = waiting.pop() {
            let node = &asset.nodes[index];
            match own[index] {
                Some(shown) => {
                    self.switches.push(Switch { shown, above: switch });
                    switch = Some(self.switches.len() - 1);
                }
                None if !node.visible => continue,
                None => {}
            }
            visibility[index] = Some(switch);
            waiting.extend(node.children.iter().map(|&child| (child, switch)));
        }
        visibility
    }
}

impl Model {
    /// Whether a part is shown in a pose: clips may hide its node, or one above it.
    ///
    /// # Panics
    /// If something is not of this model.
    #[must_use]
    pub fn is_shown(&self, part: &Part, pose: &Pose) -> bool {
        let mut switch = part.switch;
        while let Some(index) = switch {
            let Switch { shown, above } = &self.animated.switches[index];
            if pose.morph_weights(*shown).first().is_some_and(|&shown| shown < 0.5) {
                return false;
            }
            switch = *above;
        }
        true
    }

    /// Whether clips animate how a material looks.
    #[must_use]
    pub fn is_material_animated(&self, material: Option<usize>) -> bool {
        material.is_some_and(|material| !self.animated_of(material).is_empty())
    }

    /// The numbers of a material in a pose. `None` is the material of primitives that have none.
    ///
    /// # Panics
    /// If something is not of this model.
    #[must_use]
    pub fn material_values(&self, material: Option<usize>, pose: &Pose) -> MaterialValues {
        let Some(index) = material else { return MaterialValues::new(&Material::default()) };
        let mut values = MaterialValues::new(&self.asset.materials[index]);
        for animated in self.animated_of(index) {
            values.set(animated.target, pose.morph_weights(animated.values));
        }
        values
    }

    fn animated_of(&self, material: usize) -> &[AnimatedProperty] {
        self.animated.materials.get(material).map_or(&[], Vec::as_slice)
    }
}
