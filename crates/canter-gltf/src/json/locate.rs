//! Where in the document a byte of the text is.

/// A list or an object that is open at the position.
enum Open {
    List { index: usize },
    Object { key: String },
}

/// The place where a text goes on, such as `nodes[1].skin`. The reader does not keep track of it: a walk over
/// the text, once it has failed, is all that is needed.
pub(super) fn locate(text: &[u8]) -> String {
    let mut open: Vec<Open> = Vec::new();
    let mut at = 0;
    // Whether the next string of an object is a key.
    let mut expects_key = false;
    while let Some(&byte) = text.get(at) {
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
                let start = at;
                at = string_end(text, at);
                if let (true, Some(Open::Object { key })) = (expects_key, open.last_mut()) {
                    // Escapes stay as they are written: the place is for people.
                    *key =
                        String::from_utf8_lossy(&text[start..at.saturating_sub(1).max(start)]).into_owned();
                    expects_key = false;
                }
            }
            _ => {}
        }
    }
    write_place(&open)
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
        for (end, place) in [
            ("{", ""),
            ("\"nodes\"", "nodes"),
            ("[", "nodes[0]"),
            ("[{}", "nodes[0]"),
            ("{}, ", "nodes[1]"),
            ("\"skin\":", "nodes[1].skin"),
            ("-1}", "nodes[1]"),
            ("-1}]", "nodes"),
            ("b\": ", "a\\\"b"),
            ("x,{\"}", ""),
        ] {
            let before = json.find(end).unwrap() + end.len();
            assert_eq!(locate(&json.as_bytes()[..before]), place, "{end}");
        }
    }

    #[test]
    fn any_text_is_walked_to_its_end() {
        for text in ["", "]]}", "\"\\", "{\"", "{\"a\":[[[", "\u{fffd}{\"\u{e4}\":1"] {
            for end in 0..=text.len() {
                locate(&text.as_bytes()[..end]);
            }
        }
        assert_eq!(locate(&b"[".repeat(1_000_000)).len(), 32 * 3);
    }
}
