//! The viewer: a window with a character, its clips, its skeleton, and what it holds; see [the
//! guide](../guide/start/program.html).
//!
//! What can be done is in [`Session`], a plain value that knows no window: open a file, crossfade to a clip,
//! scrub, pick a joint, attach a sword. [`run`] puts a window around it. The picture is drawn by
//! [`canter_wgpu`] on the GPU that shows the window, or by [`canter_soft`].
//!
//! ```
//! use canter_view::Session;
//!
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
//! let mut session = Session::load("assets/hero.glb".as_ref())?;
//! session.fade_to("Run")?;
//! session.advance(0.1);
//! assert_eq!(session.action().unwrap().clip().name(), "Run");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod canvas;
mod orbit;
mod session;
mod window;

pub use orbit::Orbit;
pub use session::{
    Footprint, GraphEdit, Held, LayerSettings, Limb, MachinePath, Mixed, Morph, Reference, Session,
    SessionGraph, SessionLayer,
};
pub use window::{ViewError, ViewOptions, has_display, run};
