//! Clips by topic.

mod keys;
mod size;
