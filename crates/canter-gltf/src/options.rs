//! How to load.

use crate::limits::Limits;

/// How to load a file. The default is right for a renderer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoadOptions {
    /// How much the file may ask for.
    pub limits: Limits,
    /// Whether vertices are read. Without them a mesh is only a name and the weights of its morph targets, and
    /// extensions that concern nothing but vertices are in no one's way.
    pub meshes: bool,
    /// Whether the bytes of images are read. Without them an [`Image`](crate::Image) is only a name.
    pub images: bool,
    /// Whether to load a file that requires extensions that this loader does not read and that can change where
    /// joints or vertices are, with a warning. It may look wrong. (Those that cannot are warnings anyway.)
    pub ignore_required_extensions: bool,
    /// Whether the way over the ground is taken out of the pose of all clips and handed out as root motion, by
    /// the joint that leads the others; see [`Asset::root_joint`](crate::Asset::root_joint). For another joint,
    /// or other axes, call [`Asset::split_root_motion`](crate::Asset::split_root_motion) instead.
    pub root_motion: bool,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            meshes: true,
            images: true,
            ignore_required_extensions: false,
            root_motion: false,
        }
    }
}

impl LoadOptions {
    /// The same without vertices, for those who draw the file by other means.
    #[must_use]
    pub fn without_meshes(mut self) -> Self {
        self.meshes = false;
        self
    }

    /// The same without the bytes of images, for tools that draw nothing.
    #[must_use]
    pub fn without_images(mut self) -> Self {
        self.images = false;
        self
    }

    /// The same with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The same with the root motion taken out of the clips.
    #[must_use]
    pub fn with_root_motion(mut self) -> Self {
        self.root_motion = true;
        self
    }

    /// The same, loading also files that require extensions that are not supported.
    #[must_use]
    pub fn ignoring_required_extensions(mut self) -> Self {
        self.ignore_required_extensions = true;
        self
    }
}
