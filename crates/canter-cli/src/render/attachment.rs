//! `--attach FILE:JOINT`.

use std::path::{Path, PathBuf};

use crate::embedded;
use crate::failure::Failure;

/// A file, and the joint on which it hangs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attachment {
    pub(crate) file: PathBuf,
    pub(crate) joint: String,
}

impl Attachment {
    /// Both may have colons in their names (`C:\sword.glb`, `mixamorig:RightHand`): the first colon behind a
    /// file that is there counts.
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        let colons = || text.match_indices(':').map(|(place, _)| place);
        let is_file = |&place: &usize| embedded::is_there(Path::new(&text[..place]));
        // Without such a file, the error is about the longest name.
        let Some(colon) = colons().find(is_file).or_else(|| colons().next_back()) else {
            return Err(Failure::new(
                format!("--attach {text} names no joint"),
                "write the file, a colon and the joint: --attach sword.glb:hand_R",
            ));
        };
        Ok(Self { file: PathBuf::from(&text[..colon]), joint: text[colon + 1..].to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_colon_behind_a_file_counts() {
        let table = [
            ("sword:hand_R", "sword", "hand_R"),
            ("sword:mixamorig:RightHand", "sword", "mixamorig:RightHand"),
            ("gone.glb:hand", "gone.glb", "hand"),
            ("C:\\gone.glb:hand", "C:\\gone.glb", "hand"),
        ];
        for (text, file, joint) in table {
            let expected = Attachment { file: PathBuf::from(file), joint: joint.to_owned() };
            assert_eq!(Attachment::parse(text).ok(), Some(expected), "{text}");
        }
        assert!(Attachment::parse("sword.glb").is_err());
    }
}
