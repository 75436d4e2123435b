//! Values, lists and objects of the text, one after the other.

use std::fmt;

use super::locate::locate;
use super::text::Text;
use super::value::Object;
use crate::error::{Failure, LoadError};

/// Reads a text from its start to its end.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    pub(super) text: &'a [u8],
    /// The next byte.
    pub(super) at: usize,
    fault: Option<Fault>,
}

/// What is wrong, and where.
#[derive(Debug)]
struct Fault {
    at: usize,
    message: String,
}

/// The text is not what it should be; the reader knows why. It is as small as it can be, since nearly every
/// call returns one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Broken;

pub(crate) type Read<T = ()> = Result<T, Broken>;

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0, fault: None }
    }

    /// Reads the whole text as one object.
    pub(crate) fn document(mut self, into: &mut dyn Object<'a>) -> Result<(), Failure> {
        let read = self.object(into).and_then(|()| match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.unexpected("the end of the text")),
        });
        read.map_err(|Broken| {
            let Fault { at, message } = self.fault.take().unwrap_or(Fault { at: 0, message: String::new() });
            let before = &self.text[..at];
            let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
            let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
            LoadError::Json { place: locate(before), line, column: at - line_start + 1, message }.into()
        })
    }

    /// The first byte of what comes next, behind any white space.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
        match self.text.get(self.at) {
            Some(b' ' | b'\n' | b'\t' | b'\r') => self.skip_space(),
            byte => byte.copied(),
        }
    }

    /// White space is mostly the margin of a line: eight bytes at once.
    fn skip_space(&mut self) -> Option<u8> {
        self.at += 1;
        while let Some(b"        ") = self.text[self.at..].first_chunk::<8>() {
            self.at += 8;
        }
        loop {
            match self.text.get(self.at) {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at += 1,
                byte => return byte.copied(),
            }
        }
    }

    /// Passes over a byte, if it comes next.
    #[inline]
    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Passes over a word, if it comes next.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        self.peek();
        let found = self.text[self.at..].starts_with(word.as_bytes());
        self.at += if found { word.len() } else { 0 };
        found
    }

    /// Calls `item` in front of every item of a list.
    pub(crate) fn list(&mut self, item: &mut dyn FnMut(&mut Self) -> Read) -> Read {
        if !self.take(b'[') {
            return Err(self.unexpected("a list"));
        }
        if self.take(b']') {
            return Ok(());
        }
        loop {
            item(self)?;
            if !self.more(b']')? {
                return Ok(());
            }
        }
    }

    /// Calls `member` in front of every value of an object, with its key as it is written: see [`Text::new`].
    pub(crate) fn members(&mut self, member: &mut dyn FnMut(&mut Self, &'a [u8]) -> Read) -> Read {
        if !self.take(b'{') {
            return Err(self.unexpected("an object"));
        }
        if self.take(b'}') {
            return Ok(());
        }
        loop {
            let key = self.key()?;
            member(self, key)?;
            if !self.more(b'}')? {
                return Ok(());
            }
        }
    }

    /// Passes over a comma, or over what closes the list or object: then no more comes.
    #[inline]
    fn more(&mut self, close: u8) -> Read<bool> {
        let next = self.peek();
        if next == Some(b',') || next == Some(close) {
            self.at += 1;
            return Ok(next == Some(b','));
        }
        Err(self.unexpected(if close == b'}' { "`,` or `}`" } else { "`,` or `]`" }))
    }

    fn key(&mut self) -> Read<&'a [u8]> {
        let key = self.string("a name in quotes")?;
        if self.take(b':') { Ok(key) } else { Err(self.unexpected("`:`")) }
    }

    /// Reads the fields of an object that it knows, and passes over all others.
    pub(crate) fn object(&mut self, into: &mut dyn Object<'a>) -> Read {
        let names = into.names();
        let mut seen = 0_u32;
        self.members(&mut |reader, key| {
            let find = |key: &[u8]| names.iter().position(|name| name.as_bytes() == key);
            let index = match find(key) {
                // Hardly anybody writes a name with escapes.
                None if key.contains(&b'\\') => find(Text::new(key).0.as_bytes()),
                index => index,
            };
            let Some((index, field)) = index.and_then(|index| Some((index, into.field(index)?))) else {
                return reader.skip();
            };
            if seen & (1 << index) != 0 {
                return Err(reader.fault(reader.at, format_args!("`{}` is given twice", names[index])));
            }
            seen |= 1 << index;
            field.read(reader)
        })?;
        let missing = (!seen).trailing_zeros() as usize;
        if missing < into.required() {
            // Behind the brace: then the place is that of the object.
            return Err(self.fault(self.at, format_args!("the field `{}` is missing", names[missing])));
        }
        Ok(())
    }

    /// Passes over a value of any kind. A text may nest a million lists: this does not recurse.
    pub(super) fn skip(&mut self) -> Read {
        // What closes the list or object that is open, and those around it. Most are alone and need no
        // memory.
        let mut close = None;
        let mut outer: Vec<u8> = Vec::new();
        loop {
            match self.peek() {
                Some(b'[') => {
                    self.at += 1;
                    if !self.take(b']') {
                        outer.extend(close.replace(b']'));
                        continue;
                    }
                }
                Some(b'{') => {
                    self.at += 1;
                    if !self.take(b'}') {
                        outer.extend(close.replace(b'}'));
                        self.key()?;
                        continue;
                    }
                }
                Some(b'"') => drop(self.string("a text")?),
                Some(b'-' | b'0'..=b'9') => drop(self.number("a number")?),
                _ if ["true", "false", "null"].iter().any(|word| self.take_word(word)) => {}
                _ => return Err(self.unexpected("a value")),
            }
            loop {
                let Some(end) = close else { return Ok(()) };
                if self.more(end)? {
                    if end == b'}' {
                        self.key()?;
                    }
                    break;
                }
                close = outer.pop();
            }
        }
    }

    /// What comes next is not what was expected.
    #[cold]
    pub(super) fn unexpected(&mut self, expected: &str) -> Broken {
        const SHOWN: usize = 24;
        self.peek();
        let rest = &self.text[self.at..];
        let word = rest.iter().take(SHOWN).take_while(|byte| !b" \t\r\n,:[]{}\"".contains(byte)).count();
        let found = match rest.first() {
            None => "the end of the text",
            Some(b'"') => "a text",
            Some(b'{') => "an object",
            Some(b'[') => "a list",
            _ => {
                let word = rest[..word.max(1)].escape_ascii();
                return self.fault(self.at, format_args!("found `{word}`, expected {expected}"));
            }
        };
        self.fault(self.at, format_args!("found {found}, expected {expected}"))
    }

    #[cold]
    pub(super) fn fault(&mut self, at: usize, message: fmt::Arguments<'_>) -> Broken {
        self.fault = Some(Fault { at, message: message.to_string() });
        Broken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Passes over a text, and says what is wrong with it.
    fn skip(text: &str) -> Result<(), String> {
        let mut reader = Reader::new(text.as_bytes());
        let read = reader.skip().and_then(|()| match reader.peek() {
            None => Ok(()),
            Some(_) => Err(reader.unexpected("the end of the text")),
        });
        read.map_err(|Broken| reader.fault.map_or_else(String::new, |fault| fault.message))
    }

    #[test]
    fn every_kind_of_value_is_passed_over() {
        for text in [
            "null",
            " true ",
            "false",
            "0",
            "-1.5e+3",
            "\"\"",
            "\"a\\u00e4\\n\"",
            "[]",
            "{}",
            "[ ]",
            "{\n}",
            "[1,[2,{\"a\":[]}],\"b\"]",
            "{\"a\":{\"b\":null},\"c\":[{}]}",
        ] {
            assert_eq!(skip(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in [
            "",
            " ",
            "nul",
            "nulll",
            "tru e",
            "+1",
            "01",
            "1.",
            ".5",
            "1e",
            "1e+",
            "-",
            "\"",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"\n\"",
            "[",
            "[1",
            "[1,",
            "[1,]",
            "[,]",
            "[1 2]",
            "[1}",
            "{",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":1",
            "{\"a\":1,",
            "{\"a\":1,}",
            "{a:1}",
            "{1:1}",
            "{\"a\" 1}",
            "{\"a\":1]",
            "]",
            "}",
            "1 2",
            "'a'",
            "// no",
            "NaN",
            "\u{fffd}",
        ] {
            assert!(skip(text).is_err(), "{text}");
        }
    }

    #[test]
    fn errors_say_what_was_found() {
        for (text, message) in [
            ("[1 2]", "found `2`, expected `,` or `]`"),
            ("[", "found the end of the text, expected a value"),
            ("{\"a\" {}}", "found an object, expected `:`"),
            ("\u{e4}", "found `\\xc3\\xa4`, expected a value"),
        ] {
            assert_eq!(skip(text), Err(message.to_owned()), "{text}");
        }
    }
}
