//! How files are loaded, in every command that loads some.

use canter_gltf::LoadOptions;
use clap::Args;

/// How files are loaded.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Loading {
    /// Load files that require extensions which are not supported. They may look wrong.
    #[arg(long)]
    ignore_required_extensions: bool,
}

impl Loading {
    pub(crate) fn options(self) -> LoadOptions {
        let options = LoadOptions::default();
        if self.ignore_required_extensions { options.ignoring_required_extensions() } else { options }
    }
}
