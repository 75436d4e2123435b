//! Machines of a graph, and what is in their states.

use canter_graph::{ClipMotion, GraphData, MachineData, MotionData};

/// Where a machine is: on which layer, and in which states of the machines above it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MachinePath {
    /// From below.
    pub layer: usize,
    /// The places of states in their machines, from the outermost.
    pub states: Vec<usize>,
}

impl MachinePath {
    /// The machine of a layer.
    #[must_use]
    pub fn of_layer(layer: usize) -> Self {
        Self { layer, states: Vec::new() }
    }

    /// The machine in a state of this one.
    #[must_use]
    pub fn inside(&self, state: usize) -> Self {
        let mut states = self.states.clone();
        states.push(state);
        Self { layer: self.layer, states }
    }
}

/// The machine at a path; `None` if there is none.
pub(crate) fn machine<'a>(data: &'a GraphData, path: &MachinePath) -> Option<&'a MachineData> {
    let mut machine = &data.layers.get(path.layer)?.machine;
    for &state in &path.states {
        let MotionData::Machine(inner) = &machine.states.get(state)?.motion else { return None };
        machine = inner;
    }
    Some(machine)
}

pub(super) fn machine_mut<'a>(data: &'a mut GraphData, path: &MachinePath) -> Option<&'a mut MachineData> {
    let mut machine = &mut data.layers.get_mut(path.layer)?.machine;
    for &state in &path.states {
        let MotionData::Machine(inner) = &mut machine.states.get_mut(state)?.motion else { return None };
        machine = inner;
    }
    Some(machine)
}

/// What stands before the names of a machine's states where they are told apart from those of others:
/// `Combat/`.
pub(crate) fn prefix(data: &GraphData, path: &MachinePath) -> String {
    let mut text = String::new();
    for depth in 0..path.states.len() {
        let above = MachinePath { layer: path.layer, states: path.states[..depth].to_vec() };
        let state = machine(data, &above).and_then(|machine| machine.states.get(path.states[depth]));
        text += state.map_or("", |state| &state.name);
        text.push('/');
    }
    text
}

/// What a motion is, in a word or two.
pub(crate) fn motion_label(motion: &MotionData) -> String {
    match motion {
        MotionData::Clip(ClipMotion::Name(name)) => name.clone(),
        MotionData::Clip(ClipMotion::Settings(settings)) => settings.name.clone(),
        MotionData::Blend1d(blend) => format!("by {}", blend.parameter),
        MotionData::Blend2d(blend) => format!("by {}, {}", blend.parameters[0], blend.parameters[1]),
        MotionData::Direct(direct) => format!("{} weighted", direct.items.len()),
        MotionData::Machine(machine) => format!("{} states", machine.states.len()),
        MotionData::Hold => "holds the pose".to_owned(),
        MotionData::Rest => "rest".to_owned(),
    }
}

/// What is at the points of each blend space in a motion, spaces inside others before them: in the order of
/// [`Graph::spaces`](canter_graph::Graph::spaces).
pub(crate) fn point_labels(motion: &MotionData) -> Vec<Vec<String>> {
    let mut spaces = Vec::new();
    let mut own = |motions: &mut dyn Iterator<Item = &MotionData>, is_space: bool| {
        let mut labels = Vec::new();
        for motion in motions {
            spaces.extend(point_labels(motion));
            labels.push(motion_label(motion));
        }
        if is_space {
            spaces.push(labels);
        }
    };
    match motion {
        MotionData::Blend1d(blend) => own(&mut blend.points.iter().map(|point| &point.motion), true),
        MotionData::Blend2d(blend) => own(&mut blend.points.iter().map(|point| &point.motion), true),
        MotionData::Direct(direct) => own(&mut direct.items.iter().map(|item| &item.motion), false),
        _ => {}
    }
    spaces
}
