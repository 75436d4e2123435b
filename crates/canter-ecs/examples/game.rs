//! A small game without a window: the hero walks about as his clips lead him, and has a sword in his hand;
//! others move on the spot.
//!
//! `cargo run --release -p canter-ecs --example game` counts footsteps and writes `target/game.png`, drawn on
//! the CPU, or with `--features renderer` on the GPU.

use std::error::Error;
use std::io::{self, Write};
use std::sync::Arc;

use bevy_ecs::prelude::*;
use canter::glam::{DAffine3, DVec3, Quat};
use canter::{Play, SyncGroup};
use canter_ecs::{
    AnimationClipLibrary, AnimationMarker, AnimationMixer, AnimationPlayer, AnimationSet, ApplyRootMotion,
    AttachedTo, ModelPose, Palette, Placement, Pose, Rig, Time, Update,
};
use canter_gltf::LoadOptions;
use canter_scene::{Camera, Figure, Framing, Look, Model};

/// The clip that the player of the game wants.
#[derive(Resource, PartialEq)]
struct Wanted(&'static str);

/// From which second on he wants what: there, a turn to the left, and on at a run.
const WISHES: [(f32, &str); 5] =
    [(0.0, "Idle"), (0.5, "WalkRoot"), (2.5, "TurnLeft"), (3.4, "WalkRoot"), (4.4, "RunRoot")];
const END_SECS: f32 = 5.4;

#[derive(Resource, Default)]
struct Footsteps(usize);

#[derive(Component)]
struct Hero;

/// The file that an entity is drawn from.
#[derive(Component)]
struct Drawn(Arc<Model>);

/// What the renderer has to know of an entity.
type Components = (&'static Drawn, &'static Placement, &'static Pose, &'static ModelPose, &'static Palette);

/// Entities are drawn as they are: nothing is copied.
fn figures<'w>(query: &'w mut QueryState<Components>, world: &'w World) -> impl Iterator<Item = Figure<'w>> {
    query.iter(world).map(|(drawn, placement, pose, model_pose, palette)| Figure {
        model: &drawn.0,
        world_from_model: placement.0,
        pose,
        model_pose,
        palette: palette.matrices(),
        bounds: None,
    })
}

fn steer(wanted: Res<'_, Wanted>, mut heroes: Query<'_, '_, (&Drawn, &mut AnimationMixer), With<Hero>>) {
    for (drawn, mut mixer) in heroes.iter_mut().filter(|_| wanted.is_changed()) {
        if let Ok(clip) = drawn.0.asset.clip(wanted.0) {
            // A walk becomes a run without a stumble: they have the same markers.
            let sync = matches!(wanted.0, "WalkRoot" | "RunRoot").then_some(SyncGroup::by_markers(0));
            mixer.crossfade_to(clip, Play { sync, fade: 0.2.into(), ..Play::default() });
        }
    }
}

/// A game would play a sound for each.
fn hear(
    mut markers: MessageReader<'_, '_, AnimationMarker>,
    heroes: Query<'_, '_, (), With<Hero>>,
    mut footsteps: ResMut<'_, Footsteps>,
) {
    let is_step = |marker: &&AnimationMarker| {
        heroes.contains(marker.entity) && marker.event.name.starts_with("foot_") && marker.event.weight > 0.1
    };
    footsteps.0 += markers.read().filter(is_step).count();
}

/// A line of ours between two stages: the hero looks over his shoulder.
fn look_around(mut poses: Query<'_, '_, &mut Pose, With<Hero>>) {
    for mut pose in &mut poses {
        if let Some(head) = pose.skeleton().joint("head") {
            pose.joint_mut(head).rotation *= Quat::from_rotation_y(0.5);
        }
    }
}

/// An entity with a skeleton, that is drawn.
fn spawn(world: &mut World, model: &Arc<Model>, x: f64, z: f64) -> Entity {
    let place = DAffine3::from_translation(DVec3::new(x, 0.0, z));
    let skeleton = Rig::new(&model.asset.skeleton, model.asset.skins.clone());
    world.spawn((skeleton, Placement(place), Drawn(Arc::clone(model)))).id()
}

const SIZE: (u32, u32) = (1280, 720);

#[cfg(not(feature = "renderer"))]
fn draw<'a>(figures: impl Iterator<Item = Figure<'a>>, camera: &Camera) -> Result<Vec<u8>, Box<dyn Error>> {
    Ok(canter_soft::SoftRenderer::new().render(figures, camera, &Look::default(), SIZE.0, SIZE.1).pixels)
}

#[cfg(feature = "renderer")]
fn draw<'a>(figures: impl Iterator<Item = Figure<'a>>, camera: &Camera) -> Result<Vec<u8>, Box<dyn Error>> {
    let gpu = canter_wgpu::Headless::new()?;
    let picture = canter_wgpu::Offscreen::new(&gpu.device, SIZE.0, SIZE.1);
    let target = canter_wgpu::Target { view: picture.view(), width: SIZE.0, height: SIZE.1 };
    let mut renderer = canter_wgpu::Renderer::new(&gpu.device, &gpu.queue, Default::default());
    renderer.render(&gpu.device, &gpu.queue, target, figures, camera, &Look::default());
    Ok(picture.read(&gpu.device, &gpu.queue)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    let hero = canter_gltf::load_with("assets/hero.glb", &LoadOptions::default().with_root_motion())?;
    let (hero, sword) = (Arc::new(Model::new(hero)), Model::load("assets/sword.glb")?);

    let mut world = World::new();
    canter_ecs::install(&mut world, Update);
    world.init_resource::<Footsteps>();
    world.insert_resource(Wanted("Idle"));
    let between = look_around.after(AnimationSet::Sample).before(AnimationSet::Compose);
    let ours = (steer.before(AnimationSet::Advance), hear.after(AnimationSet::Advance), between);
    world.resource_mut::<Schedules>().add_systems(Update, ours);

    let (figure, blade) = (spawn(&mut world, &hero, -3.0, -1.0), spawn(&mut world, &sword, 0.0, 0.0));
    let skeleton = world.get::<Rig>(figure).ok_or("no skeleton")?;
    let (hand, mixer) = (skeleton.joint("hand_R"), AnimationMixer::new(skeleton));
    world.entity_mut(figure).insert((Hero, mixer, ApplyRootMotion));
    world.entity_mut(blade).insert(AttachedTo { joint: hand, ..AttachedTo::new(figure) });
    for (clip_index, x) in [(1, -2.4), (3, -1.2), (4, 1.2), (5, 2.4)] {
        let other = spawn(&mut world, &hero, x, -1.0);
        let library = AnimationClipLibrary::new(hero.asset.clips.clone());
        world.entity_mut(other).insert((library, AnimationPlayer { clip_index, ..Default::default() }));
    }

    world.resource_mut::<Time>().delta_secs = 1.0 / 60.0;
    let mut secs = 0.0;
    while secs < END_SECS {
        let wish = WISHES.iter().rfind(|(from_secs, _)| *from_secs <= secs).map_or("Idle", |(_, clip)| clip);
        world.resource_mut::<Wanted>().set_if_neq(Wanted(wish));
        world.run_schedule(Update);
        secs += world.resource::<Time>().delta_secs;
    }
    let way = world.get::<Placement>(figure).ok_or("no hero")?.0.translation - DVec3::new(-3.0, 0.0, -1.0);
    writeln!(
        io::stdout(),
        "the hero is {:.1} m away after {} steps",
        way.length(),
        world.resource::<Footsteps>().0
    )?;
    let mut framing = Framing::new(0.4, 0.15, 16.0 / 9.0);
    let mut query = world.query::<Components>();
    framing.include_figures(figures(&mut query, &world));
    let pixels = draw(figures(&mut query, &world), &framing.camera())?;
    Ok(image::save_buffer("target/game.png", &pixels, SIZE.0, SIZE.1, image::ColorType::Rgba8)?)
}
