//! What is read of the JSON, and nothing more.
//!
//! The structs are tolerant: unknown fields and extensions of any kind are passed over while parsing, without
//! recursion, and extras are kept as they are written. What they do check is types (an index is a small
//! non-negative integer) and the length of lists. Strings are borrowed from the text: a buffer in a data URI
//! can be as large as the file.

use crate::error::{Failure, LoadError};
pub(crate) use crate::json::{Extras, Index, List, Size, Text};
use crate::json::{Raw, Reader, object};

pub(crate) mod accessor;
pub(crate) mod animation;
#[cfg(feature = "meshes")]
pub(crate) mod material;
pub(crate) mod mesh;
pub(crate) mod node;

/// A name in the file; absent and `null` are the same.
pub(crate) type Name<'a> = Option<Text<'a>>;

/// The name as plain data.
pub(crate) fn owned(name: &Name<'_>) -> Option<String> {
    name.as_ref().map(|text| text.0.to_string())
}

/// The root object.
#[derive(Debug, Default)]
pub(crate) struct Document<'a> {
    pub(crate) asset: Option<AssetHeader<'a>>,
    pub(crate) extensions_used: List<Text<'a>>,
    pub(crate) extensions_required: List<Text<'a>>,
    pub(crate) scene: Option<Index>,
    pub(crate) scenes: List<Scene<'a>>,
    pub(crate) nodes: List<node::Node<'a>>,
    pub(crate) skins: List<node::Skin<'a>>,
    pub(crate) meshes: List<mesh::Mesh<'a>>,
    pub(crate) animations: List<animation::Animation<'a>>,
    #[cfg(feature = "meshes")]
    pub(crate) materials: List<material::Material<'a>>,
    #[cfg(feature = "meshes")]
    pub(crate) textures: List<material::Texture<'a>>,
    #[cfg(feature = "meshes")]
    pub(crate) images: List<material::Image<'a>>,
    #[cfg(feature = "meshes")]
    pub(crate) samplers: List<material::Sampler>,
    pub(crate) buffers: List<accessor::Buffer<'a>>,
    pub(crate) buffer_views: List<accessor::BufferView<'a>>,
    pub(crate) accessors: List<accessor::Accessor<'a>>,
    #[cfg(feature = "springs")]
    pub(crate) extensions: RootExtensions<'a>,
    pub(crate) extras: Extras<'a>,
}

object!('a, Document<'a> {
    ;
    "asset" => asset, "extensionsUsed" => extensions_used, "extensionsRequired" => extensions_required,
    "scene" => scene, "scenes" => scenes, "nodes" => nodes, "skins" => skins, "meshes" => meshes,
    "animations" => animations, "buffers" => buffers, "bufferViews" => buffer_views, "accessors" => accessors,
    #[cfg(feature = "meshes")] "materials" => materials,
    #[cfg(feature = "meshes")] "textures" => textures,
    #[cfg(feature = "meshes")] "images" => images,
    #[cfg(feature = "meshes")] "samplers" => samplers,
    #[cfg(feature = "springs")] "extensions" => extensions,
    #[cfg(feature = "extras")] "extras" => extras
});

/// Extensions of the root, as they are written: what is wrong with one does not concern the others.
#[cfg(feature = "springs")]
#[derive(Debug, Default)]
pub(crate) struct RootExtensions<'a> {
    pub(crate) spring_bone: Extras<'a>,
}

#[cfg(feature = "springs")]
object!('a, RootExtensions<'a> { ; "VRMC_springBone" => spring_bone });

#[derive(Debug, Default)]
pub(crate) struct AssetHeader<'a> {
    pub(crate) version: Text<'a>,
    pub(crate) min_version: Option<Text<'a>>,
    pub(crate) generator: Option<Text<'a>>,
    pub(crate) copyright: Option<Text<'a>>,
    pub(crate) extras: Extras<'a>,
}

object!('a, AssetHeader<'a> {
    "version" => version;
    "minVersion" => min_version, "generator" => generator, "copyright" => copyright,
    #[cfg(feature = "extras")] "extras" => extras
});

#[derive(Debug, Default)]
pub(crate) struct Scene<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) nodes: Vec<Index>,
    pub(crate) extras: Extras<'a>,
}

object!('a, Scene<'a> {
    ;
    "name" => name, "nodes" => nodes,
    #[cfg(feature = "extras")] "extras" => extras
});

/// Reads the JSON text of a file.
pub(crate) fn parse(json: &[u8]) -> Result<Document<'_>, Failure> {
    let mut document = Document::default();
    Reader::new(json).document(&mut document)?;
    Ok(document)
}

/// The error that a text is glTF 1.0, if it is: there the lists of today were objects.
pub(crate) fn older(json: &[u8]) -> Option<Failure> {
    let mut outline = Outline::default();
    Reader::new(json).document(&mut outline).ok()?;
    let lists = [outline.nodes, outline.meshes, outline.buffers];
    if !lists.iter().any(|list| list.0.trim_ascii_start().starts_with(b"{")) {
        return None;
    }
    let (place, found) = ("asset.version".to_owned(), "1.0".to_owned());
    Some(LoadError::Version { place, found }.into())
}

/// What tells glTF 1.0 from what came after.
#[derive(Debug, Default)]
struct Outline<'a> {
    nodes: Raw<'a>,
    meshes: Raw<'a>,
    buffers: Raw<'a>,
}

object!('a, Outline<'a> { ; "nodes" => nodes, "meshes" => meshes, "buffers" => buffers });

#[cfg(test)]
mod tests {
    use super::*;

    fn error(json: &str) -> String {
        parse(json.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn unknown_fields_and_extras_of_any_kind_are_passed_over() {
        let json = r#"{"asset":{"version":"2.0","extras":7},"extras":[1,[2]],"nodes":[{"extras":null,"extensions":{"A":{}}}],"B":"c"}"#;
        assert_eq!(parse(json.as_bytes()).unwrap().nodes.len(), 1);
    }

    #[test]
    fn names_of_fields_may_have_escapes() {
        let json = br#"{"\u006eodes":[{},{}],"\u00fcbrig\n":[]}"#;
        assert_eq!(parse(json).unwrap().nodes.len(), 2);
        assert!(error(r#"{"nodes":[],"\u006eodes":[]}"#).contains("`nodes` is given twice"));
    }

    #[test]
    fn errors_name_the_place() {
        let negative = error(r#"{"nodes":[{},{"skin":-1}]}"#);
        assert!(negative.starts_with("nodes[1].skin: line 1, column"), "{negative}");
        assert!(negative.contains("`-1`"), "{negative}");
        assert!(error(r#"{"nodes":[{"mesh":18446744073709551616}]}"#).starts_with("nodes[0].mesh"));
        assert!(error(r#"{"nodes":{}}"#).starts_with("nodes: "));
        assert!(error("{} {}").contains("found an object, expected the end of the text"));
        assert!(error("").contains("found the end of the text, expected an object"));
    }

    #[test]
    fn errors_say_what_was_expected() {
        for (json, message) in [
            (
                r#"{"nodes":[{"skin":1.5}]}"#,
                "nodes[0].skin: line 1, column 19: found `1.5`, expected an index",
            ),
            (
                r#"{"nodes":[{"skin":4294967296}]}"#,
                "nodes[0].skin: line 1, column 19: found `4294967296`, expected an index",
            ),
            (r#"{"nodes":[{"name":7}]}"#, "nodes[0].name: line 1, column 19: found `7`, expected a text"),
            (r#"{"nodes":null}"#, "nodes: line 1, column 10: found `null`, expected a list"),
            (
                r#"{"nodes":[{"scale":[1,2]}]}"#,
                "nodes[0].scale: line 1, column 20: found 2 numbers, expected 3",
            ),
            (
                r#"{"nodes":[{"scale":[1,2,1e39]}]}"#,
                "nodes[0].scale[2]: line 1, column 25: found `1e39`, expected a number below 3.4e38",
            ),
            (
                r#"{"accessors":[{"normalized":1}]}"#,
                "accessors[0].normalized: line 1, column 29: found `1`, expected true or false",
            ),
            ("{\"asset\":{},\n\"scene\":0}", "asset: line 1, column 12: the field `version` is missing"),
            ("{\n\"scene\":0,\n \"scene\":1}", "scene: line 3, column 10: `scene` is given twice"),
            (
                r#"{"buffers":[{"uri":"abc"#,
                "buffers[0].uri: line 1, column 24: the text ends inside a string",
            ),
        ] {
            assert_eq!(error(json), message, "{json}");
        }
    }

    #[test]
    fn absent_and_null_are_the_same_where_a_field_may_be_absent() {
        let json = br#"{"nodes":[{"name":null,"skin":null,"scale":null,"weights":null}]}"#;
        let document = parse(json).unwrap();
        let node = &document.nodes[0];
        assert!(node.name.is_none() && node.skin.is_none() && node.scale.is_none() && node.weights.is_none());
    }

    #[test]
    fn deep_nesting_does_not_recurse() {
        let depth = 100_000;
        let json = format!(r#"{{"extras":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
        assert!(parse(json.as_bytes()).is_ok());
    }
}
