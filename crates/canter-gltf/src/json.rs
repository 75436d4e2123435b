//! A reader of JSON: straight from the bytes into the structs of [`schema`](crate::schema), without a tree
//! between them.
//!
//! It is written for a loader that runs in a browser, too: most of it exists once, whatever is read, and a
//! float is exact without tables. What nobody asks for is passed over without recursion, and nothing is
//! copied but texts with escapes.
//!
//! - [`reader`]: values, lists and objects, and the error when one is not what it should be.
//! - [`text`]: strings and their escapes.
//! - [`number`]: integers, and floats that are rounded once.
//! - [`value`]: what can be read: [`Value`] for fields, [`object!`](value::object) for structs.
//! - [`locate`]: where in the document a byte of the text is.

mod locate;
mod number;
mod reader;
mod text;
mod value;

pub(crate) use number::{Index, Size};
pub(crate) use reader::{Read, Reader};
pub(crate) use text::Text;
#[cfg(feature = "meshes")]
pub(crate) use value::Anything;
pub(crate) use value::{Extras, List, Object, Raw, Value, object};
