//! What stays when a file is read again: what is held, what was picked, how many there are.

use std::sync::Arc;

use canter::glam::Vec3;
use canter::{LayerMode, Marker};
use canter_scene::Model;

use super::{LayerSettings, Reference, Session, SessionGraph, SessionLayer};

/// Joints are remembered by name: the file may have others now.
pub(super) struct Kept {
    picked: Option<String>,
    held: Vec<(Arc<Model>, String, String, Vec3, Vec3)>,
    layers: Vec<KeptLayer>,
    crowd: usize,
    shows_weights: bool,
    /// Those that were not saved, by the names of their clips.
    markers: Vec<(String, Vec<Marker>)>,
    graph: Option<SessionGraph>,
    is_mirrored: bool,
    has_stairs: bool,
}

/// A layer, with the names of its joint and of its clip.
struct KeptLayer {
    mode: LayerMode,
    settings: LayerSettings,
    top: Option<String>,
    clip: Option<String>,
}

impl Kept {
    pub(super) fn of(session: &Session) -> Self {
        let name = |joint| session.skeleton().name(joint).to_owned();
        let held = session.held.iter().filter_map(|held| {
            let model = Arc::clone(&session.scene.character(held.node())?.model);
            Some((model, held.name.clone(), name(held.joint), held.offset, held.turn))
        });
        Self {
            picked: session.picked.map(name),
            held: held.collect(),
            layers: session.layers().iter().map(|layer| KeptLayer::of(session, layer)).collect(),
            crowd: session.crowd(),
            shows_weights: session.shows_weights,
            markers: session.unsaved_markers(),
            graph: session.graph.clone(),
            is_mirrored: session.is_mirrored,
            has_stairs: session.has_stairs(),
        }
    }

    /// Puts back what still makes sense.
    pub(super) fn put_back(self, session: &mut Session) {
        session.set_mirrored(self.is_mirrored);
        session.put_back_markers(self.markers);
        for (model, name, joint, offset, turn) in self.held {
            if let Some(joint) = session.skeleton().joint(&joint) {
                session.attach_to(joint, &model, &name);
                session.move_held(session.held.len() - 1, offset, turn);
            }
        }
        session.set_crowd(self.crowd);
        for layer in self.layers {
            layer.put_back(session);
        }
        session.set_stairs(self.has_stairs);
        if let Some(graph) = self.graph {
            session.put_back_graph(graph);
        }
        session.show_weights(self.shows_weights);
        session.pick(self.picked.and_then(|name| session.skeleton().joint(&name)));
    }
}

impl KeptLayer {
    fn of(session: &Session, layer: &SessionLayer) -> Self {
        let settings = layer.settings();
        let clip = layer.clip().and_then(|index| session.clips.get(index));
        Self {
            mode: layer.mode(),
            settings,
            top: settings.top.map(|joint| session.skeleton().name(joint).to_owned()),
            clip: clip.map(|clip| clip.name().to_owned()),
        }
    }

    /// A layer whose joint is gone is left out: it would cover everything.
    fn put_back(self, session: &mut Session) {
        let top = self.top.as_ref().map(|name| session.skeleton().joint(name));
        if top == Some(None) {
            return;
        }
        let clips = &session.clips;
        let clip = clips.iter().position(|clip| Some(clip.name()) == self.clip.as_deref());
        // Clips may have other indices now.
        let reference = match self.settings.reference {
            Reference::Clip(_) => Reference::FirstKey,
            other => other,
        };
        session.add_layer(self.mode);
        let index = session.layers().len() - 1;
        session.set_layer(index, LayerSettings { top: top.flatten(), reference, ..self.settings });
        if let Some(clip) = clip {
            let is_playing = session.is_playing;
            session.play_on_layer(index, clip);
            session.is_playing = is_playing;
        }
    }
}
