//! Animations.

use super::{Extras, Index, List, Name, Text};
use crate::json::object;

#[derive(Debug, Default)]
pub(crate) struct Animation<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) channels: List<Channel<'a>>,
    pub(crate) samplers: List<Sampler<'a>>,
    pub(crate) extras: Extras<'a>,
}

object!('a, Animation<'a> {
    ;
    "name" => name, "channels" => channels, "samplers" => samplers, "extras" => extras
});

#[derive(Debug, Default)]
pub(crate) struct Channel<'a> {
    pub(crate) sampler: Index,
    pub(crate) target: Target<'a>,
}

object!('a, Channel<'a> { "sampler" => sampler, "target" => target; });

#[derive(Debug, Default)]
pub(crate) struct Target<'a> {
    pub(crate) node: Option<Index>,
    pub(crate) path: Text<'a>,
}

object!('a, Target<'a> { "path" => path; "node" => node });

#[derive(Debug, Default)]
pub(crate) struct Sampler<'a> {
    pub(crate) input: Index,
    pub(crate) output: Index,
    pub(crate) interpolation: Option<Text<'a>>,
}

object!('a, Sampler<'a> { "input" => input, "output" => output; "interpolation" => interpolation });
