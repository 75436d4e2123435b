//! What decides what plays: state machines and blend spaces as data.
//!
//! A graph evaluates nothing. It decides which clips of a [`Mixer`](canter::Mixer) play, when, and how
//! strong; the mixer owns time and weight, and blends.
//!
//! ```text
//! GraphData (JSON) --build--> Graph       immutable, shared by all characters
//! Parameters -------------->  update  --> Mixer --> Pose
//! GraphState <------------->              a plain value: clone it, put it back
//! ```
//!
//! - **Exact for any step.** An update is cut where a transition is taken, where a fade ends, and now and then
//!   while parameters are smoothed: what a long step would have done in many short ones, it does.
//! - **Interruptions cannot pop.** Fades start from what is on screen, whoever interrupts whom.
//! - **It says why.** [`Graph::explain`] tells what plays and what everything waits for.
//!
//! ```
//! # use canter::{Clip, Mixer, Pose, Skeleton, Track, Transform, glam::Vec3};
//! # use std::sync::Arc;
//! # let mut joints = Skeleton::builder();
//! # joints.joint("hips", None, Transform::IDENTITY);
//! # let skeleton = Arc::new(joints.build()?);
//! # let hips = skeleton.joint("hips").unwrap();
//! # let clips = ["Idle", "Walk", "Jump"].map(|name| {
//! #     let mut clip = Clip::builder(name, &skeleton);
//! #     clip.translation(hips, Track::linear(vec![0.0, 1.0], vec![Vec3::ZERO, Vec3::Y]));
//! #     Arc::new(clip.build().unwrap())
//! # });
//! use canter_graph::Graph;
//!
//! let json = r#"{
//!     "version": 1,
//!     "parameters": [{ "name": "speed", "kind": "float" }, { "name": "jump", "kind": "trigger" }],
//!     "layers": [{ "name": "body", "machine": {
//!         "entry": "Move",
//!         "states": [
//!             { "name": "Move", "motion": { "blend1d": { "parameter": "speed", "points": [
//!                 { "at": 0.0, "motion": { "clip": "Idle" } },
//!                 { "at": 1.4, "motion": { "clip": "Walk" } }
//!             ] } } },
//!             { "name": "Jump", "motion": { "clip": "Jump" }, "loop": "once" }
//!         ],
//!         "transitions": [
//!             { "from": "Move", "to": "Jump", "when": [{ "parameter": "jump" }], "duration": 0.1 },
//!             { "from": "Jump", "to": "Move", "exit_time": 0.9 }
//!         ]
//!     } }]
//! }"#;
//! let graph = Graph::from_json(json, &skeleton, &clips)?;
//! let (speed, jump) = (graph.parameter("speed").unwrap(), graph.parameter("jump").unwrap());
//!
//! let mut mixer = Mixer::new(&skeleton);
//! let mut parameters = graph.parameters();
//! let mut state = graph.start(&parameters, &mut mixer);
//! let mut pose = Pose::rest(&skeleton);
//!
//! parameters.set(speed, 0.7)?;
//! parameters.trigger(jump)?;
//! graph.update(&mut state, &mut parameters, 1.0 / 60.0, &mut mixer);
//! mixer.sample(&mut pose);
//! let text = graph.explain(&state, &parameters, &mixer).to_string();
//! assert_eq!(text, "body: Move -> Jump, 17 % (Jump 1.00); Move to Jump, 0.02 s ago, because jump was set");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
// The same bits everywhere: nothing whose rounding depends on the system. Tests may use it.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod build;
mod data;
mod error;
mod event;
mod exact;
mod explain;
mod graph;
mod history;
mod inspect;
mod parameters;
mod playcanvas;
mod run;
mod space;
mod state;
mod travel;

pub use data::{
    AdditiveData, AmountData, Blend1dData, Blend2dData, ClipMotion, ClipMotionSettings, ConditionData,
    DirectData, DirectItemData, DurationData, EasingData, EnterData, FadeData, GraphData, InterruptData,
    LayerData, LayerModeData, LoopData, MachineData, MaskData, MethodData, MotionData, OpData, ParameterData,
    ParameterKind, Place1dData, Place2dData, Point1dData, Point2dData, ReferenceClip, ReferenceData,
    StateData, SyncByData, SyncGroupData, TransitionData, VERSION, ValueData,
};
pub use error::{Fault, GraphError, Place, Warning, WarningKind};
pub use event::{GraphEvent, GraphEventKind};
pub use explain::{Explanation, FadeExplanation, LayerExplanation, PlayedClip, Waiting};
pub use graph::{Graph, MOST_DEPTH, MOST_TRANSITIONS, StateId, TransitionId};
pub use history::{Cause, Taken};
pub use inspect::RunningFade;
pub use parameters::{ParameterError, ParameterId, Parameters, Value};
pub use space::{MOST_SAMPLES, Space, SpaceError};
pub use state::GraphState;
pub use travel::TravelError;
