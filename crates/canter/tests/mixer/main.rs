//! The mixer by topic.

mod blending;
mod fades;
mod ids;
mod masks;
mod state;
mod time;
