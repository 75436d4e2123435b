//! Keyboard shortcuts.

use egui::{Key, Ui};

use super::view::View;

/// What each key does, for the help sheet.
pub(super) const HELP: &[(&str, &str)] = &[
    ("Space", "play and pause"),
    ("Left, Right", "a step back and forward"),
    ("1 to 9", "crossfade to a clip"),
    ("F", "frame the figure"),
    ("K", "skeleton"),
    ("G", "ground"),
    ("S", "sword into the hand, or onto the picked joint"),
    ("T", "light and dark"),
    ("P", "save the picture"),
    ("H", "this sheet"),
    ("Q", "quit"),
    ("drag", "go round"),
    ("right drag, Shift drag", "move sideways"),
    ("wheel", "nearer and further"),
    ("click", "pick a joint"),
    ("drop a file", "open it"),
];

const NUMBERS: [Key; 9] =
    [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];

pub(super) fn handle(view: &mut View, ui: &Ui) {
    // Whoever writes into a field means letters.
    if ui.ctx().egui_wants_keyboard_input() {
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
            view.session.play_index(index);
        }
    }
    view.wants_frame |= pressed(Key::F);
    view.shows_skeleton ^= pressed(Key::K);
    view.shows_ground ^= pressed(Key::G);
    view.is_dark ^= pressed(Key::T);
    view.shows_help ^= pressed(Key::H);
    view.wants_screenshot |= pressed(Key::P);
    if pressed(Key::S) {
        let sword = view.sword.clone();
        view.session.attach(&sword, "sword");
    }
    if pressed(Key::Escape) {
        view.shows_help = false;
        view.session.pick(None);
    }
    if pressed(Key::Q) {
        view.exit();
    }
}
