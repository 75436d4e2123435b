//! The JSON of a file as a tree that is opened only where somebody looks.
//!
//! What nobody looks at stays the text that it was: numbers with all their digits, unknown extensions,
//! indentation. Neither opening nor writing goes deeper than somebody looked, so that a text may nest a
//! million lists.

use std::borrow::Cow;

use canter::FloatText;

use crate::json::{Raw, Read, Reader, Text, Value as _};

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Json<'a> {
    /// As it is written.
    Raw(Cow<'a, [u8]>),
    List(Vec<Self>),
    Object(Vec<Member<'a>>),
}

/// A name as it is written between its quotes, and its value.
pub(crate) type Member<'a> = (Cow<'a, [u8]>, Json<'a>);

impl<'a> Json<'a> {
    /// The value of a text that was read before: it is sound.
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Self::Raw(Cow::Borrowed(text.trim_ascii()))
    }

    pub(crate) fn object() -> Self {
        Self::Object(Vec::new())
    }

    pub(crate) fn text(text: &str) -> Self {
        let mut json = String::new();
        crate::marker::write_text(&mut json, text);
        Self::Raw(Cow::Owned(json.into_bytes()))
    }

    /// The members, if it is an object.
    pub(crate) fn members(&mut self) -> Option<&mut Vec<Member<'a>>> {
        if let Self::Raw(text) = self {
            if text.first() != Some(&b'{') {
                return None;
            }
            *self = match text {
                Cow::Borrowed(text) => Self::open_object(text),
                Cow::Owned(text) => Self::open_object(text).detached(),
            };
        }
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    fn open_object(text: &[u8]) -> Json<'_> {
        let mut members = Vec::new();
        let _ = Reader::new(text).members(&mut |reader, key| {
            members.push((Cow::Borrowed(key), Json::new(raw(reader)?)));
            Ok(())
        });
        Json::Object(members)
    }

    /// The items, if it is a list.
    pub(crate) fn items(&mut self) -> Option<&mut Vec<Self>> {
        if let Self::Raw(text) = self {
            if text.first() != Some(&b'[') {
                return None;
            }
            *self = match text {
                Cow::Borrowed(text) => Self::open_list(text),
                Cow::Owned(text) => Self::open_list(text).detached(),
            };
        }
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    fn open_list(text: &[u8]) -> Json<'_> {
        let mut items = Vec::new();
        let _ = Reader::new(text).list(&mut |reader| {
            items.push(Json::new(raw(reader)?));
            Ok(())
        });
        Json::List(items)
    }

    /// The same with texts of its own: only those that were written here, which are short.
    fn detached<'b>(self) -> Json<'b> {
        match self {
            Self::Raw(text) => Json::Raw(Cow::Owned(text.into_owned())),
            Self::List(items) => Json::List(items.into_iter().map(Self::detached).collect()),
            Self::Object(members) => {
                let detached = |(name, value): Member<'_>| (Cow::Owned(name.into_owned()), value.detached());
                Json::Object(members.into_iter().map(detached).collect())
            }
        }
    }

    /// The member of a name.
    pub(crate) fn get(&mut self, name: &str) -> Option<&mut Self> {
        let is_it = |member: &&mut Member<'a>| Text::new(&member.0).0 == name;
        self.members()?.iter_mut().find(is_it).map(|member| &mut member.1)
    }

    /// The member at the end of a path of names.
    pub(crate) fn path(&mut self, names: &[&str]) -> Option<&mut Self> {
        names.iter().try_fold(self, |json, name| json.get(name))
    }

    /// Puts a member in the place of the one of that name, or behind all others. What is no object stays as it
    /// is.
    pub(crate) fn set(&mut self, name: &str, value: impl Into<Self>) {
        if let Some(old) = self.get(name) {
            *old = value.into();
        } else if let Some(members) = self.members() {
            members.push((Cow::Owned(name.as_bytes().to_vec()), value.into()));
        }
    }

    /// The same object with a member.
    pub(crate) fn with(mut self, name: &str, value: impl Into<Self>) -> Self {
        self.set(name, value);
        self
    }

    pub(crate) fn remove(&mut self, name: &str) {
        if let Some(members) = self.members() {
            members.retain(|member| Text::new(&member.0).0 != name);
        }
    }

    /// The items of a member that is a list; one that is not there is made.
    pub(crate) fn list(&mut self, name: &str) -> &mut Vec<Self> {
        if self.get(name).and_then(Self::items).is_none() {
            self.set(name, Self::List(Vec::new()));
        }
        // An object has it now; what is none is given up for one.
        if self.members().is_none() {
            *self = Self::object().with(name, Self::List(Vec::new()));
        }
        self.get(name).and_then(Self::items).expect("it was put there")
    }

    /// The items of a member that is a list, or none.
    pub(crate) fn each(&mut self, name: &str) -> &mut [Self] {
        self.get(name).and_then(Self::items).map_or(&mut [], Vec::as_mut_slice)
    }

    /// A whole number from 0.
    pub(crate) fn number(&self) -> Option<usize> {
        match self {
            Self::Raw(text) => std::str::from_utf8(text).ok()?.parse().ok(),
            _ => None,
        }
    }

    /// A whole number from 0 at the end of a path of names.
    pub(crate) fn number_at(&mut self, names: &[&str]) -> Option<usize> {
        self.path(names)?.number()
    }

    /// A text at the end of a path of names.
    pub(crate) fn text_at(&mut self, names: &[&str]) -> Option<String> {
        match self.path(names)? {
            Self::Raw(text) => {
                let inner = text.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
                Some(Text::new(inner).0.into_owned())
            }
            _ => None,
        }
    }

    /// Its text.
    pub(crate) fn write(&self, into: &mut Vec<u8>) {
        match self {
            Self::Raw(text) => into.extend_from_slice(text),
            Self::List(items) => {
                into.push(b'[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        into.push(b',');
                    }
                    item.write(into);
                }
                into.push(b']');
            }
            Self::Object(members) => {
                into.push(b'{');
                for (index, (name, value)) in members.iter().enumerate() {
                    into.extend_from_slice(if index > 0 { b",\"" } else { b"\"" });
                    into.extend_from_slice(name);
                    into.extend_from_slice(b"\":");
                    value.write(into);
                }
                into.push(b'}');
            }
        }
    }

    pub(crate) fn to_text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        self.write(&mut text);
        text
    }
}

impl From<usize> for Json<'_> {
    fn from(number: usize) -> Self {
        Self::Raw(Cow::Owned(number.to_string().into_bytes()))
    }
}

impl From<f32> for Json<'_> {
    /// A number that reads back to the same bits.
    fn from(number: f32) -> Self {
        Self::Raw(Cow::Owned(FloatText(number.into()).to_string().into_bytes()))
    }
}

impl From<bool> for Json<'_> {
    fn from(truth: bool) -> Self {
        Self::Raw(Cow::Borrowed(if truth { b"true" } else { b"false" }))
    }
}

impl From<&str> for Json<'_> {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<Vec<f32>> for Json<'_> {
    fn from(numbers: Vec<f32>) -> Self {
        Self::List(numbers.into_iter().map(Self::from).collect())
    }
}

/// The value that comes next, as it is written.
fn raw<'a>(reader: &mut Reader<'a>) -> Read<&'a [u8]> {
    let mut raw = Raw::default();
    raw.read(reader)?;
    Ok(raw.0)
}

/// A text without the white space between its values.
pub(crate) fn compact(text: &[u8]) -> Vec<u8> {
    let mut short = Vec::with_capacity(text.len());
    let (mut in_string, mut escaped) = (false, false);
    for &byte in text {
        if in_string {
            in_string = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
        } else if byte.is_ascii_whitespace() {
            continue;
        } else {
            in_string = byte == b'"';
        }
        short.push(byte);
    }
    short
}
