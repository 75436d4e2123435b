//! Meshes.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{Index, List, Name, Size, Text};

#[derive(Debug, Deserialize)]
pub(crate) struct Mesh<'a> {
    #[serde(borrow)]
    pub(crate) name: Name<'a>,
    #[serde(default, borrow)]
    pub(crate) primitives: List<Primitive<'a>>,
    #[serde(default)]
    pub(crate) weights: Vec<f32>,
    /// Anything at all; by custom it may name the morph targets, see [`target_names`].
    #[serde(borrow)]
    extras: Option<&'a RawValue>,
}

impl Mesh<'_> {
    /// The names of the morph targets: `extras.targetNames`, which the specification recommends.
    pub(crate) fn target_names(&self) -> Vec<String> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Extras {
            target_names: Vec<String>,
        }
        let extras = self.extras.and_then(|extras| serde_json::from_str::<Extras>(extras.get()).ok());
        extras.map_or_else(Vec::new, |extras| extras.target_names)
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Primitive<'a> {
    #[serde(default, borrow)]
    pub(crate) attributes: Attributes<'a>,
    pub(crate) indices: Option<Index>,
    pub(crate) material: Option<Index>,
    pub(crate) mode: Option<Size>,
    #[serde(default, borrow)]
    pub(crate) targets: List<Attributes<'a>>,
}

/// Accessors by semantic, in the file's order.
#[derive(Debug, Default)]
pub(crate) struct Attributes<'a>(Vec<(Text<'a>, Index)>);

impl Attributes<'_> {
    pub(crate) fn find(&self, semantic: &str) -> Option<Index> {
        self.iter().find_map(|(name, index)| (name == semantic).then_some(index))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, Index)> {
        self.0.iter().map(|(name, index)| (name.0.as_ref(), *index))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Attributes<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;

        impl<'de> Visitor<'de> for Pairs {
            type Value = Attributes<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of accessor indices")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Attributes<'de>, A::Error> {
                let mut attributes = Vec::new();
                while let Some(pair) = pairs.next_entry()? {
                    attributes.push(pair);
                }
                Ok(Attributes(attributes))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}
