//! The picture on a canvas. What happened is told by the attributes `data-…` of the page.

use std::error::Error;
use std::sync::Arc;

use canter_scene::Model;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_futures::js_sys::{ArrayBuffer, Uint8Array};

use crate::drawing::{Drawing, SIZE};

/// Draws as soon as the browser lets it; what goes wrong is `data-error`.
pub(crate) fn start() {
    std::panic::set_hook(Box::new(|panic| web_sys::console::error_1(&panic.to_string().into())));
    wasm_bindgen_futures::spawn_local(async {
        match draw().await {
            Ok(()) => tell("ready", "true"),
            Err(error) => tell("error", &error.to_string()),
        }
    });
}

async fn draw() -> Result<(), Box<dyn Error>> {
    let (model_url, drawing) = wanted()?;
    let model = Arc::new(Model::new(canter_gltf::load_bytes(&fetch(&model_url).await?)?));

    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::BROWSER_WEBGPU | wgpu::Backends::GL;
    let instance = wgpu::util::new_instance_with_webgpu_detection(descriptor).await;
    let surface = instance.create_surface(wgpu::SurfaceTarget::Canvas(canvas()?))?;
    let options = wgpu::RequestAdapterOptions { compatible_surface: Some(&surface), ..Default::default() };
    let adapter = instance.request_adapter(&options).await?;
    let backend = adapter.get_info().backend;
    tell("backend", &backend.to_string());
    let required_limits = match backend {
        wgpu::Backend::Gl => wgpu::Limits::downlevel_webgl2_defaults().using_resolution(adapter.limits()),
        _ => wgpu::Limits::default(),
    };
    let descriptor = wgpu::DeviceDescriptor { required_limits, ..Default::default() };
    let (device, queue) = adapter.request_device(&descriptor).await?;
    device.set_device_lost_callback(|reason, text| tell("error", &format!("device lost: {reason:?} {text}")));

    let (width, height) = SIZE;
    let mut config = surface.get_default_config(&adapter, width, height).ok_or("no format for the canvas")?;
    let is_encoding = choose_format(&surface.get_capabilities(&adapter).formats, &mut config);
    surface.configure(&device, &config);
    let wgpu::CurrentSurfaceTexture::Success(frame) = surface.get_current_texture() else {
        return Err("the canvas has no picture to draw into".into());
    };
    let format = config.format.add_srgb_suffix();
    let location = if is_encoding {
        let view = frame.texture.create_view(&wgpu::TextureViewDescriptor::default());
        drawing.draw(&device, &queue, &model, (&view, format))?
    } else {
        let picture = device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: frame.texture.size(),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let view = picture.create_view(&wgpu::TextureViewDescriptor::default());
        let location = drawing.draw(&device, &queue, &model, (&view, format))?;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let (from, to) = (picture.as_image_copy(), frame.texture.as_image_copy());
        encoder.copy_texture_to_texture(from, to, picture.size());
        queue.submit([encoder.finish()]);
        location
    };
    queue.present(frame);
    tell("palettes", &format!("{location:?}").to_lowercase());
    Ok(())
}

/// Chooses a format that encodes colours, so that they are mixed as light; gives whether there is one. Canvases
/// of WebGL2 have it; to those of WebGPU the bytes of a picture that has it are copied.
fn choose_format(formats: &[wgpu::TextureFormat], config: &mut wgpu::SurfaceConfiguration) -> bool {
    let encoding = formats.iter().find(|format| format.is_srgb());
    match encoding {
        Some(&format) => config.format = format,
        None => config.usage |= wgpu::TextureUsages::COPY_DST,
    }
    encoding.is_some()
}

/// The model and what draws it, from the address of the page.
fn wanted() -> Result<(String, Drawing), Box<dyn Error>> {
    let window = web_sys::window().ok_or("there is no window")?;
    let search = window.location().search().map_err(|error| told(&error))?;
    let parameters = web_sys::UrlSearchParams::new_with_str(&search).map_err(|error| told(&error))?;
    let model = parameters.get("model").unwrap_or("../hero.glb".to_owned());
    Ok((model, Drawing::named(parameters.get("palettes").as_deref())?))
}

fn canvas() -> Result<web_sys::HtmlCanvasElement, Box<dyn Error>> {
    let document = web_sys::window().and_then(|window| window.document()).ok_or("there is no document")?;
    let element = document.query_selector("canvas").ok().flatten().ok_or("there is no canvas")?;
    Ok(element.dyn_into().map_err(|_| "the canvas is none")?)
}

async fn fetch(url: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let window = web_sys::window().ok_or("there is no window")?;
    let response = JsFuture::from(window.fetch_with_str(url)).await.map_err(|error| told(&error))?;
    let response: web_sys::Response = response.dyn_into().map_err(|error| told(&error))?;
    if !response.ok() {
        return Err(format!("{url}: {} {}", response.status(), response.status_text()).into());
    }
    let bytes = response.array_buffer().map_err(|error| told(&error))?;
    let bytes: ArrayBuffer =
        JsFuture::from(bytes).await.and_then(|bytes| bytes.dyn_into()).map_err(|error| told(&error))?;
    Ok(Uint8Array::new(&bytes).to_vec())
}

fn told(error: &JsValue) -> String {
    format!("{error:?}")
}

/// Sets an attribute of the page.
fn tell(name: &str, value: &str) {
    let body = web_sys::window().and_then(|window| window.document()).and_then(|document| document.body());
    if let Some(body) = body {
        // Nobody is left to hear that this failed.
        let _ = body.dataset().set(name, value);
    }
}
