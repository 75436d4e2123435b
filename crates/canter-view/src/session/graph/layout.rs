//! Where states of a machine are in its diagram.

use std::collections::VecDeque;

use canter_graph::MachineData;

/// How large a state is in the diagram.
pub(crate) const NODE_SIZE: [f32; 2] = [136.0, 42.0];
/// From one state to the next, across and down.
const STEP: [f32; 2] = [NODE_SIZE[0] + 74.0, NODE_SIZE[1] + 34.0];
/// Sweeps that bring states nearer to those that they lead to.
const SWEEPS: usize = 6;

/// Where the middle of each state is: where it was put by hand; else by how many transitions it is away from
/// where the machine begins, column by column, in a shape as wide for its height as is asked for.
pub(crate) fn layout(machine: &MachineData, aspect: f32) -> Vec<[f32; 2]> {
    let by_hand: Vec<_> = machine.states.iter().map(|state| state.position).collect();
    if let Some(all) = by_hand.iter().copied().collect::<Option<Vec<_>>>() {
        return all.into_iter().map(finite).collect();
    }
    let mut places = automatic(machine, if aspect.is_finite() { aspect.clamp(0.2, 10.0) } else { 2.0 });
    // Those that were put somewhere stay there, above the others.
    let lowest = by_hand.iter().flatten().map(|place| finite(*place)[1]).reduce(f32::max);
    let below = lowest.map_or(0.0, |lowest| lowest + 1.5 * STEP[1]);
    for (place, by_hand) in places.iter_mut().zip(by_hand) {
        *place = by_hand.map_or([place[0], place[1] + below], finite);
    }
    places
}

fn finite(place: [f32; 2]) -> [f32; 2] {
    place.map(|number| if number.is_finite() { number.clamp(-1e5, 1e5) } else { 0.0 })
}

fn automatic(machine: &MachineData, aspect: f32) -> Vec<[f32; 2]> {
    let layers = layers(machine);
    let (mut best, mut least) = (Vec::new(), f32::INFINITY);
    // In columns of at most so many rows, in so many bands below each other.
    for rows in 1..=10 {
        let columns: Vec<&[usize]> = layers.iter().flat_map(|layer| even(layer, rows)).collect();
        for bands in 1..=columns.len().clamp(1, 8) {
            let (places, width, height) = placed(&columns, bands, machine.states.len());
            // Bands lead away from each other: they have to be worth it.
            #[expect(clippy::cast_precision_loss, reason = "eight at most")]
            let size = (width / aspect).max(height) * (1.0 + 0.06 * (bands - 1) as f32);
            if size < least {
                (best, least) = (places, size);
            }
        }
    }
    best
}

/// A layer in as few columns as there have to be, of equal lengths.
fn even(layer: &[usize], rows: usize) -> impl Iterator<Item = &[usize]> {
    let columns = layer.len().div_ceil(rows).max(1);
    layer.chunks(layer.len().div_ceil(columns).max(1))
}

/// Columns from left to right, in the next band back again, so that neighbours stay neighbours.
#[expect(clippy::cast_precision_loss, reason = "some hundreds")]
fn placed(columns: &[&[usize]], bands: usize, count: usize) -> (Vec<[f32; 2]>, f32, f32) {
    let mut places = vec![[0.0; 2]; count];
    let per_band = columns.len().div_ceil(bands).max(1);
    let mut top = 0.0;
    for (band, columns) in columns.chunks(per_band).enumerate() {
        let rows = columns.iter().map(|column| column.len()).max().unwrap_or(0) as f32;
        for (index, column) in columns.iter().enumerate() {
            let across = if band % 2 == 0 { index } else { per_band - 1 - index } as f32;
            // In the middle of its band; every other one half a row lower, so that lines pass between states.
            let shift = if index % 2 == 1 && column.len() as f32 == rows { 0.22 } else { 0.0 };
            let first = (rows - column.len() as f32) / 2.0 + shift;
            for (row, &state) in column.iter().enumerate() {
                places[state] = [across * STEP[0], top + (first + row as f32) * STEP[1]];
            }
        }
        top += (rows + 0.6) * STEP[1];
    }
    (places, per_band as f32 * STEP[0], top)
}

/// States by how many transitions they are away from the entry, each layer in an order in which few lines
/// cross.
fn layers(machine: &MachineData) -> Vec<Vec<usize>> {
    let count = machine.states.len();
    let index = |name: &str| machine.states.iter().position(|state| state.name == name);
    let entry = index(&machine.entry).unwrap_or(0);
    let mut lines = Vec::new();
    for transition in &machine.transitions {
        // What is entered from anywhere is near to where everything begins.
        let from = if transition.from == "any" { Some(entry) } else { index(&transition.from) };
        lines.extend(from.zip(index(&transition.to)).filter(|(from, to)| from != to));
    }
    let mut depths = vec![usize::MAX; count];
    let mut next = VecDeque::new();
    for start in std::iter::once(entry).chain(0..count) {
        if depths.get(start).is_none_or(|depth| *depth != usize::MAX) {
            continue;
        }
        depths[start] = 0;
        next.push_back(start);
        while let Some(state) = next.pop_front() {
            for (_, to) in lines.iter().filter(|(from, _)| *from == state) {
                if depths[*to] == usize::MAX {
                    depths[*to] = depths[state] + 1;
                    next.push_back(*to);
                }
            }
        }
    }
    let deepest = depths.iter().copied().max().unwrap_or(0);
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); deepest + 1];
    for (state, depth) in depths.iter().enumerate() {
        layers[*depth].push(state);
    }
    order(&mut layers, &lines, count);
    layers
}

/// Sorts each layer by the mean row of what its states lead to or come from, several times.
#[expect(clippy::cast_precision_loss, reason = "some hundreds")]
fn order(layers: &mut [Vec<usize>], lines: &[(usize, usize)], count: usize) {
    let mut rows = vec![0.0_f32; count];
    for sweep in 0..SWEEPS {
        for layer in layers.iter() {
            for (row, &state) in layer.iter().enumerate() {
                rows[state] = (row as f32 + 0.5) / layer.len() as f32;
            }
        }
        let mean = |state: usize| {
            let ends = lines.iter().filter_map(|(from, to)| match () {
                () if *from == state => Some(rows[*to]),
                () if *to == state => Some(rows[*from]),
                () => None,
            });
            let (sum, number) = ends.fold((0.0, 0.0), |(sum, number), row| (sum + row, number + 1.0));
            if number > 0.0 { sum / number } else { rows[state] }
        };
        let layers_count = layers.len();
        for step in 0..layers_count {
            let layer = if sweep % 2 == 0 { step } else { layers_count - 1 - step };
            layers[layer].sort_by(|a, b| mean(*a).total_cmp(&mean(*b)));
        }
    }
}
