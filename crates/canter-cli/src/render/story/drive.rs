//! A graph that decides what plays in a film, by a script.

use std::sync::Arc;

use canter::glam::DAffine3;
use canter::{Clip, MarkerKind, Mixer};
use canter_graph::{Graph, GraphState, Parameters};

use super::playback::{Footfall, MOST_FOOTFALLS, step};
use crate::script::Script;

/// What decides, and what it is told.
#[derive(Debug)]
pub(crate) struct Drive {
    pub(crate) graph: Graph,
    pub(crate) script: Script,
    /// All that the graph may play.
    pub(crate) clips: Vec<Arc<Clip>>,
}

/// A graph that runs.
#[derive(Debug)]
pub(super) struct Driven<'s> {
    drive: &'s Drive,
    state: GraphState,
    parameters: Parameters,
    /// Updates that are over, and inputs that have come.
    updates: u32,
    inputs: usize,
    now_secs: f64,
}

impl<'s> Driven<'s> {
    pub(super) fn new(drive: &'s Drive, mixer: &mut Mixer) -> Self {
        let mut parameters = drive.graph.parameters();
        let mut inputs = 0;
        let state = drive.graph.start(&parameters, mixer);
        drive.script.feed(0, &mut inputs, &drive.graph, &mut parameters);
        Self { drive, state, parameters, updates: 0, inputs, now_secs: 0.0 }
    }

    /// Goes on to a moment: in the updates of the script, and as far into the last one as is left.
    pub(super) fn advance_to(
        &mut self,
        secs: f64,
        mixer: &mut Mixer,
        way: &mut DAffine3,
        footfalls: &mut Vec<Footfall>,
    ) {
        let fps = f64::from(self.drive.script.fps);
        loop {
            let end_secs = f64::from(self.updates + 1) / fps;
            let to_secs = end_secs.min(secs);
            self.update(to_secs, mixer, way, footfalls);
            if end_secs > secs {
                return;
            }
            self.updates += 1;
            let Drive { graph, script, .. } = self.drive;
            script.feed(self.updates, &mut self.inputs, graph, &mut self.parameters);
        }
    }

    fn update(&mut self, to_secs: f64, mixer: &mut Mixer, way: &mut DAffine3, footfalls: &mut Vec<Footfall>) {
        #[expect(clippy::cast_possible_truncation, reason = "seconds within a film")]
        let dt_secs = (to_secs - self.now_secs).max(0.0) as f32;
        if dt_secs <= 0.0 {
            return;
        }
        self.now_secs = to_secs;
        let graph = &self.drive.graph;
        graph.update_telling(&mut self.state, &mut self.parameters, dt_secs, mixer, |mixer, later_secs| {
            let room = MOST_FOOTFALLS.saturating_sub(footfalls.len());
            let told = mixer.markers().above(0.5).filter(|event| event.kind != MarkerKind::Leave);
            footfalls.extend(told.take(room).map(|event| {
                let ago = f64::from(event.secs_ago) + f64::from(later_secs);
                Footfall { name: event.name, secs: to_secs - ago }
            }));
        });
        *way *= step(self.state.root_motion().transform);
    }
}
