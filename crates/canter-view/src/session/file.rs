//! Files: open one, and read it again when it changes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use canter_scene::Model;

use super::Session;
use super::kept::Kept;

/// A file, and when it was changed last.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    path: PathBuf,
    changed: Option<SystemTime>,
}

impl Watched {
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), changed: changed(path) }
    }
}

impl Session {
    /// Shows another file. If it does not load, the old model stays, and [`error`](Self::error) says why.
    pub fn open(&mut self, path: &Path) -> bool {
        let watched = Watched::new(path);
        match Model::load_with(path, &self.load_options) {
            Ok(model) => {
                self.show(&model, &name(path));
                self.watched = Some(watched);
                true
            }
            Err(error) => {
                self.error = Some(format!("{}: {error}", name(path)));
                false
            }
        }
    }

    /// Shows another model, and plays its clip of the same name if it has one.
    pub fn show(&mut self, model: &Arc<Model>, name: &str) {
        let clip = self.action().map(|action| action.clip().name().to_owned());
        let mut fresh = Self::new(model, name);
        (fresh.speed, fresh.loop_mode) = (self.speed, self.loop_mode);
        (fresh.fade_secs, fresh.easing) = (self.fade_secs, self.easing);
        fresh.fade_kind = self.fade_kind;
        fresh.is_playing = self.is_playing;
        fresh.is_in_step = self.is_in_step;
        fresh.set_travels(self.travels());
        fresh.load_options = self.load_options;
        fresh.version = self.version + 1;
        if let Some(clip) = clip {
            let fade_secs = std::mem::replace(&mut fresh.fade_secs, 0.0);
            let _ = fresh.fade_to(&clip);
            fresh.fade_secs = fade_secs;
        }
        *self = fresh;
        self.set_speed(self.speed);
        self.update(0.0);
    }

    /// The file that is shown; `None` if it is part of the program.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.watched.as_ref().map(|watched| &*watched.path)
    }

    /// Reads the file again if it has changed on disk. Call it now and then.
    pub fn refresh(&mut self) -> bool {
        let Some(watched) = &mut self.watched else { return false };
        let now = changed(&watched.path);
        // A file that is gone is being written, perhaps.
        if now.is_none() || now == watched.changed {
            return false;
        }
        watched.changed = now;
        let path = watched.path.clone();
        let kept = Kept::of(self);
        let is_open = self.open(&path);
        if is_open {
            kept.put_back(self);
        }
        is_open
    }
}

fn changed(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|metadata| metadata.modified()).ok()
}

/// The last part of a path.
pub(super) fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
