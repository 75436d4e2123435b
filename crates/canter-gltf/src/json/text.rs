//! Strings, and the escapes in them.

use std::borrow::Cow;

use super::reader::{Read, Reader};

/// A string, borrowed from the text where it has no escapes. Bytes that are no UTF-8 are replaced, as are
/// halves of characters: a name is not worth a refusal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Text<'a>(pub(crate) Cow<'a, str>);

impl<'a> Text<'a> {
    /// What is meant by a string as it is written, between its quotes.
    pub(crate) fn new(written: &'a [u8]) -> Self {
        if written.contains(&b'\\') {
            return Self(Cow::Owned(unescaped(written)));
        }
        // The strict way is quicker, and nearly always enough.
        Self(std::str::from_utf8(written).map_or_else(|_| String::from_utf8_lossy(written), Cow::Borrowed))
    }
}

impl<'a> Reader<'a> {
    /// Passes over a string: what is between its quotes.
    pub(super) fn string(&mut self, expected: &str) -> Read<&'a [u8]> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected(expected));
        }
        let start = self.at + 1;
        let end = start + plain_len(&self.text[start..]);
        if self.text.get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(&self.text[start..end]);
        }
        let end = self.skip_escapes(end)?;
        Ok(&self.text[start..end])
    }

    /// Passes over the rest of a string, from its first escape on: where it ends.
    #[cold]
    fn skip_escapes(&mut self, mut end: usize) -> Read<usize> {
        loop {
            match self.text.get(end..) {
                Some([b'"', ..]) => {
                    self.at = end + 1;
                    return Ok(end);
                }
                Some([b'\\', b'u', digits @ ..]) if hexadecimal(digits).is_some() => end += 6,
                Some([b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..]) => end += 2,
                Some([b'\\', _, ..]) => return Err(self.fault(end, format_args!("the escape is not known"))),
                Some([control, ..]) if *control < 0x20 => {
                    return Err(self.fault(end, format_args!("a text may not contain control characters")));
                }
                _ => return Err(self.fault(self.text.len(), format_args!("the text ends inside a string"))),
            }
            end += plain_len(&self.text[end..]);
        }
    }
}

/// How many bytes there are before a quote, a backslash or a control character. A buffer in a data URI is one
/// string, so this looks at eight bytes at once.
fn plain_len(text: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = ONES << 7;
    // The high bit of the first byte that is less than `limit` (at most 128) is set; what is set behind it
    // means nothing.
    let less = |word: u64, limit: u8| word.wrapping_sub(ONES * u64::from(limit)) & !word & HIGH;
    let mut len = 0;
    while let Some(word) = text[len..].first_chunk::<8>() {
        let word = u64::from_le_bytes(*word);
        let equal = |byte: u8| less(word ^ (ONES * u64::from(byte)), 1);
        let found = less(word, 0x20) | equal(b'"') | equal(b'\\');
        if found != 0 {
            return len + found.trailing_zeros() as usize / 8;
        }
        len += 8;
    }
    let is_plain = |byte: &&u8| **byte >= 0x20 && **byte != b'"' && **byte != b'\\';
    len + text[len..].iter().take_while(is_plain).count()
}

/// Four hexadecimal digits.
fn hexadecimal(digits: &[u8]) -> Option<u32> {
    let digits = digits.get(..4)?;
    digits.iter().try_fold(0, |number, &digit| Some(16 * number + char::from(digit).to_digit(16)?))
}

/// What is meant by a string whose escapes were checked.
fn unescaped(mut raw: &[u8]) -> String {
    let mut text = String::with_capacity(raw.len());
    while let Some(plain) = raw.iter().position(|&byte| byte == b'\\') {
        text.push_str(&String::from_utf8_lossy(&raw[..plain]));
        let escape = raw.get(plain + 1).copied().unwrap_or(b'\\');
        raw = raw.get(plain + 2..).unwrap_or(&[]);
        text.push(match escape {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => code_point(&mut raw),
            other => other.into(),
        });
    }
    text.push_str(&String::from_utf8_lossy(raw));
    text
}

/// The character behind `\u`, which takes two escapes if it is beyond the first 65,536.
fn code_point(raw: &mut &[u8]) -> char {
    let first = hexadecimal(raw).unwrap_or(0);
    *raw = raw.get(4..).unwrap_or(&[]);
    let second = raw.strip_prefix(b"\\u").and_then(hexadecimal);
    let code = match (first, second) {
        (0xD800..0xDC00, Some(second @ 0xDC00..0xE000)) => {
            *raw = &raw[6..];
            0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00)
        }
        _ => first,
    };
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn string(text: &str) -> Option<String> {
        Reader::new(text.as_bytes()).string("a text").ok().map(|text| Text::new(text).0.into_owned())
    }

    #[test]
    fn strings_are_what_they_mean() {
        for (text, meaning) in [
            (r#""""#, ""),
            (r#""plain, long enough for eight bytes at once""#, "plain, long enough for eight bytes at once"),
            (r#""12345678""#, "12345678"),
            (r#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
            (r#""a\u00e4\u3042\uD83D\uDE00z""#, "a\u{e4}\u{3042}\u{1F600}z"),
            (r#""\uD83Dx""#, "\u{fffd}x"),
            (r#""\uD83D\u0041""#, "\u{fffd}A"),
            (r#""\uDE00\uD83D""#, "\u{fffd}\u{fffd}"),
            ("\"\u{e4}\u{1F600}\"", "\u{e4}\u{1F600}"),
        ] {
            assert_eq!(string(text).as_deref(), Some(meaning), "{text}");
        }
    }

    #[test]
    fn bytes_that_are_no_utf_8_are_replaced() {
        let text = b"\"a\xffb\\n\xc3\"";
        let text = Text::new(Reader::new(text).string("a text").unwrap());
        assert_eq!(text.0, "a\u{fffd}b\n\u{fffd}");
    }

    #[test]
    fn the_end_of_a_string_is_found_at_every_place() {
        for len in 0..40 {
            for end in ["\"", "\\n\"", "\u{1f}", "\u{0}"] {
                let text = format!(
                    "{}{end}",
                    "\u{e4}\u{7f} !".repeat(len)[..].chars().take(len).collect::<String>()
                );
                let expected = text.len() - end.len();
                assert_eq!(plain_len(text.as_bytes()), expected, "{text:?}");
            }
            assert_eq!(plain_len("x".repeat(len).as_bytes()), len);
        }
    }
}
