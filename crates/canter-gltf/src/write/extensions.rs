//! Extensions that may hold indices of accessors, views or buffers where nobody here looks for them.

use crate::json::Text;

/// Extensions that hold none, or only those that [`refs`](super::refs) visits.
const KNOWN: &[&str] = &[
    "EXT_lights_image_based",
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "EXT_texture_avif",
    "EXT_texture_webp",
    "KHR_animation_pointer",
    "KHR_draco_mesh_compression",
    "KHR_lights_punctual",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_node_hoverability",
    "KHR_node_selectability",
    "KHR_node_visibility",
    "KHR_texture_basisu",
    "KHR_texture_transform",
    "KHR_xmp_json_ld",
    "MSFT_lod",
    "MSFT_texture_dds",
    "VRM",
];

/// The same for whole families.
const KNOWN_FAMILIES: &[&str] = &["KHR_materials_", "VRMC_", "MSFT_packing_"];

fn is_known(name: &str) -> bool {
    KNOWN.contains(&name) || KNOWN_FAMILIES.iter().any(|family| name.starts_with(family))
}

/// What the walk is inside of.
struct Open {
    is_object: bool,
    /// The name of the member that is read.
    name: String,
    /// Members are extensions.
    holds_extensions: bool,
}

/// Names of unknown extensions with whole numbers in them, which could be indices. `extras` are not looked
/// into: what programs leave there for themselves is no part of the format.
pub(super) fn with_indices(text: &[u8]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut at = 0;
    let mut expects_name = false;
    // How deep the unknown extension and the extras lie that the walk is inside of.
    let (mut unknown, mut extras): (Option<usize>, Option<usize>) = (None, None);
    while let Some(&byte) = text.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'{' | b'[' => {
                let holds_extensions = byte == b'{'
                    && open.last().is_some_and(|outer| outer.is_object && outer.name == "extensions");
                open.push(Open { is_object: byte == b'{', name: String::new(), holds_extensions });
                expects_name = byte == b'{';
            }
            b'}' | b']' => {
                open.pop();
                unknown = unknown.filter(|&depth| depth < open.len());
                extras = extras.filter(|&depth| depth < open.len());
            }
            b',' => {
                // The member ends here.
                unknown = unknown.filter(|&depth| depth < open.len());
                extras = extras.filter(|&depth| depth < open.len());
                expects_name = open.last().is_some_and(|inner| inner.is_object);
            }
            b'"' => {
                at = string_end(text, at);
                let depth = open.len();
                if let (true, Some(inner)) = (expects_name, open.last_mut()) {
                    inner.name =
                        Text::new(&text[start + 1..at.saturating_sub(1).max(start + 1)]).0.into_owned();
                    expects_name = false;
                    if inner.name == "extras" && extras.is_none() {
                        extras = Some(depth);
                    }
                    if inner.holds_extensions && !is_known(&inner.name) && unknown.is_none() {
                        unknown = Some(depth);
                    }
                }
            }
            b'0'..=b'9' | b'-' => {
                while text.get(at).is_some_and(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte)) {
                    at += 1;
                }
                let is_whole = text[start..at].iter().all(u8::is_ascii_digit);
                if let (true, Some(depth), None) = (is_whole, unknown, extras) {
                    let name = &open[depth - 1].name;
                    if !found.contains(name) {
                        found.push(name.clone());
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// Behind the closing quote.
fn string_end(text: &[u8], mut at: usize) -> usize {
    while let Some(byte) = text.get(at) {
        at += if *byte == b'\\' { 2 } else { 1 };
        if *byte == b'"' {
            break;
        }
    }
    at.min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unknown_extensions_with_whole_numbers_count() {
        for (json, names) in [
            (r#"{"nodes":[{"extensions":{"ACME_cloth":{"accessor":3}}}]}"#, vec!["ACME_cloth"]),
            (r#"{"nodes":[{"extensions":{"ACME_cloth":{"stiff":0.5,"on":true,"s":"7"}}}]}"#, vec![]),
            (r#"{"nodes":[{"extensions":{"ACME_cloth":{"extras":{"accessor":3}}}}]}"#, vec![]),
            (r#"{"extras":{"extensions":{"ACME_cloth":3}},"a":1}"#, vec![]),
            (r#"{"materials":[{"extensions":{"KHR_materials_clearcoat":{"t":{"index":3}}}}]}"#, vec![]),
            (
                r#"{"extensions":{"A":{"b":[{"c":[1]}]},"KHR_lights_punctual":[4],"B":7},"d":5}"#,
                vec!["A", "B"],
            ),
            (r#"{"extensions":{"KHR_texture_transform":{"extensions":{"A":[[0]]}}}}"#, vec!["A"]),
            (r#"{"extensions":{"A":{"b":"\"1,{"}},"c":[1,2]}"#, vec![]),
            (r#"{"extensionsUsed":["A"],"extensions":{"A":{}},"c":2}"#, vec![]),
        ] {
            assert_eq!(with_indices(json.as_bytes()), names, "{json}");
        }
    }

    #[test]
    fn any_text_is_walked_to_its_end() {
        for text in ["", "]]}", "\"\\", "{\"", "{\"extensions\":{\"A\":[[[", "-", "{\"extensions\":1}"] {
            for end in 0..=text.len() {
                with_indices(&text.as_bytes()[..end]);
            }
        }
        with_indices(&b"[".repeat(1_000_000));
    }
}
