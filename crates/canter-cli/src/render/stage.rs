//! The scene of a film: one figure, and what it holds.

use std::sync::Arc;

use canter::Skeleton;
use canter::glam::DAffine3;
use canter_scene::{Character, Model, NodeId, Parent, Scene, SceneError};

use super::attachment::Attachment;
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
}

impl Stage {
    pub(crate) fn new(model: &Arc<Model>) -> Result<Self, Failure> {
        let mut scene = Scene::new();
        let figure = scene
            .spawn(Character::new(model), Parent::World, DAffine3::IDENTITY)
            .map_err(|error| misplaced(&error))?;
        Ok(Self { scene, figure, skeleton: Arc::clone(&model.asset.skeleton) })
    }

    pub(crate) fn attach(&mut self, attachment: &Attachment) -> Result<(), Failure> {
        let model = embedded::model(&attachment.file)?;
        let joint = joint::find(&self.skeleton, &attachment.joint)?;
        let parent = Parent::Joint(self.figure, joint);
        self.scene
            .spawn(Character::new(&model), parent, DAffine3::IDENTITY)
            .map_err(|error| misplaced(&error))?;
        Ok(())
    }

    /// Brings the figure to a moment of a story.
    pub(crate) fn pose(&mut self, story: &Story, secs: f64) {
        if let Some(figure) = self.scene.character_mut(self.figure) {
            story.play(&mut figure.mixer, secs);
        }
        self.scene.update(0.0);
    }
}

fn misplaced(error: &SceneError) -> Failure {
    Failure::new(format!("the scene cannot be built: {error}"), "report it with the file, please")
}
