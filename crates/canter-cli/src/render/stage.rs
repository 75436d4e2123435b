//! The scene of a film: one figure, and what it holds.

use std::sync::{Arc, Mutex};

use canter::Skeleton;
use canter::glam::DAffine3;
use canter_gltf::LoadOptions;
use canter_scene::{Character, Model, NodeId, Parent, Scene, SceneError};
use canter_soft::Footprint;

use super::attachment::Attachment;
use super::footprint;
use super::rig::Corrections;
use super::story::Story;
use crate::embedded;
use crate::failure::Failure;
use crate::joint;

/// One figure, and what it holds.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) scene: Scene,
    figure: NodeId,
    skeleton: Arc<Skeleton>,
    /// Whether the figure goes where its root motion leads, or stays on the spot.
    pub(crate) travels: bool,
    /// What is corrected in every pose.
    pub(crate) corrections: Corrections,
    /// What the figure walks on.
    ground: Option<NodeId>,
    /// When it stood how high last.
    stood: Option<(f64, f64)>,
    /// The moment up to which the corrections remember, if they do.
    remembered_secs: Option<f64>,
}

/// Corrections that remember are run in such steps, from so long before the moment that is shown.
const STEP_SECS: f64 = 1.0 / 60.0;
const MEMORY_SECS: f64 = 1.5;
/// A figure does not get far in less.
const SHORTLY_SECS: f64 = 0.3;

impl Stage {
    pub(crate) fn new(model: &Arc<Model>) -> Result<Self, Failure> {
        let mut scene = Scene::new();
        let figure = scene
            .spawn(Character::new(model), Parent::World, DAffine3::IDENTITY)
            .map_err(|error| misplaced(&error))?;
        let skeleton = Arc::clone(&model.asset.skeleton);
        Ok(Self {
            scene,
            figure,
            skeleton,
            travels: false,
            corrections: Corrections::default(),
            ground: None,
            stood: None,
            remembered_secs: None,
        })
    }

    /// Puts the ground of the corrections into the scene.
    pub(crate) fn show_ground(&mut self) -> Result<(), Failure> {
        if let Some(terrain) = &self.corrections.terrain {
            let ground = Character::new(&terrain.model);
            let ground = self.scene.spawn(ground, Parent::World, DAffine3::IDENTITY);
            self.ground = Some(ground.map_err(|error| misplaced(&error))?);
        }
        Ok(())
    }

    /// What the camera has to see: the figure, not all of the ground.
    pub(crate) fn set_ground_visible(&mut self, shows: bool) {
        if let Some(ground) = self.ground {
            self.scene.set_visible(ground, shows);
        }
    }

    pub(crate) fn attach(&mut self, attachment: &Attachment, options: &LoadOptions) -> Result<(), Failure> {
        let model = embedded::model(&attachment.file, options)?;
        let joint = joint::find(&self.skeleton, &attachment.joint)?;
        let parent = Parent::Joint(self.figure, joint);
        self.scene
            .spawn(Character::new(&model), parent, DAffine3::IDENTITY)
            .map_err(|error| misplaced(&error))?;
        Ok(())
    }

    /// Brings the figure to a moment of a story. Returns where it has got to.
    pub(crate) fn pose(&mut self, story: &Story, secs: f64) -> DAffine3 {
        let dt_secs = if self.corrections.has_memory() { self.remember(story, secs) } else { 0.0 };
        let way = self.play(story, secs);
        self.scene.set_local(self.figure, way);
        // Characters may be updated on several threads.
        let (figure, corrections) = (self.figure, Mutex::new(&mut self.corrections));
        self.scene.update_with(0.0, |sampled| {
            if let Ok(mut corrections) = corrections.lock()
                && sampled.id == figure
            {
                corrections.apply(sampled.character, dt_secs, way);
            }
        });
        self.remembered_secs = Some(secs);
        way
    }

    /// Plays the story up to a moment, which may be before its beginning: in the loop before. Returns where
    /// the figure has got to.
    fn play(&mut self, story: &Story, secs: f64) -> DAffine3 {
        let Some(figure) = self.scene.character_mut(self.figure) else { return DAffine3::IDENTITY };
        let mut way = if secs < 0.0 && story.secs() > 0.0 {
            let loops = (-secs / story.secs()).ceil();
            let whole = story.play(&mut figure.mixer, story.secs());
            let mut way = story.play(&mut figure.mixer, secs + loops * story.secs());
            #[expect(clippy::cast_possible_truncation, reason = "a few loops within a second or two")]
            for _ in 0..(loops as i64).min(1000) {
                way = whole.inverse() * way;
            }
            way
        } else {
            story.play(&mut figure.mixer, secs)
        };
        if !self.travels {
            way = DAffine3::IDENTITY;
        }
        if let Some(terrain) = &self.corrections.terrain {
            // From where it was shortly before; else from above everything.
            let last = self.stood.filter(|(last_secs, _)| (secs - last_secs).abs() < SHORTLY_SECS);
            let last = last.map(|(_, height)| height);
            way.translation.y = last.unwrap_or(f64::INFINITY);
            // Where there is none, the last height goes on.
            let height = terrain.height_around(way.translation).or(last).unwrap_or(0.0);
            way.translation.y = height;
            self.stood = Some((secs, height));
        }
        way
    }

    /// Runs what the corrections remember up to shortly before a moment. Returns what is left.
    fn remember(&mut self, story: &Story, secs: f64) -> f32 {
        let from = self.remembered_secs.filter(|&from| (0.0..0.5).contains(&(secs - from)));
        let mut now = from.unwrap_or_else(|| {
            self.corrections.forget();
            secs - MEMORY_SECS
        });
        let mut step = if from.is_some() { STEP_SECS } else { 0.0 };
        while now + STEP_SECS < secs - 1e-9 || step == 0.0 {
            now += step;
            let way = self.play(story, now);
            if let Some(figure) = self.scene.character_mut(self.figure) {
                figure.mixer.sample(&mut figure.pose);
                #[expect(clippy::cast_possible_truncation, reason = "a step")]
                self.corrections.apply(figure, step as f32, way);
            }
            step = STEP_SECS;
        }
        #[expect(clippy::cast_possible_truncation, reason = "a step")]
        let left = (secs - now) as f32;
        left
    }

    /// Puts the figure elsewhere in its present pose.
    pub(crate) fn place(&mut self, world_from_figure: DAffine3) {
        self.scene.set_local(self.figure, world_from_figure);
        self.scene.update_transforms();
    }

    /// The mark that the foot of this name makes where it is; `None` if there is no such joint.
    pub(crate) fn footprint(&self, foot: &str) -> Option<Footprint> {
        let joint = self.skeleton.joint(foot)?;
        let world_from_figure = self.scene.world(self.figure)?;
        footprint::measure(self.scene.character(self.figure)?, world_from_figure, joint)
    }
}

fn misplaced(error: &SceneError) -> Failure {
    Failure::new(format!("the scene cannot be built: {error}"), "report it with the file, please")
}

#[cfg(test)]
mod tests;
