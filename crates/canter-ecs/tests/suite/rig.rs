//! A chain of joints with three clips, and a world to put it into.

use std::f32::consts::TAU;
use std::sync::Arc;

use bevy_ecs::prelude::*;
use canter::glam::{Mat4, Quat, Vec3};
use canter::{Clip, Marker, Mat3x4, Mixer, RootMotion, Skin, Track, Transform};
use canter_ecs::{AnimationClipLibrary, AnimationMixer, Palette, Rig, Time, Update};

pub(crate) const STEP_SECS: f32 = 1.0 / 60.0;

pub(crate) struct Fixture {
    pub(crate) skeleton: Arc<canter::Skeleton>,
    pub(crate) skin: Arc<Skin>,
    /// Of 1, 0.7 and 2 seconds.
    pub(crate) clips: Vec<Arc<Clip>>,
}

impl Fixture {
    pub(crate) fn new(joints: usize) -> Self {
        let mut builder = canter::Skeleton::builder();
        for joint in 0..joints {
            builder.joint(
                format!("joint {joint}"),
                joint.checked_sub(1),
                Transform::from_translation(Vec3::Y),
            );
        }
        let skeleton = Arc::new(builder.build().unwrap());
        let model = canter::ModelPose::rest(&skeleton);
        let joint_from_mesh: Vec<Mat4> =
            skeleton.joints().map(|joint| model.joint(joint).inverse()).collect();
        let skin = Skin::new(&skeleton, skeleton.joints().collect(), &joint_from_mesh).unwrap();
        let clips = [(1.0, 0.3), (0.7, 0.5), (2.0, -0.4)];
        let clips = clips.map(|(secs, angle)| clip(&skeleton, secs, angle)).to_vec();
        Self { skin: Arc::new(skin), skeleton, clips }
    }

    pub(crate) fn component(&self) -> Rig {
        Rig::new(&self.skeleton, [Arc::clone(&self.skin)])
    }

    pub(crate) fn library(&self) -> AnimationClipLibrary {
        AnimationClipLibrary::new(self.clips.clone())
    }

    /// A mixer that plays the first clip.
    pub(crate) fn mixer(&self) -> AnimationMixer {
        let mut mixer = AnimationMixer::new(&self.component());
        mixer.crossfade_to(&self.clips[0], 0.0);
        mixer
    }

    /// A walk of `secs` seconds, 1.4 m along z in each of them, whose feet come down at its start and in the
    /// middle; there is a window in it as well.
    pub(crate) fn walk(&self, secs: f32) -> Arc<Clip> {
        self.travel("walk", secs, &[Quat::IDENTITY; 3])
    }

    /// A walk that turns by a whole turn.
    pub(crate) fn circle(&self, secs: f32) -> Arc<Clip> {
        self.travel(
            "circle",
            secs,
            &[0.0, 0.25, 0.5, 0.75, 1.0].map(|turns| Quat::from_rotation_y(turns * TAU)),
        )
    }

    fn travel(&self, name: &str, secs: f32, turns: &[Quat]) -> Arc<Clip> {
        let (root, next) = (self.skeleton.joint_at(0).unwrap(), self.skeleton.joint_at(1).unwrap());
        let mut clip = Clip::builder(name, &self.skeleton);
        clip.translation(
            root,
            Track::linear(vec![0.0, secs], vec![Vec3::Y, Vec3::new(0.0, 1.0, 1.4 * secs)]),
        );
        let times = (0_u8..).zip(turns).map(|(key, _)| f32::from(key) * secs / (turns.len() - 1) as f32);
        clip.rotation(root, Track::linear(times.collect(), turns.to_vec()));
        let swing = [0.0, 1.0, 0.0].map(Quat::from_rotation_x);
        clip.rotation(next, Track::linear([0.0, 0.5, 1.0].map(|at| at * secs).to_vec(), swing.to_vec()));
        clip.marker(Marker::new("foot_L", 0.0)).marker(Marker::new("foot_R", secs / 2.0));
        clip.marker(Marker::window("blade", 0.6 * secs, 0.2 * secs));
        let clip = clip.build().unwrap();
        Arc::new(clip.with_root_motion(&self.skeleton, RootMotion::over_ground(root)).unwrap())
    }

    /// What the core makes of a mixer's present state.
    pub(crate) fn palette(&self, mixer: &mut Mixer) -> Vec<Mat3x4> {
        let mut pose = canter::Pose::rest(&self.skeleton);
        mixer.sample(&mut pose);
        self.palette_of(&pose)
    }

    pub(crate) fn palette_of(&self, pose: &canter::Pose) -> Vec<Mat3x4> {
        let mut model = canter::ModelPose::rest(&self.skeleton);
        model.compose(&self.skeleton, pose);
        let mut palette = vec![Mat3x4::IDENTITY; self.skin.len()];
        self.skin.write_palette(&model, &mut palette);
        palette
    }

    pub(crate) fn rest_palette(&self) -> Vec<Mat3x4> {
        self.palette_of(&canter::Pose::rest(&self.skeleton))
    }
}

pub(crate) fn clip(skeleton: &canter::Skeleton, secs: f32, angle: f32) -> Arc<Clip> {
    let mut builder = Clip::builder(format!("{secs} s"), skeleton);
    for joint in skeleton.joints() {
        let turns = [0.0, 1.0, 0.3, 0.1].map(|part| Quat::from_rotation_x(angle * part));
        builder.rotation(
            joint,
            Track::linear([0.0, 0.25, 0.5, 1.0].map(|at| at * secs).to_vec(), turns.to_vec()),
        );
    }
    Arc::new(builder.build().unwrap())
}

/// A world with everything installed, whose frames are steps of 1/60 s.
pub(crate) fn world() -> World {
    let mut world = World::new();
    canter_ecs::install(&mut world, Update);
    world.init_resource::<canter_ecs::FramePalettes>();
    world.resource_mut::<Time>().delta_secs = STEP_SECS;
    world
}

pub(crate) fn run_for(world: &mut World, delta_secs: f32) {
    world.resource_mut::<Time>().delta_secs = delta_secs;
    world.run_schedule(Update);
}

/// The bits of an entity's palette: `==` would let -0 pass for 0.
pub(crate) fn palette_bits(world: &World, entity: Entity) -> Vec<u32> {
    bits(world.get::<Palette>(entity).unwrap().matrices())
}

pub(crate) fn bits(matrices: &[Mat3x4]) -> Vec<u32> {
    matrices.iter().flat_map(|matrix| matrix.rows.as_flattened().to_vec()).map(f32::to_bits).collect()
}
