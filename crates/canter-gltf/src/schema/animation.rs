//! Animations.

use serde::Deserialize;

use super::{Index, List, Name, Text};

#[derive(Debug, Deserialize)]
pub(crate) struct Animation<'a> {
    #[serde(borrow)]
    pub(crate) name: Name<'a>,
    #[serde(default, borrow)]
    pub(crate) channels: List<Channel<'a>>,
    #[serde(default, borrow)]
    pub(crate) samplers: List<Sampler<'a>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Channel<'a> {
    pub(crate) sampler: Index,
    #[serde(borrow)]
    pub(crate) target: Target<'a>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Target<'a> {
    pub(crate) node: Option<Index>,
    #[serde(borrow)]
    pub(crate) path: Text<'a>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Sampler<'a> {
    pub(crate) input: Index,
    pub(crate) output: Index,
    #[serde(borrow)]
    pub(crate) interpolation: Option<Text<'a>>,
}
