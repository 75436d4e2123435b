//! Sides in names.

use canter::Skeleton;

/// The words of sides, each beside its opposite.
const SIDES: [(&str, &str); 10] = [
    ("left", "right"),
    ("right", "left"),
    ("Left", "Right"),
    ("Right", "Left"),
    ("LEFT", "RIGHT"),
    ("RIGHT", "LEFT"),
    ("l", "r"),
    ("r", "l"),
    ("L", "R"),
    ("R", "L"),
];

/// The name on the other side, if a name has a side: `foot_R` for `foot_L`.
#[must_use]
pub fn swapped(name: &str) -> Option<String> {
    candidates(name).next()
}

/// All names that come of exchanging one word for its opposite; the first is the likeliest.
pub(super) fn candidates(name: &str) -> impl Iterator<Item = String> + '_ {
    let exchange = move |(start, word): (usize, &str)| {
        let opposite = SIDES.iter().find(|(side, _)| *side == word).map(|(_, opposite)| *opposite)?;
        Some(format!("{}{opposite}{}", &name[..start], &name[start + word.len()..]))
    };
    // Signs of sides stand by themselves, without separators.
    let signs = name.char_indices().filter_map(move |(start, sign)| {
        let opposite = match sign {
            '左' => '右',
            '右' => '左',
            _ => return None,
        };
        Some(format!("{}{opposite}{}", &name[..start], &name[start + sign.len_utf8()..]))
    });
    words(name).into_iter().filter_map(exchange).chain(signs)
}

/// The words of a name and where they start.
fn words(name: &str) -> Vec<(usize, &str)> {
    let letters: Vec<(usize, char)> = name.char_indices().collect();
    let mut words = Vec::new();
    let mut start = None;
    for (index, &(place, letter)) in letters.iter().enumerate() {
        let next = letters.get(index + 1).map(|&(_, next)| next);
        let before = index.checked_sub(1).map(|before| letters[before].1);
        let is_letter = letter.is_alphabetic();
        // A capital begins a word after a small letter, and before one: "LHip" is "L" and "Hip".
        let begins = letter.is_uppercase()
            && (before.is_some_and(char::is_lowercase)
                || (before.is_some_and(char::is_uppercase) && next.is_some_and(char::is_lowercase)));
        if let Some(word) = start.filter(|_| !is_letter || begins) {
            words.push((word, &name[word..place]));
            start = None;
        }
        if is_letter && start.is_none() {
            start = Some(place);
        }
    }
    if let Some(word) = start {
        words.push((word, &name[word..]));
    }
    words
}

/// The names of all joints, without the numbers that converters put at the end of nearly every one.
pub(super) fn bare(skeleton: &Skeleton) -> Vec<String> {
    let names: Vec<&str> = skeleton.joints().map(|joint| skeleton.name(joint)).collect();
    let stripped = |name: &&str| -> Option<String> {
        let (bare, number) = name.rsplit_once('_')?;
        (!number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())).then(|| bare.to_owned())
    };
    let numbered = names.iter().filter(|name| stripped(name).is_some()).count();
    let is_numbered = 10 * numbered >= 9 * names.len();
    let bare = |name: &&str| stripped(name).filter(|_| is_numbered).unwrap_or_else(|| (*name).to_owned());
    names.iter().map(bare).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_found_however_they_are_spelled() {
        for (left, right) in [
            ("arm.L", "arm.R"),
            ("LeftArm", "RightArm"),
            ("upperarm_l", "upperarm_r"),
            ("mixamorig:LeftHandIndex1", "mixamorig:RightHandIndex1"),
            ("Bip01 L Foot", "Bip01 R Foot"),
            ("lThigh", "rThigh"),
            ("LHipJoint", "RHipJoint"),
            ("LLeg", "RLeg"),
            ("DEF-upper_arm.L.001", "DEF-upper_arm.R.001"),
            ("J_Bip_L_UpperArm", "J_Bip_R_UpperArm"),
            ("左足", "右足"),
            ("foot_L", "foot_R"),
            ("LEFT_HAND", "RIGHT_HAND"),
        ] {
            assert_eq!(swapped(left).as_deref(), Some(right));
            assert_eq!(swapped(right).as_deref(), Some(left));
        }
    }

    #[test]
    fn other_letters_are_no_sides() {
        for name in ["", "hips", "Lip", "Roll", "collar", "tail.001", "armature", "Rl"] {
            assert_eq!(swapped(name), None, "{name}");
        }
    }
}
