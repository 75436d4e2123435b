//! Graphs as a whole.

mod cases;
mod data;
mod explain;
mod hero;
mod laws;
mod playcanvas;
mod spaces;
mod world;
