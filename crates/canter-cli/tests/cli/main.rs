//! The program, run as people and scripts run it.

mod batch;
mod bench;
mod check;
mod graph;
mod guide;
mod inspect;
mod markers;
mod mirror;
mod optimize;
mod program;
mod render;
mod render_empty;
mod sample;
