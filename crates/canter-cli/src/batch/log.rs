//! The log of a run: a record of each file that is done, a line of JSON each.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{COULD_NOT_RUN, Record, Verdict};
use crate::failure::Failure;

/// What is read of a record.
#[derive(Deserialize)]
struct Line {
    path: String,
    verdict: Verdict,
}

/// Paths of the files that are done. What is no record, such as a line that was cut off, does not count.
pub(super) fn done(log: &Path) -> Result<HashSet<String>, Failure> {
    let file = match File::open(log) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(HashSet::new()),
        file => file.map_err(|error| unusable(log, &error))?,
    };
    let mut done = HashSet::new();
    for line in BufReader::new(file).split(b'\n') {
        let line = line.map_err(|error| unusable(log, &error))?;
        if let Ok(line) = serde_json::from_slice::<Line>(&line)
            && !line.verdict.is_open()
        {
            done.insert(line.path);
        }
    }
    Ok(done)
}

fn unusable(log: &Path, error: &io::Error) -> Failure {
    let message = format!("the log {} cannot be used: {error}", log.display());
    Failure::new(message, "give another --log").with_code(COULD_NOT_RUN)
}

/// A log that is added to.
pub(super) struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let open = || -> io::Result<File> {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
            // A run that was killed may have left half a line.
            if file.seek(SeekFrom::End(0))? > 0 {
                file.seek(SeekFrom::End(-1))?;
                let mut last = [0];
                file.read_exact(&mut last)?;
                if last != *b"\n" {
                    file.write_all(b"\n")?;
                }
            }
            Ok(file)
        };
        open().map(|file| Self { path: path.to_owned(), file }).map_err(|error| unusable(path, &error))
    }

    /// Adds a record: at once, so that nothing is lost, and in one piece, so that several runs can share a log.
    pub(super) fn append<R: Record>(&mut self, record: &R) -> Result<(), Failure> {
        let line = record.line() + "\n";
        self.file.write_all(line.as_bytes()).map_err(|error| unusable(&self.path, &error))
    }
}
