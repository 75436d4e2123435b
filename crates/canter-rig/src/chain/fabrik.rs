//! Forward and backward reaching: positions first, turns afterwards.

use super::{MAX_JOINTS, Points};
use crate::turn::{Limit, Turn, perpendicular, smooth_step};
use crate::two_bone::knee;
use crate::vector::Vector3;

/// Rounds where nothing limits the joints: they only give the chain its shape, since closing it is exact.
const ROUNDS: usize = 4;
/// More of them, for chains that are curled up beside a target near their root.
const MORE_ROUNDS: usize = 60;
/// Steps of the search for how straight a chain has to be.
const STRAIGHTENING_STEPS: usize = 6;
/// Rounds where joints have limits.
const ROUNDS_LIMITED: usize = 24;

/// Brings the end to a target that is within reach. `bend` is where a straight chain bends; `cones` are the
/// limits of all joints, if any has one.
pub(super) fn solve(
    points: &mut Points,
    target: Vector3,
    bend: Vector3,
    pole: Option<Vector3>,
    cones: Option<impl Iterator<Item = Limit> + Clone>,
) {
    points.bend_if_straight(target, bend);
    if let Some(cones) = cones {
        for _ in 0..ROUNDS_LIMITED {
            points.backward(target);
            points.forward_limited(cones.clone());
        }
        return;
    }
    for _ in 0..ROUNDS {
        points.backward(target);
        points.forward();
    }
    points.straighten(target);
    let mut rounds = 0;
    while !points.close(target) && rounds < MORE_ROUNDS {
        points.backward(target);
        points.forward();
        rounds += 1;
    }
    if let Some(pole) = pole {
        points.turn_to_pole(pole);
    }
    points.find_turns();
}

impl Points {
    /// A straight chain would stay straight: its joints are moved aside, by less the more it is bent already
    /// and the nearer its end is to the target.
    fn bend_if_straight(&mut self, target: Vector3, bend: Vector3) {
        let last = self.bones;
        let Some(line) = self.direction() else { return };
        let widest = (1..last).fold(0.0_f32, |widest, joint| widest.max(self.beside(joint, line).length()));
        let straight = 1.0 - smooth_step(widest / (0.05 * self.length));
        let way = self.places[last].distance(target);
        if straight <= 0.0 || way <= 0.0 {
            return;
        }
        let side = perpendicular(bend, line) * (straight * way.min(self.length) * 0.3);
        let mut along = 0.0;
        for joint in 1..last {
            along += self.lengths[joint - 1] / self.length;
            self.places[joint] += side * (4.0 * along * (1.0 - along));
        }
    }

    /// How far a joint is beside the line from the root.
    fn beside(&self, joint: usize, line: Vector3) -> Vector3 {
        let way = self.places[joint] - self.places[0];
        way - line * way.dot(line)
    }

    /// From the target to the root, which is left.
    fn backward(&mut self, target: Vector3) {
        self.places[self.bones] = target;
        for bone in (1..self.bones).rev() {
            let way = self.places[bone] - self.places[bone + 1];
            self.places[bone] = self.places[bone + 1] + with_length(way, self.lengths[bone], -self.old[bone]);
        }
    }

    /// From the root to the end.
    fn forward(&mut self) {
        for bone in 0..self.bones {
            let way = self.places[bone + 1] - self.places[bone];
            self.places[bone + 1] = self.places[bone] + with_length(way, self.lengths[bone], self.old[bone]);
        }
    }

    /// The same with no bone further from where its parent carries it than its joint allows.
    fn forward_limited(&mut self, cones: impl Iterator<Item = Limit>) {
        let mut above = Turn::IDENTITY;
        for (bone, cone) in cones.enumerate().take(self.bones) {
            let carried = above.rotate(self.old[bone]);
            let way = self.places[bone + 1] - self.places[bone];
            let turn = match way.try_normalize() {
                Some(direction) if self.lengths[bone] > 0.0 => {
                    Turn::arc(carried, direction, carried).at_most(cone)
                }
                _ => Turn::IDENTITY,
            };
            above = (turn * above).normalized();
            self.turns[bone] = above;
            self.places[bone + 1] = self.places[bone] + above.rotate(self.old[bone]) * self.lengths[bone];
        }
    }

    /// Turns all bones towards the target, as far as it takes for both parts to reach it with some room to
    /// spare (none, if the end is there already). A round of FABRIK hardly stretches a chain that is nearly
    /// straight, so that there would be no end of them.
    fn straighten(&mut self, target: Vector3) {
        let start = self.places[0];
        let distance = target.distance(start);
        let Some(line) = (target - start).try_normalize() else { return };
        let middle = self.middle();
        let gap = self.places[self.bones].distance(target);
        let wanted = distance + gap.min(0.25 * (self.length - distance));
        let spans = |points: &Self| {
            let middle = points.places[middle];
            middle.distance(start) + middle.distance(points.places[points.bones])
        };
        let missing = wanted - spans(self);
        if middle == 0 || missing <= 0.0 {
            return;
        }
        let mut bent = [Vector3::ZERO; MAX_JOINTS];
        for (bone, direction) in bent.iter_mut().enumerate().take(self.bones) {
            *direction = (self.places[bone + 1] - self.places[bone]).normalize_or_zero();
        }
        // Regula falsi: what is missing at both ends of the range, and the place where a line between them is
        // zero.
        let (mut low, mut high) = ((0.0, missing), (1.0, wanted - self.length));
        for _ in 0..STRAIGHTENING_STEPS {
            let part = low.0 + (high.0 - low.0) * (low.1 / (low.1 - high.1));
            self.straighten_by(part, line, &bent);
            let missing = wanted - spans(self);
            if missing > 0.0 {
                low = (part, missing);
                high.1 *= 0.5;
            } else {
                high = (part, missing);
                low.1 *= 0.5;
            }
        }
    }

    /// Turns all bones, whose directions are given, by a part of the way to a line.
    fn straighten_by(&mut self, part: f32, line: Vector3, bent: &[Vector3; MAX_JOINTS]) {
        for (bone, direction) in bent.iter().enumerate().take(self.bones) {
            let direction = direction.lerp(line, part).try_normalize().unwrap_or(line);
            self.places[bone + 1] = self.places[bone] + direction * self.lengths[bone];
        }
    }

    /// The joint that is nearest to the middle of the chain's length; 0 if there is none between its ends.
    /// Always the same one, so that a chain is not closed now here and now there.
    fn middle(&self) -> usize {
        let (mut best, mut along) = ((f32::INFINITY, 0), 0.0);
        for joint in 1..self.bones {
            along += self.lengths[joint - 1];
            let off = (along - 0.5 * self.length).abs();
            if off < best.0 - 1e-3 * self.length {
                best = (off, joint);
            }
        }
        best.1
    }

    /// Turns two parts of the chain against each other, so that its end is at the target. Returns whether
    /// that is possible.
    fn close(&mut self, target: Vector3) -> bool {
        let last = self.bones;
        let start = self.places[0];
        let distance = target.distance(start);
        let line = (target - start).try_normalize().or_else(|| self.direction()).unwrap_or(Vector3::X);
        if last == 1 {
            self.places[1] = start + line * self.lengths[0];
            return true;
        }
        let joint = self.middle();
        let upper = self.places[joint].distance(start);
        let lower = self.places[last].distance(self.places[joint]);
        if upper + lower < distance || distance < (upper - lower).abs() {
            return false;
        }
        let beside = self.beside(joint, line);
        let side = perpendicular(if beside.length() > 0.0 { beside } else { self.old[0] }, line);
        let (x, y) = knee(distance, upper, lower);
        let middle = start + line * x + side * y;
        let end = start + line * distance;
        let (pivot, old_end) = (self.places[joint], self.places[last]);
        self.carry(1..joint, start, start, [pivot - start, middle - start]);
        self.carry(joint + 1..last, pivot, middle, [old_end - pivot, end - middle]);
        self.places[joint] = middle;
        self.places[last] = end;
        true
    }

    /// Moves joints from one point to another, turned by what leads from one direction to another.
    fn carry(
        &mut self,
        joints: std::ops::Range<usize>,
        from: Vector3,
        to: Vector3,
        [old, new]: [Vector3; 2],
    ) {
        let (Some(old), Some(new)) = (old.try_normalize(), new.try_normalize()) else { return };
        let turn = Turn::arc(old, new, old);
        for place in &mut self.places[joints] {
            *place = to + turn.rotate(*place - from);
        }
    }

    /// Turns the chain about the line from its root to its end, so that the mean of its joints is on the side
    /// of the pole. All of them: turning one only would change lengths.
    fn turn_to_pole(&mut self, pole: Vector3) {
        let last = self.bones;
        let (Some(line), Some(pole)) = (self.direction(), pole.try_normalize()) else { return };
        let mean = (1..last).fold(Vector3::ZERO, |sum, joint| sum + self.beside(joint, line));
        let wanted = pole - line * pole.dot(line);
        // Half a turn has two ways, of which a part leads to two places: so the part is one for all but the
        // straightest chains.
        let part = smooth_step(wanted.length() / 0.1) * smooth_step(mean.length() / (0.001 * self.length));
        if part <= 0.0 {
            return;
        }
        let turn = Turn::arc_about(line, perpendicular(mean, line), perpendicular(wanted, line)).part(part);
        let start = self.places[0];
        for place in &mut self.places[1..last] {
            *place = start + turn.rotate(*place - start);
        }
    }

    /// How bones are turned, by where their joints are. Each takes the shortest way from where it was, so
    /// that it keeps the twist that it is animated with.
    fn find_turns(&mut self) {
        let mut above = Turn::IDENTITY;
        for bone in 0..self.bones {
            let way = self.places[bone + 1] - self.places[bone];
            if let (Some(direction), true) = (way.try_normalize(), self.lengths[bone] > 0.0) {
                let old = self.old[bone];
                above = Turn::arc(old, direction, old);
            }
            self.turns[bone] = above;
        }
    }
}

/// A vector brought to a length; `otherwise`, which is of length one, if it has no direction. Each bone of a
/// round waits for the one before it: a quotient, and not a factor for a direction of length one.
#[inline]
fn with_length(vector: Vector3, length: f32, otherwise: Vector3) -> Vector3 {
    let squared = vector.length_squared();
    if squared > 1e-30 && squared < 1e30 {
        return vector * (length / squared.sqrt());
    }
    vector.try_normalize().unwrap_or(otherwise) * length
}
