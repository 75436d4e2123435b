//! A small game without a window: the hero stands, runs when told to, and has a sword in his hand; others go about.
//!
//! `cargo run --release -p canter-ecs --example game` writes `target/game.png`.
#![allow(clippy::print_stdout, reason = "an example")]

use std::error::Error;
use std::sync::Arc;

use bevy_ecs::prelude::*;
use canter::glam::{DAffine3, DVec3, Quat};
use canter_ecs::{
    AnimationClipLibrary, AnimationMixer, AnimationPlayer, AnimationSet, AttachedTo, LocalPose, ModelJoints,
    Placement, Skeleton, Time, Update,
};
use canter_scene::{Character, Framing, Look, Model, NodeId, Parent, Scene};
use canter_soft::SoftRenderer;

/// What the player of the game wants.
#[derive(Resource, Default)]
struct Input {
    runs: bool,
}

#[derive(Component)]
struct Hero(Arc<Model>);

/// What the renderer draws; here the one on the CPU.
#[derive(Resource, Default)]
struct Stage(Scene);

#[derive(Component)]
struct Drawn(NodeId);

fn steer(input: Res<'_, Input>, mut heroes: Query<'_, '_, (&Hero, &mut AnimationMixer)>) {
    for (hero, mut mixer) in heroes.iter_mut().filter(|_| input.is_changed()) {
        if let Ok(clip) = hero.0.asset.clip(if input.runs { "Run" } else { "Idle" }) {
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

fn show(
    mut stage: ResMut<'_, Stage>,
    figures: Query<'_, '_, (&Drawn, &Placement, &LocalPose, &ModelJoints)>,
) {
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

fn main() -> Result<(), Box<dyn Error>> {
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    let (hero, sword) = (Model::load("assets/hero.glb")?, Model::load("assets/sword.glb")?);

    let mut world = World::new();
    canter_ecs::install(&mut world, Update);
    world.init_resource::<Stage>();
    world.init_resource::<Input>();
    world.resource_mut::<Schedules>().add_systems(
        Update,
        (
            steer.before(AnimationSet::Advance),
            look_around.after(AnimationSet::Sample).before(AnimationSet::Compose),
            show.after(AnimationSet::Palette),
        ),
    );

    let figure = spawn(&mut world, &hero, 0.0, 0.0)?;
    let skeleton = world.get::<Skeleton>(figure).ok_or("no skeleton")?;
    let (hand, mixer) = (skeleton.joint("hand_R"), AnimationMixer::new(skeleton));
    world.entity_mut(figure).insert((Hero(Arc::clone(&hero)), mixer));
    let blade = spawn(&mut world, &sword, 0.0, 0.0)?;
    world.entity_mut(blade).insert(AttachedTo { joint: hand, ..AttachedTo::new(figure) });
    for (clip_index, x) in [(1, -2.4), (3, -1.2), (4, 1.2), (5, 2.4)] {
        let other = spawn(&mut world, &hero, x, -1.0)?;
        let library = AnimationClipLibrary::new(hero.asset.clips.clone());
        world.entity_mut(other).insert((library, AnimationPlayer { clip_index, ..Default::default() }));
    }

    world.resource_mut::<Time>().delta_secs = 1.0 / 60.0;
    for frame in 0..75 {
        if frame == 30 {
            world.resource_mut::<Input>().runs = true;
        }
        world.run_schedule(Update);
    }
    let scene = &world.resource::<Stage>().0;
    let mut framing = Framing::new(0.4, 0.15, 16.0 / 9.0);
    framing.include_scene(scene);
    let picture = SoftRenderer::new().render(scene, &framing.camera(), &Look::default(), 1_280, 720);
    let image =
        image::RgbaImage::from_raw(picture.width, picture.height, picture.pixels).ok_or("no picture")?;
    image.save("target/game.png")?;
    println!("wrote target/game.png");
    Ok(())
}
