//! Pictures of a file as textures, with their smaller versions.

use canter_gltf::{Asset, Filter, Picture, PictureLimits, Sampler, Wrap};
use image::{DynamicImage, RgbaImage};

/// Whether the numbers of a picture are colours, which are encoded, or plain numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    Color,
    Plain,
}

/// Light of an sRGB byte.
pub(super) fn linear(byte: u8) -> f32 {
    let value = f32::from(byte) / 255.0;
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// A texture of a file. `None` if its picture is missing or cannot be read.
pub(super) fn load(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    asset: &Asset,
    texture: usize,
    numbers: Numbers,
) -> Option<(wgpu::TextureView, wgpu::Sampler)> {
    let texture = asset.textures.get(texture)?;
    let source = asset.images.get(texture.image?)?;
    if source.bytes.is_empty() {
        return None;
    }
    let picture = match decode(&source.bytes) {
        Ok(picture) => picture,
        Err(error) => {
            log::warn!("image {:?} is left out: {error}", source.name);
            return None;
        }
    };
    let most = device.limits().max_texture_dimension_2d;
    let picture = if picture.width().max(picture.height()) > most {
        picture.resize(most, most, image::imageops::FilterType::Triangle)
    } else {
        picture
    };
    let view = upload(device, queue, picture.into_rgba8(), numbers, texture.sampler.mip_filter.is_some());
    Some((view, sampler(device, &texture.sampler)))
}

fn decode(bytes: &[u8]) -> Result<DynamicImage, Box<dyn std::error::Error>> {
    if !canter_gltf::is_ktx2(bytes) {
        return Ok(image::load_from_memory(bytes)?);
    }
    let Picture { width, height, rgba } = canter_gltf::decode_ktx2(bytes, &PictureLimits::default())?;
    Ok(RgbaImage::from_raw(width, height, rgba).ok_or("too few texels")?.into())
}

/// A texture of one colour.
pub(super) fn plain(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    color: [u8; 4],
    numbers: Numbers,
) -> wgpu::TextureView {
    upload(device, queue, RgbaImage::from_pixel(1, 1, image::Rgba(color)), numbers, false)
}

fn upload(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    picture: RgbaImage,
    numbers: Numbers,
    has_levels: bool,
) -> wgpu::TextureView {
    let (width, height) = picture.dimensions();
    let mip_level_count = if has_levels { width.max(height).max(1).ilog2() + 1 } else { 1 };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("canter picture"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: match numbers {
            Numbers::Color => wgpu::TextureFormat::Rgba8UnormSrgb,
            Numbers::Plain => wgpu::TextureFormat::Rgba8Unorm,
        },
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let light: [f32; 256] = std::array::from_fn(|byte| linear(u8::try_from(byte).unwrap_or(255)));
    let mut level = picture;
    for mip_level in 0..mip_level_count {
        if mip_level > 0 {
            level = halved(&level, numbers, &light);
        }
        let (width, height) = level.dimensions();
        queue.write_texture(
            wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() },
            &level,
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(width * 4), rows_per_image: None },
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// Half as wide and high. Colours are averaged as light: dark and bright stripes do not grow darker from
/// afar.
fn halved(picture: &RgbaImage, numbers: Numbers, light: &[f32; 256]) -> RgbaImage {
    let (width, height) = picture.dimensions();
    RgbaImage::from_fn((width / 2).max(1), (height / 2).max(1), |x, y| {
        let corners = [(0, 0), (1, 0), (0, 1), (1, 1)]
            .map(|(dx, dy)| picture.get_pixel((2 * x + dx).min(width - 1), (2 * y + dy).min(height - 1)).0);
        image::Rgba(std::array::from_fn(|channel| {
            if numbers == Numbers::Color && channel < 3 {
                encoded(
                    corners.map(|corner| light[usize::from(corner[channel])]).iter().sum::<f32>() / 4.0,
                    light,
                )
            } else {
                let sum: u16 = corners.map(|corner| u16::from(corner[channel])).iter().sum();
                u8::try_from((sum + 2) / 4).unwrap_or(255)
            }
        }))
    })
}

/// The byte whose light is nearest.
fn encoded(value: f32, light: &[f32; 256]) -> u8 {
    let above = light.partition_point(|&light| light < value).min(255);
    let below = above.saturating_sub(1);
    let nearest = if value - light[below] < light[above] - value { below } else { above };
    u8::try_from(nearest).unwrap_or(255)
}

fn sampler(device: &wgpu::Device, sampler: &Sampler) -> wgpu::Sampler {
    let wrap = |wrap| match wrap {
        Wrap::Repeat => wgpu::AddressMode::Repeat,
        Wrap::Mirror => wgpu::AddressMode::MirrorRepeat,
        Wrap::Clamp => wgpu::AddressMode::ClampToEdge,
    };
    let filter = |filter| match filter {
        Filter::Nearest => wgpu::FilterMode::Nearest,
        Filter::Linear => wgpu::FilterMode::Linear,
    };
    device.create_sampler(&wgpu::SamplerDescriptor {
        address_mode_u: wrap(sampler.wrap_u),
        address_mode_v: wrap(sampler.wrap_v),
        mag_filter: filter(sampler.mag_filter),
        min_filter: filter(sampler.min_filter),
        mipmap_filter: match sampler.mip_filter {
            Some(Filter::Linear) => wgpu::MipmapFilterMode::Linear,
            Some(Filter::Nearest) | None => wgpu::MipmapFilterMode::Nearest,
        },
        ..wgpu::SamplerDescriptor::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stripes_keep_their_light_when_they_shrink() {
        let light: [f32; 256] = std::array::from_fn(|byte| linear(u8::try_from(byte).unwrap()));
        let stripes = RgbaImage::from_fn(4, 1, |x, _| image::Rgba([if x % 2 == 0 { 0 } else { 255 }; 4]));
        let half = halved(&stripes, Numbers::Color, &light);
        assert_eq!(half.dimensions(), (2, 1));
        assert_eq!(half.get_pixel(0, 0).0, [188, 188, 188, 128]);
        assert_eq!(halved(&stripes, Numbers::Plain, &light).get_pixel(1, 0).0, [128; 4]);
    }
}
