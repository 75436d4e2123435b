//! Tells JavaScript what is in a graph, what it does and why; read by `packages/canter/src/graph` in the same
//! order.

use canter_graph::{Explanation, Fault, Graph, GraphError, LayerExplanation, ParameterKind, Taken};

use super::{GraphRun, number};
use crate::describe::Writer;
use crate::host::{Host, word};

impl Writer {
    fn double(&mut self, number: f64) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    fn texts(&mut self, texts: &[String]) {
        self.count(texts.len());
        for text in texts {
            self.text(text);
        }
    }

    /// Whether there is one, and the text.
    fn optional(&mut self, text: Option<&str>) {
        self.number(text.is_some().into());
        self.text(text.unwrap_or(""));
    }
}

/// What is wrong with a graph, and where.
pub(super) fn error(error: &GraphError) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.text(&error.to_string());
    writer.text(fault(&error.fault));
    let place = &*error.place;
    writer.optional(place.layer.as_deref());
    writer.optional(place.state.as_deref());
    writer.index(place.transition.as_ref().map(|(number, ..)| *number));
    if let Some((_, from, to)) = &place.transition {
        writer.text(from);
        writer.text(to);
    }
    writer.optional(place.field);
    writer.bytes
}

fn fault(fault: &Fault) -> &'static str {
    match fault {
        Fault::Json(_) => "json",
        Fault::Version(_) => "version",
        Fault::Unknown { .. } => "unknown",
        Fault::Taken { .. } => "taken",
        Fault::Kind { .. } => "kind",
        Fault::Number { .. } => "number",
        Fault::Missing(_) => "missing",
        Fault::Misplaced(_) => "misplaced",
        Fault::NeverReached { .. } => "neverReached",
        Fault::SamePlace { .. } => "samePlace",
        Fault::Cycle(_) => "cycle",
        Fault::TooMany { .. } => "tooMany",
        Fault::Clip(_) => "clip",
        _ => "other",
    }
}

impl GraphRun {
    /// Parameters, layers, states and warnings.
    fn describe(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        let data = self.graph.data();
        writer.count(data.parameters.len());
        for parameter in &data.parameters {
            writer.text(&parameter.name);
            writer.number(match parameter.kind {
                ParameterKind::Float => 0,
                ParameterKind::Int => 1,
                ParameterKind::Bool => 2,
                ParameterKind::Trigger => 3,
            });
        }
        writer.count(data.layers.len());
        for layer in &data.layers {
            writer.text(&layer.name);
        }
        writer.count(self.graph.states().len());
        for state in self.graph.states() {
            writer.number(self.graph.state_layer(state).map_or(0, word));
            writer.text(self.graph.state_path(state));
            let (enter, leave) = self.graph.state_events(state);
            writer.optional(enter);
            writer.optional(leave);
        }
        writer.count(self.graph.warnings().len());
        for warning in self.graph.warnings() {
            writer.text(&warning.to_string());
        }
        writer.bytes
    }

    fn history(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.count(self.state.history().count());
        for taken in self.state.history() {
            taken_transition(&mut writer, &self.graph, taken);
        }
        writer.bytes
    }
}

fn taken_transition(writer: &mut Writer, graph: &Graph, taken: &Taken) {
    writer.double(taken.time_secs);
    writer.count(taken.layer);
    writer.text(graph.state_path(taken.from));
    writer.optional(taken.to.map(|to| graph.state_path(to)));
    let flags = [taken.interrupts, taken.cause.travels, taken.cause.at_exit_time];
    writer.number((0_u32..).zip(flags).map(|(bit, flag)| u32::from(flag) << bit).sum());
    let cause = taken.cause.parameter;
    writer.index(cause.map(|(parameter, _)| parameter.index()));
    writer.double(cause.map_or(0.0, |(_, value)| number(value)));
}

fn explanation(explanation: &Explanation) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.text(&explanation.to_string());
    writer.double(explanation.time_secs);
    writer.count(explanation.layers.len());
    for layer in &explanation.layers {
        layer_explanation(&mut writer, layer);
    }
    writer.bytes
}

fn layer_explanation(writer: &mut Writer, layer: &LayerExplanation) {
    writer.text(&layer.layer);
    writer.floats(&[layer.weight]);
    writer.texts(&layer.states);
    writer.double(layer.cycles);
    writer.count(layer.fades.len());
    for fade in &layer.fades {
        writer.text(&fade.from);
        writer.text(&fade.to);
        writer.double(fade.progress);
        writer.double(fade.secs);
    }
    writer.count(layer.clips.len());
    for clip in &layer.clips {
        writer.text(&clip.clip);
        writer.floats(&[clip.weight, clip.time_secs]);
    }
    writer.optional(layer.because.as_deref());
    writer.count(layer.waiting.len());
    for waiting in &layer.waiting {
        writer.text(&waiting.to);
        writer.texts(&waiting.lacks);
    }
}

impl Host {
    pub(crate) fn describe_graph(&mut self, graph: u32) {
        let description = self.graphs.get(graph).map(GraphRun::describe);
        self.put_output(description.unwrap_or_default());
    }

    pub(crate) fn graph_history(&mut self, graph: u32) {
        let history = self.graphs.get(graph).map(GraphRun::history);
        self.put_output(history.unwrap_or_default());
    }

    /// What a graph does and why, as a text and as data.
    pub(crate) fn explain_graph(&mut self, graph: u32, mixer: u32) {
        let mixer = self.mixers.get(mixer).and_then(|mixers| mixers.get(0));
        let (Some(run), Some(mixer)) = (self.graphs.get(graph), mixer) else { return };
        let explained = explanation(&run.graph.explain(&run.state, &run.parameters, mixer));
        self.put_output(explained);
    }
}
