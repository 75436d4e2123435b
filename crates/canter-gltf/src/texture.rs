//! Textures and images. Pictures are handed on as they are in the file: the renderer decodes them.

#[cfg(feature = "meshes")]
mod load;

#[cfg(feature = "meshes")]
pub(crate) use load::{images, textures};

/// An image and how it is sampled.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texture {
    /// The file's name for it.
    pub name: Option<String>,
    /// Index of the image: one that everybody can read, if the file has it in several formats. `None` if it
    /// has none, or in a format of an extension that is not known.
    pub image: Option<usize>,
    /// How it is sampled.
    pub sampler: Sampler,
}

/// How a texture is sampled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// When a texel is larger than a pixel.
    pub mag_filter: Filter,
    /// When a texel is smaller than a pixel.
    pub min_filter: Filter,
    /// Between mip levels; `None`: only the largest level is used.
    pub mip_filter: Option<Filter>,
    /// Beyond the left and right edges.
    pub wrap_u: Wrap,
    /// Beyond the upper and lower edges.
    pub wrap_v: Wrap,
}

/// How texels are mixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Filter {
    /// The nearest one.
    Nearest,
    /// Those around, by distance.
    #[default]
    Linear,
}

/// What lies beyond the edge of a texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// The texture again.
    #[default]
    Repeat,
    /// The texture again, every other time mirrored.
    Mirror,
    /// The colour of the edge.
    Clamp,
}

/// A picture, not decoded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// The file's name for it.
    pub name: Option<String>,
    /// The path of its own file, as it is written in the .gltf.
    pub uri: Option<String>,
    /// The media type, such as `image/png`; empty if it is not known.
    pub mime: String,
    /// The bytes of the picture file; empty if they are missing, see the warnings.
    pub bytes: Vec<u8>,
}
