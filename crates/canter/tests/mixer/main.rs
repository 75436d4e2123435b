//! The mixer by topic.

mod blending;
mod fades;
mod ids;
mod mask_laws;
mod masks;
mod state;
mod time;
