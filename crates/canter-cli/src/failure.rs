//! Why a command failed, and what to do next.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use canter_gltf::LoadError;

use crate::output::{ERROR, QUIET, printable};

/// Why a command failed: one sentence, and one about what to do next.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    hint: Option<String>,
    code: u8,
    broken_pipe: bool,
}

impl Failure {
    pub(crate) fn new(message: impl fmt::Display, hint: impl fmt::Display) -> Self {
        Self { message: message.to_string(), hint: Some(hint.to_string()), code: 1, broken_pipe: false }
    }

    /// The same with another exit code than 1.
    pub(crate) fn with_code(self, code: u8) -> Self {
        Self { code, ..self }
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.code)
    }

    /// A file that does not load.
    pub(crate) fn load(path: &Path, error: &LoadError) -> Self {
        let hint = match error {
            LoadError::Read { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                match path.to_str() {
                    Some(name @ ("hero.glb" | "sword.glb")) => format!(
                        "there is none in this folder; `{}`, without `.glb`, is part of the program",
                        name.trim_end_matches(".glb")
                    ),
                    _ => "is the path right? `canter check FOLDER` lists the models of a folder".to_owned(),
                }
            }
            LoadError::Read { .. } | LoadError::NotGltf { .. } => {
                "canter reads glTF 2.0: .glb, .gltf and .vrm files".to_owned()
            }
            LoadError::Container { .. } => "the file may be cut off: copy or export it again".to_owned(),
            LoadError::Resource { .. } => {
                "put the file beside the .gltf, or export everything into one .glb".to_owned()
            }
            LoadError::Version { .. } => "export the model again as glTF 2.0".to_owned(),
            LoadError::RequiredExtensions { .. } => {
                "--ignore-required-extensions loads the file without them; it may look wrong".to_owned()
            }
            LoadError::Limit { .. } => "the file asks for more than a real model needs".to_owned(),
            _ => "the file breaks the glTF 2.0 specification there: export it again, or report it to the exporter".to_owned(),
        };
        let message = match error {
            // It names the path itself.
            LoadError::Read { .. } => error.to_string(),
            _ => format!("{}: {}", path.display(), words(error)),
        };
        Self::new(message, hint)
    }

    pub(crate) fn is_broken_pipe(&self) -> bool {
        self.broken_pipe
    }

    pub(crate) fn print(&self) {
        anstream::eprintln!("{ERROR}error{ERROR:#}: {}", printable(&self.message));
        if let Some(hint) = &self.hint {
            anstream::eprintln!("  {QUIET}help{QUIET:#}: {}", printable(hint));
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let broken_pipe = error.kind() == io::ErrorKind::BrokenPipe;
        Self { message: format!("cannot write the output: {error}"), hint: None, code: 1, broken_pipe }
    }
}

/// What the library says, without the name of its option: the program has a flag for it.
pub(crate) fn words(error: &LoadError) -> String {
    let text = error.to_string();
    match (error, text.split_once("; export")) {
        (LoadError::RequiredExtensions { .. }, Some((words, _))) => words.to_owned(),
        _ => text,
    }
}
