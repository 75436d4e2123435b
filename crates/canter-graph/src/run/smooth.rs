//! Places of spaces that follow their parameters softly.
//!
//! Where a place is follows from when its parameters changed and how long ago that is: no step decides it. How
//! fast clips play, and how strong they are for what a mixer tells of a step, has to be one number for a
//! while, and the same one however that is cut into updates: that of the middle of a *cell*. Cells begin when
//! parameters change. What is on screen at the end of an update is weighed at that instant.

use canter::math;
use serde::{Deserialize, Serialize};

use super::{INSTANT_SECS, Run};
use crate::graph::{Motion, Node, State, Tree};

/// A cell is no longer than a fine piece of the mixer's own,
const CELL_SECS: f32 = 1.0 / 40.0;
/// or than this part of a long half-life: the mean of speeds in it is that of its middle within 0.2 %.
const CELL_OF_HALF_LIFE: f32 = 0.25;
/// So many of them in an update; what is left of it then is one piece.
pub(super) const MOST_CELLS: u32 = 256;
/// Of the size of a space: nearer to where parameters lead, a place is there.
const NEAR: f32 = 1e-5;

/// Where the place of a space comes from and leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Way {
    pub(crate) from: [f32; 2],
    pub(crate) to: [f32; 2],
}

impl Way {
    /// That of a place that is there.
    pub(crate) fn at(place: [f32; 2]) -> Self {
        Self { from: place, to: place }
    }

    /// Where it is if so much of it is left.
    fn place(&self, left: f32) -> [f32; 2] {
        [0, 1].map(|axis| {
            let (from, to) = (self.from[axis], self.to[axis]);
            let at = to + (from - to) * left;
            if at.is_finite() { at } else { to }
        })
    }

    fn is_near(&self, at: [f32; 2], distance: f32) -> bool {
        at.iter().zip(self.to).all(|(at, to)| (at - to).abs() <= distance)
    }
}

/// The length of a state's cells, by its half-lives; 0 if nothing is smoothed.
pub(crate) fn cell_secs(half_lives: impl Iterator<Item = f32>) -> f64 {
    let shortest = half_lives.filter(|secs| *secs > 0.0).fold(f32::INFINITY, f32::min);
    let secs = (CELL_OF_HALF_LIFE * shortest).max(CELL_SECS);
    if shortest.is_finite() { secs.into() } else { 0.0 }
}

impl Tree {
    /// Writes where all places are, so long after parameters changed.
    fn place(&self, secs: f64, ways: &[Way], inputs: &mut [[f32; 2]]) {
        for node in &self.nodes {
            let Node::Blend { input, half_life_secs, .. } = node else { continue };
            let (way, at) = (&ways[*input], &mut inputs[*input]);
            if way.from == way.to || *half_life_secs <= 0.0 {
                *at = way.to;
                continue;
            }
            #[expect(clippy::cast_possible_truncation, reason = "the exponential is one of f32")]
            let half_lives = (secs / f64::from(*half_life_secs)) as f32;
            *at = way.place(math::exp(-std::f32::consts::LN_2 * half_lives));
        }
    }

    /// Whether all places are as good as where they lead.
    fn is_there(&self, ways: &[Way], inputs: &[[f32; 2]]) -> bool {
        self.nodes.iter().all(|node| match node {
            Node::Blend { space, input, .. } => ways[*input].is_near(inputs[*input], NEAR * space.extent()),
            _ => true,
        })
    }
}

impl<'a> Run<'a> {
    /// The innermost state of a layer whose places are on their way.
    fn smoothed(&self, layer: usize) -> Option<(&'a State, &'a Tree)> {
        let run = self.state.layers.get(layer).filter(|run| run.is_smoothing)?;
        let state = self.innermost(layer)?;
        match &state.motion {
            Motion::Play(tree) if tree.cell_secs > 0.0 && run.fits(tree) => Some((state, tree)),
            _ => None,
        }
    }

    /// The time to the next end of a cell.
    pub(super) fn secs_to_end_of_cell(&self) -> f64 {
        let mut next = f64::INFINITY;
        for (layer, run) in self.state.layers.iter().enumerate() {
            if let Some((_, tree)) = self.smoothed(layer) {
                next = next.min((run.cell + 1.0) * tree.cell_secs - run.smoothed_secs);
            }
        }
        next.max(0.0)
    }

    /// Lets clips play as in the middle of the cell that a layer's places are in.
    pub(super) fn enter_cell(&mut self, layer: usize) {
        let Some((state, tree)) = self.smoothed(layer) else { return };
        let run = &mut self.state.layers[layer];
        let cell = (run.smoothed_secs / tree.cell_secs + 1e-9).floor();
        #[expect(clippy::float_cmp, reason = "both are whole")]
        let is_new = cell != run.cell;
        if is_new {
            run.cell = cell;
            tree.place((cell + 0.5) * tree.cell_secs, &run.ways, &mut run.inputs);
            tree.weigh(&run.inputs, &self.state.finite, &mut run.cell_weights);
        }
        self.play_by_weights(layer, state, tree, true);
    }

    /// Lets time pass for all places. Where a cell ends, the next one begins if there is more to come.
    pub(super) fn smooth(&mut self, secs: f64, goes_on: bool) {
        for layer in 0..self.state.layers.len() {
            let Some((state, tree)) = self.smoothed(layer) else { continue };
            let run = &mut self.state.layers[layer];
            run.smoothed_secs += secs;
            let end = (run.cell + 1.0) * tree.cell_secs;
            if run.smoothed_secs < end - INSTANT_SECS {
                continue;
            }
            // The same instant, whatever steps led there; unless an update is so long that cells are left out.
            if run.smoothed_secs < end + INSTANT_SECS {
                run.smoothed_secs = end;
            }
            tree.place(run.smoothed_secs, &run.ways, &mut run.inputs);
            if tree.is_there(&run.ways, &run.inputs) {
                run.is_smoothing = false;
                for (way, at) in run.ways.iter_mut().zip(&mut run.inputs) {
                    *at = way.to;
                    way.from = way.to;
                }
                tree.weigh(&run.inputs, &self.state.finite, &mut run.weights);
                self.play_by_weights(layer, state, tree, false);
            } else if goes_on {
                self.enter_cell(layer);
            }
        }
    }

    /// Puts the places of a layer, and the weights of its clips, to the present instant: that is what is seen.
    pub(super) fn show(&mut self, layer: usize) {
        let Some((_, tree)) = self.smoothed(layer) else { return };
        let run = &mut self.state.layers[layer];
        tree.place(run.smoothed_secs, &run.ways, &mut run.inputs);
        tree.weigh(&run.inputs, &self.state.finite, &mut run.weights);
        for (id, weight) in run.actions.iter().zip(&run.weights) {
            if let Some(mut action) = self.mixer.get_mut(*id) {
                let _ = action.set_weight(*weight);
            }
        }
    }
}
