//! What is wrong with a graph, and where.

use std::fmt;

use crate::data::ParameterKind;
use crate::parameters::name;

/// A graph cannot be built.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphError {
    /// Where.
    pub place: Box<Place>,
    /// What.
    pub fault: Fault,
}

/// Where in a graph: what is not known is not given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The layer's name.
    pub layer: Option<String>,
    /// The state's name, after those of the states that its machine is in: `Combat/Attack`.
    pub state: Option<String>,
    /// The number of a transition in its machine, and where it leads from and to.
    pub transition: Option<(usize, String, String)>,
    /// The name of a field, as in JSON.
    pub field: Option<&'static str>,
}

/// What can be wrong.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// It is no JSON, or not that of a graph.
    Json(String),
    /// It is of another version.
    Version(u32),
    /// A name means nothing.
    Unknown {
        /// Of what.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A name is there twice, or means something else already.
    Taken {
        /// Of what.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A parameter is of another kind.
    Kind {
        /// The parameter's name.
        name: String,
        /// What it is.
        found: ParameterKind,
        /// What is expected.
        expected: &'static str,
    },
    /// A number cannot be.
    Number {
        /// The number.
        found: f64,
        /// What is expected.
        expected: &'static str,
    },
    /// Something is missing.
    Missing(&'static str),
    /// Something cannot be there.
    Misplaced(&'static str),
    /// The state ends before this exit time.
    NeverReached {
        /// The exit time.
        exit_time: f32,
        /// How often the state plays.
        plays: u32,
    },
    /// Two points of a space are at one place.
    SamePlace {
        /// The number of one.
        first: usize,
        /// The number of the other.
        second: usize,
    },
    /// States lead to each other at once, without an end.
    Cycle(Vec<String>),
    /// More than a graph may have.
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many at most.
        most: usize,
    },
    /// A clip cannot be played here.
    Clip(String),
}

impl GraphError {
    pub(crate) fn of(fault: Fault) -> Self {
        Self { place: Box::default(), fault }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        if let Some(layer) = &self.layer {
            write!(f, "layer \"{layer}\"")?;
            comma = ", ";
        }
        if let Some(state) = &self.state {
            write!(f, "{comma}state \"{state}\"")?;
            comma = ", ";
        }
        if let Some((number, from, to)) = &self.transition {
            write!(f, "{comma}transition {number} (\"{from}\" to \"{to}\")")?;
            comma = ", ";
        }
        if let Some(field) = self.field {
            write!(f, "{comma}`{field}`")?;
        }
        Ok(())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => write!(f, "{error}"),
            Self::Version(found) => {
                write!(f, "version {found} is not known; expected {}", crate::data::VERSION)
            }
            Self::Unknown { what, name } => write!(f, "there is no {what} \"{name}\""),
            Self::Taken { what, name } => write!(f, "the name \"{name}\" is taken; expected another {what}"),
            Self::Kind { name: parameter, found, expected } => {
                write!(f, "parameter \"{parameter}\" is a {}; expected {expected}", name(*found))
            }
            Self::Number { found, expected } => write!(f, "{found} refused; expected {expected}"),
            Self::Missing(what) => write!(f, "{what} is missing"),
            Self::Misplaced(what) => write!(f, "{what}"),
            Self::NeverReached { exit_time, plays } => write!(
                f,
                "{exit_time} is never reached, since the state plays {plays} times; expected {plays} at most"
            ),
            Self::SamePlace { first, second } => write!(
                f,
                "points {first} and {second} are at one place; expected places that can be told apart"
            ),
            Self::Cycle(states) => write!(
                f,
                "the states {} lead to each other at once without an end; expected a condition, an exit time \
                 or a duration",
                states.join(", ")
            ),
            Self::TooMany { what, most } => write!(f, "too many {what}; expected {most} at most"),
            Self::Clip(error) => write!(f, "{error}"),
        }
    }
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self.place == Place::default() {
            true => write!(f, "{}", self.fault),
            false => write!(f, "{}: {}", self.place, self.fault),
        }
    }
}

impl std::error::Error for GraphError {}

/// Something in a graph that is probably not meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Where.
    pub place: Place,
    /// What.
    pub kind: WarningKind,
}

/// What may be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WarningKind {
    /// A clip is not there; the rest pose is in its place.
    ClipNotFound(String),
    /// Nothing leads to a state.
    Unreachable,
    /// Nothing asks for a parameter of this name.
    Unused(String),
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            WarningKind::ClipNotFound(name) => {
                write!(f, "{}: there is no clip \"{name}\"; the rest pose takes its place", self.place)
            }
            WarningKind::Unreachable => write!(f, "{}: nothing leads there", self.place),
            WarningKind::Unused(name) => write!(f, "parameter \"{name}\": nothing asks for it"),
        }
    }
}
