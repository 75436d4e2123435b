//! What springs remember from one frame to the next.

use canter::glam::DVec3;

use super::collider::PlacedLanes;
use super::{Spring, Springs};
use crate::lane::Vectors;
use crate::turn::Turn;
use crate::vector::{Matrix3, Vector3};

/// Where the springs of one character are and how they move. A plain value: clone it, put it back.
///
/// Places are relative to the character's, along the axes of the world, so that they are as exact far from
/// the origin as near it.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringsState(pub(super) Memory<1>);

/// The same of up to eight characters with the same springs, which are swung side by side; see
/// [`Springs::apply_group`]. Each has a *lane*, from 0 to 7.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringsGroup(pub(super) Memory<8>);

impl SpringsState {
    /// For the springs of one character; they take their places in the first frame.
    #[must_use]
    pub fn new(springs: &Springs) -> Self {
        Self(Memory::new(springs))
    }

    /// Puts all springs to rest, as the next frame's pose has them.
    pub fn reset(&mut self) {
        self.0.lanes[0].is_new = true;
    }

    /// The next frame's place of the character is a jump, however short: nothing swings by it.
    pub fn teleport(&mut self) {
        self.0.lanes[0].is_teleporting = true;
    }
}

impl SpringsGroup {
    /// How many characters it has room for.
    pub const LANES: usize = 8;

    /// For characters with the same springs; they take their places in their first frame.
    #[must_use]
    pub fn new(springs: &Springs) -> Self {
        Self(Memory::new(springs))
    }

    /// Puts all springs of a character to rest, as the next frame's pose has them; to be called where a lane
    /// is given to another character.
    ///
    /// # Panics
    /// If there is no such lane.
    pub fn reset(&mut self, lane: usize) {
        self.0.lanes[lane].is_new = true;
    }

    /// The next frame's place of a character is a jump, however short: nothing swings by it.
    ///
    /// # Panics
    /// If there is no such lane.
    pub fn teleport(&mut self, lane: usize) {
        self.0.lanes[lane].is_teleporting = true;
    }
}

/// The springs of `N` characters, side by side.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Memory<const N: usize> {
    /// The points of all chains.
    pub(super) points: Vec<Point<N>>,
    pub(super) colliders_before: Vec<PlacedLanes<N>>,
    pub(super) colliders: Vec<PlacedLanes<N>>,
    pub(super) lanes: [Character; N],
    /// The centres of all chains in the last frame, those of one character after another.
    pub(super) centers: Vec<[Center; N]>,
    /// With room for the longest chain.
    pub(super) turns: Turns<N>,
}

/// A point of a chain; the first of each chain has no bone and no tail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point<const N: usize> {
    /// Where the animated pose had it in the last frame, and has it in this one.
    pub(super) before: Vectors<N>,
    pub(super) now: Vectors<N>,
    /// How long the bone was that ends here, and is.
    pub(super) length_before: [f32; N],
    pub(super) length: [f32; N],
    /// Where to that bone points now: of length one, or nothing if it has no length.
    pub(super) direction: Vectors<N>,
    /// Where the tail is, and was a step ago.
    pub(super) current: Vectors<N>,
    pub(super) previous: Vectors<N>,
}

/// How the bones of a chain are turned as they are shown, each beyond those before it and seen from the animated
/// pose: quaternions. What is calculated anew in every frame is no part of a state: all are alike.
#[derive(Clone, Debug)]
pub(super) struct Turns<const N: usize>(pub(super) Vec<[[f32; N]; 4]>);

impl<const N: usize> PartialEq for Turns<N> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// What is remembered of a character beside its springs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Character {
    /// Where it was in the last frame, and its axes.
    pub(super) origin: DVec3,
    pub(super) world: Matrix3,
    /// What the last frame left of a step.
    pub(super) left_secs: f64,
    pub(super) is_new: bool,
    pub(super) is_teleporting: bool,
}

/// Relative to what a chain keeps its momentum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Center {
    pub(super) turn: Turn,
    pub(super) place: Vector3,
}

impl Center {
    pub(super) const NONE: Self = Self { turn: Turn::IDENTITY, place: Vector3::ZERO };

    pub(super) fn toward(&self, to: &Self, part: f32) -> Self {
        Self { turn: self.turn.toward(to.turn, part), place: self.place.lerp(to.place, part) }
    }
}

impl<const N: usize> Point<N> {
    const NONE: Self = Self {
        before: [[0.0; N]; 3],
        now: [[0.0; N]; 3],
        length_before: [0.0; N],
        length: [0.0; N],
        direction: [[0.0; N]; 3],
        current: [[0.0; N]; 3],
        previous: [[0.0; N]; 3],
    };

    /// Moves its tail.
    pub(super) fn map_tail(&mut self, lane: usize, map: impl Fn(Vector3) -> Vector3) {
        for vectors in [&mut self.current, &mut self.previous] {
            map_one(vectors, lane, &map);
        }
    }
}

impl<const N: usize> Memory<N> {
    fn new(springs: &Springs) -> Self {
        let character = Character {
            origin: DVec3::ZERO,
            world: Matrix3::IDENTITY,
            left_secs: 0.0,
            is_new: true,
            is_teleporting: false,
        };
        let longest = springs.chains.iter().map(Spring::bone_count).max().unwrap_or(0);
        Self {
            points: vec![Point::NONE; springs.point_count],
            colliders_before: vec![PlacedLanes::NONE; springs.colliders.len()],
            colliders: vec![PlacedLanes::NONE; springs.colliders.len()],
            lanes: [character; N],
            centers: vec![[Center::NONE; N]; springs.chains.len()],
            turns: Turns(vec![[[0.0; N]; 4]; longest]),
        }
    }

    /// Moves everything that is remembered but points, of all characters at once.
    pub(super) fn shift(&mut self, ways: &Vectors<N>) {
        for collider in &mut self.colliders_before {
            collider.shift(ways);
        }
        for centers in &mut self.centers {
            for (lane, center) in centers.iter_mut().enumerate() {
                center.place += get(ways, lane);
            }
        }
    }

    /// This frame is the last one, for the characters that have one.
    pub(super) fn end(&mut self, has_frame: &[bool; N]) {
        if has_frame.iter().all(|has_frame| *has_frame) {
            for point in &mut self.points {
                (point.before, point.length_before) = (point.now, point.length);
            }
        } else {
            self.end_points(has_frame);
        }
        for (before, now) in self.colliders_before.iter_mut().zip(&self.colliders) {
            for lane in (0..N).filter(|&lane| has_frame[lane]) {
                before.copy(lane, now);
            }
        }
        for (character, _) in self.lanes.iter_mut().zip(has_frame).filter(|(_, has_frame)| **has_frame) {
            (character.is_new, character.is_teleporting) = (false, false);
        }
    }

    /// The same for the points if some characters have none.
    #[cold]
    fn end_points(&mut self, has_frame: &[bool; N]) {
        for point in &mut self.points {
            for lane in (0..N).filter(|&lane| has_frame[lane]) {
                let now = get(&point.now, lane);
                set(&mut point.before, lane, now);
                point.length_before[lane] = point.length[lane];
            }
        }
    }

    /// Moves everything that is remembered of a character.
    pub(super) fn map(&mut self, lane: usize, map: impl Fn(Vector3) -> Vector3) {
        for point in &mut self.points {
            point.map_tail(lane, &map);
            map_one(&mut point.before, lane, &map);
        }
        for collider in &mut self.colliders_before {
            collider.map(lane, &map);
        }
        for centers in &mut self.centers {
            centers[lane].place = map(centers[lane].place);
        }
    }
}

#[inline(always)]
pub(super) fn add<const N: usize>(vectors: &mut Vectors<N>, ways: &Vectors<N>) {
    for (numbers, ways) in vectors.iter_mut().zip(ways) {
        for (number, way) in numbers.iter_mut().zip(ways) {
            *number += way;
        }
    }
}

/// One of several vectors.
#[inline(always)]
pub(super) fn get<const N: usize>(vectors: &Vectors<N>, lane: usize) -> Vector3 {
    Vector3::new(vectors[0][lane], vectors[1][lane], vectors[2][lane])
}

#[inline(always)]
pub(super) fn set<const N: usize>(vectors: &mut Vectors<N>, lane: usize, vector: Vector3) {
    for (numbers, number) in vectors.iter_mut().zip(vector.to_array()) {
        numbers[lane] = number;
    }
}

#[inline(always)]
pub(super) fn map_one<const N: usize>(
    vectors: &mut Vectors<N>,
    lane: usize,
    map: impl Fn(Vector3) -> Vector3,
) {
    let mapped = map(get(vectors, lane));
    set(vectors, lane, mapped);
}
