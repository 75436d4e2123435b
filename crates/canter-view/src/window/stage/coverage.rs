//! The skeleton in the colours of a layer's coverage.

use egui::{Color32, Painter, Stroke};

use super::lens::Lens;
use crate::window::view::View;

/// A line for each bone and a dot for each joint.
pub(super) fn show(view: &View, painter: &Painter, lens: &Lens<'_>) {
    let Some(layer) = view.shown_layer.filter(|layer| *layer < view.session.layers().len()) else { return };
    let skeleton = &view.session.model().asset.skeleton;
    let point = |joint| lens.point(view.session.joint_place(joint));
    let color = |joint| {
        let [red, green, blue] = view.session.coverage_color(layer, joint);
        Color32::from_rgb(red, green, blue)
    };
    for joint in skeleton.joints() {
        let bone = skeleton.parent(joint).and_then(|parent| Some([point(parent)?, point(joint)?]));
        if let Some(ends) = bone {
            painter.line_segment(ends, Stroke::new(4.5, Color32::from_white_alpha(150)));
            painter.line_segment(ends, Stroke::new(2.5, color(joint)));
        }
    }
    for joint in skeleton.joints() {
        if let Some(at) = point(joint) {
            painter.circle(at, 3.5, color(joint), Stroke::new(1.0, Color32::WHITE));
        }
    }
}
