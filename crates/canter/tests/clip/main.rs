//! Clips by topic.

mod additive;
mod additive_laws;
mod kept;
mod keys;
mod pack;
mod size;
