//! Clips by topic.

mod additive;
mod additive_laws;
mod keys;
mod size;
