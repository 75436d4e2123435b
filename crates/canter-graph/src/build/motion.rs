//! Motions: clips and spaces of a state as a tree.

use std::sync::Arc;

use canter::Clip;

use super::{Builder, Built};
use crate::data::{Blend1dData, Blend2dData, ClipMotion, DirectData, MotionData, Place1dData, Place2dData};
use crate::error::Fault;
use crate::graph::{Leaf, MOST_DEPTH, Node, Tree};
use crate::run::smooth::cell_secs;
use crate::space::{MOST_SAMPLES, Space, SpaceError};

/// So many clips a state plays at most.
const MOST_LEAVES: usize = 256;

impl Builder<'_> {
    pub(super) fn tree(&mut self, data: &MotionData) -> Built<Tree> {
        let mut tree = Tree::default();
        if matches!(data, MotionData::Rest) {
            return Ok(tree);
        }
        let before = self.warnings.len();
        self.node(data, &mut tree, 0)?;
        tree.cell_secs = cell_secs(tree.nodes.iter().map(|node| match node {
            Node::Blend { half_life_secs, .. } => *half_life_secs,
            _ => 0.0,
        }));
        let is_missing = matches!(data, MotionData::Clip(_)) && self.warnings.len() > before;
        Ok(if is_missing { Tree::default() } else { tree })
    }

    /// Adds a motion and all that is in it; returns its place.
    fn node(&mut self, data: &MotionData, tree: &mut Tree, depth: usize) -> Built<usize> {
        if depth >= MOST_DEPTH {
            return self.fail("motion", Fault::TooMany { what: "nested blends", most: MOST_DEPTH });
        }
        let node = match data {
            MotionData::Clip(clip) => self.leaf(clip, tree)?,
            MotionData::Rest => self.rest_leaf(tree)?,
            MotionData::Blend1d(blend) => self.blend_1d(blend, tree, depth)?,
            MotionData::Blend2d(blend) => self.blend_2d(blend, tree, depth)?,
            MotionData::Direct(direct) => self.direct(direct, tree, depth)?,
            MotionData::Machine(_) => {
                return self.fail("motion", Fault::Misplaced("a machine can be in a state only"));
            }
            MotionData::Hold => return self.fail("motion", Fault::Misplaced("`hold` can be a state only")),
        };
        if tree.leaves.len() > MOST_LEAVES {
            return self.fail("motion", Fault::TooMany { what: "clips in a state", most: MOST_LEAVES });
        }
        tree.nodes.push(node);
        Ok(tree.nodes.len() - 1)
    }

    fn leaf(&mut self, data: &ClipMotion, tree: &mut Tree) -> Built<Node> {
        let Some(clip) = self.clip(data.name())? else { return self.rest_leaf(tree) };
        let (mut range, mut speed) = ((0.0, clip.duration_secs()), 1.0);
        if let ClipMotion::Settings(settings) = data {
            if let Some([start, end]) = settings.range {
                let clip_secs = 0.0..=clip.duration_secs();
                if !(clip_secs.contains(&start) && clip_secs.contains(&end) && start < end) {
                    let wrong = if clip_secs.contains(&start) { end } else { start };
                    let expected = "a start and, after it, an end within the clip";
                    return self.fail("range", Fault::Number { found: wrong.into(), expected });
                }
                range = (start, end);
            }
            speed = settings.speed;
            if !(speed.is_finite() && speed > 0.0) {
                let found = speed.into();
                return self.fail("speed", Fault::Number { found, expected: "a clip's speed above 0" });
            }
        }
        let length_secs = f64::from(range.1) - f64::from(range.0);
        tree.leaves.push(Leaf { clip, range, speed, length_secs });
        Ok(Node::Leaf(tree.leaves.len() - 1))
    }

    /// The rest pose as a clip without length: in a space it takes part like others.
    fn rest_leaf(&self, tree: &mut Tree) -> Built<Node> {
        let clip = Clip::builder("rest", self.skeleton).build();
        let clip = match (clip, &self.additive) {
            (Ok(clip), None) => clip,
            (Ok(clip), Some(_)) => match clip.additive(canter::AdditiveReference::Rest) {
                Ok(clip) => clip,
                Err(error) => return self.fail("motion", Fault::Clip(error.to_string())),
            },
            (Err(error), _) => return self.fail("motion", Fault::Clip(error.to_string())),
        };
        tree.leaves.push(Leaf { clip: Arc::new(clip), range: (0.0, 0.0), speed: 1.0, length_secs: 0.0 });
        Ok(Node::Leaf(tree.leaves.len() - 1))
    }

    fn half_life(&self, secs: f32) -> Built<()> {
        match secs.is_finite() && secs >= 0.0 {
            true => Ok(()),
            false => {
                let found = secs.into();
                self.fail("half_life", Fault::Number { found, expected: "a finite number of seconds from 0" })
            }
        }
    }

    fn blend_1d(&mut self, data: &Blend1dData, tree: &mut Tree, depth: usize) -> Built<Node> {
        let parameter = self.float_parameter("parameter", &data.parameter)?;
        self.half_life(data.half_life)?;
        let input = self.count_input(tree, data.points.len())?;
        let (mut places, mut children) = (Vec::new(), Vec::new());
        for point in &data.points {
            let child = self.node(&point.motion, tree, depth + 1)?;
            children.push(child);
            places.push(match (point.at, data.place) {
                (Some(at), _) => at,
                (None, Some(Place1dData::Speed)) => self.of_root(tree, child, speed)?,
                (None, Some(Place1dData::Turn)) => self.of_root(tree, child, turn)?,
                (None, None) => return self.fail("at", Fault::Missing("the place of a point, or `place`")),
            });
        }
        let space = Box::new(self.check_space(Space::line(&places), &places)?);
        let half_life_secs = data.half_life;
        Ok(Node::Blend { space, parameters: [parameter; 2], input, half_life_secs, children })
    }

    fn blend_2d(&mut self, data: &Blend2dData, tree: &mut Tree, depth: usize) -> Built<Node> {
        let x = self.float_parameter("parameters", &data.parameters[0])?;
        let y = self.float_parameter("parameters", &data.parameters[1])?;
        self.half_life(data.half_life)?;
        let input = self.count_input(tree, data.points.len())?;
        let (mut places, mut children) = (Vec::new(), Vec::new());
        for point in &data.points {
            let child = self.node(&point.motion, tree, depth + 1)?;
            children.push(child);
            places.push(match (point.at, data.place) {
                (Some(at), _) => at,
                (None, Some(Place2dData::Velocity)) => self.of_root(tree, child, velocity)?,
                (None, Some(Place2dData::TurnAndSpeed)) => {
                    [self.of_root(tree, child, turn)?, self.of_root(tree, child, speed)?]
                }
                (None, None) => return self.fail("at", Fault::Missing("the place of a point, or `place`")),
            });
        }
        let flat: Vec<f32> = places.iter().flatten().copied().collect();
        let space = Box::new(self.check_space(Space::plane(&places, data.method), &flat)?);
        Ok(Node::Blend { space, parameters: [x, y], input, half_life_secs: data.half_life, children })
    }

    /// The number of a space among those of a state.
    fn count_input(&self, tree: &mut Tree, points: usize) -> Built<usize> {
        if points > MOST_SAMPLES {
            return self.fail("points", Fault::TooMany { what: "points", most: MOST_SAMPLES });
        }
        tree.inputs += 1;
        Ok(tree.inputs - 1)
    }

    fn check_space(&self, space: Result<Space, SpaceError>, places: &[f32]) -> Built<Space> {
        match space {
            Ok(space) => Ok(space),
            Err(SpaceError::Count(0)) => self.fail("points", Fault::Missing("a point")),
            Err(SpaceError::Count(_)) => {
                self.fail("points", Fault::TooMany { what: "points", most: MOST_SAMPLES })
            }
            Err(SpaceError::Place(_)) => {
                let found = places
                    .iter()
                    .find(|place| place.is_nan() || place.abs() > 1e18)
                    .copied()
                    .unwrap_or(f32::NAN);
                let expected = "a finite place, up to 1e18";
                self.fail("at", Fault::Number { found: found.into(), expected })
            }
            Err(SpaceError::Same(first, second)) => self.fail("at", Fault::SamePlace { first, second }),
        }
    }

    /// What the root motion of a point's clip says.
    fn of_root<T>(&self, tree: &Tree, child: usize, read: fn(&Leaf) -> Option<T>) -> Built<T> {
        let leaf = match tree.nodes[child] {
            Node::Leaf(leaf) => Some(&tree.leaves[leaf]),
            _ => None,
        };
        match leaf.and_then(read) {
            Some(place) => Ok(place),
            None => self.fail("place", Fault::Missing("the root motion of a point's clip, or `at`,")),
        }
    }

    fn direct(&mut self, data: &DirectData, tree: &mut Tree, depth: usize) -> Built<Node> {
        if data.items.is_empty() {
            return self.fail("items", Fault::Missing("an item"));
        }
        let mut items = Vec::new();
        for item in &data.items {
            let weight = self.amount("weight", &item.weight)?;
            items.push((weight, self.node(&item.motion, tree, depth + 1)?));
        }
        Ok(Node::Direct { items, normalize: data.normalize.unwrap_or(self.additive.is_none()) })
    }
}

fn speed(leaf: &Leaf) -> Option<f32> {
    Some(leaf.clip.ground_speed()? * leaf.speed)
}

/// Radians per second to the left. A clip without root motion does not turn if it is known how fast it walks.
fn turn(leaf: &Leaf) -> Option<f32> {
    let Some(root) = leaf.clip.root_motion().filter(|_| leaf.clip.duration_secs() > 0.0) else {
        return leaf.clip.ground_speed().map(|_| 0.0);
    };
    if !root.has_yaw() {
        return Some(0.0);
    }
    let (curve, last) = (root.curve(), root.curve().times().len() - 1);
    Some((curve.value(last)[3] - curve.value(0)[3]) / leaf.clip.duration_secs() * leaf.speed)
}

/// To the left and forward, in metres per second.
fn velocity(leaf: &Leaf) -> Option<[f32; 2]> {
    let root = leaf.clip.root_motion().filter(|_| leaf.clip.duration_secs() > 0.0)?;
    let (curve, last) = (root.curve(), root.curve().times().len() - 1);
    let along = |axis: usize| {
        (curve.value(last)[axis] - curve.value(0)[axis]) / leaf.clip.duration_secs() * leaf.speed
    };
    Some([along(0), along(2)])
}
