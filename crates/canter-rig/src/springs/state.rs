//! What springs remember from one frame to the next.

use canter::glam::{DVec3, Mat3, Vec3};

use super::Springs;
use super::collider::Placed;
use crate::turn::Turn;

/// Where the springs of one character are and how they move. A plain value: clone it, put it back.
///
/// Places are relative to the character's, along the axes of the world, so that they are as exact far from
/// the origin as near it.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringsState {
    /// The points of all chains; the first of each chain is not used.
    pub(super) tails: Vec<Tail>,
    /// Where the animated pose had all points in the last frame, and has them in this one.
    pub(super) before: Vec<Vec3>,
    pub(super) now: Vec<Vec3>,
    /// How long the bone was that ends at each point, and is.
    pub(super) lengths: Vec<[f32; 2]>,
    pub(super) colliders_before: Vec<Placed>,
    pub(super) colliders: Vec<Placed>,
    /// Colliders at the time of a step.
    pub(super) colliders_between: Vec<Placed>,
    /// The centres of all chains in the last frame.
    pub(super) centers: Vec<Center>,
    /// Where the character was in the last frame, and its axes.
    pub(super) origin: DVec3,
    pub(super) world: Mat3,
    /// What steps have not covered yet.
    pub(super) left_secs: f64,
    pub(super) is_new: bool,
    pub(super) is_teleporting: bool,
}

/// The end of a bone, now and a step ago.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tail {
    pub(super) current: Vec3,
    pub(super) previous: Vec3,
}

/// Relative to what a chain keeps its momentum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Center {
    pub(super) turn: Turn,
    pub(super) place: Vec3,
}

impl Center {
    pub(super) const NONE: Self = Self { turn: Turn::IDENTITY, place: Vec3::ZERO };

    pub(super) fn toward(&self, to: &Self, part: f32) -> Self {
        Self { turn: self.turn.toward(to.turn, part), place: self.place.lerp(to.place, part) }
    }
}

impl SpringsState {
    /// For the springs of one character; they take their places in the first frame.
    #[must_use]
    pub fn new(springs: &Springs) -> Self {
        let points = vec![Vec3::ZERO; springs.point_count];
        let colliders = vec![Placed::default(); springs.colliders.len()];
        Self {
            tails: vec![Tail::default(); springs.point_count],
            before: points.clone(),
            lengths: vec![[0.0; 2]; springs.point_count],
            now: points,
            colliders_before: colliders.clone(),
            colliders_between: colliders.clone(),
            colliders,
            centers: vec![Center::NONE; springs.chains.len()],
            origin: DVec3::ZERO,
            world: Mat3::IDENTITY,
            left_secs: 0.0,
            is_new: true,
            is_teleporting: false,
        }
    }

    /// Puts all springs to rest, as the next frame's pose has them.
    pub fn reset(&mut self) {
        self.is_new = true;
    }

    /// The next frame's place of the character is a jump, however short: nothing swings by it.
    pub fn teleport(&mut self) {
        self.is_teleporting = true;
    }

    /// Moves everything that is remembered.
    pub(super) fn map(&mut self, map: impl Fn(Vec3) -> Vec3) {
        for tail in &mut self.tails {
            *tail = Tail { current: map(tail.current), previous: map(tail.previous) };
        }
        for point in &mut self.before {
            *point = map(*point);
        }
        for collider in &mut self.colliders_before {
            collider.map(&map);
        }
        for center in &mut self.centers {
            center.place = map(center.place);
        }
    }
}
