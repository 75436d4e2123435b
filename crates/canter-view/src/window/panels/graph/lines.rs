//! Transitions as curves with arrows.

use canter_graph::{MachineData, TransitionData};
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, Vec2, Visuals, vec2};

use super::Chosen;
use super::diagram::Sheet;
use crate::session::machine;
use crate::window::theme::{BLUE, ORANGE};
use crate::window::view::View;

/// Places on a curve.
const PLACES: u8 = 24;
/// Machines with more transitions than this name only those that are looked at.
const MOST_NAMED: usize = 14;

/// Where on its line a name may be, the best first.
const PARTS: [f32; 9] = [0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78, 0.14, 0.86];

/// A transition on the screen.
pub(super) struct Line {
    points: Vec<Pos2>,
    /// The states that it leads from and to; `None` from any, or out of the machine.
    pub(super) ends: [Option<usize>; 2],
}

impl Line {
    pub(super) fn distance(&self, at: Pos2) -> f32 {
        let to = |pair: &[Pos2]| {
            let along = pair[1] - pair[0];
            let part = ((at - pair[0]).dot(along) / along.length_sq().max(1e-6)).clamp(0.0, 1.0);
            (pair[0] + along * part).distance(at)
        };
        self.points.windows(2).map(to).fold(f32::INFINITY, f32::min)
    }

    /// The place after a part of its length.
    fn at(&self, part: f32) -> Pos2 {
        let pieces = self.points.windows(2).map(|pair| pair[0].distance(pair[1]));
        let mut left = pieces.sum::<f32>() * part;
        for pair in self.points.windows(2) {
            let length = pair[0].distance(pair[1]);
            if left <= length && length > 0.0 {
                return pair[0] + (pair[1] - pair[0]) * (left / length);
            }
            left -= length;
        }
        self.points.last().copied().unwrap_or_default()
    }
}

/// All transitions of a machine.
pub(super) fn of(machine: &MachineData, nodes: &[Rect], zoom: f32) -> Vec<Line> {
    let index = |name: &str| machine.states.iter().position(|state| state.name == name);
    let mut lines: Vec<Line> = Vec::new();
    for transition in &machine.transitions {
        let ends = [index(&transition.from), index(&transition.to)];
        let is_same = |line: &&Line| line.ends == ends;
        #[expect(clippy::cast_precision_loss, reason = "a few")]
        let number = lines.iter().filter(is_same).count() as f32;
        let points = match ends {
            [Some(from), Some(to)] if from == to => round(nodes[from], zoom),
            [Some(from), Some(to)] => between(nodes, from, to, number, zoom),
            [None, Some(to)] => {
                let end = nodes[to].left_top() + vec2((22.0 + 26.0 * number) * zoom, 0.0);
                vec![end - vec2(0.0, 20.0 * zoom), end]
            }
            [Some(from), None] => {
                let start = nodes[from].right_top() - vec2((22.0 + 26.0 * number) * zoom, 0.0);
                vec![start, start - vec2(0.0, 20.0 * zoom)]
            }
            [None, None] => vec![Pos2::ZERO; 2],
        };
        lines.push(Line { points, ends });
    }
    lines
}

/// From one state to another, past others if there is a way. What leads back bends to the other side.
fn between(nodes: &[Rect], from: usize, to: usize, number: f32, zoom: f32) -> Vec<Pos2> {
    let (start, end) = (nodes[from].center(), nodes[to].center());
    let along = end - start;
    let side = along.rot90().normalized();
    let usual = (14.0 + 16.0 * number) * zoom;
    let bends = [usual, usual + 36.0 * zoom, -usual - 30.0 * zoom, usual + 80.0 * zoom, -usual - 74.0 * zoom];
    let mut best = Vec::new();
    let mut least = usize::MAX;
    for bend in bends {
        let curve = curve(start, end, start + along / 2.0 + side * (2.0 * bend));
        let is_other = |index: &usize| *index != from && *index != to;
        let hits = (0..nodes.len()).filter(is_other).filter(|index| {
            let node = nodes[*index].expand(3.0 * zoom);
            curve.iter().any(|at| node.contains(*at))
        });
        let hits = hits.count();
        if hits < least {
            (best, least) = (curve, hits);
        }
        if least == 0 {
            break;
        }
    }
    // From edge to edge.
    let (own, target) = (nodes[from], nodes[to].expand(1.0));
    let first = best.iter().rposition(|at| own.contains(*at)).unwrap_or(0);
    let last = best.iter().position(|at| target.contains(*at)).unwrap_or(best.len() - 1);
    if first >= last {
        return vec![start, end];
    }
    let mut points = best[first..=last].to_vec();
    let count = points.len();
    points[0] = edge(own, points[1], points[0]);
    points[count - 1] = edge(target, points[count - 2], points[count - 1]);
    points
}

/// Where a line from outside into a box meets its edge.
fn edge(node: Rect, outside: Pos2, inside: Pos2) -> Pos2 {
    let (mut outside, mut inside) = (outside, inside);
    for _ in 0..12 {
        let middle = outside + (inside - outside) / 2.0;
        if node.contains(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    outside
}

fn curve(start: Pos2, end: Pos2, control: Pos2) -> Vec<Pos2> {
    let at = |index: u8| {
        let t = f32::from(index) / f32::from(PLACES);
        let (a, b) = (start + (control - start) * t, control + (end - control) * t);
        a + (b - a) * t
    };
    (0..=PLACES).map(at).collect()
}

/// A loop above a state that leads to itself.
fn round(node: Rect, zoom: f32) -> Vec<Pos2> {
    let top = node.center_top() + vec2(30.0 * zoom, 0.0);
    let at = |index: u8| {
        let angle = std::f32::consts::TAU * (f32::from(index) / f32::from(PLACES) * 0.72 + 0.39);
        top - vec2(0.0, 9.0 * zoom) + Vec2::angled(angle) * (12.0 * zoom)
    };
    (0..=PLACES).map(at).collect()
}

/// Draws them: strongly those that are looked at, fade, or lead from or to such a state.
pub(super) fn draw(
    view: &View,
    painter: &Painter,
    visuals: &Visuals,
    sheet: &Sheet,
    hovered: Option<Chosen>,
) {
    let Some(graph) = view.session.graph() else { return };
    let Some(machine) = machine(graph.data(), &view.graph.path) else { return };
    let is_looked_at = |what: Chosen| view.graph.chosen == Some(what) || hovered == Some(what);
    let ink = visuals.text_color();
    let names_all = machine.transitions.len() <= MOST_NAMED && sheet.zoom > 0.55;
    let mut taken = sheet.nodes.clone();
    for (index, line) in sheet.lines.iter().enumerate() {
        let is_chosen = is_looked_at(Chosen::Transition(index));
        let is_of_state = line.ends.iter().flatten().any(|state| is_looked_at(Chosen::State(*state)));
        let strength = if machine.transitions.len() > 30 { 0.32 } else { 0.55 };
        let (color, width) = match sheet.progress.get(index).copied().flatten() {
            _ if is_chosen => (BLUE, 2.4),
            Some(_) => (ORANGE.gamma_multiply(0.7), 2.0),
            None if is_of_state => (BLUE.gamma_multiply(0.9), 1.6),
            None => (ink.gamma_multiply(strength), 1.2),
        };
        arrow(painter, line, Stroke::new(width, color), sheet.zoom);
        if let Some(part) = sheet.progress.get(index).copied().flatten() {
            passed(painter, line, part);
        }
        let transition = &machine.transitions[index];
        if line.ends[0].is_none() || line.ends[1].is_none() {
            let (at, text) =
                if line.ends[0].is_none() { (line.points[0], "any") } else { (line.points[1], "exit") };
            painter.text(
                at,
                Align2::CENTER_BOTTOM,
                text,
                FontId::proportional(10.0 * sheet.zoom.max(0.8)),
                color,
            );
        }
        if is_chosen || names_all {
            name(painter, visuals, line, transition, sheet.zoom, is_chosen, &mut taken);
        }
    }
}

fn arrow(painter: &Painter, line: &Line, stroke: Stroke, zoom: f32) {
    painter.line(line.points.clone(), stroke);
    let end = line.at(1.0);
    let before = line.at(0.9);
    let along = (end - before).normalized() * 8.0 * zoom.clamp(0.6, 1.2);
    let side = along.rot90() * 0.5;
    let head = vec![end, end - along + side, end - along - side];
    painter.add(Shape::convex_polygon(head, stroke.color, Stroke::NONE));
}

/// The part of a fade that has passed, and a dot where it is.
fn passed(painter: &Painter, line: &Line, part: f32) {
    let part = part.clamp(0.0, 1.0);
    let steps = 16;
    let at = |step: u8| line.at(part * f32::from(step) / f32::from(steps));
    painter.line((0..=steps).map(at).collect(), Stroke::new(4.0, ORANGE));
    painter.circle(line.at(part), 5.0, ORANGE, Stroke::new(1.5, Color32::WHITE));
}

/// What a transition waits for, near the middle of its line: where no state and no other name is, if there is room.
fn name(
    painter: &Painter,
    visuals: &Visuals,
    line: &Line,
    data: &TransitionData,
    zoom: f32,
    is_chosen: bool,
    taken: &mut Vec<Rect>,
) {
    let text = label(data);
    if text.is_empty() || line.ends.iter().any(Option::is_none) && !is_chosen {
        return;
    }
    let color = if is_chosen { BLUE } else { visuals.weak_text_color() };
    let font = FontId::proportional((10.5 * zoom).clamp(8.5, 12.0));
    let galley = painter.layout_no_wrap(text, font, color);
    let at = |part: f32| Align2::CENTER_CENTER.anchor_size(line.at(part), galley.size());
    let is_free = |rect: &Rect| !taken.iter().any(|other| other.intersects(rect.expand2(vec2(3.0, 1.0))));
    let rect = PARTS.map(at).into_iter().find(is_free).unwrap_or_else(|| at(PARTS[0]));
    taken.push(rect);
    painter.rect_filled(rect.expand2(vec2(3.0, 1.0)), 3.0, visuals.extreme_bg_color);
    painter.galley(rect.min, galley, color);
}

/// What a transition waits for, in a few words.
pub(super) fn label(data: &TransitionData) -> String {
    let mut parts: Vec<String> = data.when.iter().take(2).map(super::conditions::label).collect();
    if data.when.len() > 2 {
        parts.push("…".to_owned());
    }
    if let Some(part) = data.exit_time {
        parts.push(format!("at {:.0} %", part * 100.0));
    }
    parts.join(", ")
}
