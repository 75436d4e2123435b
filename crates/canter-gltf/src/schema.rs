//! What is read of the JSON, and nothing more.
//!
//! The structs are tolerant: unknown fields, extensions and extras of any kind are passed over while parsing, without
//! recursion. What they do check is types (an index is a small non-negative integer) and the length of lists.
//! Strings are borrowed from the text: a buffer in a data URI can be as large as the file.

use std::borrow::Cow;

use serde::Deserialize;

use crate::error::LoadError;

pub(crate) mod accessor;
pub(crate) mod animation;
mod list;
mod locate;
pub(crate) mod material;
pub(crate) mod mesh;
pub(crate) mod node;
mod uint;

pub(crate) use list::List;
pub(crate) use uint::{Index, Size};

/// A name in the file; absent and `null` are the same.
pub(crate) type Name<'a> = Option<Text<'a>>;

/// A string, borrowed where it has no escapes. (A plain `Cow` would always be copied.)
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct Text<'a>(#[serde(borrow)] pub(crate) Cow<'a, str>);

/// The name as plain data.
pub(crate) fn owned(name: &Name<'_>) -> Option<String> {
    name.as_ref().map(|text| text.0.to_string())
}

/// The root object.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Document<'a> {
    #[serde(borrow)]
    pub(crate) asset: Option<AssetHeader<'a>>,
    #[serde(default, borrow)]
    pub(crate) extensions_used: List<Text<'a>>,
    #[serde(default, borrow)]
    pub(crate) extensions_required: List<Text<'a>>,
    pub(crate) scene: Option<Index>,
    #[serde(default, borrow)]
    pub(crate) scenes: List<Scene<'a>>,
    #[serde(default, borrow)]
    pub(crate) nodes: List<node::Node<'a>>,
    #[serde(default, borrow)]
    pub(crate) skins: List<node::Skin<'a>>,
    #[serde(default, borrow)]
    pub(crate) meshes: List<mesh::Mesh<'a>>,
    #[serde(default, borrow)]
    pub(crate) animations: List<animation::Animation<'a>>,
    #[serde(default, borrow)]
    pub(crate) materials: List<material::Material<'a>>,
    #[serde(default, borrow)]
    pub(crate) textures: List<material::Texture<'a>>,
    #[serde(default, borrow)]
    pub(crate) images: List<material::Image<'a>>,
    #[serde(default)]
    pub(crate) samplers: List<material::Sampler>,
    #[serde(default, borrow)]
    pub(crate) buffers: List<accessor::Buffer<'a>>,
    #[serde(default, borrow)]
    pub(crate) buffer_views: List<accessor::BufferView<'a>>,
    #[serde(default, borrow)]
    pub(crate) accessors: List<accessor::Accessor<'a>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AssetHeader<'a> {
    #[serde(borrow)]
    pub(crate) version: Text<'a>,
    #[serde(borrow)]
    pub(crate) min_version: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) generator: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) copyright: Option<Text<'a>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Scene<'a> {
    #[serde(borrow)]
    pub(crate) name: Name<'a>,
    #[serde(default)]
    pub(crate) nodes: Vec<Index>,
}

/// Parses the JSON text of a file.
pub(crate) fn parse(json: &str) -> Result<Document<'_>, LoadError> {
    serde_json::from_str(json).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let mut message = error.to_string();
        if let Some(end) = message.rfind(" at line ") {
            message.truncate(end);
        }
        LoadError::Json { place: locate::locate(json, line, column), line, column, message }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(json: &str) -> String {
        parse(json).unwrap_err().to_string()
    }

    #[test]
    fn unknown_fields_and_extras_of_any_kind_are_passed_over() {
        let json = r#"{"asset":{"version":"2.0","extras":7},"extras":[1,[2]],"nodes":[{"extras":null,"extensions":{"A":{}}}],"B":"c"}"#;
        assert_eq!(parse(json).unwrap().nodes.len(), 1);
    }

    #[test]
    fn errors_name_the_place() {
        let negative = error(r#"{"nodes":[{},{"skin":-1}]}"#);
        assert!(negative.starts_with("nodes[1].skin: line 1, column"), "{negative}");
        assert!(negative.contains("`-1`"), "{negative}");
        assert!(error(r#"{"nodes":[{"mesh":18446744073709551616}]}"#).starts_with("nodes[0].mesh"));
        assert!(error(r#"{"nodes":{}}"#).starts_with("nodes: "));
        assert!(error("{} {}").contains("trailing"));
        assert!(error("").contains("EOF"));
    }

    #[test]
    fn integers_may_be_written_as_floats() {
        let document = parse(r#"{"scene":1.0,"nodes":[]}"#).unwrap();
        assert_eq!(document.scene.unwrap().get(), 1);
        assert!(parse(r#"{"scene":1.5}"#).is_err());
    }

    #[test]
    fn deep_nesting_does_not_recurse() {
        let depth = 100_000;
        let json = format!(r#"{{"extras":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&json).is_ok());
    }
}
