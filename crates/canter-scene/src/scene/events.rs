//! What happened to the actions of all characters.

use canter::Event;

use super::{NodeId, Scene};

impl Scene {
    /// What happened to the actions of all characters in the last update, each with the node at which its
    /// character stands: character by character, and for each in the order of its
    /// [`Mixer::events`](canter::Mixer::events).
    pub fn events(&self) -> impl Iterator<Item = (NodeId, &Event)> {
        self.characters().flat_map(move |id| {
            let character = self.character(id);
            character
                .into_iter()
                .flat_map(move |character| character.mixer.events().iter().map(move |event| (id, event)))
        })
    }
}
