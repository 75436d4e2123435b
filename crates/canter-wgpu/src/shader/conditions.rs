//! Lines of a text that are there only under a condition.

/// Leaves out what lies between `#if NAME` and `#end` where the name does not hold. They may be nested.
pub(crate) fn resolve(text: &str, holds: impl Fn(&str) -> bool) -> String {
    let mut resolved = String::with_capacity(text.len());
    let mut open: Vec<bool> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("#if ") {
            open.push(holds(name));
        } else if line == "#end" {
            open.pop();
        } else if open.iter().all(|&holds| holds) {
            resolved.push_str(line);
            resolved.push('\n');
        }
    }
    resolved
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn lines_stay_where_all_conditions_hold() {
        let text = "1\n#if a\n2\n#if b\n3\n#end\n4\n#end\n5";
        for (names, left) in
            [("", "1\n5\n"), ("a", "1\n2\n4\n5\n"), ("b", "1\n5\n"), ("ab", "1\n2\n3\n4\n5\n")]
        {
            assert_eq!(resolve(text, |name| names.contains(name)), left, "{names}");
        }
    }
}
