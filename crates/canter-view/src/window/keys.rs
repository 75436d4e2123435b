//! Keyboard shortcuts.

use egui::{Key, Ui};

use super::dialog::Purpose;
use super::panels::remove_from_graph;
use super::view::View;

/// What each key does, for the help sheet.
pub(super) const HELP: &[(&str, &str)] = &[
    ("Space", "play and pause"),
    ("Left, Right", "a step back and forward"),
    ("1 to 9", "crossfade to a clip"),
    ("O", "open a file; or drop one on the window"),
    ("F, double click", "frame the figure"),
    ("K, B, N, W", "skeleton, bounds, normals, weights of the picked joint"),
    ("G, R", "ground; root path, trail and footprints"),
    ("M", "travel, or stay in place"),
    ("I, L", "handles for hands, feet and look; look at the pointer"),
    ("E, X", "stairs and a slope; the mirror"),
    ("D", "diagram of the graph"),
    ("Delete", "delete the chosen marker, state or transition"),
    ("S", "sword into the hand, or onto the picked joint"),
    ("T", "light and dark"),
    ("P", "save the picture"),
    ("H", "this sheet"),
    ("Escape", "close a sheet, let go of the joint"),
    ("Q", "quit"),
    ("drag", "go round"),
    ("right drag, Shift drag", "move sideways"),
    ("wheel, pinch", "nearer and further"),
    ("click", "pick the joint that moves this place"),
];

const NUMBERS: [Key; 9] =
    [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];

pub(super) fn handle(view: &mut View, ui: &Ui) {
    // Whoever writes into a field means letters, and a dialog has keys of its own.
    if ui.ctx().egui_wants_keyboard_input() || view.dialog.is_some() {
        return;
    }
    let pressed = |key: Key| ui.input(|input| input.key_pressed(key));
    if pressed(Key::Space) {
        view.session.toggle();
    }
    if pressed(Key::ArrowLeft) {
        view.session.step(-1);
    }
    if pressed(Key::ArrowRight) {
        view.session.step(1);
    }
    for (index, key) in NUMBERS.into_iter().enumerate() {
        if pressed(key) {
            // A file may have fewer clips than there are keys.
            let _ = view.session.fade_to(index);
        }
    }
    if pressed(Key::O) {
        view.ask_for(Purpose::Open);
    }
    if pressed(Key::S) {
        view.attach_sword();
    }
    if pressed(Key::W) {
        view.session.show_weights(!view.session.shows_weights());
    }
    view.overlays.skeleton ^= pressed(Key::K);
    view.overlays.bounds ^= pressed(Key::B);
    view.overlays.normals ^= pressed(Key::N);
    view.overlays.ground ^= pressed(Key::G);
    view.overlays.way ^= pressed(Key::R);
    if pressed(Key::M) {
        view.session.set_travels(!view.session.travels());
    }
    view.overlays.handles ^= pressed(Key::I);
    if pressed(Key::L) {
        view.look_at_cursor(!view.looks_at_cursor);
    }
    if pressed(Key::E) {
        view.session.set_stairs(!view.session.has_stairs());
    }
    if pressed(Key::X) {
        view.session.set_mirrored(!view.session.is_mirrored());
    }
    view.graph.is_hidden ^= pressed(Key::D);
    if pressed(Key::Delete) {
        if let Some(marker) = view.session.chosen_marker().filter(|_| !view.session.runs_graph()) {
            view.session.remove_marker(marker);
        } else {
            remove_from_graph(view);
        }
    }
    view.wants_frame |= pressed(Key::F);
    view.is_dark ^= pressed(Key::T);
    view.wants_screenshot |= pressed(Key::P);
    view.shows_help ^= pressed(Key::H);
    if pressed(Key::Escape) && !std::mem::take(&mut view.shows_help) {
        view.session.dismiss_error();
        view.session.pick(None);
        view.session.choose_marker(None);
    }
    view.wants_exit |= pressed(Key::Q);
}
