//! The diagram: states, and lines that lead from one to another. It lights up while the graph runs.

use canter_graph::{FadeExplanation, MotionData};
use egui::{Key, PointerButton, Pos2, Rect, Response, Sense, Ui, Vec2, pos2, vec2};

use super::lines::{self, Line};
use super::{Chosen, states};
use crate::session::{GraphEdit, MachinePath, NODE_SIZE, layout, machine, prefix};
use crate::window::view::View;

/// How the diagram was moved by hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Camera {
    /// What is in the middle.
    center: Pos2,
    zoom: f32,
}

/// What the pointer drags.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Grip {
    /// All of it.
    Paper,
    /// A state, from where the middle of it was to the pointer.
    State(usize, Vec2),
}

/// A machine as it is drawn in one frame.
pub(super) struct Sheet {
    pub(super) rect: Rect,
    pub(super) zoom: f32,
    pub(super) nodes: Vec<Rect>,
    pub(super) lines: Vec<Line>,
    /// For each state how much it is lit.
    pub(super) lit: Vec<f32>,
    /// For each transition how far it is, if it fades.
    pub(super) progress: Vec<Option<f32>>,
    /// How far the innermost state is in its cycle.
    pub(super) cycle: f32,
}

pub(super) fn show(view: &mut View, ui: &mut Ui) {
    let rect = ui.available_rect_before_wrap();
    if rect.width() < 40.0 || rect.height() < 40.0 {
        return;
    }
    let response = ui.allocate_rect(rect, Sense::click_and_drag());
    ui.painter().rect_filled(rect, 6.0, ui.visuals().extreme_bg_color);
    let Some(places) = places(view, rect) else { return };
    let camera = view.graph.camera.unwrap_or_else(|| fitting(&places, rect));
    let Some(sheet) = sheet(view, rect, camera, &places) else { return };
    let painter = ui.painter().with_clip_rect(rect);
    let hovered = response.hover_pos().and_then(|at| sheet.at(at));
    lines::draw(view, &painter, ui.visuals(), &sheet, hovered);
    states::draw(view, &painter, ui.visuals(), &sheet, hovered);
    steer(view, ui, &response, &sheet, camera);
    act(view, ui, &response, &sheet, camera, &places);
}

fn places(view: &View, rect: Rect) -> Option<Vec<Pos2>> {
    let graph = view.session.graph()?;
    let machine = machine(graph.data(), &view.graph.path)?;
    Some(layout(machine, rect.width() / rect.height()).into_iter().map(|[x, y]| pos2(x, y)).collect())
}

/// All states, as large as they may be.
fn fitting(places: &[Pos2], rect: Rect) -> Camera {
    let around = Rect::from_points(places).expand2(Vec2::from(NODE_SIZE) * vec2(0.62, 1.05));
    let zoom = (rect.width() / around.width()).min(rect.height() / around.height());
    Camera { center: around.center(), zoom: zoom.clamp(0.2, 1.1) }
}

fn sheet(view: &View, rect: Rect, camera: Camera, places: &[Pos2]) -> Option<Sheet> {
    let graph = view.session.graph()?;
    let machine = machine(graph.data(), &view.graph.path)?;
    let explanation = view.session.explanation();
    let layer = explanation.as_ref().and_then(|it| it.layers.get(view.graph.path.layer));
    let prefix = prefix(graph.data(), &view.graph.path);
    let own = |path: &str| path.strip_prefix(&prefix).filter(|name| !name.contains('/')).map(str::to_owned);
    let size = Vec2::from(NODE_SIZE) * camera.zoom;
    let on_screen = |place: &Pos2| rect.center() + (*place - camera.center) * camera.zoom;
    let nodes: Vec<Rect> = places.iter().map(|it| Rect::from_center_size(on_screen(it), size)).collect();
    let fades: Vec<&FadeExplanation> = layer.map_or_else(Vec::new, |layer| layer.fades.iter().collect());
    let is_in = |name: &str| {
        layer.is_some_and(|layer| layer.states.iter().any(|it| own(it).as_deref() == Some(name)))
    };
    let lit = machine.states.iter().map(|state| {
        let fade = fades.iter().find(|fade| own(&fade.from).as_deref() == Some(&state.name));
        #[expect(clippy::cast_possible_truncation, reason = "from 0 to 1")]
        let leaving = fade.map_or(0.0, |fade| 0.6 * (1.0 - fade.progress as f32));
        if is_in(&state.name) { 1.0 } else { leaving }
    });
    let progress = machine.transitions.iter().map(|transition| {
        let fade = fades.iter().find(|fade| {
            let is_from = |from: String| transition.from == from || transition.from == "any";
            own(&fade.from).is_some_and(is_from) && own(&fade.to).as_deref() == Some(&transition.to)
        });
        #[expect(clippy::cast_possible_truncation, reason = "from 0 to 1")]
        let part = fade.map(|fade| fade.progress as f32);
        part
    });
    #[expect(clippy::cast_possible_truncation, reason = "from 0 to 1")]
    let cycle = layer.map_or(0.0, |layer| layer.cycles.rem_euclid(1.0) as f32);
    let lines = lines::of(machine, &nodes, camera.zoom);
    Some(Sheet {
        rect,
        zoom: camera.zoom,
        lit: lit.collect(),
        progress: progress.collect(),
        cycle,
        nodes,
        lines,
    })
}

impl Sheet {
    /// What is at a point: states lie above lines.
    fn at(&self, at: Pos2) -> Option<Chosen> {
        let state = self.nodes.iter().rposition(|node| node.contains(at)).map(Chosen::State);
        state.or_else(|| {
            let near = self.lines.iter().map(|line| line.distance(at));
            let nearest = near.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
            nearest.filter(|(_, distance)| *distance < 6.0).map(|(index, _)| Chosen::Transition(index))
        })
    }
}

/// Moves and enlarges the paper.
fn steer(view: &mut View, ui: &Ui, response: &Response, sheet: &Sheet, camera: Camera) {
    let Some(pointer) = response.hover_pos() else { return };
    let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta.y, input.zoom_delta()));
    let factor = (wheel * 0.004).exp() * pinch;
    if (factor - 1.0).abs() > 1e-4 {
        let zoom = (camera.zoom * factor).clamp(0.15, 3.0);
        let from_middle = pointer - sheet.rect.center();
        // What is below the pointer stays there.
        let center = camera.center + from_middle / camera.zoom - from_middle / zoom;
        view.graph.camera = Some(Camera { center, zoom });
    }
}

/// Chooses, drags, enters machines, and ends lines.
fn act(view: &mut View, ui: &Ui, response: &Response, sheet: &Sheet, camera: Camera, places: &[Pos2]) {
    if ui.input(|input| input.key_pressed(Key::Escape)) {
        view.graph.linking = None;
    }
    let pointer = response.interact_pointer_pos();
    if let (true, Some(at)) = (response.drag_started(), ui.input(|input| input.pointer.press_origin())) {
        let primary = ui.input(|input| input.pointer.button_down(PointerButton::Primary));
        view.graph.grip = Some(match sheet.at(at) {
            Some(Chosen::State(state)) if primary => {
                view.graph.choose(Some(Chosen::State(state)));
                Grip::State(state, sheet.nodes[state].center() - at)
            }
            _ => Grip::Paper,
        });
    }
    match (view.graph.grip.clone(), pointer) {
        (Some(Grip::Paper), _) if response.dragged() => {
            let center = camera.center - response.drag_delta() / camera.zoom;
            view.graph.camera = Some(Camera { center, ..camera });
        }
        (Some(Grip::State(state, offset)), Some(at)) if response.dragged() && state < places.len() => {
            let mut places: Vec<[f32; 2]> = places.iter().map(|it| [it.x, it.y]).collect();
            let place = camera.center + (at + offset - sheet.rect.center()) / camera.zoom;
            places[state] = [place.x, place.y];
            // The paper stays where it is while something on it is moved.
            view.graph.camera = Some(camera);
            let path = view.graph.path.clone();
            view.session.edit_graph(&path, GraphEdit::Place(places));
        }
        _ => {}
    }
    if response.drag_stopped() {
        view.graph.grip = None;
    }
    let Some(at) = pointer.filter(|_| response.clicked()) else { return };
    let found = sheet.at(at);
    match (view.graph.linking.take(), found) {
        (Some(from), Some(Chosen::State(to))) => super::inspector::link(view, from, to),
        (Some(_), _) => {}
        (None, found) => view.graph.choose(found),
    }
    if response.double_clicked() {
        match found {
            Some(Chosen::State(state)) => enter(view, state),
            _ => view.graph.camera = None,
        }
    }
}

/// Goes into the machine of a state, if it has one.
fn enter(view: &mut View, state: usize) {
    let Some(graph) = view.session.graph() else { return };
    let path: MachinePath = view.graph.path.inside(state);
    let inner = machine(graph.data(), &view.graph.path).and_then(|it| it.states.get(state));
    if inner.is_some_and(|state| matches!(state.motion, MotionData::Machine(_))) {
        view.graph.enter(path);
    }
}
