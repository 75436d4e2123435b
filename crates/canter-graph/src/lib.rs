//! What decides what plays: state machines and blend spaces as data.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod build;
mod data;
mod error;
mod event;
mod exact;
mod explain;
mod graph;
mod history;
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
pub use parameters::{ParameterError, ParameterId, Parameters, Value};
pub use space::{MOST_SAMPLES, Space, SpaceError};
pub use state::GraphState;
pub use travel::TravelError;
