//! The picture as a file.

use std::error::Error;

use canter_scene::Model;
use canter_wgpu::{Headless, Offscreen};

use crate::drawing::{Drawing, SIZE};

/// `browser PICTURE [MODEL] [PALETTES]`.
pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let picture = arguments.next().unwrap_or("browser.png".to_owned());
    let model = Model::load(arguments.next().unwrap_or("assets/hero.glb".to_owned()))?;
    let drawing = Drawing::named(arguments.next().as_deref())?;
    let Headless { device, queue, .. } = Headless::new()?;
    let offscreen = Offscreen::new(&device, SIZE.0, SIZE.1);
    drawing.draw(&device, &queue, &model, (offscreen.view(), Offscreen::FORMAT))?;
    let pixels = offscreen.read(&device, &queue)?;
    Ok(image::save_buffer(picture, &pixels, SIZE.0, SIZE.1, image::ColorType::Rgba8)?)
}
