//! What is drawn besides the figure.

/// What is drawn besides the figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overlays {
    pub(super) skeleton: bool,
    pub(super) bounds: bool,
    pub(super) normals: bool,
    pub(super) ground: bool,
    /// On the ground: the root path, the trail and footprints.
    pub(super) way: bool,
    /// To drag hands, feet and what is looked at.
    pub(super) handles: bool,
}

impl Default for Overlays {
    fn default() -> Self {
        Self { skeleton: false, bounds: false, normals: false, ground: true, way: true, handles: false }
    }
}
