//! Arbitrary bytes as a file.

use canter_gltf::{Asset, LoadError, LoadOptions, NoFiles};

use crate::examine::examine;

/// Loads the bytes as a file; if that works, what came out must be sound.
pub fn bytes(data: &[u8]) {
    if let Ok(asset) = load(data) {
        examine(&asset);
    }
}

/// Loads with less memory than usual: a fuzzer watches how much a process takes.
pub(crate) fn load(data: &[u8]) -> Result<Asset, LoadError> {
    let mut options = LoadOptions::default();
    options.limits.memory_bytes = 64 << 20;
    options.limits.free_bytes = 8 << 20;
    let loaded = canter_gltf::load_bytes_with(data, &NoFiles, &options);
    if let Err(error) = &loaded {
        // The message is made from the file, too.
        assert!(!error.to_string().is_empty(), "an error without words");
    }
    loaded
}
