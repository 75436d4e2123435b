//! Textures and images from the file.

use super::{Filter, Image, Sampler, Texture, Wrap};
use crate::buffers::read_uri;
use crate::error::Failure;
use crate::place::Place;
use crate::schema;
use crate::schema::{Size, owned};
use crate::source::Source;
use crate::uri::DataUri;
use crate::warning::WarningCode;

pub(crate) fn textures(source: &Source<'_>) -> Result<Vec<Texture>, Failure> {
    let list = Place::list("textures");
    let document = source.document;
    let load = |(index, texture): (usize, &schema::material::Texture<'_>)| {
        let place = list.item(index);
        // The fallback, where there is one: everybody can read it.
        let image = match texture.source.or_else(|| texture.extensions.source()) {
            Some(image) => Some(place.field("source").index(image.get(), "images", document.images.len())?),
            None => {
                source.report.note(
                    &place,
                    WarningCode::TextureWithoutImage,
                    "the texture has no image that can be read",
                );
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
            source.report.warn(
                &Place::Root,
                WarningCode::ImageMissing,
                format_args!("{error}; the image is left out"),
            );
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
) -> Result<Vec<u8>, Failure> {
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
        [0xAB, b'K', b'T', b'X', b' ', b'2', b'0', 0xBB, ..] => "image/ktx2",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        _ => "",
    }
}
