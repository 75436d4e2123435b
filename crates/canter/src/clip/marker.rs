//! Instants of a clip that have a name: a foot comes down, a blade may hurt from here to there.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use crate::float_text::FloatText;

/// The name of a marker. Equal names are one and the same in memory, so that comparing two of them compares
/// two pointers, and copying one makes no string.
///
/// ```
/// use canter::MarkerName;
///
/// let foot = MarkerName::new("foot_L"); // once, when the program starts
/// assert!(foot == MarkerName::new("foot_L") && foot != MarkerName::new("foot_R"));
/// assert_eq!(&*foot, "foot_L");
/// ```
#[derive(Clone)]
pub struct MarkerName(Arc<str>);

/// All names that somebody has, and some that nobody has any more.
struct Names {
    /// Sorted. A program has dozens, so that a list serves.
    known: Vec<Arc<str>>,
    /// With more than this, those that nobody has are looked for.
    most: usize,
}

/// So many names are kept without looking whether anybody still has them.
const FEW_NAMES: usize = 256;

static NAMES: Mutex<Names> = Mutex::new(Names { known: Vec::new(), most: FEW_NAMES });

impl Names {
    /// Where a name is, or where it would be.
    fn place(&self, name: &str) -> Result<usize, usize> {
        self.known.binary_search_by(|known| str::cmp(known, name))
    }
}

impl MarkerName {
    /// The name, which is looked up in a table that the whole program shares: do so when loading, not in
    /// every frame.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
        let place = match names.place(name) {
            Ok(known) => return Self(Arc::clone(&names.known[known])),
            Err(place) if names.known.len() < names.most => place,
            Err(_) => {
                names.known.retain(|name| Arc::strong_count(name) > 1);
                names.most = (2 * names.known.len()).max(FEW_NAMES);
                names.place(name).unwrap_or_else(|place| place)
            }
        };
        let name: Arc<str> = name.into();
        names.known.insert(place, Arc::clone(&name));
        Self(name)
    }
}

impl Deref for MarkerName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl PartialEq for MarkerName {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for MarkerName {}

impl std::hash::Hash for MarkerName {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

impl fmt::Debug for MarkerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl fmt::Display for MarkerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl From<&str> for MarkerName {
    fn from(name: &str) -> Self {
        Self::new(name)
    }
}

/// An instant of a clip that has a name, or a window: a time from there on.
///
/// [`Mixer::markers`](crate::Mixer::markers) tells which ones a step has crossed.
///
/// ```
/// use canter::Marker;
///
/// let step = Marker::new("foot_L", 0.25);
/// let may_hurt = Marker::window("blade", 0.3, 0.2);
/// assert!(!step.is_window() && may_hurt.is_window());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// What it is called; several markers may have one name.
    pub name: MarkerName,
    /// When, in seconds from the start of the clip.
    pub secs: f32,
    /// How long a window lasts; 0 for an instant. What leads beyond the end of the clip is cut off.
    pub length_secs: f32,
}

impl Marker {
    /// An instant.
    #[must_use]
    pub fn new(name: impl Into<MarkerName>, secs: f32) -> Self {
        Self::window(name, secs, 0.0)
    }

    /// A time from an instant on, which is entered and left.
    #[must_use]
    pub fn window(name: impl Into<MarkerName>, secs: f32, length_secs: f32) -> Self {
        Self { name: name.into(), secs, length_secs }
    }

    /// Whether it lasts.
    #[must_use]
    pub fn is_window(&self) -> bool {
        self.length_secs > 0.0
    }

    /// Its end: of an instant, that instant.
    #[must_use]
    pub fn end_secs(&self) -> f32 {
        self.secs + self.length_secs
    }
}

/// The markers of a clip, checked and sorted, and every instant at which one of them has something to tell.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Markers {
    pub(crate) list: Vec<Marker>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) has_windows: bool,
}

/// An instant at which a marker has something to tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edge {
    pub(crate) secs: f32,
    /// Which marker.
    pub(crate) marker: u32,
    pub(crate) kind: EdgeKind,
}

/// Of windows that meet, one ends before the other begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EdgeKind {
    End { bit: u8 },
    At,
    Start { bit: u8 },
}

/// Whether a window is open is a bit of a number.
pub(crate) const MOST_WINDOWS: usize = 64;
const MOST_MARKERS: usize = 1 << 16;

impl Markers {
    /// Sorts and checks markers of a clip of this length.
    pub(super) fn new(mut list: Vec<Marker>, clip_secs: f32) -> Result<Self, (String, MarkerError)> {
        for marker in &mut list {
            let fault = |error| Err((marker.name.to_string(), error));
            if !(0.0..=clip_secs).contains(&marker.secs) {
                return fault(MarkerError::BadTime { secs: marker.secs, clip_secs });
            }
            if !(marker.length_secs >= 0.0 && marker.length_secs.is_finite()) {
                return fault(MarkerError::BadLength { secs: marker.length_secs });
            }
            // -0 is 0.
            marker.secs += 0.0;
            marker.length_secs = marker.length_secs.min(clip_secs - marker.secs) + 0.0;
        }
        if list.len() > MOST_MARKERS {
            return Err((String::new(), MarkerError::TooMany { markers: list.len() }));
        }
        list.sort_by(|a, b| a.secs.total_cmp(&b.secs));
        let windows = list.iter().filter(|marker| marker.is_window()).count();
        if windows > MOST_WINDOWS {
            return Err((String::new(), MarkerError::TooManyWindows { windows }));
        }
        let mut edges = Vec::with_capacity(list.len() + windows);
        let mut bit = 0;
        for (index, marker) in (0..).zip(&list) {
            if marker.is_window() {
                edges.push(Edge { secs: marker.secs, marker: index, kind: EdgeKind::Start { bit } });
                edges.push(Edge { secs: marker.end_secs(), marker: index, kind: EdgeKind::End { bit } });
                bit += 1;
            } else {
                edges.push(Edge { secs: marker.secs, marker: index, kind: EdgeKind::At });
            }
        }
        edges.sort_by(|a, b| a.secs.total_cmp(&b.secs).then(a.kind.order().cmp(&b.kind.order())));
        Ok(Self { list, edges, has_windows: windows > 0 })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl EdgeKind {
    fn order(self) -> u8 {
        match self {
            Self::End { .. } => 0,
            Self::At => 1,
            Self::Start { .. } => 2,
        }
    }
}

/// Why a clip cannot have a marker.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MarkerError {
    /// It lies outside of the clip.
    BadTime {
        /// Its time.
        secs: f32,
        /// The length of the clip.
        clip_secs: f32,
    },
    /// A window's length is negative or not finite.
    BadLength {
        /// Its length.
        secs: f32,
    },
    /// A clip has more windows than can be kept apart.
    TooManyWindows {
        /// How many.
        windows: usize,
    },
    /// A clip has more markers than can be counted.
    TooMany {
        /// How many.
        markers: usize,
    },
}

impl fmt::Display for MarkerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadTime { secs, clip_secs } => {
                let (secs, clip_secs) = (FloatText((*secs).into()), FloatText((*clip_secs).into()));
                write!(f, "it is at {secs} s; expected a time from 0 to {clip_secs} s, the clip's length")
            }
            Self::BadLength { secs } => {
                write!(f, "it lasts {} s; expected a finite number from 0", FloatText((*secs).into()))
            }
            Self::TooManyWindows { windows } => {
                write!(f, "there are {windows} windows; expected at most {MOST_WINDOWS}")
            }
            Self::TooMany { markers } => {
                write!(f, "there are {markers} markers; expected at most {MOST_MARKERS}")
            }
        }
    }
}

impl std::error::Error for MarkerError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_nobody_has_are_forgotten() {
        let kept = MarkerName::new("kept among many");
        for number in 0..4 * FEW_NAMES {
            assert_ne!(MarkerName::new(&format!("one of many {number}")), kept);
        }
        assert_eq!(MarkerName::new("kept among many"), kept);
        // Other tests have names of their own, but not hundreds.
        let names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
        assert!(names.known.len() <= 2 * FEW_NAMES, "{}", names.known.len());
    }

    #[test]
    fn where_windows_meet_one_ends_before_the_other_begins() {
        let list = vec![
            Marker::window("b", 1.0, 5.0),
            Marker::new("at", 1.0),
            Marker::window("a", 0.0, 1.0),
            Marker::new("end", 2.0),
        ];
        let markers = Markers::new(list, 2.0).unwrap();
        let edges = markers.edges.iter().map(|edge| (&*markers.list[edge.marker as usize].name, edge.secs));
        let edges: Vec<_> = edges.collect();
        assert_eq!(edges, [("a", 0.0), ("a", 1.0), ("at", 1.0), ("b", 1.0), ("b", 2.0), ("end", 2.0)]);
    }
}
