//! What an update of a graph tells: states that were entered and left, and markers.

use std::sync::Arc;

use canter::{Clip, LayerId, Mixer};
use canter_graph::GraphEventKind;

use super::GraphRun;
use crate::asset::LoadedAsset;
use crate::host::{Host, word};
use crate::marker::host_marker;

/// The layer of the graph, the clip, then what `HostMarker` has behind its first two numbers.
pub(crate) type GraphMarker = [u32; 7];

/// An update tells so many at most,
const MOST_MARKERS: usize = 4096;
/// and counts those that are left out so far: a step of a year has millions of them.
const MOST_COUNTED: usize = 1 << 16;
/// Of actions on layers that are not the graph's.
const NO_LAYER: u32 = u32::MAX;

impl GraphRun {
    /// Moves the graph and its mixer on. Returns how many events there are, and 2³¹ more if there are markers.
    pub(super) fn update(&mut self, dt_secs: f32, mixer: &mut Mixer, wants_markers: bool) -> u32 {
        let Self { graph, asset, state, parameters, layers, markers, left_out, .. } = self;
        markers.clear();
        *left_out = 0;
        if wants_markers {
            graph.update_telling(state, parameters, dt_secs, mixer, |mixer, later_secs| {
                collect((asset, layers), mixer, later_secs, markers, left_out);
            });
        } else {
            graph.update(state, parameters, dt_secs, mixer);
        }
        self.collect_events();
        word(self.events.len()) | (u32::from(!self.markers.is_empty() || self.left_out > 0) << 31)
    }

    /// The kinds are those of `packages/canter/src/graph/events.ts`.
    fn collect_events(&mut self) {
        self.events.clear();
        for event in self.state.events() {
            let (kind, state) = match event.kind {
                GraphEventKind::Leave(state) => (0, word(state.index())),
                GraphEventKind::Enter(state, _) => (1, word(state.index())),
                GraphEventKind::Finished(state) => (2, word(state.index())),
                GraphEventKind::ChainLimit => (3, 0),
                _ => continue,
            };
            self.events.push([word(event.layer), kind, state, event.secs_ago.to_bits()]);
        }
    }
}

/// Keeps the markers of one piece of an update.
fn collect(
    (asset, layers): (&LoadedAsset, &[LayerId]),
    mixer: &Mixer,
    later_secs: f32,
    markers: &mut Vec<GraphMarker>,
    left_out: &mut usize,
) {
    let mut events = mixer.markers();
    let room = MOST_MARKERS.saturating_sub(markers.len());
    for mut event in events.by_ref().take(room) {
        event.secs_ago += later_secs;
        let [_, _, rest @ ..] = host_marker(asset, 0, 0, &event);
        let [name, kind, loops, weight, secs_ago] = rest;
        let clip = clip_place(asset, &event.clip);
        let layer = layers.iter().position(|layer| *layer == event.action.layer()).map_or(NO_LAYER, word);
        markers.push([layer, clip, name, kind, loops, weight, secs_ago]);
    }
    *left_out += events.take(MOST_COUNTED).count();
}

/// The place of a clip in the asset's list. Those that the graph has made of others count as these.
fn clip_place(asset: &LoadedAsset, clip: &Arc<Clip>) -> u32 {
    let clips = asset.clips.borrow();
    let same = clips.iter().position(|known| Arc::ptr_eq(known, clip));
    let place = same.or_else(|| clips.iter().position(|known| known.name() == clip.name()));
    place.map_or(0, word)
}

impl Host {
    pub(crate) fn graph_events(&mut self, graph: u32) {
        let events = self.graphs.get(graph).map(|run| run.events.as_flattened());
        let (address, len) = events.map_or((0, 0), |events| (events.as_ptr().addr(), events.len()));
        self.put_place(address, len);
    }

    /// Writes where the markers of the last update are. Returns how many more there are.
    pub(crate) fn graph_markers(&mut self, graph: u32) -> u32 {
        let Some(run) = self.graphs.get(graph) else { return 0 };
        let markers = run.markers.as_flattened();
        let (address, len, left_out) = (markers.as_ptr().addr(), markers.len(), run.left_out);
        self.put_place(address, len);
        word(left_out)
    }
}
