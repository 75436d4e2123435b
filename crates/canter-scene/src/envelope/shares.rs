//! Shares a vertex out among its joints, so that a joint that moves it a little sees little of it.
//!
//! A vertex with the weights `a` and `b` goes to `a A v + b B v`. If both joints agree about a point `p`, as a joint and its
//! parent do about their hinge, then this is also `(a - t) A v' + (b + t) B v''`, for any `t`, with
//! `v' = (a v - t p) / (a - t)` and `v'' = (b v + t p) / (b + t)`: a mean of what the joints make of two other points, the
//! first a little farther from the hinge than the vertex, the second much nearer to it if `b` is small. The box of the
//! second joint need not contain the vertex, then, which it would swing about wildly, but only the point near the hinge.
//!
//! Where the joints do not agree, since a clip pulls them apart, the mean is off by `t (A p - B p)`. That is the room that
//! [`Hinges`](super::hinge::Hinges) adds; the vertex *leans* on its hinge by `t`.

use canter::glam::{DVec4, Vec3};

use super::piece::weight_of;
use super::vertices::Share;
use super::{Sample, Vertices};
use crate::bounds::Bounds;

/// A pose, and where the points of a vertex should be in it.
pub(super) struct Room<'a> {
    pub(super) pose: &'a Sample<'a>,
    /// The true bounds of the mesh, and larger ones.
    pub(super) truth: Bounds,
    pub(super) allowed: Bounds,
    pub(super) size: Vec3,
}

/// The points that the joints of a vertex get, and how much each hinge (by its lower joint) is leant on.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) points: Vec<(usize, Share)>,
    pub(super) leans: Vec<(usize, f32)>,
}

/// More joints than this are too many to share anything out.
const MOST_JOINTS: usize = 5;
/// A joint is not looked for farther up than this.
const FARTHEST: usize = 8;
/// Poses of each joint that are looked at.
const POSES: usize = 6;
/// How far outside points may be in the end, in relation to the size of the mesh.
const LENIENCE: f32 = 0.035;
/// No joint is left with less weight.
const LEAST_WEIGHT: f64 = 0.01;
const FIRST_STEP: f64 = 0.2;
const LAST_STEP: f64 = 0.005;
const ROUNDS: usize = 40;

/// A point with a weight, multiplied by it.
type Moment = DVec4;

struct Search<'a> {
    vertices: &'a Vertices,
    joints: Vec<usize>,
    rooms: Vec<&'a Room<'a>>,
    moments: Vec<Moment>,
    leans: Vec<f64>,
    /// How bad the point of each joint is.
    costs: Vec<f32>,
}

/// Weight that goes from one joint to another over the hinges between them.
type Move = Vec<Step>;

/// At a hinge, what one joint gets and the next one on the way gives.
struct Step {
    gets: usize,
    gives: usize,
    /// The lower one of the two.
    hinge: usize,
    amount: f64,
}

/// Shares a vertex out so that all its points are where they should be, if there is a way. `is_hinge` says of which joints the
/// hinges hold.
pub(super) fn share_out(
    vertices: &Vertices,
    vertex: usize,
    rooms: &[Room<'_>],
    is_hinge: &[bool],
) -> Option<Shared> {
    let position = vertices.positions[vertex];
    let sum: f64 = vertices.influences(vertex).iter().map(|influence| f64::from(influence.1)).sum();
    let mut joints: Vec<usize> = vertices.influences(vertex).iter().map(|influence| influence.0).collect();
    joints.sort_unstable();
    joints.dedup();
    connect(&mut joints, &vertices.joints.parents, is_hinge);
    if joints.len() > MOST_JOINTS {
        return None;
    }
    let weight = |&joint: &usize| f64::from(weight_of(vertices.influences(vertex), joint)) / sum;
    let weights: Vec<f64> = joints.iter().map(weight).collect();
    let count = joints.len();
    let mut search = Search {
        vertices,
        moments: weights.iter().map(|&weight| position.as_dvec3().extend(1.0) * weight).collect(),
        rooms: Vec::new(),
        leans: vec![0.0; count],
        costs: vec![0.0; count],
        joints,
    };
    let moves = search.moves(is_hinge);
    let is_moved = |index| moves.iter().flatten().any(|step| step.gets == index || step.gives == index);
    let is_lost =
        |index| !is_moved(index) && search.worst(index, search.moments[index], rooms.iter()) > LENIENCE;
    if moves.is_empty() || (0..count).any(is_lost) {
        return None;
    }
    for _ in 0..3 {
        search.look_closely(rooms);
        search.improve(&moves);
        let is_done =
            (0..count).all(|index| search.worst(index, search.moments[index], rooms.iter()) <= LENIENCE);
        if is_done {
            return Some(search.into_shared(&weights, sum));
        }
    }
    None
}

/// Adds the joints between, over which there is a way from one to another.
fn connect(joints: &mut Vec<usize>, parents: &[Option<usize>], is_hinge: &[bool]) {
    let above = |&joint: &usize| parents[joint].filter(|_| is_hinge[joint]);
    let way_up = |joint: usize| std::iter::successors(Some(joint), above).take(FARTHEST);
    let ways: Vec<Vec<usize>> = joints.iter().map(|&joint| way_up(joint).collect()).collect();
    let is_shared = |joint: &usize| ways.iter().filter(|way| way.contains(joint)).count() > 1;
    for way in &ways {
        if let Some(meeting) = way.iter().position(is_shared) {
            joints.extend(&way[1..=meeting]);
        }
    }
    joints.sort_unstable();
    joints.dedup();
}

impl<'a> Search<'a> {
    /// From each joint to each other one.
    fn moves(&self, is_hinge: &[bool]) -> Vec<Move> {
        let parents = &self.vertices.joints.parents;
        let index_of = |joint: usize| self.joints.iter().position(|&other| other == joint);
        let above = |index: usize| {
            let joint = self.joints[index];
            parents[joint].filter(|_| is_hinge[joint]).and_then(index_of)
        };
        let way_up =
            |index: usize| std::iter::successors(Some(index), |&index| above(index)).collect::<Vec<_>>();
        let mut moves = Vec::new();
        for to in 0..self.joints.len() {
            for from in (0..self.joints.len()).filter(|&from| from != to) {
                let (up, mut down) = (way_up(to), way_up(from));
                let Some(turn) = up.iter().position(|joint| down.contains(joint)) else { continue };
                down.truncate(down.iter().position(|&joint| joint == up[turn]).unwrap_or(0));
                let way: Vec<_> = up[..=turn].iter().chain(down.iter().rev()).copied().collect();
                let steps = way.windows(2).enumerate().map(|(number, pair)| Step {
                    gets: pair[0],
                    gives: pair[1],
                    hinge: if above(pair[0]) == Some(pair[1]) { pair[0] } else { pair[1] },
                    // Those between keep some of it.
                    amount: (number + 1) as f64,
                });
                moves.push(steps.collect());
            }
        }
        moves
    }

    /// Looks at the poses in which the points are worst.
    fn look_closely(&mut self, rooms: &'a [Room<'a>]) {
        for index in 0..self.joints.len() {
            let mut worst: Vec<_> = rooms
                .iter()
                .map(|room| (self.worst(index, self.moments[index], std::iter::once(room)), room))
                .filter(|(over, _)| *over > 0.0)
                .collect();
            worst.sort_by(|a, b| b.0.total_cmp(&a.0));
            self.rooms.extend(worst.iter().take(POSES).map(|(_, room)| *room));
        }
        for index in 0..self.joints.len() {
            self.costs[index] = self.cost(index, self.moments[index]);
        }
    }

    /// Tries moves while they help.
    fn improve(&mut self, moves: &[Move]) {
        let mut step = FIRST_STEP;
        for _ in 0..ROUNDS {
            let mut is_better = false;
            for way in moves {
                if self.costs.iter().all(|cost| *cost <= 0.0) {
                    return;
                }
                is_better |= self.is_improved_by(way, step);
            }
            if !is_better {
                step *= 0.5;
                if step < LAST_STEP {
                    break;
                }
            }
        }
    }

    fn is_improved_by(&mut self, way: &[Step], step: f64) -> bool {
        let mut moments = self.moments.clone();
        for Step { gets, gives, hinge, amount } in way {
            let pivot = self.vertices.joints.pivots[self.joints[*hinge]].as_dvec3();
            let moment = pivot.extend(1.0) * (step * amount);
            moments[*gets] += moment;
            moments[*gives] -= moment;
        }
        let touched =
            || way.first().map(|step| step.gets).into_iter().chain(way.iter().map(|step| step.gives));
        if touched().any(|index| moments[index].w < LEAST_WEIGHT) {
            return false;
        }
        let before: f32 = touched().map(|index| self.costs[index]).sum();
        let mut after = 0.0;
        let mut costs = self.costs.clone();
        for index in touched() {
            costs[index] = self.cost(index, moments[index]);
            after += costs[index];
            if after >= before * 0.999 {
                return false;
            }
        }
        for Step { gets, hinge, amount, .. } in way {
            self.leans[*hinge] += step * amount * if gets == hinge { 1.0 } else { -1.0 };
        }
        (self.moments, self.costs) = (moments, costs);
        true
    }

    fn cost(&self, index: usize, moment: Moment) -> f32 {
        let over = self.worst(index, moment, self.rooms.iter().copied());
        over * over
    }

    /// How far the point of a joint is outside at most, in relation to the size of the mesh.
    fn worst<'b>(&self, index: usize, moment: Moment, rooms: impl Iterator<Item = &'b Room<'b>>) -> f32 {
        if moment.w == 0.0 {
            return 0.0;
        }
        let position = (moment.truncate() / moment.w).as_vec3();
        let over = |room: &Room<'_>| {
            let place = room.pose.palette[self.joints[index]].transform_point(position);
            ((room.allowed.min - place).max(place - room.allowed.max) / room.size).max_element()
        };
        rooms.map(over).fold(0.0, f32::max)
    }

    /// What was found for a vertex with these weights, which were divided by their sum.
    #[expect(clippy::cast_possible_truncation, reason = "boxes have room for rounding")]
    fn into_shared(self, weights: &[f64], sum: f64) -> Shared {
        let points = self.joints.iter().zip(&self.moments).zip(weights);
        let shares = points.filter(|((_, moment), _)| moment.w != 0.0).map(|((&joint, moment), weight)| {
            let position = (moment.truncate() / moment.w).as_vec3();
            (joint, Share { position, stride: (weight / moment.w) as f32 })
        });
        let leans = self.joints.iter().copied().zip(self.leans.iter().map(|lean| (lean * sum).abs() as f32));
        Shared { points: shares.collect(), leans: leans.filter(|(_, lean)| *lean > 0.0).collect() }
    }
}

#[cfg(test)]
mod tests {
    use canter::Mat3x4;
    use fearless_simd::Fallback;

    use super::super::corners::Corners;
    use super::super::hinge::{Hinge, Hinges};
    use super::super::made_up::{bent, chain, numbers};
    use super::*;

    /// Whatever the joints do, the vertex is among its points, or as far from them as its hinges have come apart.
    #[test]
    fn a_vertex_is_among_its_points() {
        let mut leaning = [0; 4];
        for seed in 0..3000 {
            let mut next = numbers(seed);
            let weights: Vec<_> = (0..2 + seed as usize % 3).map(|_| next().abs().powi(3) + 0.01).collect();
            let wanted = if seed % 4 == 0 { 1.0 + 0.5 * next() } else { 1.0 };
            let total: f32 = weights.iter().sum();
            let weights: Vec<_> = weights.iter().map(|weight| weight / total * wanted).collect();
            let vertices = chain(&[(Vec3::new(next() * 3.0, next(), next()), weights.clone())]);
            let bend = bent(&vertices, &mut next, 0.0);
            let pose = Sample { joints: &bend, palette: &bend, morph_weights: &[] };
            let place = vertices.posed(0, &pose) / wanted;
            let reach = 1.0 + next() * 0.7;
            let allowed = Bounds { min: place - reach, max: place + reach };
            let rooms = [Room { pose: &pose, truth: allowed, allowed, size: Vec3::ONE }];
            let Some(shared) = share_out(&vertices, 0, &rooms, &vec![true; weights.len()]) else { continue };
            leaning[shared.leans.len()] += 1;
            for _ in 0..20 {
                let mut row = || [next() * 2.0, next() * 2.0, next() * 2.0, next() * 2.0];
                let palette: Vec<_> =
                    weights.iter().map(|_| Mat3x4 { rows: [row(), row(), row()] }).collect();
                let place =
                    vertices.posed(0, &Sample { joints: &palette, palette: &palette, morph_weights: &[] });
                let points = shared
                    .points
                    .iter()
                    .map(|(joint, share)| palette[*joint].transform_point(share.position));
                let points = Bounds::around(points.map(|point| point * wanted));
                let hinge = |&(joint, lean): &(usize, f32)| {
                    let parent = vertices.joints.parents[joint].unwrap();
                    Hinge { joint, parent, pivot: vertices.joints.pivots[joint], lean }
                };
                let (simd, hinges) = (Fallback::new(), Hinges::new(shared.leans.iter().map(hinge).collect()));
                let roomy = hinges.widen(simd, Corners::of(simd, &points), &palette).bounds();
                let roomy = Bounds { min: roomy.min - 1e-4, max: roomy.max + 1e-4 };
                assert!(roomy.contains(place), "{seed}: {roomy:?} does not contain {place}, {shared:?}");
            }
        }
        assert!(
            leaning.iter().all(|count| *count > 20),
            "vertices that lean on 0, 1, 2 and 3 hinges: {leaning:?}"
        );
    }

    #[test]
    fn a_joint_with_little_weight_gets_a_point_near_its_hinge() {
        let vertices = chain(&[(Vec3::new(-3.0, 0.0, 0.0), vec![0.95, 0.05])]);
        // The second joint is turned by half about its hinge, which takes the vertex from -3 to 5.
        let turned = Mat3x4 { rows: [[-1.0, 0.0, 0.0, 2.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]] };
        let palette = [Mat3x4::IDENTITY, turned];
        let pose = Sample { joints: &palette, palette: &palette, morph_weights: &[] };
        let allowed = Bounds { min: Vec3::splat(-4.0), max: Vec3::splat(2.0) };
        let rooms = [Room { pose: &pose, truth: allowed, allowed, size: Vec3::splat(6.0) }];
        let shared = share_out(&vertices, 0, &rooms, &[true, true]).unwrap();
        let point = |joint: usize| shared.points.iter().find(|point| point.0 == joint).unwrap().1.position.x;
        assert!((-4.3..-3.0).contains(&point(0)), "a little farther out: {}", point(0));
        assert!((-0.5..1.0).contains(&point(1)), "near the hinge: {}", point(1));
        assert!(share_out(&vertices, 0, &rooms, &[true, false]).is_none(), "the hinge does not hold");
    }
}
