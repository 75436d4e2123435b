//! Characters in a world: a figure stands somewhere, a sword hangs in its hand. The guide [starts
//! here](../guide/start/scene.html); it is in `docs/guide` of the repository.
//!
//! A [`Character`] bundles all stages of one figure. A [`Scene`] gives characters and other nodes a place;
//! the parent of a node is the world, another node, or a joint of a character.
//!
//! ```
//! use canter_scene::canter::glam::{DAffine3, DVec3};
//! use canter_scene::{Character, Model, Parent, Scene};
//!
//! # let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
//! # std::env::set_current_dir(root)?;
//! let hero = Model::load("assets/hero.glb")?;
//! let sword = Model::load("assets/sword.glb")?;
//! let hand = hero.asset.skeleton.joint("hand_R").ok_or("the hero has no right hand")?;
//!
//! let mut scene = Scene::new();
//! let mut figure = Character::new(&hero);
//! figure.fade_to("Idle", 0.0)?;
//! let figure = scene.spawn(figure, Parent::World, DAffine3::from_translation(DVec3::Z * 2.0))?;
//! let blade = scene.spawn(Character::new(&sword), Parent::Joint(figure, hand), DAffine3::IDENTITY)?;
//!
//! scene[figure].fade_to("Run", 0.3)?; // from whatever plays
//! for _ in 0..60 {
//!     scene.update(1.0 / 60.0);
//!     let _draw_the_sword_at = scene.world(blade);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate `canter` is re-exported, and glam with it. How a scene is looked at is said in the same words to
//! every renderer: a [`Camera`], placed by hand or by a [`Framing`], and a [`Look`].
// The same bits everywhere: nothing whose rounding depends on the system. Tests may use it.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod bounds;
mod character;
mod detail;
mod figure;
mod frustum;
mod model;
mod scene;
mod skinning;
#[expect(clippy::disallowed_methods, reason = "where a camera stands is no part of the promise")]
mod view;

pub use canter;

pub use bounds::Bounds;
pub use character::{Character, PlayOnError};
pub use detail::Detail;
pub use figure::Figure;
pub use frustum::Frustum;
pub use model::{MaterialValues, Model, Part};
pub use scene::{Children, Figures, Hit, Keep, NodeId, Parent, Ray, Removed, Sampled, Scene, SceneError};
pub use skinning::{MeshTransform, PosedVertices};
pub use view::{Background, Camera, Framing, Ground, Look};
