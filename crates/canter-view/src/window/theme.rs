//! Colours, corners and distances of the panels, light and dark.

use egui::{Color32, CornerRadius, FontId, Margin, Stroke, Style, TextStyle, Theme, vec2};

/// What is chosen, and what is below the pointer.
pub(super) const BLUE: Color32 = Color32::from_rgb(26, 120, 200);
/// Now, and what was picked.
pub(super) const ORANGE: Color32 = Color32::from_rgb(230, 110, 20);

/// Markers, and the trail.
pub(super) const GREEN: Color32 = Color32::from_rgb(46, 150, 90);

/// Sets both themes of a context.
pub(super) fn set(context: &egui::Context) {
    for theme in [Theme::Light, Theme::Dark] {
        context.style_mut_of(theme, |style| change(style, theme));
    }
}

fn change(style: &mut Style, theme: Theme) {
    let is_dark = theme == Theme::Dark;
    let gray = Color32::from_gray;
    style.text_styles = [
        (TextStyle::Heading, FontId::proportional(15.0)),
        (TextStyle::Body, FontId::proportional(13.5)),
        (TextStyle::Button, FontId::proportional(13.5)),
        (TextStyle::Small, FontId::proportional(11.5)),
        (TextStyle::Monospace, FontId::monospace(12.0)),
    ]
    .into();
    style.spacing.item_spacing = vec2(8.0, 5.0);
    style.spacing.button_padding = vec2(7.0, 3.0);
    style.spacing.interact_size.y = 21.0;
    style.spacing.slider_width = 120.0;
    style.spacing.menu_margin = Margin::same(8);
    style.spacing.window_margin = Margin::same(12);
    style.interaction.selectable_labels = false;
    let visuals = &mut style.visuals;
    visuals.panel_fill =
        if is_dark { Color32::from_rgb(30, 32, 36) } else { Color32::from_rgb(247, 248, 249) };
    visuals.window_fill = if is_dark { Color32::from_rgb(38, 41, 46) } else { Color32::WHITE };
    visuals.extreme_bg_color = if is_dark { gray(20) } else { Color32::from_rgb(232, 235, 238) };
    visuals.override_text_color = Some(if is_dark { gray(222) } else { gray(38) });
    visuals.weak_text_color = Some(if is_dark { gray(145) } else { gray(120) });
    visuals.selection.bg_fill =
        if is_dark { Color32::from_rgb(32, 92, 148) } else { Color32::from_rgb(189, 220, 245) };
    visuals.selection.stroke = Stroke::new(1.0, if is_dark { Color32::WHITE } else { gray(20) });
    visuals.slider_trailing_fill = true;
    let line = if is_dark { gray(52) } else { Color32::from_rgb(222, 225, 229) };
    visuals.window_stroke = Stroke::new(1.0, line);
    visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, line);
    let radius = CornerRadius::same(5);
    visuals.window_corner_radius = CornerRadius::same(9);
    visuals.menu_corner_radius = CornerRadius::same(7);
    let widgets = &mut visuals.widgets;
    for widget in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active, &mut widgets.open] {
        widget.corner_radius = radius;
        widget.expansion = 0.0;
    }
    let button = if is_dark { gray(56) } else { Color32::from_rgb(228, 231, 235) };
    (widgets.inactive.bg_fill, widgets.inactive.weak_bg_fill) = (button, button);
    // The titles of sheets.
    widgets.open.weak_bg_fill = button;
}
