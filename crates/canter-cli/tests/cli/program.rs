//! Running the program, and what all of its commands have in common.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use canter_testing::glb;

/// What a run of the program gave.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

pub(crate) fn canter(arguments: &[&str]) -> Run {
    let output =
        Command::new(env!("CARGO_BIN_EXE_canter")).args(arguments).output().expect("the program starts");
    Run {
        code: output.status.code().expect("it ends by itself"),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// Runs a command that must succeed and say nothing on the standard error output.
pub(crate) fn succeed(arguments: &[&str]) -> String {
    let run = canter(arguments);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{arguments:?}");
    run.stdout
}

/// Runs a command that must fail with one message and a line of help; gives them.
pub(crate) fn fail(arguments: &[&str]) -> String {
    let run = canter(arguments);
    assert_ne!(run.code, 0, "{arguments:?}");
    assert_eq!(run.stdout, "", "{arguments:?}: errors belong on the standard error output");
    assert!(run.stderr.starts_with("error: ") && run.stderr.contains("\n  help: "), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 2, "{}", run.stderr);
    run.stderr
}

/// A file for one test, removed at the end.
pub(crate) struct TempFile(PathBuf);

impl TempFile {
    pub(crate) fn new(name: &str, bytes: &[u8]) -> Self {
        let folder = std::env::temp_dir().join(format!("canter-cli-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for temporary files");
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("a temporary file");
        Self(path)
    }

    /// The small character with everything.
    pub(crate) fn character(name: &str) -> Self {
        Self::new(name, &glb::character())
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().expect("UTF-8")
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
        // The last one takes the folder with it.
        let _ = self.0.parent().map(std::fs::remove_dir);
    }
}

#[test]
fn help_is_for_people_and_pipes() {
    let help = succeed(&["help"]);
    assert!(help.contains("Usage: canter") && help.contains("Examples:"), "{help}");
    assert!(!help.contains('\x1b'), "no colours in a pipe");
}

#[test]
fn every_command_has_help_with_examples() {
    for command in
        ["inspect", "markers", "check", "optimize", "compare", "sample", "render", "bench", "completions"]
    {
        assert!(succeed(&[command, "--help"]).contains("Examples:"), "{command}");
    }
}

#[test]
fn a_wrong_flag_is_told_on_the_standard_error_output() {
    let run = canter(&["sample", "hero.glb", "--tim", "1"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("'--time'"), "{}", run.stderr);
}

#[test]
fn a_missing_file_is_named() {
    for command in ["inspect", "markers", "sample"] {
        assert!(fail(&[command, "no/such/file.glb"]).contains("no/such/file.glb"));
    }
}

#[test]
fn a_file_that_is_no_gltf_is_told_as_such() {
    let file = TempFile::new("notes.txt", b"a walk in the park");
    let empty = TempFile::new("empty.glb", b"");
    for command in ["inspect", "sample"] {
        assert!(fail(&[command, file.path()]).contains("this is no glTF file"));
        assert!(fail(&[command, empty.path()]).contains("it is empty"));
        assert!(
            fail(&[command, Path::new(file.path()).parent().unwrap().to_str().unwrap()]).contains("folder")
        );
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let file = TempFile::character("pipe.glb");
    let mut child = Command::new(env!("CARGO_BIN_EXE_canter"))
        .args(["sample", file.path(), "--json", "--vertices"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()));
}

#[test]
fn completions_are_scripts_that_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(succeed(&["completions", shell]).contains("inspect"), "{shell}");
    }
}
