//! The expected-result files, as far as they are compared.

use serde::Deserialize;

use super::posed::Part;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Expected {
    pub(crate) node_parents: Vec<i64>,
    pub(crate) skins: Vec<Skin>,
    pub(crate) skin_count: usize,
    pub(crate) clips: Vec<Clip>,
    pub(crate) samples: Vec<Sample>,
    #[serde(default)]
    pub(crate) blends: Vec<Sample>,
    pub(crate) tol_scale: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Skin {
    pub(crate) skin: usize,
    pub(crate) joint_nodes: Vec<usize>,
}

#[derive(Deserialize)]
pub(crate) struct Clip {
    pub(crate) clip: usize,
    pub(crate) name: String,
    pub(crate) duration: f64,
}

/// A pose: of a clip at a time, or of a blend.
#[derive(Deserialize)]
pub(crate) struct Sample {
    pub(crate) clip: Option<usize>,
    #[serde(default)]
    pub(crate) time: f32,
    #[serde(default)]
    pub(crate) parts: Vec<Part>,
    #[serde(default)]
    pub(crate) locals: Vec<Local>,
    #[serde(default)]
    pub(crate) nodes: Vec<Node>,
    #[serde(default)]
    pub(crate) skins: Vec<Palette>,
    #[serde(default)]
    pub(crate) weights: Vec<Weights>,
    #[serde(default)]
    pub(crate) primitives: Vec<Primitive>,
}

#[derive(Deserialize)]
pub(crate) struct Local {
    pub(crate) node: usize,
    pub(crate) t: [f64; 3],
    pub(crate) r: [f64; 4],
    pub(crate) s: [f64; 3],
}

#[derive(Deserialize)]
pub(crate) struct Node {
    pub(crate) node: usize,
    pub(crate) world: [f64; 16],
}

#[derive(Deserialize)]
pub(crate) struct Palette {
    pub(crate) skin: usize,
    pub(crate) joints: Vec<usize>,
    pub(crate) scene: Vec<[f64; 16]>,
}

#[derive(Deserialize)]
pub(crate) struct Weights {
    pub(crate) node: usize,
    pub(crate) w: Vec<f64>,
}

/// Where the weights do not sum to one, the fields that end in R hold the results of normalised weights.
#[derive(Deserialize)]
pub(crate) struct Primitive {
    pub(crate) node: usize,
    pub(crate) primitive: usize,
    pub(crate) min: [f64; 3],
    pub(crate) max: [f64; 3],
    pub(crate) mean: [f64; 3],
    #[serde(rename = "minR")]
    pub(crate) min_r: Option<[f64; 3]>,
    #[serde(rename = "maxR")]
    pub(crate) max_r: Option<[f64; 3]>,
    #[serde(rename = "meanR")]
    pub(crate) mean_r: Option<[f64; 3]>,
    pub(crate) verts: Vec<Vertex>,
}

#[derive(Deserialize)]
pub(crate) struct Vertex {
    pub(crate) i: usize,
    pub(crate) p: [f64; 3],
    pub(crate) pr: Option<[f64; 3]>,
    pub(crate) n: Option<[f64; 3]>,
    /// Absent: the same as `n`. Null: the matrix is singular, and there is no normal.
    #[serde(default, deserialize_with = "present")]
    pub(crate) nt: Option<Option<[f64; 3]>>,
}

/// Tells a null from a field that is not there.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Option<[f64; 3]>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}
