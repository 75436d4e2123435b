//! A clip by name or index, and the error when there is none.

use std::fmt;
use std::sync::Arc;

use canter::{Clip, Skeleton};

/// Which clip is meant. Made from a name (`"Walk"`), an index (`3`) or a clip, wherever a clip is asked for.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ClipKey<'a> {
    /// The first clip of this name.
    Name(&'a str),
    /// The clip of this index.
    Index(usize),
    /// What a person types: the first clip of this name, or else the clip of this index.
    NameOrIndex(&'a str),
    /// This clip, whether it is in the list or not.
    Clip(&'a Arc<Clip>),
}

impl<'a> ClipKey<'a> {
    pub(crate) fn find(
        self,
        clips: &'a [Arc<Clip>],
        skeleton: &Skeleton,
    ) -> Result<&'a Arc<Clip>, ClipNotFound> {
        let by_name = |name: &str| clips.iter().find(|clip| clip.name() == name);
        let found = match self {
            Self::Name(name) => by_name(name),
            Self::Index(index) => clips.get(index),
            Self::NameOrIndex(text) => by_name(text).or_else(|| clips.get(text.parse::<usize>().ok()?)),
            Self::Clip(clip) => Some(clip).filter(|clip| clip.fits(skeleton)),
        };
        found.ok_or_else(|| ClipNotFound {
            wanted: self.wanted(),
            names: clips.iter().map(|clip| clip.name().to_owned()).collect(),
        })
    }

    fn wanted(self) -> WantedClip {
        match self {
            Self::Name(name) => WantedClip::Name(name.to_owned()),
            Self::Index(index) => WantedClip::Index(index),
            Self::NameOrIndex(text) => {
                text.parse().map_or_else(|_| WantedClip::Name(text.to_owned()), WantedClip::Index)
            }
            Self::Clip(clip) => WantedClip::Foreign(clip.name().to_owned()),
        }
    }
}

impl<'a> From<&'a str> for ClipKey<'a> {
    fn from(name: &'a str) -> Self {
        Self::Name(name)
    }
}

impl<'a> From<&'a String> for ClipKey<'a> {
    fn from(name: &'a String) -> Self {
        Self::Name(name)
    }
}

impl From<usize> for ClipKey<'_> {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl<'a> From<&'a Arc<Clip>> for ClipKey<'a> {
    fn from(clip: &'a Arc<Clip>) -> Self {
        Self::Clip(clip)
    }
}

/// There is no such clip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClipNotFound {
    /// What was asked for.
    pub wanted: WantedClip,
    /// The names of all clips; those without a name are empty.
    pub names: Vec<String>,
}

/// What was asked for, and is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WantedClip {
    /// A clip of this name.
    Name(String),
    /// A clip of this index.
    Index(usize),
    /// A clip, of this name, that was made for another skeleton.
    Foreign(String),
}

impl ClipNotFound {
    /// The name that was probably meant.
    #[must_use]
    pub fn suggestion(&self) -> Option<&str> {
        let WantedClip::Name(wanted) = &self.wanted else { return None };
        let wanted = wanted.to_lowercase();
        let distance = |name: &&str| edit_distance(&wanted, &name.to_lowercase());
        let best =
            self.names.iter().map(String::as_str).filter(|name| !name.is_empty()).min_by_key(distance)?;
        // A third of the letters may be wrong, or the name may be part of the longer one ("Walk",
        // "Armature|Walk").
        let near = distance(&best) <= wanted.chars().count().div_ceil(3);
        let contains =
            || self.names.iter().find(|name| name.to_lowercase().contains(&wanted)).map(String::as_str);
        if near { Some(best) } else { contains().filter(|_| !wanted.is_empty()) }
    }
}

impl fmt::Display for ClipNotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 20;
        match &self.wanted {
            WantedClip::Name(name) => write!(f, "there is no clip \"{name}\"")?,
            WantedClip::Index(index) => write!(f, "there is no clip {index}")?,
            WantedClip::Foreign(name) => {
                write!(f, "clip \"{name}\" was made for another skeleton; take it over with `add_clips`")?;
            }
        }
        if let Some(suggestion) = self.suggestion() {
            write!(f, "; did you mean \"{suggestion}\"?")?;
        }
        if self.names.is_empty() {
            return write!(f, "; the file has no clips");
        }
        write!(f, "{} the clips are ", if self.suggestion().is_some() { "" } else { ";" })?;
        for (index, name) in self.names.iter().take(SHOWN).enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            match name.as_str() {
                "" => write!(f, "{comma}(unnamed, index {index})")?,
                name => write!(f, "{comma}\"{name}\"")?,
            }
        }
        match self.names.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

impl std::error::Error for ClipNotFound {}

/// How many letters must be changed, added or removed to make one word of the other.
fn edit_distance(a: &str, b: &str) -> usize {
    // Names come from files: a long one is no misspelling of anything.
    const LONGEST: usize = 64;
    let (a, b): (Vec<char>, Vec<char>) =
        (a.chars().take(LONGEST).collect(), b.chars().take(LONGEST).collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn not_found(name: &str, names: &[&str]) -> ClipNotFound {
        ClipNotFound {
            wanted: WantedClip::Name(name.into()),
            names: names.iter().map(|&name| name.into()).collect(),
        }
    }

    #[test]
    fn the_nearest_name_is_suggested() {
        let names = ["Idle", "Walk", "Armature|Run", ""];
        for (name, suggestion) in [
            ("walk", Some("Walk")),
            ("Wlak", Some("Walk")),
            ("Run", Some("Armature|Run")),
            ("Dance", None),
            ("", None),
        ] {
            assert_eq!(not_found(name, &names).suggestion(), suggestion, "{name}");
        }
    }

    #[test]
    fn the_error_lists_what_there_is() {
        assert_eq!(
            not_found("Wolk", &["Walk", ""]).to_string(),
            "there is no clip \"Wolk\"; did you mean \"Walk\"? the clips are \"Walk\", (unnamed, index 1)"
        );
        assert_eq!(not_found("Walk", &[]).to_string(), "there is no clip \"Walk\"; the file has no clips");
    }

    #[test]
    fn a_clip_is_found_by_name_by_index_or_by_itself() {
        let skeleton = |name: &str| {
            let mut joints = Skeleton::builder();
            joints.joint(name, None, canter::Transform::IDENTITY);
            joints.build().unwrap()
        };
        let (ours, other) = (skeleton("hips"), skeleton("root"));
        let clip = |name: &str, skeleton: &Skeleton| Arc::new(Clip::builder(name, skeleton).build().unwrap());
        let clips = ["Walk", "1", "Walk"].map(|name| clip(name, &ours));
        let find = |key: ClipKey<'_>| -> Result<usize, ClipNotFound> {
            let found = Arc::clone(key.find(&clips, &ours)?);
            Ok(clips.iter().position(|clip| Arc::ptr_eq(clip, &found)).unwrap_or(99))
        };
        assert_eq!(find("Walk".into()), Ok(0));
        assert_eq!(find(2.into()), Ok(2));
        assert_eq!(find((&clips[2]).into()), Ok(2));
        assert_eq!(find((&clip("Extra", &ours)).into()), Ok(99), "one that is in no list, but fits");
        for (text, found) in [("Walk", Some(0)), ("1", Some(1)), ("2", Some(2)), ("3", None), ("-1", None)] {
            assert_eq!(find(ClipKey::NameOrIndex(text)).ok(), found, "{text}");
        }
        let text = |key: ClipKey<'_>| find(key).unwrap_err().to_string();
        let list = "the clips are \"Walk\", \"1\", \"Walk\"";
        assert_eq!(text("2".into()), format!("there is no clip \"2\"; did you mean \"1\"? {list}"));
        assert_eq!(text(7.into()), format!("there is no clip 7; {list}"));
        assert_eq!(text(ClipKey::NameOrIndex("7")), format!("there is no clip 7; {list}"));
        let foreign = clip("Swim", &other);
        assert!(text((&foreign).into()).contains("\"Swim\" was made for another skeleton"));
    }
}
