//! The program in a window, and what a user does with it.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use crate::desktop::{Desktop, Picture};

pub(crate) const ESCAPE: char = '\u{ff1b}';
pub(crate) const RIGHT: char = '\u{ff53}';

/// So long a slow machine may take for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Viewer<'a> {
    desktop: &'a Desktop,
    program: Child,
    window: u32,
    folder: PathBuf,
}

/// A file of the project.
pub(crate) fn asset(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name)).unwrap()
}

impl<'a> Viewer<'a> {
    /// Opens a copy of the hero.
    pub(crate) fn start(desktop: &'a Desktop, arguments: &[&str]) -> Self {
        let folder =
            std::env::temp_dir().join(format!("canter-window-{}{}", std::process::id(), desktop.name()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("model.glb"), asset("hero.glb")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_canter"));
        command.arg("view").arg("model.glb").args(arguments).current_dir(&folder);
        command.env("DISPLAY", desktop.name()).env_remove("WAYLAND_DISPLAY").env("XDG_RUNTIME_DIR", &folder);
        let mut viewer = Self { desktop, program: command.spawn().unwrap(), window: 0, folder };
        let start = Instant::now();
        while viewer.window == 0 {
            viewer.check(start, "a window opens");
            viewer.window = desktop.window().unwrap_or(0);
        }
        viewer
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn size(&self) -> [i16; 2] {
        self.desktop.size(self.window)
    }

    pub(crate) fn key(&self, symbol: char) {
        self.desktop.focus(self.window);
        self.desktop.key(u32::from(symbol));
    }

    pub(crate) fn click(&self, at: [i16; 2]) {
        self.desktop.move_pointer(at);
        // At once: what lasts longer is no click.
        self.desktop.button(true);
        self.desktop.button(false);
    }

    /// Presses the button in one place and moves to another. The button stays down.
    pub(crate) fn drag(&self, from: [i16; 2], to: [i16; 2]) {
        self.desktop.move_pointer(from);
        self.desktop.button(true);
        self.desktop.move_pointer(to);
    }

    pub(crate) fn let_go(&self) {
        self.desktop.button(false);
    }

    pub(crate) fn resize(&self, size: [u32; 2]) {
        self.desktop.resize(self.window, size);
    }

    /// Puts other bytes into the file that is shown.
    pub(crate) fn overwrite(&self, bytes: &[u8]) {
        // In one step, as editors do: half a file would be another error.
        let fresh = self.folder.join("fresh");
        std::fs::write(&fresh, bytes).unwrap();
        std::fs::rename(fresh, self.folder.join("model.glb")).unwrap();
    }

    /// Waits until the title is as it should be.
    pub(crate) fn wait_for_title(&self, what: &str, is_it: impl Fn(&str) -> bool) -> String {
        let mut title = String::new();
        let start = Instant::now();
        while !is_it(&title) {
            assert!(start.elapsed() < PATIENCE, "{what}: the title is \"{title}\"");
            self.pause();
            title = self.desktop.title(self.window);
        }
        title
    }

    pub(crate) fn wait_for_picture(&mut self, what: &str, is_it: impl Fn(&Picture) -> bool) {
        let start = Instant::now();
        while !is_it(&self.desktop.picture()) {
            self.check(start, what);
        }
    }

    pub(crate) fn wait_for(&self, what: &str, is_it: impl Fn() -> bool) {
        let start = Instant::now();
        while !is_it() {
            assert!(start.elapsed() < PATIENCE, "{what}: in vain");
            self.pause();
        }
    }

    /// Quits as a user does.
    pub(crate) fn close(mut self) {
        self.key('q');
        let start = Instant::now();
        loop {
            if let Some(status) = self.program.try_wait().unwrap() {
                assert!(status.success(), "{status}");
                break;
            }
            assert!(start.elapsed() < PATIENCE, "it does not close");
            self.pause();
        }
    }

    fn check(&mut self, start: Instant, what: &str) {
        if let Some(status) = self.program.try_wait().unwrap() {
            panic!("{what}: the program ended with {status}");
        }
        assert!(start.elapsed() < PATIENCE, "{what}: in vain");
        self.pause();
    }

    fn pause(&self) {
        std::thread::sleep(Duration::from_millis(50));
    }
}

impl Drop for Viewer<'_> {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
