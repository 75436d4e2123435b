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
}

impl Movie for Folder {
    fn add(&mut self, picture: &Picture, _ticks: u16) -> Result<(), Failure> {
        let path = self.path.join(format!("frame-{:04}.png", self.frames));
        self.frames += 1;
        write_still(&path, picture)
    }

    fn finish(self: Box<Self>) -> Result<(), Failure> {
        Ok(())
    }
}
