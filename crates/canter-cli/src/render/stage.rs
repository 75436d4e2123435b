//! The scene of a film: one figure, and what it holds.

use std::sync::Arc;

use canter::glam::DAffine3;
use canter::{JointId, Skeleton};
use canter_scene::{Character, Model, NodeId, Parent, Scene, SceneError};

use super::attachment::Attachment;
use super::story::Story;
use crate::embedded;
use crate::failure::Failure;

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
        let joint = self.joint(&attachment.joint)?;
        let parent = Parent::Joint(self.figure, joint);
        self.scene
            .spawn(Character::new(&model), parent, DAffine3::IDENTITY)
            .map_err(|error| misplaced(&error))?;
        Ok(())
    }

    fn joint(&self, name: &str) -> Result<JointId, Failure> {
        let skeleton = &self.skeleton;
        if let Some(joint) = skeleton.joint(name) {
            return Ok(joint);
        }
        let wanted = name.to_lowercase();
        let near = |joint: &JointId| {
            let known = skeleton.name(*joint).to_lowercase();
            !wanted.is_empty() && (known.contains(&wanted) || (!known.is_empty() && wanted.contains(&known)))
        };
        let hint = match skeleton.joints().find(near) {
            Some(joint) => format!("did you mean \"{}\"?", skeleton.name(joint)),
            None => "`canter inspect FILE --tree` lists the joints".to_owned(),
        };
        Err(Failure::new(format!("the figure has no joint \"{name}\""), hint))
    }

    /// Brings the figure to a moment of a story.
    pub(crate) fn pose(&mut self, story: &Story, secs: f64) {
        if let Some(figure) = self.scene.character_mut(self.figure) {
            story.play(&mut figure.mixer, secs);
        }
        self.scene.update(0.0);
    }

    /// The speed over the ground at the moment of the last pose, when each clip of the story has one.
    pub(crate) fn ground_speed(&self, story: &Story, speeds: &[f64]) -> f64 {
        self.scene.character(self.figure).map_or(0.0, |figure| story.ground_speed(&figure.mixer, speeds))
    }
}

fn misplaced(error: &SceneError) -> Failure {
    Failure::new(format!("the scene cannot be built: {error}"), "report it with the file, please")
}
