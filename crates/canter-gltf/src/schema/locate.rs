//! Where in the document a position of the text is.

/// A list or an object that is open at the position.
enum Open {
    List { index: usize },
    Object { key: String },
}

/// The place of line and column (from 1), such as `nodes[1].skin`. The parser does not keep track of it: a walk over the text,
/// once it has failed, is all that is needed.
pub(super) fn locate(json: &str, line: usize, column: usize) -> String {
    let mut open: Vec<Open> = Vec::new();
    let text = json.as_bytes();
    let end = offset(text, line, column);
    let mut at = 0;
    // Whether the next string of an object is a key.
    let mut expects_key = false;
    while let Some(&byte) = text.get(at).filter(|_| at < end) {
        let start = at;
        at += 1;
        match byte {
            b'{' => {
                open.push(Open::Object { key: String::new() });
                expects_key = true;
            }
            b'[' => open.push(Open::List { index: 0 }),
            b'}' | b']' => drop(open.pop()),
            b',' => match open.last_mut() {
                Some(Open::List { index }) => *index += 1,
                Some(Open::Object { key }) => {
                    key.clear();
                    expects_key = true;
                }
                None => {}
            },
            b'"' => {
                at = string_end(text, at);
                if let (true, Some(Open::Object { key })) = (expects_key, open.last_mut()) {
                    // Escapes stay as they are written: the place is for people.
                    *key = json.get(start + 1..at.saturating_sub(1)).unwrap_or("").to_owned();
                    expects_key = false;
                }
            }
            _ => {}
        }
    }
    write_place(&open)
}

fn offset(text: &[u8], line: usize, column: usize) -> usize {
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    let before: usize = lines.take(line.saturating_sub(1)).map(<[u8]>::len).sum();
    before + column
}

/// Behind the closing quote.
fn string_end(text: &[u8], mut at: usize) -> usize {
    while let Some(byte) = text.get(at) {
        at += if *byte == b'\\' { 2 } else { 1 };
        if *byte == b'"' {
            break;
        }
    }
    at.min(text.len())
}

fn write_place(open: &[Open]) -> String {
    // A text may nest a million lists; nobody reads that.
    const DEEPEST: usize = 32;
    let mut place = String::new();
    for step in open.iter().take(DEEPEST) {
        match step {
            Open::List { index } => place.extend(["[", &index.to_string(), "]"]),
            Open::Object { key } if key.is_empty() => {}
            Open::Object { key } => place.extend([if place.is_empty() { "" } else { "." }, key]),
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_has_a_place() {
        let json = "{\n \"nodes\": [{}, {\"skin\": -1}],\n \"a\\\"b\": \"x,{\"}";
        for (line, column, place) in [
            (1, 1, ""),
            (2, 8, "nodes"),
            (2, 11, "nodes[0]"),
            (2, 13, "nodes[0]"),
            (2, 16, "nodes[1]"),
            (2, 26, "nodes[1].skin"),
            (2, 27, "nodes[1]"),
            (2, 28, "nodes"),
            (3, 14, "a\\\"b"),
            (3, 15, ""),
            (9, 9, ""),
        ] {
            assert_eq!(locate(json, line, column), place, "{line}:{column}");
        }
    }

    #[test]
    fn any_text_is_walked_to_its_end() {
        for text in ["", "]]}", "\"\\", "{\"", "{\"a\":[[[", "\u{fffd}{\"\u{e4}\":1"] {
            for column in 0..12 {
                locate(text, 1, column);
            }
        }
        assert_eq!(locate(&"[".repeat(1_000_000), 1, 1_000_000).len(), 32 * 3);
    }
}
