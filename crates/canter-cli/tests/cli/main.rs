//! The program, run as people and scripts run it.

mod bench;
mod check;
mod guide;
mod inspect;
mod markers;
mod program;
mod render;
mod sample;
