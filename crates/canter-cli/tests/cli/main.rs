//! The program, run as people and scripts run it.

mod bench;
mod check;
mod graph;
mod inspect;
mod markers;
mod program;
mod render;
mod sample;
