//! Swings the springs: steps of 1/60 s, and what is shown of them.

use canter::glam::{DVec3, Mat3, Vec3};
use canter::{ModelPose, Pose};

use super::collider::Placed;
use super::state::{Center, SpringsState, Tail};
use super::{MAX_JOINTS, Spring, SpringCenter, SpringJoint, SpringStep, Springs};
use crate::end::turn_joint;
use crate::space::{invert, linear_of, orientation, position};
use crate::turn::Turn;

const STEP_SECS: f32 = 1.0 / 60.0;
/// As many as a frame runs; what is longer is left out.
const MAX_STEPS: f64 = 8.0;

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

impl Springs {
    /// Moves all springs on by a frame, turns their joints, and composes again what hangs on them.
    ///
    /// # Panics
    /// If pose or model were made for another skeleton, or the state for other springs; `model` has to be
    /// composed of `pose`.
    pub fn apply(&self, state: &mut SpringsState, pose: &mut Pose, model: &mut ModelPose, step: &SpringStep) {
        assert!(
            state.tails.len() == self.point_count && state.colliders.len() == self.colliders.len(),
            "a state of other springs"
        );
        let world = Mat3::from_cols(
            step.world_from_model.matrix3.x_axis.as_vec3(),
            step.world_from_model.matrix3.y_axis.as_vec3(),
            step.world_from_model.matrix3.z_axis.as_vec3(),
        );
        let Some((model_from_world, mirrors)) = invert(&world) else { return };
        if !step.world_from_model.translation.is_finite() {
            return;
        }
        self.follow(state, step.world_from_model.translation, world);
        let steps = if state.is_new { Steps::NONE } else { Steps::new(state, step.dt_secs) };
        for (placed, collider) in state.colliders.iter_mut().zip(&self.colliders) {
            *placed = collider.place(model, &world);
        }
        if state.is_new {
            state.colliders_before.copy_from_slice(&state.colliders);
        }
        for (index, chain) in self.chains.iter().enumerate() {
            chain.read(state, model, &world);
            let center = chain.center(model, &world);
            if state.is_new {
                chain.rest(state);
                state.centers[index] = center;
            }
            let mut sweep =
                Sweep { springs: self, chain, wind: finite(step.wind), turns: [Turn::IDENTITY; MAX_JOINTS] };
            let mut last_center = state.centers[index];
            let old_center = last_center;
            for number in 0..steps.count {
                let part = (steps.first + steps.each * f32::from(number)).clamp(0.0, 1.0);
                let between = old_center.toward(&center, part);
                chain.carry(state, &last_center, &between);
                last_center = between;
                sweep.run(state, part, 1.0, true);
            }
            chain.carry(state, &last_center, &center);
            state.centers[index] = center;
            sweep.run(state, 1.0, steps.left, false);
            let space = (&model_from_world, mirrors);
            if step.weight > 0.0 && chain.write(&sweep.turns, pose, model, space, step.weight.min(1.0)) {
                model.recompose(&chain.subtree, pose);
            }
        }
        state.before.copy_from_slice(&state.now);
        let SpringsState { colliders_before, colliders, .. } = &mut *state;
        colliders_before.copy_from_slice(colliders);
        state.is_new = false;
        state.is_teleporting = false;
    }

    /// What is remembered is moved to where the character is now: along the world, or with the character if
    /// it jumped.
    fn follow(&self, state: &mut SpringsState, origin: DVec3, world: Mat3) {
        if !state.is_new {
            let moved = (state.origin - origin).as_vec3();
            let stays = moved.length() <= self.teleport_distance;
            let jumped = state.is_teleporting || !stays;
            match invert(&state.world) {
                Some((inverse, _)) if jumped => {
                    let turn = world * inverse;
                    let rotation =
                        orientation(&turn).map_or(Turn::IDENTITY, |to| Turn::between(Mat3::IDENTITY, to));
                    state.map(|point| turn * point);
                    for center in &mut state.centers {
                        center.turn = rotation * center.turn;
                    }
                }
                _ => state.map(|point| point + moved),
            }
        }
        (state.origin, state.world) = (origin, world);
    }
}

impl Steps {
    const NONE: Self = Self { count: 0, first: 0.0, each: 0.0, left: 0.0 };

    /// Those of a frame, which the state has covered afterwards.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most 8 steps, and parts of one"
    )]
    fn new(state: &mut SpringsState, dt_secs: f32) -> Self {
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
}

impl Spring {
    /// Reads where the animated pose has its points.
    fn read(&self, state: &mut SpringsState, model: &ModelPose, world: &Mat3) {
        let now = &mut state.now[self.first..][..self.point_count()];
        for (point, (joint, ..)) in now.iter_mut().zip(&self.joints) {
            *point = *world * position(model, *joint);
        }
        if let (Some(tail), Some((joint, ..))) = (self.tail, self.joints.last()) {
            now[self.joints.len()] = *world * (position(model, *joint) + linear_of(model, *joint) * tail);
        }
        for (lengths, ends) in state.lengths[self.first + 1..].iter_mut().zip(now.windows(2)) {
            *lengths = [lengths[1], ends[0].distance(ends[1])];
        }
    }

    fn rest(&self, state: &mut SpringsState) {
        for point in self.first..self.first + self.point_count() {
            let current = state.now[point];
            state.before[point] = current;
            state.lengths[point][0] = state.lengths[point][1];
            state.tails[point] = Tail { current, previous: current };
        }
    }

    fn center(&self, model: &ModelPose, world: &Mat3) -> Center {
        let (linear, place) = match self.center {
            SpringCenter::World => return Center::NONE,
            SpringCenter::Model => (*world, Vec3::ZERO),
            SpringCenter::Joint(joint) => (*world * linear_of(model, joint), *world * position(model, joint)),
        };
        let turn = orientation(&linear).map_or(Turn::IDENTITY, |to| Turn::between(Mat3::IDENTITY, to));
        Center { turn, place }
    }

    /// Moves its tails with its centre, so that this gives them no speed.
    fn carry(&self, state: &mut SpringsState, from: &Center, to: &Center) {
        if self.center == SpringCenter::World || from == to {
            return;
        }
        let turn = to.turn * from.turn.inverse();
        let map = |point: Vec3| to.place + turn.rotate(point - from.place);
        for tail in &mut state.tails[self.first..][..self.point_count()] {
            *tail = Tail { current: map(tail.current), previous: map(tail.previous) };
        }
    }

    /// Turns its joints; returns whether it could.
    fn write(
        &self,
        turns: &[Turn; MAX_JOINTS],
        pose: &mut Pose,
        model: &ModelPose,
        (model_from_world, mirrors): (&Mat3, bool),
        weight: f32,
    ) -> bool {
        let mut above = Turn::IDENTITY;
        let mut has_turned = false;
        for (&(joint, parent, _), &turn) in self.joints.iter().zip(&turns[..self.bone_count()]) {
            let own = (above.inverse() * turn).part(weight);
            above = turn;
            let (inverse, flips) = match parent {
                None => (*model_from_world, mirrors),
                Some(parent) => match invert(&linear_of(model, parent)) {
                    Some((inverse, flips)) => (inverse * *model_from_world, flips != mirrors),
                    None => continue,
                },
            };
            turn_joint(pose, joint, own.seen_from(&inverse, flips));
            has_turned = true;
        }
        has_turned
    }
}

/// One chain, swung from its root to its end.
struct Sweep<'a> {
    springs: &'a Springs,
    chain: &'a Spring,
    wind: Vec3,
    /// How each bone is turned from where the animated pose has it.
    turns: [Turn; MAX_JOINTS],
}

impl Sweep<'_> {
    /// A step, or a `share` of one, with what drives it at a part of the way from the last frame to this one.
    /// Tails only remember it if it is kept.
    fn run(&mut self, state: &mut SpringsState, part: f32, share: f32, is_kept: bool) {
        let chain = self.chain;
        for &index in &chain.colliders {
            let placed = state.colliders_before[index].lerp(&state.colliders[index], part);
            state.colliders_between[index] = placed;
        }
        let (before, now) = (&state.before[chain.first..], &state.now[chain.first..]);
        let lengths = &state.lengths[chain.first..];
        let tails = &mut state.tails[chain.first..];
        let mut head = before[0].lerp(now[0], part);
        let mut above = Turn::IDENTITY;
        for (bone, (_, _, swing)) in chain.joints.iter().enumerate().take(chain.bone_count()) {
            let (old, new) = (before[bone + 1] - before[bone], now[bone + 1] - now[bone]);
            let [old_length, new_length] = lengths[bone + 1];
            let length = if part >= 1.0 { new_length } else { old_length + (new_length - old_length) * part };
            let tail = &mut tails[bone + 1];
            let animated = if part >= 1.0 { new } else { old.lerp(new, part) };
            // Brought to length one before it is turned: bones do not wait for each other with that.
            let Some(direction) = animated.try_normalize().filter(|_| length > 0.0) else {
                self.turns[bone] = above;
                *tail = Tail { current: head, previous: head };
                continue;
            };
            let rod = above.rotate(direction);
            let shown = self.shown(
                swing,
                self.swing(swing, tail, rod, share),
                (head, rod, length),
                &state.colliders_between,
            );
            let next = head + shown * length;
            if is_kept {
                *tail = Tail { current: next, previous: tail.current };
            }
            above = (Turn::arc(rod, shown, rod) * above).normalized();
            self.turns[bone] = above;
            head = next;
        }
    }

    /// Where a tail gets to by itself.
    fn swing(&self, swing: &SpringJoint, tail: &Tail, rod: Vec3, share: f32) -> Vec3 {
        let inertia = (tail.current - tail.previous) * ((1.0 - swing.drag) * share);
        let forces = rod * swing.stiffness + swing.gravity + self.wind * swing.wind;
        tail.current + inertia + forces * (STEP_SECS * share)
    }

    /// The direction of a bone whose tail is drawn to a point: at the end of its rod, and out of colliders.
    fn shown(
        &self,
        swing: &SpringJoint,
        tail: Vec3,
        (head, rod, length): (Vec3, Vec3, f32),
        placed: &[Placed],
    ) -> Vec3 {
        let mut shown = (tail - head).try_normalize().unwrap_or(rod);
        for &index in &self.chain.colliders {
            let collider = &self.springs.colliders[index];
            if let Some(pushed) = collider.push(&placed[index], head + shown * length, swing.hit_radius, rod)
            {
                shown = (pushed - head).try_normalize().unwrap_or(rod);
            }
        }
        shown
    }
}

fn finite(vector: Vec3) -> Vec3 {
    if vector.is_finite() { vector } else { Vec3::ZERO }
}
