//! Corrections of a pose, between sampling and drawing: feet that stick, hands that reach, capes that swing,
//! and the mirror.
//!
//! ```text
//! Mixer --sample--> Pose --compose--> ModelPose --solver--> Pose and ModelPose --> palette
//! ```
//!
//! A solver is made once for a skeleton and is never changed by its use; what it has to remember is a state,
//! a plain value beside it. It edits a [`Pose`](canter::Pose) and the [`ModelPose`](canter::ModelPose) that
//! was composed of it, and composes again only what it moved, so that both fit each other before and after.
//!
//! | solver | is for |
//! |---|---|
//! | [`TwoBone`] | arms and legs: two bones and a target |
//! | [`Aim`] | looking at something: eyes, head, neck and chest; [`DampedPoint`] smooths what is looked at |
//! | [`Chain`] | tails, tentacles, spines, cranes: any number of bones and a target |
//! | [`Feet`] | feet on stairs and slopes that do not slide |
//! | [`Springs`] | hair, capes, tails and ears that swing |
//! | [`mirror`] | which joints change places in a mirror; poses and clips left for right |
//! | [`Constraints`] | joints that follow others, as VRM 1.0 has them |
//! | [`Twist`] | the twist of a hand or a thigh, spread along the limb |
//! | [`PoseCache`] | poses that are kept under a name, and blended back |
//! | [`joint_velocities`] | what a ragdoll starts with |
//!
//! 1. **A function of its inputs.** No solver starts from its last solution.
//! 2. **The same bits on every machine.** Only + - * / and square roots, in a fixed order.
//! 3. **Infallible per frame.** What cannot be is refused when a solver is made. Degenerate inputs have an
//!    answer that the solver's module states; what is not a number changes nothing.
//! 4. **Nothing is allocated** after a solver and its state are made.
//!
//! Points and orientations are in the space of the model unless something else is said.
// The same bits everywhere: nothing whose rounding depends on the system. Tests may use it.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod aim;
pub mod chain;
pub mod constraints;
mod damped;
mod end;
mod error;
pub mod feet;
mod lane;
pub mod mirror;
mod pose_cache;
mod reach;
#[doc(hidden)]
pub mod scripted;
mod soft;
mod space;
pub mod springs;
mod turn;
mod turn_batch;
pub mod twist;
pub mod two_bone;
mod vector;
mod velocity;

pub use aim::{Aim, AimGoal, AimJoint};
pub use chain::{Chain, ChainGoal, JointLimit};
pub use constraints::{Constraint, ConstraintKind, Constraints};
pub use damped::DampedPoint;
pub use end::LimbEnd;
pub use error::RigError;
pub use feet::{Feet, FeetState, FeetStep, FootContact, Ground, Leg};
pub use pose_cache::PoseCache;
pub use reach::Reach;
pub use springs::{
    Collider, ColliderShape, SpringCenter, SpringChain, SpringJoint, SpringStep, Springs, SpringsGroup,
    SpringsMember, SpringsState,
};
pub use twist::Twist;
pub use two_bone::{LimbGoal, TwoBone};
pub use velocity::{JointVelocity, joint_velocities};
