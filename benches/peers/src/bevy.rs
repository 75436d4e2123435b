//! The job with `bevy_animation`: an entity per joint, curves, a graph with one blend node, transform
//! propagation; and the palette as Bevy's renderer writes it.

use std::time::Duration;

use bevy_animation::graph::{AnimationGraph, AnimationGraphHandle, AnimationNodeIndex};
use bevy_animation::prelude::{AnimatableCurve, AnimatableKeyframeCurve};
use bevy_animation::{
    AnimatedBy, AnimationClip, AnimationPlayer, AnimationPlugin, AnimationTargetId, animated_field,
};
use bevy_app::{App, PostUpdate, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, Assets};
use bevy_ecs::prelude::*;
use bevy_time::Time;
use bevy_transform::components::{GlobalTransform, Transform};
use bevy_transform::{TransformPlugin, TransformSystems};
use glam::Mat4;

use crate::job::{DT_SECS, Job, Weight, start_secs};
use crate::rig::{Keys, Rig};

#[derive(Component)]
struct Skinned {
    joints: Vec<Entity>,
    palette: Vec<Mat4>,
}

#[derive(Resource)]
struct JointFromMesh(Vec<Mat4>);

pub(crate) struct Entities {
    app: App,
    characters: Vec<Entity>,
    nodes: Vec<AnimationNodeIndex>,
    weight: Weight,
}

impl Entities {
    pub(crate) fn new(rig: &Rig, count: usize) -> Self {
        let mut app = App::new();
        app.add_plugins((
            TaskPoolPlugin::default(),
            AssetPlugin::default(),
            TransformPlugin,
            AnimationPlugin,
        ));
        app.init_resource::<Time>();
        app.insert_resource(JointFromMesh(rig.joint_from_mesh.clone()));
        app.add_systems(PostUpdate, write_palettes.after(TransformSystems::Propagate));
        app.finish();
        app.cleanup();
        let world = app.world_mut();
        let clips: Vec<_> = rig.keys.iter().map(|keys| clip(rig, keys)).collect();
        let mut assets = world.resource_mut::<Assets<AnimationClip>>();
        let clips: Vec<_> = clips.into_iter().map(|clip| assets.add(clip)).collect();
        let (graph, nodes) = AnimationGraph::from_clips(clips);
        let graph = world.resource_mut::<Assets<AnimationGraph>>().add(graph);
        let characters = (0..count)
            .map(|index| spawn(world, rig, index, &AnimationGraphHandle(graph.clone()), &nodes))
            .collect();
        // The graph is made ready by an event of the first frame; time stands still in it.
        app.update();
        app.update();
        Self { app, characters, nodes, weight: Weight::default() }
    }
}

fn target(joint: usize) -> AnimationTargetId {
    AnimationTargetId::from_name(&Name::new(format!("joint_{joint:02}")))
}

fn clip(rig: &Rig, keys: &Keys) -> AnimationClip {
    let mut clip = AnimationClip::default();
    for joint in 0..rig.joints() {
        let vectors = |values: &[_]| {
            AnimatableKeyframeCurve::new(keys.secs.iter().copied().zip(values.iter().copied()))
                .expect("good keys")
        };
        if !keys.translations[joint].is_empty() {
            let curve = vectors(&keys.translations[joint]);
            clip.add_curve_to_target(
                target(joint),
                AnimatableCurve::new(animated_field!(Transform::translation), curve),
            );
        }
        let turns = keys.secs.iter().copied().zip(keys.rotations[joint].iter().copied());
        let curve = AnimatableKeyframeCurve::new(turns).expect("good keys");
        clip.add_curve_to_target(
            target(joint),
            AnimatableCurve::new(animated_field!(Transform::rotation), curve),
        );
        if !keys.scales[joint].is_empty() {
            let curve = vectors(&keys.scales[joint]);
            clip.add_curve_to_target(
                target(joint),
                AnimatableCurve::new(animated_field!(Transform::scale), curve),
            );
        }
    }
    clip
}

fn spawn(
    world: &mut World,
    rig: &Rig,
    character: usize,
    graph: &AnimationGraphHandle,
    nodes: &[AnimationNodeIndex],
) -> Entity {
    let mut player = AnimationPlayer::default();
    for (node, keys) in nodes.iter().zip(&rig.keys) {
        player.play(*node).repeat().seek_to(start_secs(character) % keys.length_secs());
    }
    let root = world.spawn((Transform::IDENTITY, player, graph.clone())).id();
    let mut joints: Vec<Entity> = Vec::new();
    for (joint, parent) in rig.parents.iter().enumerate() {
        let rest = rig.rest[joint];
        let transform =
            Transform { translation: rest.translation, rotation: rest.rotation, scale: rest.scale };
        let parent = parent.map_or(root, |parent| joints[parent]);
        joints.push(world.spawn((transform, target(joint), AnimatedBy(root), ChildOf(parent))).id());
    }
    let palette = vec![Mat4::IDENTITY; joints.len()];
    world.entity_mut(root).insert(Skinned { joints, palette });
    root
}

fn write_palettes(
    mut skins: Query<&mut Skinned>,
    joints: Query<&GlobalTransform>,
    joint_from_mesh: Res<JointFromMesh>,
) {
    for mut skin in &mut skins {
        let Skinned { joints: entities, palette } = &mut *skin;
        for ((out, joint), joint_from_mesh) in palette.iter_mut().zip(entities).zip(&joint_from_mesh.0) {
            if let Ok(joint) = joints.get(*joint) {
                *out = Mat4::from(joint.affine()) * *joint_from_mesh;
            }
        }
    }
}

impl Job for Entities {
    fn name(&self) -> &'static str {
        "bevy_animation"
    }

    fn frame(&mut self) {
        let weight = self.weight.next();
        let world = self.app.world_mut();
        for &character in &self.characters {
            if let Some(mut player) = world.get_mut::<AnimationPlayer>(character) {
                for (index, node) in self.nodes.iter().enumerate() {
                    if let Some(animation) = player.animation_mut(*node) {
                        animation.set_weight(if index == 0 { weight } else { 1.0 - weight });
                    }
                }
            }
        }
        world.resource_mut::<Time>().advance_by(Duration::from_secs_f32(DT_SECS));
        world.run_schedule(PostUpdate);
    }

    fn palette(&self, character: usize) -> Vec<Mat4> {
        let skin = self.app.world().get::<Skinned>(self.characters[character]).expect("a skin");
        skin.palette.clone()
    }
}
