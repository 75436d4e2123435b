//! The scene of a film: one figure, and what it holds.

use std::sync::Arc;

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
}

impl Stage {
    pub(crate) fn new(model: &Arc<Model>) -> Result<Self, Failure> {
        let mut scene = Scene::new();
        let figure = scene
            .spawn(Character::new(model), Parent::World, DAffine3::IDENTITY)
            .map_err(|error| misplaced(&error))?;
        let skeleton = Arc::clone(&model.asset.skeleton);
        Ok(Self { scene, figure, skeleton, travels: false, corrections: Corrections::default() })
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
        let mut way = DAffine3::IDENTITY;
        if let Some(figure) = self.scene.character_mut(self.figure) {
            way = story.play(&mut figure.mixer, secs);
        }
        if !self.travels {
            way = DAffine3::IDENTITY;
        }
        self.scene.set_local(self.figure, way);
        let (figure, corrections) = (self.figure, &self.corrections);
        self.scene.update_with(0.0, |sampled| {
            if sampled.id == figure {
                corrections.apply(sampled.character);
            }
        });
        way
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
