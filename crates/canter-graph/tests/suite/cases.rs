//! The cases that the specification numbers.

mod blends;
mod exit_times;
mod fades;
mod layers;
mod triggers;
