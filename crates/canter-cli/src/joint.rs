//! Joints that a person asks for, and the name that was probably meant.

use canter::{JointId, JointMask, Skeleton};

use crate::failure::Failure;

/// A joint by its name.
pub(crate) fn find(skeleton: &Skeleton, name: &str) -> Result<JointId, Failure> {
    skeleton.joint(name).ok_or_else(|| missing(skeleton, name))
}

/// The joints of these names, and all that hangs on them; in a name `*` stands for any characters and `?` for
/// one.
pub(crate) fn mask<'n>(
    skeleton: &Skeleton,
    names: impl IntoIterator<Item = &'n str>,
) -> Result<JointMask, Failure> {
    let mut mask = JointMask::none(skeleton);
    for name in names {
        let tops = match skeleton.joint(name) {
            Some(joint) => JointMask::joints(skeleton, [joint]),
            None => JointMask::matching(skeleton, [name]).map_err(|_| missing(skeleton, name))?,
        };
        for top in skeleton.joints().filter(|&joint| tops.weight(joint) > 0.0) {
            mask = mask.max(&JointMask::subtree(skeleton, top));
        }
    }
    Ok(mask)
}

fn missing(skeleton: &Skeleton, name: &str) -> Failure {
    let names: Vec<&str> = skeleton.joints().map(|joint| skeleton.name(joint)).collect();
    let hint = match nearest(name, &names) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => "`canter inspect FILE --tree` lists the joints".to_owned(),
    };
    Failure::new(format!("the figure has no joint \"{name}\""), hint)
}

/// The name that was probably meant: one that is part of it, or of which it is a part, or else one of which
/// not more than a third of the letters are wrong.
pub(crate) fn nearest<'n>(wanted: &str, names: &[&'n str]) -> Option<&'n str> {
    let wanted = wanted.to_lowercase();
    let contains = |name: &&str| {
        let name = name.to_lowercase();
        !wanted.is_empty() && !name.is_empty() && (name.contains(&wanted) || wanted.contains(&name))
    };
    let distance = |name: &str| edit_distance(&wanted, &name.to_lowercase());
    let typo = || {
        let best = names.iter().filter(|name| !name.is_empty()).min_by_key(|name| distance(name))?;
        (distance(best) <= wanted.chars().count().div_ceil(3)).then_some(*best)
    };
    names.iter().copied().find(contains).or_else(typo)
}

/// How many letters have to be put in, taken out or replaced.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for j in 0..b.len() {
            let replaced = diagonal + usize::from(b[j] != letter);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        let names = ["hips", "chest", "hand_L", "hand_R", ""];
        let table = [
            ("hand", Some("hand_L")),
            ("cehst", Some("chest")),
            ("Chest", Some("chest")),
            ("mixamorig:hips", Some("hips")),
            ("nose", None),
            ("", None),
        ];
        for (wanted, expected) in table {
            assert_eq!(nearest(wanted, &names), expected, "{wanted}");
        }
        assert_eq!((edit_distance("kitten", "sitting"), edit_distance("", "abc")), (3, 3));
    }
}
