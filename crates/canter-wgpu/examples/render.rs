//! Draws the hero with the sword in his hand, without a window: `cargo run -p canter-wgpu --example render --
//! hero.png`.

use canter::glam::{DAffine3, DVec3};
use canter_scene::{Camera, Character, Look, Model, Parent, Scene};
use canter_wgpu::{Headless, Offscreen, Renderer, RendererOptions, Target};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (hero, sword) = (Model::load("assets/hero.glb")?, Model::load("assets/sword.glb")?);
    let hand = hero.asset.skeleton.joint("hand_R").ok_or("the hero has no right hand")?;
    let mut scene = Scene::new();
    let mut figure = Character::new(&hero);
    figure.fade_to("Run", 0.0)?;
    let figure = scene.spawn(figure, Parent::World, DAffine3::IDENTITY)?;
    scene.spawn(Character::new(&sword), Parent::Joint(figure, hand), DAffine3::IDENTITY)?;
    scene.update(0.2);

    let Headless { device, queue, .. } = Headless::new()?;
    let mut renderer = Renderer::new(&device, &queue, RendererOptions::default());
    let (width, height) = (800, 800);
    let picture = Offscreen::new(&device, width, height);
    let camera = Camera::orbit(DVec3::Y * 0.95, 5.2, 0.6, 0.18);
    let target = Target { view: picture.view(), width, height };
    renderer.render(&device, &queue, target, &scene, &camera, &Look::default());

    let file = std::env::args().nth(1).unwrap_or_else(|| "hero.png".to_owned());
    let pixels = picture.read(&device, &queue)?;
    image::save_buffer(file, &pixels, width, height, image::ColorType::Rgba8)?;
    Ok(())
}
