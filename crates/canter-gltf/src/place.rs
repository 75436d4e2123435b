//! Where in a file something is: `animations[2].samplers[0].output`.

use std::fmt;

use crate::error::{Failure, LoadError};

/// A path into the JSON, as a list on the stack: it costs nothing until an error or a warning prints it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place<'a> {
    Root,
    Field(&'a Self, &'a str),
    Item(&'a Self, usize),
}

impl<'a> Place<'a> {
    /// Item `index` of a list in the root object, such as `nodes[3]`.
    pub(crate) fn list(name: &'a str) -> Self {
        Place::Field(&Place::Root, name)
    }

    pub(crate) fn field(&'a self, name: &'a str) -> Self {
        Place::Field(self, name)
    }

    pub(crate) fn item(&'a self, index: usize) -> Self {
        Place::Item(self, index)
    }

    /// The error that something here is not as it should be.
    pub(crate) fn invalid(&self, found: impl fmt::Display, expected: impl fmt::Display) -> Failure {
        self.write_invalid(&found, &expected)
    }

    #[cold]
    fn write_invalid(&self, found: &dyn fmt::Display, expected: &dyn fmt::Display) -> Failure {
        let (found, expected) = (found.to_string(), expected.to_string());
        LoadError::Invalid { place: self.to_string(), found, expected }.into()
    }

    /// Checks an index into a list of the file.
    pub(crate) fn index(&self, index: usize, list: &str, len: usize) -> Result<usize, Failure> {
        if index < len { Ok(index) } else { Err(self.no_such_index(index, list, len)) }
    }

    #[cold]
    fn no_such_index(&self, index: usize, list: &str, len: usize) -> Failure {
        let expected = match len {
            0 => format!("no index at all: the file has no {list}"),
            1 => format!("0: the file has one entry in {list}"),
            _ => format!("0 to {}: the file has {len} {list}", len - 1),
        };
        self.invalid(format_args!("index {index}"), expected)
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Root => Ok(()),
            Place::Field(Place::Root, name) => f.write_str(name),
            Place::Field(parent, name) => write!(f, "{parent}.{name}"),
            Place::Item(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_reads_like_the_path_in_the_file() {
        let animations = Place::list("animations");
        let animation = animations.item(2);
        let samplers = animation.field("samplers");
        assert_eq!(samplers.item(0).field("output").to_string(), "animations[2].samplers[0].output");
    }
}
