//! What the fuzzers run: functions of any bytes that must neither panic nor leave anything behind that is not
//! a number.
//!
//! | target | the bytes are |
//! |---|---|
//! | [`bytes`] | a file |
//! | [`play`] | what is done to a mixer, and the file that it plays |
//! | [`accessor`] | the fields of accessors and views, how they are used, and the buffer |
//! | [`hero`] | changes to the hero or to a small character: JSON values, and numbers of the buffer |
//! | [`draco`] | a mesh that Draco compressed |
//! | [`ktx2`] | a picture that Basis Universal compressed |
//!
//! `cargo +nightly fuzz run TARGET` looks for new cases; `cargo test -p canter-fuzz-bodies` replays the ones
//! that are kept in `fuzz/corpus`, and some thousands of changed copies.
#![forbid(unsafe_code)]

mod accessor;
mod bytes;
mod draco;
mod examine;
mod hero;
mod input;
mod ktx2;
mod layers;
mod operations;
mod play;

pub use accessor::accessor;
pub use bytes::bytes;
pub use draco::draco;
pub use hero::hero;
pub use ktx2::ktx2;
pub use play::play;

/// A target: takes any bytes, panics if it finds something.
pub type Target = fn(&[u8]);

/// All targets by their names, which are those of the folders in `fuzz/corpus`.
pub const TARGETS: [(&str, Target); 6] = [
    ("bytes", bytes),
    ("play", play),
    ("accessor", accessor),
    ("hero", hero),
    ("draco", draco),
    ("ktx2", ktx2),
];
