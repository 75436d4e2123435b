//! What can be read: fields, lists of them, and objects with them.

use std::ops::Deref;

use super::reader::{Read, Reader};
use super::text::Text;

/// Something that a text can hold.
pub(crate) trait Value<'a> {
    /// Takes the value that comes next; until then it has its default.
    fn read(&mut self, reader: &mut Reader<'a>) -> Read;
}

/// A struct whose fields are read by name.
pub(crate) trait Object<'a> {
    /// The names of the fields in the file.
    fn names(&self) -> &'static [&'static str];
    /// How many of them, from the first, must be there.
    fn required(&self) -> usize;
    /// The field of a name, by its place in the list.
    fn field(&mut self, index: usize) -> Option<&mut dyn Value<'a>>;
}

/// Makes a struct an [`Object`]: the names of its fields in the file, first those without which it means
/// nothing.
///
/// ```ignore
/// object!('a, Channel<'a> { "sampler" => sampler, "target" => target; } );
/// ```
macro_rules! object {
    ($life:lifetime, $kind:ty {
        $($required:literal => $required_field:ident),*;
        $($(#[$if:meta])* $optional:literal => $optional_field:ident),* $(,)?
    }) => {
        impl<$life> $crate::json::Object<$life> for $kind {
            fn names(&self) -> &'static [&'static str] {
                &[$($required,)* $($(#[$if])* $optional,)*]
            }

            fn required(&self) -> usize {
                const REQUIRED: &[&str] = &[$($required),*];
                REQUIRED.len()
            }

            fn field(&mut self, index: usize) -> Option<&mut dyn $crate::json::Value<$life>> {
                #[expect(non_camel_case_types, reason = "the names of the fields")]
                enum Field { $($required_field,)* $($(#[$if])* $optional_field,)* }
                match index {
                    $(index if index == Field::$required_field as usize => Some(&mut self.$required_field),)*
                    $($(#[$if])* index if index == Field::$optional_field as usize => Some(&mut self.$optional_field),)*
                    _ => None,
                }
            }
        }

        impl<$life> $crate::json::Value<$life> for $kind {
            fn read(&mut self, reader: &mut $crate::json::Reader<$life>) -> $crate::json::Read {
                reader.object(self)
            }
        }
    };
}

pub(crate) use object;

/// One of the file's lists of objects.
///
/// Its length is bounded while it is read: `{},` is three bytes of text and some hundred bytes of memory.
#[derive(Debug)]
pub(crate) struct List<T>(Vec<T>);

/// A hundred times what the largest scenes have.
const MOST_ITEMS: usize = 1 << 20;

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'a, T: Value<'a> + Default> Value<'a> for List<T> {
    fn read(&mut self, reader: &mut Reader<'a>) -> Read {
        reader.list(&mut |reader| {
            reader.check_room(self.0.len())?;
            read_item(&mut self.0, reader)
        })
    }
}

/// Numbers and texts: they need no more memory than the file has bytes, or little more.
impl<'a, T: Value<'a> + Default> Value<'a> for Vec<T> {
    fn read(&mut self, reader: &mut Reader<'a>) -> Read {
        reader.list(&mut |reader| read_item(self, reader))
    }
}

fn read_item<'a, T: Value<'a> + Default>(list: &mut Vec<T>, reader: &mut Reader<'a>) -> Read {
    let mut item = T::default();
    item.read(reader)?;
    list.push(item);
    Ok(())
}

/// Absent and `null` are the same.
impl<'a, T: Value<'a> + Default> Value<'a> for Option<T> {
    fn read(&mut self, reader: &mut Reader<'a>) -> Read {
        if reader.take_word("null") {
            return Ok(());
        }
        self.insert(T::default()).read(reader)
    }
}

impl<'a, T: Value<'a>> Value<'a> for Box<T> {
    fn read(&mut self, reader: &mut Reader<'a>) -> Read {
        (**self).read(reader)
    }
}

impl<const N: usize> Value<'_> for [f32; N] {
    fn read(&mut self, reader: &mut Reader<'_>) -> Read {
        reader.floats(self)
    }
}

impl Reader<'_> {
    /// Whether a list may have one more item.
    fn check_room(&mut self, len: usize) -> Read {
        if len < MOST_ITEMS {
            return Ok(());
        }
        Err(self.fault(self.at, format_args!("found more items, expected at most {MOST_ITEMS}")))
    }

    /// A list of as many numbers as there is room for.
    fn floats(&mut self, floats: &mut [f32]) -> Read {
        let (start, len) = (self.at, floats.len());
        let mut count = 0;
        self.list(&mut |reader| {
            let mut float = 0.0;
            float.read(reader)?;
            if let Some(place) = floats.get_mut(count) {
                *place = float;
            }
            count += 1;
            Ok(())
        })?;
        if count == len {
            return Ok(());
        }
        Err(self.fault(start, format_args!("found {count} numbers, expected {len}")))
    }
}

impl Value<'_> for bool {
    fn read(&mut self, reader: &mut Reader<'_>) -> Read {
        *self = reader.take_word("true");
        if *self || reader.take_word("false") { Ok(()) } else { Err(reader.unexpected("true or false")) }
    }
}

impl<'a> Value<'a> for Text<'a> {
    fn read(&mut self, reader: &mut Reader<'a>) -> Read {
        *self = Text::new(reader.string("a text")?);
        Ok(())
    }
}

/// Something whose presence is all that matters.
#[derive(Debug, Default)]
pub(crate) struct Anything;

impl Value<'_> for Anything {
    fn read(&mut self, reader: &mut Reader<'_>) -> Read {
        reader.skip()
    }
}

/// A value as it is written.
#[derive(Debug, Default)]
pub(crate) struct Raw<'a>(pub(crate) &'a [u8]);

impl<'a> Value<'a> for Raw<'a> {
    fn read(&mut self, reader: &mut Reader<'a>) -> Read {
        let start = reader.at;
        reader.skip()?;
        self.0 = &reader.text[start..reader.at];
        Ok(())
    }
}

/// `extras`: a value of any kind as it is written; absent and `null` are the same.
///
/// No byte of the text is in the extras of two things, so that together they need no more memory than the
/// text (three times as much where it is not UTF-8).
#[derive(Debug, Default)]
pub(crate) struct Extras<'a>(Option<Raw<'a>>);

impl<'a> Extras<'a> {
    /// The bytes as they are written.
    pub(crate) fn raw(&self) -> Option<&'a [u8]> {
        self.0.as_ref().map(|raw| raw.0)
    }

    /// The text as plain data.
    pub(crate) fn owned(&self) -> Option<Box<str>> {
        self.0.as_ref().map(|raw| String::from_utf8_lossy(raw.0).into())
    }
}

impl<'a> Value<'a> for Extras<'a> {
    fn read(&mut self, reader: &mut Reader<'a>) -> Read {
        self.0.read(reader)
    }
}
