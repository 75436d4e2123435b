//! Pictures drawn by a graphics driver.

use std::sync::{Arc, Mutex, PoisonError};

use canter_scene::{Camera, Look, Scene};
use canter_soft::Picture;
use canter_wgpu::{Headless, HeadlessError, Offscreen, Renderer, RendererOptions, Target};

use super::options::Size;

/// A device, and what it draws into.
#[derive(Debug)]
pub(crate) struct Gpu {
    headless: Headless,
    renderer: Renderer,
    offscreen: Option<Offscreen>,
    /// What the driver refused, if anything: too little memory, most likely.
    refused: Arc<Mutex<Option<String>>>,
}

impl Gpu {
    /// The best device that there is, or why there is none. One that draws in software is taken only if
    /// `takes_software`.
    pub(super) fn open(takes_software: bool) -> Result<Self, String> {
        let headless = Headless::new().map_err(|error| match error {
            HeadlessError::NoAdapter(_) => "no graphics driver was found".to_owned(),
            error => error.to_string(),
        })?;
        if headless.is_software() && !takes_software {
            return Err(format!("the only graphics driver draws in software, too: {}", headless.info.name));
        }
        let refused = Arc::new(Mutex::new(None));
        let listener = Arc::clone(&refused);
        headless.device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let mut refused = listener.lock().unwrap_or_else(PoisonError::into_inner);
            // The first one is the cause.
            refused.get_or_insert(first_line(&error.to_string()));
        }));
        let renderer = Renderer::new(&headless.device, &headless.queue, RendererOptions::default());
        Ok(Self { headless, renderer, offscreen: None, refused })
    }

    pub(super) fn name(&self) -> String {
        let info = &self.headless.info;
        format!("{} by {:?}", info.name, info.backend)
    }

    /// Draws a picture, or says why not.
    pub(super) fn paint(
        &mut self,
        scene: &Scene,
        camera: &Camera,
        look: &Look,
        Size { width, height }: Size,
    ) -> Result<Picture, String> {
        let Headless { device, queue, .. } = &self.headless;
        let most = device.limits().max_texture_dimension_2d;
        if width.max(height) > most {
            return Err(format!("its pictures have at most {most} pixels a side"));
        }
        let kept = self.offscreen.take().filter(|kept| kept.size() == (width, height));
        let offscreen = self.offscreen.insert(kept.unwrap_or_else(|| Offscreen::new(device, width, height)));
        let target = Target { view: offscreen.view(), width, height };
        self.renderer.render(device, queue, target, scene, camera, look);
        let read = offscreen.read(device, queue);
        if let Some(refused) = self.refused.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(refused);
        }
        let mut pixels = read.map_err(|error| error.to_string())?;
        divide_by_alpha(&mut pixels);
        Ok(Picture { width, height, pixels })
    }

    #[cfg(test)]
    pub(super) fn lose(&self) {
        self.headless.device.destroy();
    }
}

fn first_line(text: &str) -> String {
    text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("for no reason given").to_owned()
}

/// The renderer multiplies light by alpha; pictures have them apart.
fn divide_by_alpha(pixels: &mut [u8]) {
    for pixel in pixels.chunks_exact_mut(4).filter(|pixel| pixel[3] < 255) {
        let alpha = f32::from(pixel[3]) / 255.0;
        for channel in &mut pixel[..3] {
            *channel = if alpha > 0.0 { srgb_from_light(light_from_srgb(*channel) / alpha) } else { 0 };
        }
    }
}

fn light_from_srgb(byte: u8) -> f32 {
    let value = f32::from(byte) / 255.0;
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

fn srgb_from_light(light: f32) -> u8 {
    let value = if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let byte = (value.clamp(0.0, 1.0) * 255.0).round() as u8;
    byte
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_divided_by_alpha_as_light() {
        // Half of the light of white is 188 in sRGB.
        let mut pixels = [188, 188, 188, 128, 9, 9, 9, 255, 7, 7, 7, 0];
        divide_by_alpha(&mut pixels);
        assert!(pixels[..3].iter().all(|&channel| channel >= 254), "{pixels:?}");
        assert_eq!(pixels[3..], [128, 9, 9, 9, 255, 0, 0, 0, 0]);
    }

    #[test]
    fn bytes_come_back_from_light() {
        assert!((0..=255).all(|byte| srgb_from_light(light_from_srgb(byte)) == byte));
    }
}
