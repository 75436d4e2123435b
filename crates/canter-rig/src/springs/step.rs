//! Swings the springs in a frame: steps of 1/60 s, and what is shown of them.

use canter::glam::{DVec3, Vec3};
use canter::{Mat3x4, ModelPose, Pose, Subtree};
use fearless_simd::Level;

use super::joints::TurnJoints;
use super::state::{Center, Character, Memory, Point, SpringsGroup, SpringsState, get, set};
use super::sweep::{Drive, STEP_SECS, Sweep, Time};
use super::worlds::{Place, Worlds};
use super::{Spring, SpringCenter, SpringStep, Springs};
use crate::lane::{Lone, Runner, Vectors};
use crate::space::{Axes, invert, linear_of, orientation, position};
use crate::turn::Turn;
use crate::turn_batch::TurnBatch;
use crate::vector::{Matrix3, Vector3};

/// As many as a frame runs; what is longer is left out.
const MAX_STEPS: f64 = 8.0;

/// A way that changes nothing, not even the sign of zero.
const STAYS: Vector3 = Vector3::new(-0.0, -0.0, -0.0);

/// The steps of a frame.
#[derive(Clone, Copy)]
struct Steps {
    count: u16,
    /// Where the first and all further ones lie between the last frame, 0, and this one, 1.
    first: f32,
    each: f32,
    /// What part of a step is left after them.
    left: f32,
}

/// One of the characters whose springs swing side by side.
#[derive(Debug)]
pub struct SpringsMember<'a> {
    /// Its pose.
    pub pose: &'a mut Pose,
    /// What is composed of it.
    pub model: &'a mut ModelPose,
    /// What drives its springs.
    pub step: SpringStep,
}

/// A character in this frame.
struct Frame {
    steps: Steps,
    world: Matrix3,
    /// Into the model.
    axes: Axes,
    /// By how much what is remembered moves.
    way: Vector3,
    wind: Vector3,
    weight: f32,
}

impl Springs {
    /// Moves all springs on by a frame, turns their joints, and composes again what hangs on them.
    ///
    /// # Panics
    /// If pose or model were made for another skeleton, or the state for other springs; `model` has to be
    /// composed of `pose`.
    pub fn apply(&self, state: &mut SpringsState, pose: &mut Pose, model: &mut ModelPose, step: &SpringStep) {
        let mut member = [SpringsMember { pose, model, step: *step }];
        self.apply_lanes(Lone(Level::new()), &mut state.0, &mut member);
    }

    /// The same for several characters at once, the first in lane 0 and so on: the same bits in much less
    /// time.
    ///
    /// # Panics
    /// If there are more than eight characters, a pose or a model was made for another skeleton, or the group
    /// for other springs; each `model` has to be composed of its `pose`.
    pub fn apply_group(&self, group: &mut SpringsGroup, members: &mut [SpringsMember<'_>]) {
        self.apply_group_at(Level::new(), group, members);
    }

    #[doc(hidden)]
    pub fn apply_group_at(&self, level: Level, group: &mut SpringsGroup, members: &mut [SpringsMember<'_>]) {
        assert!(members.len() <= SpringsGroup::LANES, "{} characters in eight lanes", members.len());
        self.apply_lanes(level, &mut group.0, members);
    }

    fn apply_lanes<const N: usize>(
        &self,
        runner: impl TurnJoints<N>,
        memory: &mut Memory<N>,
        members: &mut [SpringsMember<'_>],
    ) {
        assert!(
            memory.points.len() == self.point_count && memory.colliders.len() == self.colliders.len(),
            "a state of other springs"
        );
        let mut frames = [const { None }; N];
        let (mut wind, mut ways) = ([[0.0; N]; 3], [[-0.0; N]; 3]);
        for (lane, (member, frame)) in members.iter().zip(&mut frames).enumerate() {
            *frame = self.begin(memory, lane, member.model, &member.step);
            if let Some(frame) = frame {
                set(&mut wind, lane, frame.wind);
                set(&mut ways, lane, frame.way);
            }
        }
        memory.shift(&ways);
        let is_shown = frames.each_ref().map(|frame| frame.as_ref().is_some_and(|frame| frame.weight > 0.0));
        // Of one character, eight bones are written at once; of eight, the same bone of all.
        let mut batch = TurnBatch::IN_MODEL;
        for (lane, frame) in frames.iter().enumerate() {
            match frame {
                Some(frame) if N == 1 => batch = TurnBatch::new(frame.axes.rows(), frame.weight),
                Some(frame) => batch.set_outer(lane, frame.axes.rows(), frame.weight),
                None => (),
            }
        }
        let mut worlds = Worlds::NONE;
        for (lane, frame) in frames.iter().enumerate() {
            if let Some(frame) = frame {
                worlds.set(lane, &frame.world);
            }
        }
        for (index, chain) in self.chains.iter().enumerate() {
            let centers = chain.begin(runner, memory, index, members, (&frames, &worlds, &ways));
            self.swing(runner, memory, (index, chain), &frames, &centers, &wind);
            let has_turned = runner.turn(chain, &mut memory.turns.0, &batch, members, &is_shown);
            recompose::<N>(&chain.subtree, members, has_turned);
        }
        memory.end(&frames.each_ref().map(Option::is_some));
    }

    /// Brings what is remembered of a character to where it is now; `None` if it is nowhere.
    fn begin<const N: usize>(
        &self,
        memory: &mut Memory<N>,
        lane: usize,
        model: &ModelPose,
        step: &SpringStep,
    ) -> Option<Frame> {
        let world = Matrix3::from_double(&step.world_from_model.matrix3);
        let axes = Axes::new(&world).filter(|_| step.world_from_model.translation.is_finite())?;
        let way = self.follow(memory, lane, step.world_from_model.translation, world);
        let character = &mut memory.lanes[lane];
        let steps = if character.is_new { Steps::NONE } else { Steps::new(character, step.dt_secs) };
        let is_new = character.is_new;
        for (index, collider) in self.colliders.iter().enumerate() {
            let placed = collider.place(model, &world);
            memory.colliders[index].set(lane, &placed);
            if is_new {
                memory.colliders_before[index].set(lane, &placed);
            }
        }
        let weight = if step.weight > 0.0 { step.weight.min(1.0) } else { 0.0 };
        let wind = if step.wind.is_finite() { step.wind } else { Vec3::ZERO };
        Some(Frame { steps, world, axes, way, wind: wind.into(), weight })
    }

    /// What is remembered goes with the character if it jumped. Otherwise returns by how much it has to be
    /// moved along the world.
    fn follow<const N: usize>(
        &self,
        memory: &mut Memory<N>,
        lane: usize,
        origin: DVec3,
        world: Matrix3,
    ) -> Vector3 {
        let character = memory.lanes[lane];
        let mut way = STAYS;
        if !character.is_new {
            let moved = Vector3::from((character.origin - origin).as_vec3());
            let stays = moved.length() <= self.teleport_distance;
            let jumped = character.is_teleporting || !stays;
            match jumped.then(|| invert(&character.world)).flatten() {
                Some((inverse, _)) => {
                    let turn = world * inverse;
                    let rotation =
                        orientation(&turn).map_or(Turn::IDENTITY, |to| Turn::between(Matrix3::IDENTITY, to));
                    memory.map(lane, |point| turn * point);
                    for centers in &mut memory.centers {
                        centers[lane].turn = rotation * centers[lane].turn;
                    }
                }
                _ if moved == Vector3::ZERO => (),
                _ => way = moved,
            }
        }
        (memory.lanes[lane].origin, memory.lanes[lane].world) = (origin, world);
        way
    }

    /// Runs the steps of a chain, and what is shown.
    fn swing<const N: usize>(
        &self,
        runner: impl Runner<N>,
        memory: &mut Memory<N>,
        (index, chain): (usize, &Spring),
        frames: &[Option<Frame>; N],
        centers: &[Center; N],
        wind: &Vectors<N>,
    ) {
        let Memory { points, colliders_before, colliders, centers: centers_before, turns, .. } = memory;
        let points = &mut points[chain.first..][..chain.point_count()];
        let drive = Drive { springs: self, chain, wind, colliders_before, colliders };
        let old_centers = centers_before[index];
        let mut last_centers = old_centers;
        let most = frames.iter().flatten().map(|frame| frame.steps.count).max().unwrap_or(0);
        let mut time = Time { part: [1.0; N], share: [1.0; N], keeps: [0.0; N], shows: [0.0; N] };
        for number in 0..most {
            for (lane, frame) in frames.iter().enumerate() {
                let steps = frame.as_ref().map_or(Steps::NONE, |frame| frame.steps);
                let is_run = number < steps.count;
                time.part[lane] = if is_run { steps.part(number) } else { 1.0 };
                time.keeps[lane] = f32::from(u8::from(is_run));
                time.shows[lane] = f32::from(u8::from(number + 1 == steps.count && steps.is_whole()));
                if is_run && chain.center != SpringCenter::World {
                    let between = old_centers[lane].toward(&centers[lane], time.part[lane]);
                    chain.carry(points, lane, &last_centers[lane], &between);
                    last_centers[lane] = between;
                }
            }
            runner.run(Sweep { drive, time: &time, points, turns: &mut turns.0 });
        }
        let mut shows_any = false;
        for (lane, frame) in frames.iter().enumerate() {
            let Some(frame) = frame else { continue };
            if chain.center != SpringCenter::World {
                chain.carry(points, lane, &last_centers[lane], &centers[lane]);
            }
            centers_before[index][lane] = centers[lane];
            let is_shown = !frame.steps.is_whole();
            shows_any |= is_shown;
            time.share[lane] = frame.steps.left;
            time.shows[lane] = f32::from(u8::from(is_shown));
        }
        if shows_any {
            (time.part, time.keeps) = ([1.0; N], [0.0; N]);
            runner.run(Sweep { drive, time: &time, points, turns: &mut turns.0 });
        }
    }
}

/// Composes again what hangs on joints that were turned.
fn recompose<const N: usize>(subtree: &Subtree, members: &mut [SpringsMember<'_>], has_turned: u8) {
    if let [member] = members {
        if has_turned > 0 {
            member.model.recompose(subtree, member.pose);
        }
        return;
    }
    let mut turned = [const { None }; N];
    for (lane, (member, turned)) in members.iter_mut().zip(&mut turned).enumerate() {
        *turned = (has_turned >> lane & 1 > 0).then_some((&mut *member.model, &*member.pose));
    }
    ModelPose::recompose_group(&mut turned, subtree);
}

impl Steps {
    const NONE: Self = Self { count: 0, first: 0.0, each: 0.0, left: 0.0 };

    /// Those of a frame, which the state has covered afterwards.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most 8 steps, and parts of one"
    )]
    fn new(state: &mut Character, dt_secs: f32) -> Self {
        let step = f64::from(STEP_SECS);
        let left_before = state.left_secs;
        if dt_secs.is_nan() || dt_secs <= 0.0 {
            return Self { left: (left_before / step) as f32, ..Self::NONE };
        }
        let dt = f64::from(dt_secs.min(1e6));
        let total = ((left_before + dt) / step).floor();
        state.left_secs = (left_before + dt - total * step).clamp(0.0, step);
        let count = total.min(MAX_STEPS);
        // Where there are too many, fewer cover the same way.
        let each = if count > 0.0 { step * (total / count) / dt } else { 0.0 };
        let first = if total > count { each } else { (step - left_before) / dt };
        Self {
            count: count as u16,
            first: first as f32,
            each: each as f32,
            left: (state.left_secs / step) as f32,
        }
    }

    /// Where a step lies between the last frame and this one.
    fn part(&self, number: u16) -> f32 {
        (self.first + self.each * f32::from(number)).clamp(0.0, 1.0)
    }

    /// Whether the last step is this frame exactly: nothing is left to be shown beyond it.
    fn is_whole(&self) -> bool {
        self.count > 0 && self.left == 0.0 && self.part(self.count - 1) >= 1.0
    }
}

impl Spring {
    /// Reads where the animated poses have its points; returns the centres.
    fn begin<const N: usize>(
        &self,
        runner: impl Runner<N>,
        memory: &mut Memory<N>,
        index: usize,
        members: &[SpringsMember<'_>],
        (frames, worlds, ways): (&[Option<Frame>; N], &Worlds<N>, &Vectors<N>),
    ) -> [Center; N] {
        let Some(first) = frames.iter().position(Option::is_some) else { return memory.centers[index] };
        let models: [&[Mat3x4]; N] = std::array::from_fn(|lane| {
            members[if frames[lane].is_some() { lane } else { first }].model.joints()
        });
        let mut tails = [[0.0; N]; 3];
        if let (Some(tail), Some((joint, _))) = (self.tail, self.links.last()) {
            for (lane, member) in members.iter().enumerate() {
                let place = position(member.model, *joint) + linear_of(member.model, *joint) * tail;
                set(&mut tails, lane, place);
            }
        }
        let (links, tails) = (&*self.links, &tails);
        let points = &mut memory.points[self.first..][..self.point_count()];
        runner.run(Place { models, links, tails, worlds, ways, points });
        let mut centers = memory.centers[index];
        for (lane, frame) in frames.iter().enumerate() {
            let Some(frame) = frame else { continue };
            if self.center != SpringCenter::World {
                centers[lane] = self.center(members[lane].model, &frame.world);
            }
            if memory.lanes[lane].is_new {
                self.rest(memory, lane);
                memory.centers[index][lane] = centers[lane];
            }
        }
        centers
    }

    fn rest<const N: usize>(&self, memory: &mut Memory<N>, lane: usize) {
        for point in &mut memory.points[self.first..][..self.point_count()] {
            let now = get(&point.now, lane);
            for vectors in [&mut point.before, &mut point.current, &mut point.previous] {
                set(vectors, lane, now);
            }
            point.length_before[lane] = point.length[lane];
        }
    }

    fn center(&self, model: &ModelPose, world: &Matrix3) -> Center {
        let (linear, place) = match self.center {
            SpringCenter::World => return Center::NONE,
            SpringCenter::Model => (*world, Vector3::ZERO),
            SpringCenter::Joint(joint) => (*world * linear_of(model, joint), *world * position(model, joint)),
        };
        let turn = orientation(&linear).map_or(Turn::IDENTITY, |to| Turn::between(Matrix3::IDENTITY, to));
        Center { turn, place }
    }

    /// Moves its tails with its centre, so that this gives them no speed.
    fn carry<const N: usize>(&self, points: &mut [Point<N>], lane: usize, from: &Center, to: &Center) {
        if from == to {
            return;
        }
        let turn = to.turn * from.turn.inverse();
        for point in &mut points[1..] {
            point.map_tail(lane, |place| to.place + turn.rotate(place - from.place));
        }
    }
}
