//! What was chosen in the diagram, to be changed.

use canter_graph::{AmountData, ClipMotion, DurationData, MotionData, StateData, TransitionData};
use egui::{RichText, TextEdit, Ui};

use super::choices::{EASINGS, FADES, INTERRUPTS, LOOPS};
use super::numbers::{choice, number, row};
use super::{Chosen, conditions, lines};
use crate::session::{GraphEdit, machine, motion_label, prefix};
use crate::window::view::View;

pub(super) fn show(view: &mut View, ui: &mut Ui) {
    let Some(graph) = view.session.graph() else { return };
    let Some(machine) = machine(graph.data(), &view.graph.path).cloned() else { return };
    match view.graph.chosen {
        Some(Chosen::State(index)) if index < machine.states.len() => {
            state(
                view,
                ui,
                index,
                machine.states[index].clone(),
                machine.entry == machine.states[index].name,
            );
            ui.separator();
            let name = &machine.states[index].name;
            for (index, transition) in machine.transitions.iter().enumerate() {
                if transition.from == *name || transition.to == *name {
                    listed(view, ui, index, transition);
                }
            }
        }
        Some(Chosen::Transition(index)) if index < machine.transitions.len() => {
            transition(view, ui, index, machine.transitions[index].clone());
        }
        _ => {
            ui.weak("Click a state or a line to change it. Drag states to move them; drag beside them to move all. A double click opens a machine in a state.");
            for warning in graph_warnings(view) {
                ui.label(RichText::new(warning).small());
            }
        }
    }
}

fn graph_warnings(view: &View) -> Vec<String> {
    let graph = view.session.graph();
    graph.map_or_else(Vec::new, |graph| graph.graph().warnings().iter().map(ToString::to_string).collect())
}

fn edit(view: &mut View, edit: GraphEdit) -> bool {
    let path = view.graph.path.clone();
    view.session.edit_graph(&path, edit)
}

fn state(view: &mut View, ui: &mut Ui, index: usize, mut state: StateData, is_entry: bool) {
    ui.horizontal(|ui| {
        if view.graph.typed.is_empty() {
            view.graph.typed.clone_from(&state.name);
        }
        let field = ui.add(TextEdit::singleline(&mut view.graph.typed).desired_width(130.0));
        if field.lost_focus() {
            if view.graph.typed != state.name {
                let name = std::mem::take(&mut view.graph.typed);
                edit(view, GraphEdit::Rename(index, name));
            }
            view.graph.typed.clear();
        }
        if ui.button("🗑").on_hover_text("Delete: remove the state and its transitions").clicked() {
            remove(view);
        }
    });
    ui.horizontal(|ui| {
        let id = view.session.graph().and_then(|graph| {
            let layer = &graph.data().layers.get(view.graph.path.layer)?.name;
            let path = prefix(graph.data(), &view.graph.path) + &state.name;
            graph.graph().state(layer, &path)
        });
        let runs = view.session.runs_graph();
        if ui.add_enabled(runs, egui::Button::new("Go there")).on_hover_text("over transitions").clicked()
            && let Some(id) = id
        {
            view.session.travel_to(id);
        }
        if ui.button("+  line").on_hover_text("add a transition: click where it leads to").clicked() {
            view.graph.linking = Some(index);
        }
        if ui.add_enabled(!is_entry, egui::Button::new("entry")).on_hover_text("begin here").clicked() {
            edit(view, GraphEdit::SetEntry(index));
        }
    });
    let mut is_changed = motion(view, ui, &mut state.motion);
    match &mut state.speed {
        AmountData::Number(speed) => {
            is_changed |= number(ui, "speed", "how fast it plays", speed, f32::NEG_INFINITY);
        }
        AmountData::Parameter(name) => {
            row(ui, "speed", "a parameter says how fast it plays", |ui| ui.label(name.as_str()));
        }
    }
    is_changed |= choice(ui, "at the end", &mut state.loops, LOOPS);
    is_changed |= ui.checkbox(&mut state.mirror, RichText::new("left for right").small()).changed();
    if is_changed {
        edit(view, GraphEdit::SetState(index, Box::new(state)));
    }
}

/// Which clip plays; other motions are told.
fn motion(view: &View, ui: &mut Ui, motion: &mut MotionData) -> bool {
    let MotionData::Clip(clip) = motion else {
        row(ui, "plays", "what it plays is changed in the file", |ui| ui.label(motion_label(motion)));
        return false;
    };
    let name = match clip {
        ClipMotion::Name(name) => name,
        ClipMotion::Settings(settings) => &mut settings.name,
    };
    let names: Vec<String> = view.session.clips().iter().map(|clip| clip.name().to_owned()).collect();
    let among: Vec<(String, &str)> = names.iter().map(|name| (name.clone(), name.as_str())).collect();
    choice(ui, "plays", name, &among)
}

fn listed(view: &mut View, ui: &mut Ui, index: usize, transition: &TransitionData) {
    let text = format!("{} to {}", transition.from, transition.to);
    let label = ui.selectable_label(false, RichText::new(text).small());
    if label.on_hover_text(lines::label(transition)).clicked() {
        view.graph.choose(Some(Chosen::Transition(index)));
    }
}

fn transition(view: &mut View, ui: &mut Ui, index: usize, mut transition: TransitionData) {
    ui.horizontal(|ui| {
        ui.strong(format!("{} to {}", transition.from, transition.to));
        if ui.button("🗑").on_hover_text("Delete: remove the transition").clicked() {
            remove(view);
        }
    });
    let mut is_changed = false;
    match &mut transition.duration {
        DurationData::Secs(secs) => is_changed |= number(ui, "fade, s", "how long it takes", secs, 0.0),
        DurationData::OfSource(part) => {
            is_changed |= number(ui, "of source", "the part of the source's cycle that it takes", part, 0.0);
        }
        DurationData::OfTarget(part) => {
            is_changed |= number(ui, "of target", "the part of the target's cycle that it takes", part, 0.0);
        }
    }
    ui.horizontal(|ui| {
        let mut waits = transition.exit_time.is_some();
        let hint = "the part of the source's cycle at which it may be taken";
        if ui.checkbox(&mut waits, RichText::new("exit time").small()).on_hover_text(hint).changed() {
            transition.exit_time = waits.then_some(0.9);
            is_changed = true;
        }
        if let Some(part) = &mut transition.exit_time {
            let drag = egui::DragValue::new(part).range(0.0..=f32::INFINITY).speed(0.01).max_decimals(3);
            is_changed |= ui.add(drag).changed();
        }
    });
    is_changed |= choice(ui, "kind", &mut transition.fade, FADES);
    is_changed |= choice(ui, "curve", &mut transition.easing, EASINGS);
    is_changed |= choice(ui, "interrupted by", &mut transition.interrupt, INTERRUPTS);
    row(ui, "priority", "the lowest is taken first", |ui| {
        let response = ui.add(egui::DragValue::new(&mut transition.priority).speed(0.05));
        is_changed |= response.changed();
        response
    });
    ui.label(RichText::new("when").small());
    if let Some(graph) = view.session.graph() {
        is_changed |= conditions::show(ui, graph.data(), &mut transition.when);
    }
    if is_changed {
        edit(view, GraphEdit::SetTransition(index, Box::new(transition)));
    }
}

/// Adds a transition between two states, and chooses it. It waits for the end of the first.
pub(super) fn link(view: &mut View, from: usize, to: usize) {
    let names = [from, to].map(|index| super::state_name(view, index));
    let [from, to] = names;
    let transition = TransitionData::new(from, to).exit_time(1.0);
    if edit(view, GraphEdit::AddTransition(Box::new(transition))) {
        let machine = view.session.graph().and_then(|graph| machine(graph.data(), &view.graph.path));
        let last = machine.and_then(|machine| machine.transitions.len().checked_sub(1));
        view.graph.choose(last.map(Chosen::Transition));
    }
}

/// Removes what was chosen.
pub(in crate::window) fn remove(view: &mut View) {
    let done = match view.graph.chosen {
        Some(Chosen::State(index)) => edit(view, GraphEdit::RemoveState(index)),
        Some(Chosen::Transition(index)) => edit(view, GraphEdit::RemoveTransition(index)),
        None => false,
    };
    if done {
        view.graph.choose(None);
    }
}
