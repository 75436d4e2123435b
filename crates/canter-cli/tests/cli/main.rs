//! The program, run as people and scripts run it.

mod bench;
mod check;
mod inspect;
mod program;
mod render;
mod sample;
