//! What the viewer shows and what can be done with it, without any window.

mod crowd;
mod file;
mod footprints;
mod graph;
mod heat;
mod held;
mod kept;
mod layers;
mod markers;
mod mirror;
mod mix;
mod morphs;
mod picking;
mod playback;
mod range;
mod rig;
mod travel;

use std::path::Path;
use std::sync::Arc;

use canter::glam::DAffine3;
use canter::{Clip, Easing, FadeKind, JointId, LoopMode, MarkerEvent, Skeleton};
use canter_gltf::{LoadError, LoadOptions};
use canter_graph::GraphData;
use canter_scene::{Character, Model, NodeId, Parent, Scene};

use file::Watched;
pub use footprints::Footprint;
#[cfg(test)]
pub(crate) use graph::tests::many_states;
pub use graph::{GraphEdit, MachinePath, SessionGraph};
pub(crate) use graph::{NODE_SIZE, layout, machine, motion_label, point_labels, prefix, range};
pub use held::Held;
pub use layers::{LayerSettings, Reference, SessionLayer};
use markers::MarkerDesk;
pub use mix::Mixed;
pub use morphs::Morph;
pub use rig::Limb;
use rig::Rig;
use travel::Travel;

/// What was crossed longer ago has left nothing on the ground.
const LONGEST_MEMORY_SECS: f32 = 12.0;

/// A character on a stage, what it plays, what it holds, and what was picked.
#[derive(Debug)]
pub struct Session {
    scene: Scene,
    model: Arc<Model>,
    /// Those of the model, without their ways and with the markers that they were given.
    clips: Vec<Arc<Clip>>,
    figure: NodeId,
    crowd: Vec<NodeId>,
    held: Vec<Held>,
    layers: Vec<SessionLayer>,
    graph: Option<SessionGraph>,
    /// A graph that comes with the model.
    offered: Option<(String, GraphData)>,
    rig: Rig,
    /// Whether clips are left for right.
    is_mirrored: bool,
    watched: Option<Watched>,
    name: String,
    error: Option<String>,
    picked: Option<JointId>,
    /// The clip that the timeline is about.
    current: usize,
    desk: MarkerDesk,
    travel: Travel,
    /// Whether clips of the mix stay in step.
    is_in_step: bool,
    morphs: Vec<Morph>,
    shows_weights: bool,
    is_playing: bool,
    speed: f32,
    loop_mode: LoopMode,
    /// How long fades take.
    pub fade_secs: f32,
    /// The curve of crossfades.
    pub easing: Easing,
    /// How fades lead from what plays to what comes.
    pub fade_kind: FadeKind,
    load_options: LoadOptions,
    version: u64,
}

impl Session {
    /// Shows a model. It plays its clip `Walk`, or else its first one.
    #[must_use]
    pub fn new(model: &Arc<Model>, name: &str) -> Self {
        let mut scene = Scene::new();
        let figure = place(&mut scene, model, Parent::World, DAffine3::IDENTITY);
        let mut session = Self {
            scene,
            model: Arc::clone(model),
            clips: travel::split(model),
            figure,
            crowd: Vec::new(),
            held: Vec::new(),
            layers: Vec::new(),
            graph: None,
            offered: None,
            rig: Rig::new(&model.asset.skeleton),
            is_mirrored: false,
            watched: None,
            name: name.to_owned(),
            error: None,
            picked: None,
            current: 0,
            desk: MarkerDesk::default(),
            travel: Travel::default(),
            is_in_step: false,
            morphs: morphs::of(model),
            shows_weights: false,
            is_playing: true,
            speed: 1.0,
            loop_mode: LoopMode::Repeat,
            fade_secs: 0.3,
            easing: Easing::Linear,
            fade_kind: FadeKind::Cross,
            load_options: LoadOptions::default(),
            version: 0,
        };
        session.start();
        session
    }

    /// Reads a file and shows it.
    ///
    /// # Errors
    /// If the file does not load.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        Self::load_with(path, &LoadOptions::default())
    }

    /// As [`load`](Self::load), with options, which count for files that are opened later, too.
    ///
    /// # Errors
    /// If the file does not load.
    pub fn load_with(path: &Path, options: &LoadOptions) -> Result<Self, LoadError> {
        let model = Model::load_with(path, options)?;
        let mut session = Self::new(&model, &file::name(path));
        session.load_options = *options;
        session.watched = Some(Watched::new(path));
        Ok(session)
    }

    /// Plays what a newcomer wants to see.
    fn start(&mut self) {
        let walk = self.clips.iter().position(|clip| clip.name() == "Walk").unwrap_or(0);
        let fade_secs = std::mem::replace(&mut self.fade_secs, 0.0);
        // A file without clips stands still.
        let _ = self.fade_to(walk);
        self.fade_secs = fade_secs;
        self.update(0.0);
    }

    /// Brings all that is seen up to date.
    fn update(&mut self, dt_secs: f32) {
        let before = self.before_step(dt_secs);
        let crossed = if self.runs_graph() {
            let crossed = if dt_secs > 0.0 { self.step_graph(dt_secs) } else { Vec::new() };
            // Time has passed in the mixers.
            self.update_scene(0.0, dt_secs);
            crossed
        } else {
            self.update_scene(dt_secs, dt_secs);
            self.glow();
            let is_new = |event: &MarkerEvent| before.is_some() && event.secs_ago < LONGEST_MEMORY_SECS;
            self.figure().mixer.markers().filter(is_new).collect()
        };
        self.move_stairs();
        self.leave_trail(dt_secs);
        self.leave_footprints(before, crossed);
        self.end_layers();
        self.apply_morphs();
        self.touch();
    }

    /// The world that is shown.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The model that is shown.
    #[must_use]
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The clips of the model: their ways are their root motion, and they have the markers that they were
    /// given here.
    #[must_use]
    pub fn clips(&self) -> &[Arc<Clip>] {
        &self.clips
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The figure.
    ///
    /// # Panics
    /// Never: the figure is there as long as the session.
    #[must_use]
    pub fn figure(&self) -> &Character {
        self.scene.character(self.figure).expect("the figure stays in the scene")
    }

    /// Whether a node is the figure or something that it holds, and not one of its copies.
    #[must_use]
    pub fn is_main(&self, id: NodeId) -> bool {
        id == self.figure || self.held.iter().any(|held| held.node() == id)
    }

    /// How tall the figure is as it stands; 1 if there is nothing to see of it.
    #[must_use]
    pub fn height(&self) -> f32 {
        let bounds = self.figure().bounds();
        if bounds.is_empty() { 1.0 } else { bounds.size().max_element() }
    }

    fn skeleton(&self) -> &Arc<Skeleton> {
        &self.model.asset.skeleton
    }

    /// Another number than before if anything that is seen has changed.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    fn touch(&mut self) {
        self.version += 1;
    }

    /// What went wrong last, until it is dismissed or something works.
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Takes the error away.
    pub fn dismiss_error(&mut self) {
        self.error = None;
    }
}

/// Puts a model into a scene.
fn place(scene: &mut Scene, model: &Arc<Model>, parent: Parent, parent_from_model: DAffine3) -> NodeId {
    scene
        .spawn(Character::new(model), parent, parent_from_model)
        .expect("the parent is there, and the transform is finite")
}

#[cfg(test)]
mod tests;
