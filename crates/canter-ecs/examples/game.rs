//! A small game without a window: the hero stands, runs when told to, and has a sword in his hand; others go about.
//!
//! `cargo run --release -p canter-ecs --example game` writes `target/game.png`, drawn on the CPU, or with `--features renderer` on the GPU.

use std::error::Error;
use std::sync::Arc;

use bevy_ecs::prelude::*;
use canter::glam::{DAffine3, DVec3, Quat};
use canter_ecs::{
    AnimationClipLibrary, AnimationMixer, AnimationPlayer, AnimationSet, AttachedTo, LocalPose, ModelJoints,
    Placement, Skeleton, Time, Update,
};
use canter_scene::{Camera, Character, Framing, Look, Model, NodeId, Parent, Scene};

/// What the player of the game wants.
#[derive(Resource, Default, PartialEq)]
struct Runs(bool);

#[derive(Component)]
struct Hero(Arc<Model>);

/// What the renderer draws.
#[derive(Resource, Default)]
struct Stage(Scene);

#[derive(Component)]
struct Drawn(NodeId);

type Figure = (&'static Drawn, &'static Placement, &'static LocalPose, &'static ModelJoints);

fn steer(runs: Res<'_, Runs>, mut heroes: Query<'_, '_, (&Hero, &mut AnimationMixer)>) {
    for (hero, mut mixer) in heroes.iter_mut().filter(|_| runs.is_changed()) {
        if let Ok(clip) = hero.0.asset.clip(if runs.0 { "Run" } else { "Idle" }) {
            mixer.crossfade_to(clip, 0.3);
        }
    }
}

/// A line of ours between two stages: the hero looks over his shoulder.
fn look_around(mut poses: Query<'_, '_, &mut LocalPose, With<Hero>>) {
    for mut pose in &mut poses {
        if let Some(head) = pose.skeleton().joint("head") {
            pose.joint_mut(head).rotation *= Quat::from_rotation_y(0.5);
        }
    }
}

fn show(mut stage: ResMut<'_, Stage>, figures: Query<'_, '_, Figure>) {
    for (drawn, placement, pose, model) in &figures {
        stage.0.set_local(drawn.0, placement.0);
        if let Some(character) = stage.0.character_mut(drawn.0) {
            character.pose.clone_from(pose);
            character.model_pose.clone_from(model);
            character.write_palette();
        }
    }
    stage.0.update_transforms();
}

/// An entity with a skeleton, and its figure on the stage.
fn spawn(world: &mut World, model: &Arc<Model>, x: f64, z: f64) -> Result<Entity, Box<dyn Error>> {
    let place = DAffine3::from_translation(DVec3::new(x, 0.0, z));
    let node = world.resource_mut::<Stage>().0.spawn(Character::new(model), Parent::World, place)?;
    let skeleton = Skeleton::new(&model.asset.skeleton, model.asset.skins.clone());
    Ok(world.spawn((skeleton, Placement(place), Drawn(node))).id())
}

const SIZE: (u32, u32) = (1280, 720);

#[cfg(not(feature = "renderer"))]
fn draw(scene: &Scene, camera: &Camera) -> Result<Vec<u8>, Box<dyn Error>> {
    Ok(canter_soft::SoftRenderer::new().render(scene, camera, &Look::default(), SIZE.0, SIZE.1).pixels)
}

#[cfg(feature = "renderer")]
fn draw(scene: &Scene, camera: &Camera) -> Result<Vec<u8>, Box<dyn Error>> {
    let gpu = canter_wgpu::Headless::new()?;
    let picture = canter_wgpu::Offscreen::new(&gpu.device, SIZE.0, SIZE.1);
    let target = canter_wgpu::Target { view: picture.view(), width: SIZE.0, height: SIZE.1 };
    let mut renderer = canter_wgpu::Renderer::new(&gpu.device, &gpu.queue, Default::default());
    renderer.render(&gpu.device, &gpu.queue, target, scene, camera, &Look::default());
    Ok(picture.read(&gpu.device, &gpu.queue)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    let (hero, sword) = (Model::load("assets/hero.glb")?, Model::load("assets/sword.glb")?);

    let mut world = World::new();
    canter_ecs::install(&mut world, Update);
    world.init_resource::<Stage>();
    world.init_resource::<Runs>();
    let between = look_around.after(AnimationSet::Sample).before(AnimationSet::Compose);
    let systems = (steer.before(AnimationSet::Advance), between, show.after(AnimationSet::Palette));
    world.resource_mut::<Schedules>().add_systems(Update, systems);

    let (figure, blade) = (spawn(&mut world, &hero, 0.0, 0.0)?, spawn(&mut world, &sword, 0.0, 0.0)?);
    let skeleton = world.get::<Skeleton>(figure).ok_or("no skeleton")?;
    let (hand, mixer) = (skeleton.joint("hand_R"), AnimationMixer::new(skeleton));
    world.entity_mut(figure).insert((Hero(Arc::clone(&hero)), mixer));
    world.entity_mut(blade).insert(AttachedTo { joint: hand, ..AttachedTo::new(figure) });
    for (clip_index, x) in [(1, -2.4), (3, -1.2), (4, 1.2), (5, 2.4)] {
        let other = spawn(&mut world, &hero, x, -1.0)?;
        let library = AnimationClipLibrary::new(hero.asset.clips.clone());
        world.entity_mut(other).insert((library, AnimationPlayer { clip_index, ..Default::default() }));
    }

    world.resource_mut::<Time>().delta_secs = 1.0 / 60.0;
    for frame in 0..75 {
        world.resource_mut::<Runs>().set_if_neq(Runs(frame >= 30));
        world.run_schedule(Update);
    }
    let mut framing = Framing::new(0.4, 0.15, 16.0 / 9.0);
    framing.include_scene(&world.resource::<Stage>().0);
    let pixels = draw(&world.resource::<Stage>().0, &framing.camera())?;
    Ok(image::save_buffer("target/game.png", &pixels, SIZE.0, SIZE.1, image::ColorType::Rgba8)?)
}
