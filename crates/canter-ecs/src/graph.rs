//! Graphs as components: what decides what a mixer plays.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use bevy_ecs::prelude::*;
use canter::Event;
use canter_graph::{Graph, GraphEvent, GraphState, Parameters};

use crate::event::AnimationEvent;
use crate::marker::MarkerWriter;
use crate::mixer::{AnimationMixer, moves};
use crate::root_motion::Root;
use crate::time::Time;

/// Decides what the [`AnimationMixer`] of its entity plays; goes beside that and [`GraphParameters`].
///
/// ```
/// # use bevy_ecs::prelude::*;
/// # use canter_ecs::{AnimationMixer, Rig, Time, Update};
/// use std::sync::Arc;
///
/// use canter_ecs::{AnimationGraph, GraphParameters};
/// use canter_graph::Graph;
///
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
/// # let mut world = World::new();
/// # canter_ecs::install(&mut world, Update);
/// let hero = canter_gltf::load("assets/hero.glb")?;
/// let json = std::fs::read_to_string("assets/hero.graph.json")?;
/// let graph = Arc::new(Graph::from_json(&json, &hero.skeleton, &hero.clips)?);
/// let forward = graph.parameter("forward").ok_or("it walks")?;
///
/// let rig = Rig::new(&hero.skeleton, hero.skins.clone());
/// let mut mixer = AnimationMixer::new(&rig);
/// let parameters = GraphParameters(graph.parameters());
/// let decides = AnimationGraph::new(&graph, &parameters, &mut mixer);
/// let figure = world.spawn((rig, mixer, decides, parameters)).id();
///
/// world.get_mut::<GraphParameters>(figure).ok_or("gone")?.set(forward, 1.4)?;
/// world.resource_mut::<Time>().delta_secs = 1.0 / 60.0;
/// world.run_schedule(Update);
/// let decides = world.get::<AnimationGraph>(figure).ok_or("gone")?;
/// assert_eq!(decides.graph().state_path(decides.state().state(0).ok_or("none")?), "Move");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It moves the mixer on itself, exactly for any step, in [`AnimationSet::Advance`](crate::AnimationSet).
#[derive(Component, Clone, Debug)]
pub struct AnimationGraph {
    graph: Arc<Graph>,
    state: GraphState,
}

impl AnimationGraph {
    /// Begins with a mixer, whose base it takes over.
    ///
    /// # Panics
    /// If the mixer is of another skeleton than the graph was built for.
    #[must_use]
    pub fn new(graph: &Arc<Graph>, parameters: &Parameters, mixer: &mut AnimationMixer) -> Self {
        Self { state: graph.start(parameters, mixer), graph: Arc::clone(graph) }
    }

    /// The graph, which characters share.
    #[must_use]
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// Where the character is in it.
    #[must_use]
    pub fn state(&self) -> &GraphState {
        &self.state
    }

    /// Where the character is in it, to put another one back, or to travel.
    pub fn state_mut(&mut self) -> &mut GraphState {
        &mut self.state
    }
}

/// What an [`AnimationGraph`] is told. It is read and written as [`Parameters`].
#[derive(Component, Clone, Debug)]
pub struct GraphParameters(pub Parameters);

impl Deref for GraphParameters {
    type Target = Parameters;

    fn deref(&self) -> &Parameters {
        &self.0
    }
}

impl DerefMut for GraphParameters {
    fn deref_mut(&mut self) -> &mut Parameters {
        &mut self.0
    }
}

/// A state was entered or left by an entity's [`AnimationGraph`]. A message, kept for two frames.
#[derive(Message, Clone, Copy, Debug)]
pub struct AnimationGraphEvent {
    /// Who.
    pub entity: Entity,
    /// What and when.
    pub event: GraphEvent,
}

/// A graph and what it drives.
type Driven = (
    Entity,
    &'static mut AnimationMixer,
    &'static mut AnimationGraph,
    &'static mut GraphParameters,
    Option<Root>,
);

/// Lets all graphs decide and move their mixers on. On one thread, so that messages come in the same order
/// every time.
pub(crate) fn update_graphs(
    time: Res<'_, Time>,
    mut figures: Query<'_, '_, Driven>,
    mut events: ResMut<'_, Messages<AnimationGraphEvent>>,
    mut messages: ResMut<'_, Messages<AnimationEvent>>,
    mut markers: MarkerWriter<'_, '_>,
) {
    events.update();
    for (entity, mut component, mut driver, mut parameters, root) in &mut figures {
        let is_told = parameters.is_changed();
        let mixer: &mut canter::Mixer = component.bypass_change_detection();
        let is_moved = time.delta_secs > 0.0 && moves(mixer);
        let AnimationGraph { graph, state } = driver.bypass_change_detection();
        // Triggers that were taken are reset, which tells nobody anything new.
        let parameters = &mut parameters.bypass_change_detection().0;
        graph.update_telling(state, parameters, time.delta_secs, mixer, |mixer, later_secs| {
            for Event { action, clip, kind, secs_ago } in mixer.events().iter().cloned() {
                let secs_ago = secs_ago + later_secs;
                messages.write(AnimationEvent { entity, action, clip, kind, secs_ago });
            }
            markers.tell_of_piece(entity, mixer, later_secs);
        });
        for event in state.events() {
            events.write(AnimationGraphEvent { entity, event: *event });
        }
        let has_decided = !state.events().is_empty();
        if let Some(mut root) = root {
            root.follow(state.root_motion());
        }
        if has_decided {
            driver.set_changed();
        }
        if is_moved || is_told || has_decided {
            component.set_changed();
        }
    }
}
