//! What a file says about itself: nothing that a renderer needs, everything that a person asks.

/// Facts about the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileInfo {
    /// The version of glTF.
    pub version: String,
    /// The program that wrote it.
    pub generator: Option<String>,
    /// To whom it belongs.
    pub copyright: Option<String>,
    /// The `extras` of its `asset`, as JSON.
    pub extras: Option<Box<str>>,
    /// Whether it is a binary container (.glb, .vrm).
    pub is_binary: bool,
    /// Bytes of the file itself.
    pub file_bytes: u64,
    /// Bytes of its JSON.
    pub json_bytes: u64,
    /// Bytes of its buffers, in the file or beside it.
    pub buffer_bytes: u64,
    /// Extensions that it uses.
    pub extensions_used: Vec<String>,
    /// Extensions without which it must not be loaded.
    pub extensions_required: Vec<String>,
    /// The names of the animations. (A clip without a name has an empty one.)
    pub clip_names: Vec<Option<String>>,
    /// The names of the skins.
    pub skin_names: Vec<Option<String>>,
}
