//! States as boxes.

use canter_graph::MotionData;
use egui::{
    Align2, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Visuals, pos2,
    vec2,
};

use super::Chosen;
use super::diagram::Sheet;
use crate::session::{machine, motion_label};
use crate::window::theme::{BLUE, GREEN, ORANGE};
use crate::window::view::View;

pub(super) fn draw(
    view: &View,
    painter: &Painter,
    visuals: &Visuals,
    sheet: &Sheet,
    hovered: Option<Chosen>,
) {
    let Some(graph) = view.session.graph() else { return };
    let Some(machine) = machine(graph.data(), &view.graph.path) else { return };
    for (index, (state, &rect)) in machine.states.iter().zip(&sheet.nodes).enumerate() {
        let is_chosen = view.graph.chosen == Some(Chosen::State(index));
        let (lit, radius) = (sheet.lit[index], CornerRadius::same(6));
        let paper = if visuals.dark_mode { Color32::from_gray(46) } else { Color32::WHITE };
        painter.rect_filled(rect, radius, paper.lerp_to_gamma(ORANGE, 0.30 * lit));
        let stroke = match () {
            () if is_chosen => Stroke::new(2.4, BLUE),
            () if hovered == Some(Chosen::State(index)) => Stroke::new(1.6, BLUE),
            () if lit > 0.0 => Stroke::new(1.2 + lit, ORANGE.gamma_multiply(0.4 + 0.6 * lit)),
            () => Stroke::new(1.0, visuals.text_color().gamma_multiply(0.45)),
        };
        painter.rect_stroke(rect, radius, stroke, StrokeKind::Inside);
        if matches!(state.motion, MotionData::Machine(_)) {
            let inner = rect.shrink(3.5 * sheet.zoom);
            painter.rect_stroke(
                inner,
                CornerRadius::same(4),
                Stroke::new(0.8, stroke.color),
                StrokeKind::Inside,
            );
        }
        if machine.entry == state.name {
            entry(painter, rect, sheet.zoom);
        }
        text(painter, visuals, rect, sheet.zoom, &state.name, &motion_label(&state.motion));
        if lit >= 1.0 {
            let bar = Rect::from_min_max(rect.left_bottom() - vec2(0.0, 3.0), rect.right_bottom());
            let done = Rect::from_min_size(bar.min, vec2(bar.width() * sheet.cycle, bar.height()));
            painter.rect_filled(done.shrink2(vec2(1.0, 0.0)), 1.0, ORANGE);
        }
    }
}

/// An arrow from nowhere: here the machine begins.
fn entry(painter: &Painter, rect: Rect, zoom: f32) {
    let tip: Pos2 = rect.left_center();
    let size = 8.0 * zoom.clamp(0.6, 1.2);
    let head = vec![tip, pos2(tip.x - size, tip.y - size * 0.6), pos2(tip.x - size, tip.y + size * 0.6)];
    painter.add(Shape::convex_polygon(head, GREEN, Stroke::NONE));
    painter.circle_filled(pos2(tip.x - 1.6 * size, tip.y), size * 0.45, GREEN);
}

/// The name, and below it what plays, as far as there is room.
fn text(painter: &Painter, visuals: &Visuals, rect: Rect, zoom: f32, name: &str, motion: &str) {
    let clipped = painter.with_clip_rect(rect.shrink(2.0).intersect(painter.clip_rect()));
    let large = FontId::proportional((13.5 * zoom).clamp(8.5, 16.0));
    let small = FontId::proportional(10.5 * zoom);
    let has_two = small.size >= 7.5 && name != motion;
    let middle = if has_two { rect.center() - vec2(0.0, 7.0 * zoom) } else { rect.center() };
    clipped.text(
        middle,
        Align2::CENTER_CENTER,
        fitted(painter, name, &large, rect.width()),
        large,
        visuals.text_color(),
    );
    if has_two {
        let at = rect.center() + vec2(0.0, 9.0 * zoom);
        let motion = fitted(painter, motion, &small, rect.width());
        clipped.text(at, Align2::CENTER_CENTER, motion, small, visuals.weak_text_color());
    }
}

/// As much of a text as there is room for.
fn fitted(painter: &Painter, text: &str, font: &FontId, width: f32) -> String {
    let fits = |text: &str| {
        let size = painter.layout_no_wrap(text.to_owned(), font.clone(), Color32::BLACK).size();
        size.x < width - 10.0
    };
    if fits(text) {
        return text.to_owned();
    }
    let letters: Vec<char> = text.chars().collect();
    let lengths = (1..letters.len()).rev();
    let mut shorter = lengths.map(|length| letters[..length].iter().collect::<String>() + "…");
    shorter.find(|text| fits(text)).unwrap_or_default()
}
