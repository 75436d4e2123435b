//! A graph: its states as a diagram that lights up, its blend spaces, and what was chosen to be changed.

mod choices;
mod conditions;
mod diagram;
mod inspector;
mod lines;
mod numbers;
mod pad;
mod parameters;
mod states;

use canter_graph::MotionData;
use egui::{Layout, Panel, RichText, Ui, vec2};

use super::heading;
use crate::session::{GraphEdit, MachinePath, machine};
use crate::window::dialog::Purpose;
use crate::window::view::View;
pub(in crate::window) use inspector::remove;
use parameters::show as show_parameters;

/// What of the graph is looked at, and how.
#[derive(Clone, Debug, Default)]
pub(in crate::window) struct GraphView {
    /// Whether the diagram is folded away.
    pub(in crate::window) is_hidden: bool,
    /// The machine that is shown.
    pub(in crate::window) path: MachinePath,
    pub(in crate::window) chosen: Option<Chosen>,
    /// How the diagram was moved and enlarged by hand; `None`: all of it is seen.
    camera: Option<diagram::Camera>,
    grip: Option<diagram::Grip>,
    /// The state whose next transition leads to what is clicked.
    linking: Option<usize>,
    /// What is typed as a name.
    typed: String,
}

/// What was clicked, by its place in the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::window) enum Chosen {
    State(usize),
    Transition(usize),
}

impl GraphView {
    /// Looks at a machine as a whole.
    pub(in crate::window) fn enter(&mut self, path: MachinePath) {
        *self = Self { is_hidden: self.is_hidden, path, ..Self::default() };
    }

    fn choose(&mut self, chosen: Option<Chosen>) {
        if self.chosen != chosen {
            self.chosen = chosen;
            self.typed.clear();
        }
    }
}

/// The section at the left: which graph there is, and what it is told.
pub(super) fn show_section(view: &mut View, ui: &mut Ui) {
    let Some(graph) = view.session.graph() else {
        offer(view, ui);
        return;
    };
    heading(ui, "Graph");
    let (name, runs, is_changed) = (graph.name().to_owned(), view.session.runs_graph(), graph.is_changed());
    let can_undo = graph.can_undo();
    ui.label(RichText::new(if is_changed { format!("{name} *") } else { name }).small());
    ui.horizontal(|ui| {
        let (text, hint) =
            if runs { ("⏹  Stop", "play clips by hand") } else { ("▶  Run", "from its start") };
        if ui.button(text).on_hover_text(hint).clicked() {
            view.session.run_graph(!runs);
        }
        if ui.add_enabled(is_changed, egui::Button::new("💾")).on_hover_text("save it as JSON").clicked()
            && let Some(path) = view.session.save_graph()
        {
            view.say(format!("saved {}", path.display()));
        }
        if ui.add_enabled(can_undo, egui::Button::new("⟲")).on_hover_text("take the last edit back").clicked()
        {
            view.session.undo_graph();
            view.graph.choose(None);
        }
        if ui.button("✖").on_hover_text("close the graph").clicked() {
            view.session.close_graph();
        }
    });
    show_parameters(view, ui);
    if let Some(explanation) = view.session.explanation() {
        ui.add_space(4.0);
        for layer in &explanation.layers {
            ui.label(RichText::new(layer.to_string()).small().weak());
        }
    }
}

/// A graph that lies beside the model is one click away.
fn offer(view: &mut View, ui: &mut Ui) {
    heading(ui, "Graph");
    if let Some(name) = view.session.offered_graph() {
        let button = ui.button(format!("▶  {name}"));
        if button.on_hover_text("states that decide what plays").clicked()
            && view.session.open_offered_graph()
        {
            view.graph = GraphView::default();
        }
    }
    if ui.button("🗁  Open a graph…").on_hover_text("or drop a .graph.json on the window").clicked() {
        view.ask_for(Purpose::Graph);
    }
}

/// The panel below the picture.
pub(super) fn show(view: &mut View, ui: &mut Ui) {
    let Some(graph) = view.session.graph() else { return };
    if machine(graph.data(), &view.graph.path).is_none() {
        view.graph.enter(MachinePath::default());
    }
    where_we_are(view, ui);
    Panel::right("graph inspector").default_size(232.0).size_range(190.0..=380.0).show(ui, |ui| {
        egui::ScrollArea::vertical().id_salt("inspector").auto_shrink(false).show(ui, |ui| {
            inspector::show(view, ui);
        });
    });
    if pad::has_space(view) {
        Panel::left("graph pad").resizable(false).default_size(210.0).show(ui, |ui| pad::show(view, ui));
    }
    diagram::show(view, ui);
}

/// Layers, the way to the machine that is shown, and what can be added.
fn where_we_are(view: &mut View, ui: &mut Ui) {
    let Some(graph) = view.session.graph() else { return };
    let layers: Vec<String> = graph.data().layers.iter().map(|layer| layer.name.clone()).collect();
    let path = view.graph.path.clone();
    let mut names = Vec::new();
    for depth in 0..path.states.len() {
        let above = MachinePath { layer: path.layer, states: path.states[..depth].to_vec() };
        let state = machine(graph.data(), &above).and_then(|it| it.states.get(path.states[depth]));
        names.push(state.map_or_else(String::new, |state| state.name.clone()));
    }
    ui.horizontal(|ui| {
        for (layer, name) in layers.iter().enumerate() {
            let is_shown = layer == path.layer;
            if ui.selectable_label(is_shown, name).on_hover_text("a layer of the graph").clicked() {
                view.graph.enter(MachinePath::of_layer(layer));
            }
        }
        for (depth, name) in names.iter().enumerate() {
            ui.weak("/");
            if ui.selectable_label(depth + 1 == names.len(), name).clicked() {
                let states = path.states[..=depth].to_vec();
                view.graph.enter(MachinePath { layer: path.layer, states });
            }
        }
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("⛶").on_hover_text("show all states").clicked() {
                view.graph.camera = None;
            }
            if ui.button("+  state").on_hover_text("add a state").clicked() {
                add_state(view);
            }
            if let Some(from) = view.graph.linking {
                let name = state_name(view, from);
                ui.label(RichText::new(format!("click where {name} leads to; Escape: nowhere")).small());
            }
            ui.allocate_space(vec2(1.0, 0.0));
        });
    });
}

fn add_state(view: &mut View) {
    let clip = view.session.clips().first().map(|clip| clip.name().to_owned());
    let motion = clip.map_or(MotionData::Rest, MotionData::clip);
    let path = view.graph.path.clone();
    if view.session.edit_graph(&path, GraphEdit::AddState("State".to_owned(), Box::new(motion))) {
        let states =
            view.session.graph().and_then(|it| machine(it.data(), &path)).map_or(0, |it| it.states.len());
        view.graph.choose(states.checked_sub(1).map(Chosen::State));
    }
}

fn state_name(view: &View, index: usize) -> String {
    let graph = view.session.graph();
    let machine = graph.and_then(|graph| machine(graph.data(), &view.graph.path));
    machine.and_then(|it| it.states.get(index)).map_or_else(String::new, |state| state.name.clone())
}
