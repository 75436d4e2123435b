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
    extensions: TargetExtensions<'a>,
}

object!('a, Target<'a> { "path" => path; "node" => node, "extensions" => extensions });

impl Target<'_> {
    /// Where a channel of `KHR_animation_pointer` leads.
    pub(crate) fn pointer(&self) -> Option<&str> {
        let pointer = self.extensions.pointer.as_ref()?;
        (self.path.0 == "pointer").then_some(pointer.pointer.0.as_ref())
    }
}

#[derive(Debug, Default)]
struct TargetExtensions<'a> {
    pointer: Option<Pointer<'a>>,
}

object!('a, TargetExtensions<'a> { ; "KHR_animation_pointer" => pointer });

#[derive(Debug, Default)]
struct Pointer<'a> {
    pointer: Text<'a>,
}

object!('a, Pointer<'a> { ; "pointer" => pointer });

#[derive(Debug, Default)]
pub(crate) struct Sampler<'a> {
    pub(crate) input: Index,
    pub(crate) output: Index,
    pub(crate) interpolation: Option<Text<'a>>,
}

object!('a, Sampler<'a> { "input" => input, "output" => output; "interpolation" => interpolation });
