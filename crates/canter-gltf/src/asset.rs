//! A loaded file.

use std::fmt;
use std::sync::Arc;

use canter::{Clip, Skeleton, Skins};

use crate::info::FileInfo;
use crate::material::Material;
use crate::mesh::Mesh;
use crate::node::{Node, Scene};
use crate::texture::{Image, Texture};
use crate::warning::Warning;

/// Everything in a file that a renderer needs, as plain data.
///
/// All lists are in the file's order, so that an index of the file is an index here.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Asset {
    /// All nodes as one tree of joints (or several trees), with their rest transforms and morph weights.
    ///
    /// Node `i` of the file is `skeleton.joint_from_source(i)`.
    pub skeleton: Arc<Skeleton>,
    /// The animations.
    pub clips: Vec<Arc<Clip>>,
    /// The skins.
    pub skins: Skins,
    /// The meshes.
    pub meshes: Vec<Mesh>,
    /// The nodes: what hangs where.
    pub nodes: Vec<Node>,
    /// The scenes.
    pub scenes: Vec<Scene>,
    /// Index of the scene to show; `None` if the file has none.
    pub scene: Option<usize>,
    /// The materials.
    pub materials: Vec<Material>,
    /// The textures.
    pub textures: Vec<Texture>,
    /// The images.
    pub images: Vec<Image>,
    /// Facts about the file.
    pub info: FileInfo,
    /// What is odd about the file.
    pub warnings: Vec<Warning>,
}

impl Asset {
    /// The first clip of that name.
    ///
    /// # Errors
    /// When there is none; the error lists those that there are.
    pub fn clip(&self, name: &str) -> Result<&Arc<Clip>, ClipNotFound> {
        self.clips.iter().find(|clip| clip.name() == name).ok_or_else(|| ClipNotFound {
            name: name.to_owned(),
            names: self.clips.iter().map(|clip| clip.name().to_owned()).collect(),
        })
    }
}

/// There is no clip of that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClipNotFound {
    /// The name that was asked for.
    pub name: String,
    /// The names of all clips; those without a name are empty.
    pub names: Vec<String>,
}

impl ClipNotFound {
    /// The name that was probably meant.
    #[must_use]
    pub fn suggestion(&self) -> Option<&str> {
        let wanted = self.name.to_lowercase();
        let distance = |name: &&str| edit_distance(&wanted, &name.to_lowercase());
        let best =
            self.names.iter().map(String::as_str).filter(|name| !name.is_empty()).min_by_key(distance)?;
        // A third of the letters may be wrong, or the name may be part of the longer one ("Walk", "Armature|Walk").
        let near = distance(&best) <= wanted.chars().count().div_ceil(3);
        let contains =
            || self.names.iter().find(|name| name.to_lowercase().contains(&wanted)).map(String::as_str);
        if near { Some(best) } else { contains().filter(|_| !wanted.is_empty()) }
    }
}

impl fmt::Display for ClipNotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 20;
        write!(f, "there is no clip \"{}\"", self.name)?;
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
        ClipNotFound { name: name.into(), names: names.iter().map(|&name| name.into()).collect() }
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
}
