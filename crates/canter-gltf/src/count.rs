//! Numbers of things in messages: `1 key`, `2 keys`.

use std::fmt;

/// So many of something.
pub(crate) struct Count(pub(crate) u64, pub(crate) &'static str);

/// So many of something, in a length.
pub(crate) fn count(number: usize, noun: &'static str) -> Count {
    Count(number as u64, noun)
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number, noun) = self;
        write!(f, "{number} ")?;
        match *noun {
            _ if *number == 1 => f.write_str(noun),
            "vertex" => f.write_str("vertices"),
            "matrix" => f.write_str("matrices"),
            "index" => f.write_str("indices"),
            noun => write!(f, "{noun}s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_singular() {
        for (number, noun, text) in [
            (0, "key", "0 keys"),
            (1, "key", "1 key"),
            (2, "key", "2 keys"),
            (1, "vertex", "1 vertex"),
            (3, "vertex", "3 vertices"),
            (2, "matrix", "2 matrices"),
            (2, "index", "2 indices"),
        ] {
            assert_eq!(count(number, noun).to_string(), text);
        }
    }
}
