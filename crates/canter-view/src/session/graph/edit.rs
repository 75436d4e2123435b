//! Changes of a graph: each is checked as a whole, and can be taken back.

use canter_graph::{GraphData, MachineData, MotionData, StateData, TransitionData};

use super::alike::are_alike;
use super::machine::machine_mut;
use super::{MachinePath, Session};

/// As many edits can be taken back.
const MOST_UNDO: usize = 100;

/// A change of one machine of a graph. States and transitions are given by their places in it.
#[derive(Clone, Debug, PartialEq)]
pub enum GraphEdit {
    /// Puts all states where they are in the diagram.
    Place(Vec<[f32; 2]>),
    /// Gives a state another name; transitions lead to it all the same.
    Rename(usize, String),
    /// Changes what a state is, but for its name.
    SetState(usize, Box<StateData>),
    /// Adds a state that plays a motion, under this name or one like it that is free.
    AddState(String, Box<MotionData>),
    /// Removes a state with all transitions from it and to it.
    RemoveState(usize),
    /// Lets the machine begin in a state.
    SetEntry(usize),
    /// Changes a transition.
    SetTransition(usize, Box<TransitionData>),
    /// Adds a transition.
    AddTransition(Box<TransitionData>),
    /// Removes a transition.
    RemoveTransition(usize),
}

impl Session {
    /// Changes the graph. What runs goes on, unless states or transitions came or went: then it begins anew.
    /// A change that makes no graph is refused, and [`error`](Self::error) says why.
    pub fn edit_graph(&mut self, path: &MachinePath, edit: GraphEdit) -> bool {
        let Some(graph) = &self.graph else { return false };
        let mut data = graph.data.clone();
        let only_moves = matches!(edit, GraphEdit::Place(_));
        let Some(machine) = machine_mut(&mut data, path) else { return false };
        if !edit.apply(machine) {
            return false;
        }
        if data == graph.data {
            return true;
        }
        self.change_graph(data, only_moves, true)
    }

    /// Takes the last edit of the graph back.
    pub fn undo_graph(&mut self) -> bool {
        let last = self.graph.as_mut().and_then(|graph| graph.undo.pop());
        last.is_some_and(|data| self.change_graph(data, false, false))
    }

    fn change_graph(&mut self, data: GraphData, only_moves: bool, can_undo: bool) -> bool {
        let built = if only_moves { None } else { Some(self.build_graph(&data)) };
        let Some(graph) = &mut self.graph else { return false };
        match built {
            Some(Ok(built)) => graph.graph = built,
            Some(Err(error)) => {
                self.error = Some(format!("{}: {error}", graph.name));
                return false;
            }
            None => {}
        }
        let goes_on = are_alike(&graph.data, &data);
        let before = std::mem::replace(&mut graph.data, data);
        graph.is_changed = true;
        // Moves one after another are one edit: a drag is a move in every frame.
        let is_same_drag = only_moves && graph.undo.last().is_some_and(|last| is_moved(last, &before));
        if can_undo && !is_same_drag {
            if graph.undo.len() == MOST_UNDO {
                graph.undo.remove(0);
            }
            graph.undo.push(before);
        }
        if !goes_on && !graph.runs.is_empty() {
            self.start_graph();
        }
        self.error = None;
        self.update(0.0);
        true
    }
}

/// Whether two graphs differ, in nothing but the places of states.
fn is_moved(a: &GraphData, b: &GraphData) -> bool {
    let unplaced = |data: &GraphData| {
        let mut data = data.clone();
        data.layers.iter_mut().for_each(|layer| unplace(&mut layer.machine));
        data
    };
    a != b && unplaced(a) == unplaced(b)
}

fn unplace(machine: &mut MachineData) {
    for state in &mut machine.states {
        state.position = None;
        if let MotionData::Machine(inner) = &mut state.motion {
            unplace(inner);
        }
    }
}

impl GraphEdit {
    /// `false` if there is no such state or transition.
    fn apply(self, machine: &mut MachineData) -> bool {
        let (states, transitions) = (machine.states.len(), machine.transitions.len());
        match self {
            Self::Place(places) if places.len() == states => {
                for (state, place) in machine.states.iter_mut().zip(places) {
                    state.position = Some(place.map(f32::round));
                }
            }
            Self::Rename(index, name) if index < states => rename(machine, index, name.trim()),
            Self::SetState(index, state) if index < states => {
                let name = std::mem::take(&mut machine.states[index].name);
                machine.states[index] = StateData { name, ..*state };
            }
            Self::AddState(name, motion) => {
                let is_taken = |name: &str| machine.states.iter().any(|state| state.name == name);
                let numbered = (2..).map(|number| format!("{name} {number}"));
                let free = std::iter::once(name.clone()).chain(numbered).find(|name| !is_taken(name));
                let mut state = StateData::new(free.unwrap_or(name), *motion);
                // Where others were put by hand, it goes below them.
                let lowest = machine.states.iter().filter_map(|state| state.position);
                let lowest = lowest.max_by(|a, b| a[1].total_cmp(&b[1]));
                state.position = lowest.map(|[x, y]| [x, y + 80.0]);
                machine.states.push(state);
            }
            Self::RemoveState(index) if index < states => {
                let name = machine.states.remove(index).name;
                machine.transitions.retain(|it| it.from != name && it.to != name);
                if let (true, Some(first)) = (machine.entry == name, machine.states.first()) {
                    machine.entry.clone_from(&first.name);
                }
            }
            Self::SetEntry(index) if index < states => {
                machine.entry.clone_from(&machine.states[index].name);
            }
            Self::SetTransition(index, transition) if index < transitions => {
                machine.transitions[index] = *transition;
            }
            Self::AddTransition(transition) => machine.transitions.push(*transition),
            Self::RemoveTransition(index) if index < transitions => {
                machine.transitions.remove(index);
            }
            _ => return false,
        }
        true
    }
}

fn rename(machine: &mut MachineData, index: usize, name: &str) {
    let old = std::mem::replace(&mut machine.states[index].name, name.to_owned());
    let ends = machine.transitions.iter_mut().flat_map(|it| [&mut it.from, &mut it.to]);
    for end in ends.chain([&mut machine.entry]) {
        if *end == old {
            name.clone_into(end);
        }
    }
}
