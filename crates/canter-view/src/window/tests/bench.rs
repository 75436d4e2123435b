//! A view without a window, and what a user does with it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use canter_scene::Model;
use egui::{Context, Event, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, vec2};

use crate::session::Session;
use crate::window::view::View;

/// A view without a window, drawn on the CPU.
pub(super) struct Bench {
    pub(super) view: View,
    pub(super) context: Context,
    pub(super) size: egui::Vec2,
}

#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

pub(super) fn asset(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name)
}

impl Bench {
    pub(super) fn new() -> Self {
        let mut bench = Self::unseen();
        bench.frame(RawInput::default());
        bench
    }

    /// Before its first frame.
    pub(super) fn unseen() -> Self {
        let sword = Model::load(asset("sword.glb")).unwrap();
        let mut session = Session::load(&asset("hero.glb")).unwrap();
        session.toggle();
        let view = View::new(session, sword, std::env::temp_dir());
        Self { view, context: Context::default(), size: vec2(900.0, 600.0) }
    }

    pub(super) fn frame(&mut self, input: RawInput) {
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, self.size));
        let mut output = self.context.run_ui(RawInput { screen_rect, ..input }, |ui| self.view.show(ui));
        // There is nobody to show them to.
        output.textures_delta.clear();
    }

    pub(super) fn events(&mut self, events: Vec<Event>) {
        self.frame(RawInput { events, ..RawInput::default() });
    }

    pub(super) fn key(&mut self, key: Key) {
        let event = |pressed| Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        self.events(vec![event(true), event(false)]);
    }

    pub(super) fn click(&mut self, pos: Pos2) {
        let button = |pressed| Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        self.events(vec![Event::PointerMoved(pos)]);
        self.events(vec![button(true)]);
        self.events(vec![button(false)]);
    }

    pub(super) fn drop(&mut self, path: PathBuf) {
        self.frame(RawInput { dropped_files: vec![Arc::new(Dropped(path))], ..RawInput::default() });
    }
}
