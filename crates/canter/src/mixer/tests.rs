//! The mixer by topic.

mod blending;
mod fades;
mod ids;
mod levels;
mod masks;
mod state;
mod time;
