//! Textures and images. Pictures are handed on as they are in the file: the renderer decodes them.

use crate::buffers::read_uri;
use crate::error::LoadError;
use crate::place::Place;
use crate::schema;
use crate::schema::{Size, owned};
use crate::source::Source;
use crate::uri::DataUri;

/// An image and how it is sampled.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texture {
    /// The file's name for it.
    pub name: Option<String>,
    /// Index of the image; `None` if the image is in a format of an extension that is not known.
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

pub(crate) fn textures(source: &Source<'_>) -> Result<Vec<Texture>, LoadError> {
    let list = Place::list("textures");
    let document = source.document;
    let load = |(index, texture): (usize, &schema::material::Texture<'_>)| {
        let place = list.item(index);
        let webp = || texture.extensions.webp.as_ref().and_then(|webp| webp.source);
        let image = match texture.source.or_else(webp) {
            Some(image) => Some(place.field("source").index(image.get(), "images", document.images.len())?),
            None => {
                source.report.note(&place, "the texture has no image that can be read");
                None
            }
        };
        let sampler = match texture.sampler {
            Some(index) => {
                let index = place.field("sampler").index(index.get(), "samplers", document.samplers.len())?;
                sampler(&document.samplers[index])
            }
            None => sampler(&schema::material::Sampler::default()),
        };
        Ok(Texture { name: owned(&texture.name), image, sampler })
    };
    document.textures.iter().enumerate().map(load).collect()
}

fn sampler(sampler: &schema::material::Sampler) -> Sampler {
    let wrap = |code: Option<Size>| match code.map(|code| code.0) {
        Some(33071) => Wrap::Clamp,
        Some(33648) => Wrap::Mirror,
        _ => Wrap::Repeat,
    };
    let (min_filter, mip_filter) = match sampler.min_filter.map(|code| code.0) {
        Some(9728) => (Filter::Nearest, None),
        Some(9729) => (Filter::Linear, None),
        Some(9984) => (Filter::Nearest, Some(Filter::Nearest)),
        Some(9985) => (Filter::Linear, Some(Filter::Nearest)),
        Some(9986) => (Filter::Nearest, Some(Filter::Linear)),
        // Where the file says nothing, the renderer decides: the best.
        _ => (Filter::Linear, Some(Filter::Linear)),
    };
    let mag_filter = if sampler.mag_filter == Some(Size(9728)) { Filter::Nearest } else { Filter::Linear };
    Sampler { mag_filter, min_filter, mip_filter, wrap_u: wrap(sampler.wrap_s), wrap_v: wrap(sampler.wrap_t) }
}

/// The images. A missing one is a warning: the figure moves without it.
pub(crate) fn images(source: &Source<'_>) -> Vec<Image> {
    let list = Place::list("images");
    let load = |(index, image): (usize, &schema::material::Image<'_>)| {
        let place = list.item(index);
        let data = image.uri.as_ref().and_then(|uri| DataUri::parse(&uri.0));
        let mime = match (&image.mime_type, &data) {
            (Some(mime), _) => mime.0.to_string(),
            (None, Some(data)) => data.mime.to_owned(),
            (None, None) => String::new(),
        };
        let uri = image.uri.as_ref().filter(|_| data.is_none()).map(|uri| uri.0.to_string());
        let bytes = if source.options.images { image_bytes(image, source, &place) } else { Ok(Vec::new()) };
        let bytes = bytes.unwrap_or_else(|error| {
            source.report.warn(&Place::Root, format_args!("{error}; the image is left out"));
            Vec::new()
        });
        let mime = if mime.is_empty() { guess_mime(&bytes).to_owned() } else { mime };
        Image { name: owned(&image.name), uri, mime, bytes }
    };
    source.document.images.iter().enumerate().map(load).collect()
}

fn image_bytes(
    image: &schema::material::Image<'_>,
    source: &Source<'_>,
    place: &Place<'_>,
) -> Result<Vec<u8>, LoadError> {
    let budget = &source.accessors.budget;
    match (&image.uri, image.buffer_view) {
        (_, Some(view)) => {
            let place = place.field("bufferView");
            let view = source.accessors.buffers.view(view, budget, &place)?;
            budget.take(view.bytes.len() as u64, &place)?;
            Ok(view.bytes.to_vec())
        }
        (Some(uri), None) => read_uri(&uri.0, source.resolver, &source.options.limits, &place.field("uri")),
        (None, None) => Err(place.invalid("neither uri nor bufferView", "one of them")),
    }
}

/// The media type that the first bytes tell.
fn guess_mime(bytes: &[u8]) -> &'static str {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [0xFF, 0xD8, ..] => "image/jpeg",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        _ => "",
    }
}
