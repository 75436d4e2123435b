//! What solvers promise, on random rigs, poses and targets.

mod aim;
mod allocations;
mod chain;
mod common;
mod constraints;
mod feet;
mod golden;
mod mirror;
mod springs;
mod two_bone;
