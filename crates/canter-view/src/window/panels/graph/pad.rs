//! Blend spaces: samples where they are, triangles between them, and the present point, which can be dragged.

use canter_graph::{ParameterId, Space, StateId, Value};
use egui::{Align2, Color32, FontId, Pos2, Rect, RichText, Sense, Stroke, Ui, pos2, vec2};

use super::Chosen;
use crate::session::{machine, motion_label, point_labels, prefix};
use crate::window::theme::{BLUE, ORANGE};
use crate::window::view::View;

/// A blend space of a state, as it is shown.
struct Shown {
    /// What is at its samples.
    labels: Vec<String>,
    samples: Vec<[f32; 2]>,
    triangles: Vec<[u8; 3]>,
    weights: Vec<f32>,
    parameters: [ParameterId; 2],
    names: [String; 2],
    /// Where parameters lead, and where the space is on its way there.
    target: [f32; 2],
    present: Option<[f32; 2]>,
    is_line: bool,
}

/// Whether the state that is looked at, or else the one that plays, has a space.
pub(super) fn has_space(view: &View) -> bool {
    !shown(view).is_empty()
}

pub(super) fn show(view: &mut View, ui: &mut Ui) {
    egui::ScrollArea::vertical().id_salt("pads").show(ui, |ui| {
        for space in shown(view) {
            one(view, ui, &space);
        }
    });
}

/// The spaces of the state that is chosen, or else of the one that plays in the machine that is shown.
fn shown(view: &View) -> Vec<Shown> {
    let Some(graph) = view.session.graph() else { return Vec::new() };
    let path = &view.graph.path;
    let Some(machine) = machine(graph.data(), path) else { return Vec::new() };
    let (prefix, layer) = (prefix(graph.data(), path), graph.data().layers.get(path.layer));
    let id_of = |index: usize| -> Option<StateId> {
        let name = &machine.states.get(index)?.name;
        graph.graph().state(&layer?.name, &format!("{prefix}{name}"))
    };
    let playing = graph.state().and_then(|state| state.state(path.layer));
    let chosen = match view.graph.chosen {
        Some(Chosen::State(index)) => Some(index),
        _ => (0..machine.states.len()).find(|index| playing.is_some() && id_of(*index) == playing),
    };
    let Some((index, id)) = chosen.and_then(|index| Some((index, id_of(index)?))) else { return Vec::new() };
    let labels = point_labels(&machine.states[index].motion);
    let spaces: Vec<_> = graph.graph().spaces(id).collect();
    // Of several that are nested, only parameters say where they are.
    let place = graph.state().filter(|_| playing == Some(id) && spaces.len() == 1);
    let place = place.and_then(|state| state.blend_places(path.layer).first().copied());
    let data = graph.data();
    let one = |(number, (space, parameters)): (usize, (&Space, [ParameterId; 2]))| {
        let value = |id: ParameterId| match graph.value(id.index()) {
            Some(Value::Float(value)) => value,
            _ => 0.0,
        };
        let target = parameters.map(value);
        let mut weights = vec![0.0; space.samples().len()];
        space.weigh(place.unwrap_or(target), &mut weights);
        Shown {
            labels: labels
                .get(number)
                .cloned()
                .unwrap_or_else(|| vec![motion_label(&machine.states[index].motion)]),
            samples: space.samples().to_vec(),
            triangles: space.triangles().to_vec(),
            weights,
            parameters,
            names: parameters
                .map(|id| data.parameters.get(id.index()).map_or_else(String::new, |it| it.name.clone())),
            target,
            present: place,
            is_line: parameters[0] == parameters[1],
        }
    };
    spaces.into_iter().enumerate().map(one).collect()
}

/// Between places of a space and points on the screen.
struct Paper {
    rect: Rect,
    around: Rect,
}

impl Paper {
    fn new(rect: Rect, space: &Shown) -> Self {
        let points = space.samples.iter().map(|[x, y]| pos2(*x, if space.is_line { 0.0 } else { *y }));
        let mut around = Rect::from_points(&points.chain([Pos2::ZERO]).collect::<Vec<_>>());
        around = around.expand2(vec2(0.12 * around.width().max(0.1), 0.12 * around.height().max(0.1)));
        Self { rect, around }
    }

    /// Up is up. A space whose first parameter is how far to the left has that on the left.
    fn point(&self, [x, y]: [f32; 2], flips: bool) -> Pos2 {
        let part = |value: f32, least: f32, size: f32| (value - least) / size.max(1e-6);
        let across = part(x, self.around.left(), self.around.width());
        let across = if flips { 1.0 - across } else { across };
        let up = part(y, self.around.top(), self.around.height());
        self.rect.left_bottom() + vec2(across * self.rect.width(), -up * self.rect.height())
    }

    fn place(&self, at: Pos2, flips: bool) -> [f32; 2] {
        let across = ((at.x - self.rect.left()) / self.rect.width()).clamp(0.0, 1.0);
        let across = if flips { 1.0 - across } else { across };
        let up = ((self.rect.bottom() - at.y) / self.rect.height()).clamp(0.0, 1.0);
        [self.around.left() + across * self.around.width(), self.around.top() + up * self.around.height()]
    }
}

fn one(view: &mut View, ui: &mut Ui, space: &Shown) {
    let width = ui.available_width().min(230.0);
    let height = if space.is_line { 54.0 } else { (ui.available_height() - 24.0).clamp(110.0, width) };
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::click_and_drag());
    let paper = Paper::new(rect.shrink(8.0), space);
    let flips = !space.is_line && space.names[0].to_lowercase().contains("left");
    let point = |[x, y]: [f32; 2]| paper.point([x, if space.is_line { 0.0 } else { y }], flips);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, 5.0, ui.visuals().extreme_bg_color);
    let weak = ui.visuals().text_color().gamma_multiply(0.35);
    let (left, right) = (point([paper.around.left(), 0.0]), point([paper.around.right(), 0.0]));
    painter.line_segment([left, right], Stroke::new(1.0, weak.gamma_multiply(0.6)));
    if !space.is_line {
        let (low, high) = (point([0.0, paper.around.top()]), point([0.0, paper.around.bottom()]));
        painter.line_segment([low, high], Stroke::new(1.0, weak.gamma_multiply(0.6)));
    }
    for triangle in &space.triangles {
        let corners = triangle.map(|index| point(space.samples[usize::from(index)]));
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            painter.line_segment([corners[from], corners[to]], Stroke::new(1.2, weak));
        }
    }
    for ((sample, weight), label) in space.samples.iter().zip(&space.weights).zip(&space.labels) {
        let at = point(*sample);
        painter.circle(
            at,
            3.0 + 6.0 * weight.clamp(0.0, 1.0).sqrt(),
            BLUE.gamma_multiply(0.35 + 0.65 * weight),
            Stroke::NONE,
        );
        let is_right = at.x > rect.center().x + 0.2 * rect.width();
        let (align, side) = if is_right { (Align2::RIGHT_TOP, -5.0) } else { (Align2::LEFT_BOTTOM, 5.0) };
        painter.text(
            at + vec2(side, if is_right { 3.0 } else { -3.0 }),
            align,
            label,
            FontId::proportional(10.0),
            ui.visuals().text_color(),
        );
    }
    painter.circle_stroke(point(space.target), 7.0, Stroke::new(1.5, ORANGE));
    if let Some(present) = space.present {
        painter.circle(point(present), 4.5, ORANGE, Stroke::new(1.0, Color32::WHITE));
    }
    let names = if space.is_line { space.names[0].clone() } else { space.names.join(", ") };
    ui.label(RichText::new(format!("{names}: drag the point")).small().weak());
    if let (true, Some(at)) = (response.is_pointer_button_down_on(), response.interact_pointer_pos()) {
        let place = paper.place(at, flips);
        view.session.set_parameter(space.parameters[0].index(), Value::Float(place[0]));
        if !space.is_line {
            view.session.set_parameter(space.parameters[1].index(), Value::Float(place[1]));
        }
    }
}
