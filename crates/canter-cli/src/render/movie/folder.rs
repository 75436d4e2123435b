//! A PNG for every frame.

use std::fs;
use std::path::{Path, PathBuf};

use canter_soft::Picture;

use super::{Movie, write_still};
use crate::failure::Failure;

pub(super) struct Folder {
    path: PathBuf,
    frames: u32,
}

impl Folder {
    pub(super) fn create(path: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(path).map_err(|error| {
            let message = format!("the folder {} cannot be made: {error}", path.display());
            Failure::new(message, "give another --output")
        })?;
        Ok(Self { path: path.to_owned(), frames: 0 })
    }

    fn frame(&self, number: u32) -> PathBuf {
        self.path.join(format!("frame-{number:04}.png"))
    }
}

impl Movie for Folder {
    fn add(&mut self, picture: &Picture, _ticks: u16) -> Result<(), Failure> {
        let path = self.frame(self.frames);
        self.frames += 1;
        write_still(&path, picture)
    }

    /// Takes away the frames of a longer film that was here before: players go on as long as there are
    /// numbers.
    fn finish(self: Box<Self>) -> Result<(), Failure> {
        let mut frame = self.frames;
        while fs::remove_file(self.frame(frame)).is_ok() {
            frame += 1;
        }
        Ok(())
    }
}
