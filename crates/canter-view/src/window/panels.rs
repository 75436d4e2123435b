//! The panels around the picture.

mod bar;
mod clips;
mod crowd;
mod floating;
mod graph;
mod held;
mod joint;
mod layers;
mod markers;
mod mix;
mod morphs;
mod motion;
mod rig;
mod timeline;
mod transport;
mod tree;

use egui::{Frame, Margin, Panel, RichText, ScrollArea, Ui};

use super::view::View;
pub(super) use floating::show as show_floating;
#[cfg(test)]
pub(super) use graph::Chosen;
pub(super) use graph::{GraphView, remove as remove_from_graph};
pub(super) use timeline::Grip;

/// Below this size there is room for the picture alone.
const SMALLEST: [f32; 2] = [560.0, 320.0];

/// What to see at the top, clips at the left, joints at the right, time at the bottom.
pub(super) fn show(view: &mut View, ui: &mut Ui) {
    let size = ui.available_size();
    if size.x < SMALLEST[0] || size.y < SMALLEST[1] {
        return;
    }
    // The window is cleared with the panels' colour: what is not filled costs nothing.
    let frame = |x, y| Frame::NONE.inner_margin(Margin::symmetric(x, y));
    let (flat, wide) = (frame(10, 6), frame(12, 10));
    Panel::top("bar").frame(flat).show(ui, |ui| bar::show(view, ui));
    Panel::bottom("timeline").frame(flat).show(ui, |ui| {
        transport::show(view, ui);
        // A graph has no one clip to show the time of.
        if !view.session.runs_graph() {
            if view.session.action().is_some() {
                markers::tools(view, ui);
            }
            timeline::show(view, ui);
        }
    });
    if view.session.graph().is_some() && !view.graph.is_hidden && size.y > 420.0 {
        let panel = Panel::bottom("graph").frame(flat).resizable(true);
        let sizes = 160.0..=(size.y - 240.0).max(161.0);
        panel.default_size((size.y * 0.42).min(420.0)).size_range(sizes).show(ui, |ui| graph::show(view, ui));
    }
    Panel::left("clips").frame(wide).default_size(208.0).size_range(170.0..=320.0).show(ui, |ui| {
        ScrollArea::vertical().id_salt("clips").show(ui, |ui| {
            // The bar lies above what it scrolls.
            ui.set_max_width(ui.available_width() - 6.0);
            graph::show_section(view, ui);
            clips::show(view, ui);
            if !view.session.runs_graph() {
                mix::show(view, ui);
                layers::show(view, ui);
            }
            morphs::show(view, ui);
            crowd::show(view, ui);
        });
    });
    Panel::right("joints").frame(wide).default_size(236.0).size_range(200.0..=360.0).show(ui, |ui| {
        motion::show(view, ui);
        rig::show(view, ui);
        held::show(view, ui);
        joint::show(view, ui);
        tree::show(view, ui);
    });
}

/// The name of a section, with air above it.
fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(8.0);
    ui.label(RichText::new(text).heading().strong());
}
