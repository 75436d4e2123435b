//! What stays when a file is read again: what is held, what was picked, how many there are.

use std::sync::Arc;

use canter::glam::Vec3;
use canter_scene::Model;

use super::Session;

/// Joints are remembered by name: the file may have others now.
pub(super) struct Kept {
    picked: Option<String>,
    held: Vec<(Arc<Model>, String, String, Vec3, Vec3)>,
    crowd: usize,
    shows_weights: bool,
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
            crowd: session.crowd(),
            shows_weights: session.shows_weights,
        }
    }

    /// Puts back what still makes sense.
    pub(super) fn put_back(self, session: &mut Session) {
        for (model, name, joint, offset, turn) in self.held {
            if let Some(joint) = session.skeleton().joint(&joint) {
                session.attach_to(joint, &model, &name);
                session.move_held(session.held.len() - 1, offset, turn);
            }
        }
        session.set_crowd(self.crowd);
        session.show_weights(self.shows_weights);
        session.pick(self.picked.and_then(|name| session.skeleton().joint(&name)));
    }
}
