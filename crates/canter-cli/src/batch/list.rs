//! Files from arguments, folders and lists.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The paths of a list, a line each; empty lines do not count.
pub(super) fn read(list: &Path) -> io::Result<Vec<PathBuf>> {
    let lines: Box<dyn BufRead> = if list.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(list)?))
    };
    let mut paths = Vec::new();
    for line in lines.split(b'\n') {
        let mut line = line?;
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        if !line.is_empty() {
            paths.push(path(line));
        }
    }
    Ok(paths)
}

#[cfg(unix)]
fn path(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    OsString::from_vec(bytes).into()
}

#[cfg(not(unix))]
fn path(bytes: Vec<u8>) -> PathBuf {
    OsString::from(String::from_utf8_lossy(&bytes).into_owned()).into()
}

/// Adds a file, or the models in a folder and below in the order of their names. Links to folders are not
/// followed: they may lead in circles. A folder that cannot be read does not hide the others.
pub(super) fn collect(path: &Path, files: &mut Vec<PathBuf>, closed: &mut Vec<(PathBuf, io::Error)>) {
    if !path.is_dir() {
        files.push(path.to_owned());
        return;
    }
    let mut folders = vec![path.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        if let Err(error) = look_into(&folder, &mut folders, &mut found) {
            closed.push((folder, error));
        }
    }
    found.sort();
    files.append(&mut found);
}

fn look_into(folder: &Path, folders: &mut Vec<PathBuf>, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            folders.push(path);
        } else if is_model(&path) {
            found.push(path);
        }
    }
    Ok(())
}

fn is_model(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    ["glb", "gltf", "vrm"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}
