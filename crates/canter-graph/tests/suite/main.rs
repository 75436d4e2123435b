//! Graphs as a whole.

mod bits;
mod cases;
mod data;
mod explain;
mod hero;
mod inspect;
mod laws;
mod mirror;
mod playcanvas;
mod spaces;
mod world;
