//! From parameters to the weights and speeds of a state's clips.

use super::Run;
use super::smooth::Way;
use crate::graph::{Amount, Motion, Node, State, Tree};
use crate::space::MOST_SAMPLES;
use crate::state::LayerRun;

impl Tree {
    /// Writes the weights of all leaves.
    pub(super) fn weigh(&self, inputs: &[[f32; 2]], finite: &[f32], weights: &mut [f32]) {
        weights.fill(0.0);
        if let Some(root) = self.nodes.len().checked_sub(1) {
            self.weigh_node(root, 1.0, inputs, finite, weights);
        }
    }

    fn weigh_node(&self, node: usize, weight: f32, inputs: &[[f32; 2]], finite: &[f32], weights: &mut [f32]) {
        match &self.nodes[node] {
            Node::Leaf(leaf) => weights[*leaf] += weight,
            Node::Blend { space, input, children, .. } => {
                let mut shares = [0.0; MOST_SAMPLES];
                let shares = &mut shares[..children.len()];
                space.weigh(inputs[*input], shares);
                for (child, share) in children.iter().zip(shares).filter(|(_, share)| **share > 0.0) {
                    self.weigh_node(*child, weight * *share, inputs, finite, weights);
                }
            }
            Node::Direct { items, normalize } => {
                let of = |amount: Amount| match amount {
                    Amount::Number(value) => value.clamp(0.0, 1e6),
                    Amount::Parameter(parameter) => finite[parameter as usize].clamp(0.0, 1e6),
                };
                let sum: f32 = items.iter().map(|(amount, _)| of(*amount)).sum();
                let divisor = if *normalize && sum > 0.0 { sum } else { 1.0 };
                for (amount, child) in items {
                    self.weigh_node(*child, weight * of(*amount) / divisor, inputs, finite, weights);
                }
            }
        }
    }

    /// The strongest of its clips that have a length, the first of equals: its clock is that of a state that begins so.
    pub(super) fn timed(&self, weights: &[f32]) -> u32 {
        let with_length =
            self.leaves.iter().zip(weights).enumerate().filter(|(_, (leaf, _))| leaf.length_secs > 0.0);
        let strongest = with_length.rev().max_by(|(_, (_, a)), (_, (_, b))| a.total_cmp(b));
        strongest.map_or(0, |(leaf, _)| u32::try_from(leaf).unwrap_or(0))
    }

    /// How long a cycle takes: the mean of its clips, by their weights. 0 if none of them has a length.
    pub(super) fn cycle_secs(&self, weights: &[f32]) -> f64 {
        let with_length = || self.leaves.iter().zip(weights).filter(|(leaf, _)| leaf.length_secs > 0.0);
        let (mut sum, mut secs) = (0.0, 0.0);
        for (leaf, weight) in with_length() {
            sum += f64::from(*weight);
            secs += f64::from(*weight) * leaf.cycle_secs();
        }
        if sum <= 0.0 {
            for (leaf, _) in with_length() {
                (sum, secs) = (sum + 1.0, secs + leaf.cycle_secs());
            }
        }
        if sum > 0.0 { secs / sum } else { 0.0 }
    }
}

impl Tree {
    /// How fast the mixer plays a leaf: all of them have the same cycle. That alone keeps those in step that
    /// end; those that repeat the mixer keeps in step, by their markers if they have some, and then their
    /// cycle does not depend on how far they are faded in.
    pub(super) fn leaf_speed(&self, leaf: usize, speed: f32, cycle_secs: f64) -> f32 {
        let of = &self.leaves[leaf];
        if self.leaves.len() == 1 || cycle_secs <= 0.0 || of.length_secs <= 0.0 {
            return speed * of.speed;
        }
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
        let speed = (f64::from(speed) * of.length_secs / cycle_secs) as f32;
        speed
    }
}

/// Cycles per second.
pub(super) fn rate(speed: f32, cycle_secs: f64) -> f64 {
    if speed == 0.0 { 0.0 } else { f64::from(speed) / cycle_secs }
}

impl<'a> Run<'a> {
    /// The innermost state of a layer.
    pub(super) fn innermost(&self, layer: usize) -> Option<&'a State> {
        let level = self.state.layers[layer].levels.last()?;
        self.graph.states.get(level.state as usize)
    }

    /// Puts all spaces of a state that is entered to where parameters lead them, and weighs it.
    pub(super) fn weigh_anew(&mut self, layer: usize) {
        let Some(state) = self.innermost(layer) else { return };
        let speed = self.amount(state.speed);
        let finite = &self.state.finite;
        let run = &mut self.state.layers[layer];
        run.inputs.clear();
        run.ways.clear();
        run.weights.clear();
        run.cell_weights.clear();
        (run.is_smoothing, run.cell, run.smoothed_secs) = (false, NO_CELL, 0.0);
        let mut cycle_secs = 0.0;
        if let Motion::Play(tree) = &state.motion {
            run.inputs.resize(tree.inputs, [0.0; 2]);
            for node in &tree.nodes {
                if let Node::Blend { parameters, input, .. } = node {
                    run.inputs[*input] = parameters.map(|parameter| finite[parameter as usize]);
                }
            }
            run.ways.extend(run.inputs.iter().map(|place| Way::at(*place)));
            run.weights.resize(tree.leaves.len(), 0.0);
            run.cell_weights.resize(if tree.cell_secs > 0.0 { tree.leaves.len() } else { 0 }, 0.0);
            tree.weigh(&run.inputs, finite, &mut run.weights);
            cycle_secs = tree.cycle_secs(&run.weights);
        }
        run.rate = rate(speed, cycle_secs);
    }

    /// Gives the clips of a layer's state the weights and speeds that parameters say now.
    pub(super) fn weigh(&mut self, layer: usize) {
        let Some(state) = self.innermost(layer) else { return };
        let Motion::Play(tree) = &state.motion else { return };
        let finite = &self.state.finite;
        let run = &mut self.state.layers[layer];
        // A single clip at its own speed: most states are so.
        let is_fixed = tree.nodes.len() <= 1 && matches!(state.speed, Amount::Number(_));
        if is_fixed || run.is_held || !run.fits(tree) {
            return;
        }
        let (mut is_aimed_anew, mut is_changed) = (false, false);
        for node in &tree.nodes {
            match node {
                Node::Blend { parameters, input, half_life_secs, .. } => {
                    let to = parameters.map(|parameter| finite[parameter as usize]);
                    let way = &mut run.ways[*input];
                    if way.to == to {
                        continue;
                    }
                    (way.to, is_aimed_anew) = (to, true);
                    if *half_life_secs <= 0.0 {
                        (run.inputs[*input], is_changed) = (to, true);
                    }
                }
                Node::Direct { .. } => is_changed = true,
                Node::Leaf(_) => {}
            }
        }
        if is_aimed_anew {
            run.aim();
        }
        if run.is_smoothing {
            run.cell = if is_changed { NO_CELL } else { run.cell };
            return self.enter_cell(layer);
        }
        if is_changed {
            tree.weigh(&run.inputs, finite, &mut run.weights);
        }
        self.play_by_weights(layer, state, tree, is_changed);
    }

    /// Hands speeds, and weights if they have changed, to the mixer: those of the cell if places are smoothed.
    pub(super) fn play_by_weights(&mut self, layer: usize, state: &State, tree: &Tree, is_changed: bool) {
        let speed = self.amount(state.speed);
        let run = &mut self.state.layers[layer];
        let weights = if run.is_smoothing { &run.cell_weights } else { &run.weights };
        let cycle_secs = tree.cycle_secs(weights);
        let next = rate(speed, cycle_secs);
        #[expect(clippy::float_cmp, reason = "only what is another number is set")]
        let is_faster = next != run.rate;
        run.rate = next;
        if !is_changed && !is_faster {
            return;
        }
        for (leaf, (id, weight)) in run.actions.iter().zip(weights).enumerate() {
            let Some(mut action) = self.mixer.get_mut(*id) else { continue };
            // Somebody else may have stopped it; and a speed may be beyond all bounds, then it stays.
            let _ = action.set_weight(*weight);
            if is_faster {
                let _ = action.set_speed(tree.leaf_speed(leaf, speed, cycle_secs));
            }
        }
    }
}

/// That places are in none yet.
pub(super) const NO_CELL: f64 = -1.0;

impl LayerRun {
    /// Whether it is of this motion: it may have been stored with another graph.
    pub(super) fn fits(&self, tree: &Tree) -> bool {
        let cell_weights = if tree.cell_secs > 0.0 { tree.leaves.len() } else { 0 };
        self.weights.len() == tree.leaves.len()
            && self.inputs.len() == tree.inputs
            && self.ways.len() == tree.inputs
            && self.cell_weights.len() == cell_weights
    }

    /// Lets all places lead on from where they are.
    fn aim(&mut self) {
        (self.smoothed_secs, self.cell, self.is_smoothing) = (0.0, NO_CELL, false);
        for (way, at) in self.ways.iter_mut().zip(&self.inputs) {
            way.from = *at;
            self.is_smoothing |= way.from != way.to;
        }
    }
}
