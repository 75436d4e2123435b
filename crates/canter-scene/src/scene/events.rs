//! What happened to the actions of all characters.

use canter::{Event, MarkerEvent};

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

    /// The markers that the actions of all characters crossed in the last update, each with the node at which
    /// its character stands: character by character, and for each in the order of time; see
    /// [`Mixer::markers`](canter::Mixer::markers).
    pub fn markers(&self) -> impl Iterator<Item = (NodeId, MarkerEvent)> {
        let markers = |id| self.character(id).map(|character| character.mixer.markers());
        self.characters().flat_map(move |id| markers(id).into_iter().flatten().map(move |event| (id, event)))
    }
}
