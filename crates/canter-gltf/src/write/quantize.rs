//! Attributes of vertices in fewer bits.

use super::pool::AccessorKey;
use super::view::Elements;
use crate::accessor::{Component, Format, Kind};

/// The weights of all sets of a primitive in 8 bits. Together they are exactly one, as the specification wants.
pub(super) struct Weights {
    names: Vec<String>,
    /// Four for each set, vertex by vertex; `None` if they are no weights that can be rounded.
    rounded: Option<Vec<u8>>,
}

impl Weights {
    pub(super) fn new(attributes: &[(String, usize)], elements: &[Elements<'_>]) -> Self {
        let sets: Vec<(&String, &Elements<'_>)> = attributes
            .iter()
            .map(|(name, _)| name)
            .zip(elements)
            .filter(|(name, _)| name.starts_with("WEIGHTS_"))
            .collect();
        let names = sets.iter().map(|(name, _)| (*name).clone()).collect();
        let is_plain = |elements: &Elements<'_>| {
            elements.format.component == Component::F32 && elements.format.kind == Kind::Vec4
        };
        if sets.is_empty() || !sets.iter().all(|(_, elements)| is_plain(elements)) {
            return Self { names, rounded: None };
        }
        let mut rounded = Vec::new();
        for vertex in 0..sets[0].1.count {
            let weights: Vec<f32> =
                sets.iter().flat_map(|(_, elements)| floats(elements.get(vertex))).collect();
            match round_weights(&weights) {
                Some(weights) => rounded.extend(weights),
                None => return Self { names, rounded: None },
            }
        }
        Self { names, rounded: Some(rounded) }
    }

    fn get(&self, name: &str, kept: &[usize]) -> Option<AccessorKey> {
        let (rounded, set) = (self.rounded.as_ref()?, self.names.iter().position(|known| known == name)?);
        let first = |vertex: usize| (vertex * self.names.len() + set) * 4;
        let bytes = kept.iter().flat_map(|&vertex| &rounded[first(vertex)..first(vertex) + 4]).copied();
        Some(AccessorKey::new(Component::U8, Kind::Vec4, true, bytes.collect()))
    }

    /// Which of the four joints of each vertex that is kept still have weight; `name` is that of the joints.
    fn counts(&self, name: &str, kept: &[usize]) -> Option<Vec<bool>> {
        let weights = self.get(&name.replacen("JOINTS_", "WEIGHTS_", 1), kept)?;
        Some(weights.bytes.iter().map(|&weight| weight > 0).collect())
    }
}

fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> + '_ {
    bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes))
}

/// Weights of a vertex in 8 bits that add up to 255: what rounding loses goes to those that lose most.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
fn round_weights(weights: &[f32]) -> Option<Vec<u8>> {
    let sum: f32 = weights.iter().sum();
    if !((sum - 1.0).abs() < 0.01 && weights.iter().all(|&weight| weight >= 0.0)) {
        return None;
    }
    let scaled: Vec<f32> = weights.iter().map(|&weight| weight / sum * 255.0).collect();
    let mut rounded: Vec<u8> = scaled.iter().map(|&weight| weight as u8).collect();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|&a, &b| scaled[b].fract().total_cmp(&scaled[a].fract()));
    let missing = 255 - rounded.iter().map(|&weight| u32::from(weight)).sum::<u32>().min(255);
    for &index in order.iter().take(missing as usize) {
        rounded[index] = rounded[index].saturating_add(1);
    }
    (rounded.iter().map(|&weight| u32::from(weight)).sum::<u32>() == 255).then_some(rounded)
}

/// An attribute of the vertices that are kept, and whether readers must know `KHR_mesh_quantization`. Without
/// `weights` nothing is lost: only joints have fewer bits, if that is enough.
pub(super) fn encode(
    name: &str,
    elements: &Elements<'_>,
    kept: &[usize],
    weights: Option<&Weights>,
) -> (AccessorKey, bool) {
    let format = elements.format;
    let plain = || {
        let bytes = kept.iter().flat_map(|&vertex| elements.get(vertex)).copied().collect();
        let key = AccessorKey::new(format.component, format.kind, format.normalized, bytes).for_vertices();
        if name.ends_with("POSITION") { key.with_bounds() } else { key }
    };
    if name.starts_with("JOINTS_") && format.kind == Kind::Vec4 {
        return (joints(name, elements, kept, weights), false);
    }
    let Some(weights) = weights.filter(|_| format.component == Component::F32) else {
        return (plain(), false);
    };
    if let Some(key) = weights.get(name, kept) {
        return (key.for_vertices(), false);
    }
    let numbers = || kept.iter().flat_map(|&vertex| floats(elements.get(vertex)));
    let is_fraction = || numbers().all(|number| (0.0..=1.0).contains(&number));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to their range")]
    let (component, bytes, needs_extension): (_, Vec<u8>, _) = match name {
        "NORMAL" | "TANGENT" => {
            let byte = |number: f32| (number.clamp(-1.0, 1.0) * 127.0).round() as i8;
            (Component::I8, numbers().flat_map(|number| byte(number).to_le_bytes()).collect(), true)
        }
        name if name.starts_with("TEXCOORD_") && is_fraction() => {
            let short = |number: f32| (number * 65535.0).round() as u16;
            (Component::U16, numbers().flat_map(|number| short(number).to_le_bytes()).collect(), false)
        }
        name if name.starts_with("COLOR_") && is_fraction() => {
            (Component::U8, numbers().map(|number| (number * 255.0).round() as u8).collect(), false)
        }
        _ => return (plain(), false),
    };
    (AccessorKey::new(component, format.kind, true, bytes).for_vertices(), needs_extension)
}

/// Joints in as few bits as they need. Those whose weight was rounded to nothing are the first one: the specification
/// wants no joints without weight.
fn joints(name: &str, elements: &Elements<'_>, kept: &[usize], weights: Option<&Weights>) -> AccessorKey {
    let Format { component, kind, .. } = elements.format;
    let mut bytes: Vec<u8> = kept.iter().flat_map(|&vertex| elements.get(vertex)).copied().collect();
    if let Some(counts) = weights.and_then(|weights| weights.counts(name, kept)) {
        let size = component.size();
        for (joint, _) in bytes.chunks_mut(size).zip(counts).filter(|(_, counts)| !counts) {
            joint.fill(0);
        }
    }
    let (shorts, _) = bytes.as_chunks::<2>();
    if component == Component::U16 && shorts.iter().all(|joint| joint[1] == 0) {
        let bytes = shorts.iter().map(|joint| joint[0]).collect();
        return AccessorKey::new(Component::U8, kind, false, bytes).for_vertices();
    }
    AccessorKey::new(component, kind, false, bytes).for_vertices()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_weights_are_one_together() {
        for weights in [
            &[1.0, 0.0, 0.0, 0.0][..],
            &[0.333_333_34, 0.333_333_34, 0.333_333_34, 0.0],
            &[0.25; 4],
            &[0.996, 0.002, 0.001, 0.001],
            &[0.125; 8],
            &[0.5, 0.499, 0.0, 0.0],
        ] {
            let rounded = round_weights(weights).unwrap();
            assert_eq!(rounded.iter().map(|&weight| u32::from(weight)).sum::<u32>(), 255, "{weights:?}");
            for (rounded, weight) in rounded.iter().zip(weights) {
                assert!((f32::from(*rounded) / 255.0 - weight).abs() < 1.5 / 255.0, "{weights:?}");
            }
        }
        assert_eq!(round_weights(&[0.0; 4]), None);
        assert_eq!(round_weights(&[2.0, -1.0, 0.0, 0.0]), None);
        assert_eq!(round_weights(&[f32::NAN, 0.0, 0.0, 0.0]), None);
    }
}
