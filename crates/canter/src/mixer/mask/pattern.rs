//! Names with wildcards.

use std::str::Chars;

/// Whether a name fits a pattern, in which `*` stands for any characters, also none, and `?` for one.
///
/// Without recursion: after a mismatch only the last `*` takes one character more. An earlier one need not,
/// since it leaves most to the others when it takes as little as it can. So the time is at most that of
/// comparing the pattern at every place of the name.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let (mut pattern, mut name) = (pattern.chars(), name.chars());
    // What follows the last `*`, and the name from where that was tried.
    let mut retry: Option<(Chars<'_>, Chars<'_>)> = None;
    loop {
        let (mut next_pattern, mut next_name) = (pattern.clone(), name.clone());
        match (next_pattern.next(), next_name.next()) {
            (None, None) => return true,
            (Some('*'), _) => {
                retry = Some((next_pattern.clone(), name.clone()));
                pattern = next_pattern;
                continue;
            }
            (Some(wanted), Some(found)) if wanted == '?' || wanted == found => {
                (pattern, name) = (next_pattern, next_name);
                continue;
            }
            _ => {}
        }
        let Some((behind_star, tried)) = &mut retry else { return false };
        if tried.next().is_none() {
            return false;
        }
        (pattern, name) = (behind_star.clone(), tried.clone());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::matches;

    /// The definition, word by word; slow.
    fn plainly(pattern: &[char], name: &[char]) -> bool {
        match (pattern, name) {
            ([], []) => true,
            (['*', behind @ ..], _) => (0..=name.len()).any(|taken| plainly(behind, &name[taken..])),
            (['?', behind @ ..], [_, rest @ ..]) => plainly(behind, rest),
            ([wanted, behind @ ..], [found, rest @ ..]) => wanted == found && plainly(behind, rest),
            _ => false,
        }
    }

    #[test]
    fn stars_are_any_characters_and_question_marks_one() {
        for (pattern, name, expected) in [
            ("hand_L", "hand_L", true),
            ("hand_L", "hand_R", false),
            ("hand_L", "Hand_L", false),
            ("*_L", "hand_L", true),
            ("*_L", "_L", true),
            ("*_L", "hand_L_end", false),
            ("finger*", "finger", true),
            ("finger*", "ring_finger", false),
            ("*finger*", "ring_finger_2", true),
            ("finger_?", "finger_é", true),
            ("finger_?", "finger_", false),
            ("finger_?", "finger_12", false),
            ("*ab*ab", "abab", true),
            ("*aab", "aaaab", true),
            ("", "", true),
            ("", "a", false),
            ("**", "", true),
            ("*", "*", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn many_stars_take_no_time() {
        let pattern = "*a".repeat(200) + "b";
        assert!(!matches(&pattern, &"a".repeat(20_000)));
    }

    proptest! {
        #![proptest_config(canter_testing::cases(3_000))]

        #[test]
        fn it_is_what_the_definition_says(pattern in "[abé*?]{0,8}", name in "[abé]{0,10}") {
            let chars = |text: &str| text.chars().collect::<Vec<_>>();
            prop_assert_eq!(matches(&pattern, &name), plainly(&chars(&pattern), &chars(&name)));
        }
    }
}
