//! The program, run as people and scripts run it.

mod bench;
mod check;
mod inspect;
mod markers;
mod program;
mod render;
mod render_empty;
mod sample;
