//! Clips by topic.

mod keys;
mod layouts;
mod size;
