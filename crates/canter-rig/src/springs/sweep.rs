//! A step of a chain, from its root to its end: the kernel.

use super::collider::{Obstacle, PlacedLanes};
use super::state::Point;
use super::{Spring, Springs};
use crate::lane::{Kernel, Lane, Rotation, Vector, Vectors};

pub(super) const STEP_SECS: f32 = 1.0 / 60.0;

/// When a step is, for each character.
#[derive(Clone, Copy)]
pub(super) struct Time<const N: usize> {
    /// Where it lies between the last frame, 0, and this one, 1.
    pub(super) part: [f32; N],
    /// What part of a whole step it is.
    pub(super) share: [f32; N],
    /// Above 0 where tails remember it, and where it is shown.
    pub(super) keeps: [f32; N],
    pub(super) shows: [f32; N],
}

/// A step of a chain.
pub(super) struct Sweep<'a, const N: usize> {
    pub(super) drive: Drive<'a, N>,
    pub(super) time: &'a Time<N>,
    /// Its own.
    pub(super) points: &'a mut [Point<N>],
    /// Those of its bones.
    pub(super) turns: &'a mut [[[f32; N]; 4]],
}

/// A chain and what drives it.
#[derive(Clone, Copy)]
pub(super) struct Drive<'a, const N: usize> {
    pub(super) springs: &'a Springs,
    pub(super) chain: &'a Spring,
    pub(super) wind: &'a Vectors<N>,
    pub(super) colliders_before: &'a [PlacedLanes<N>],
    pub(super) colliders: &'a [PlacedLanes<N>],
}

/// A bone while it is swung.
pub(super) struct Rod<L: Lane> {
    pub(super) head: L::Vector,
    /// Where the bones before it carry it, of length one.
    pub(super) rod: L::Vector,
    pub(super) length: L,
    pub(super) hit_radius: L,
}

/// The shortest turn from one direction to another.
#[derive(Clone, Copy)]
struct Arc<L: Lane> {
    from: L::Vector,
    /// The other, of length one.
    direction: L::Vector,
    /// The other as it was before, with its length and one over that: what comes next does not have to wait until it is
    /// brought to length one.
    to: L::Vector,
    length: L,
    per_length: L,
    /// One more than the cosine, times the length.
    more: L,
}

impl<const N: usize> Kernel<N> for Sweep<'_, N> {
    /// Swings the chain by a step.
    #[inline(always)]
    fn run<L: Lane<Numbers = [f32; N]>>(self, like: L) {
        let Self { drive, time, points, turns } = self;
        let bones = drive.chain.bone_count();
        let (zero, one) = (like.all(0.0), like.all(1.0));
        let (part, share) = (like.load(&time.part), like.load(&time.share));
        let (keeps, shows) = (zero.less(like.load(&time.keeps)), zero.less(like.load(&time.shows)));
        let is_before = part.less(one);
        let step = share * like.all(STEP_SECS);
        let wind = L::Vector::load(like, drive.wind);
        // The last step of most frames is where the frame is.
        let is_any_before = L::any(is_before);
        let mut head = L::Vector::load(like, &points[0].now);
        if is_any_before {
            let old = L::Vector::load(like, &points[0].before);
            head = L::Vector::select(is_before, old.toward(head, part), head);
        }
        // How the bones before the last one are turned, and what the last one adds to it. What comes next is
        // turned by them in two steps: the first does not have to wait for the last bone.
        let mut above = Above { rows: identity(like), shows, turns: turns.iter_mut() };
        let mut last: Option<Arc<L>> = None;
        for (bone, swing) in drive.chain.swings.iter().enumerate().take(bones) {
            let [start, point] = &mut points[bone..bone + 2] else { break };
            let load = |vectors: &Vectors<N>| L::Vector::load(like, vectors);
            let (mut direction, mut length) = (load(&point.direction), like.load(&point.length));
            if is_any_before {
                let now = load(&point.now).minus(load(&start.now));
                let old = load(&point.before).minus(load(&start.before));
                let length_before = like.load(&point.length_before);
                let (between, distance) = old.toward(now, part).measured();
                let length_between = length_before + (length - length_before) * part;
                let length_between = L::select(zero.less(distance), length_between, zero);
                direction = L::Vector::select(is_before, between, direction);
                length = L::select(is_before, length_between, length);
            }
            let has_length = zero.less(length);

            let mut rod = direction.along(above.rows);
            if let Some(arc) = &last {
                rod = arc.turn(rod);
                above.add(like, arc);
            }
            let (current, previous) = (load(&point.current), load(&point.previous));
            let inertia = current.minus(previous).times(like.all(1.0 - swing.drag) * share);
            let outside = L::Vector::all(like, swing.gravity).plus(wind.times(like.all(swing.wind)));
            let coasting = current.plus(inertia).plus(outside.times(step));
            // From the head, which is known before the rod is.
            let tail = coasting.minus(head).plus(rod.times(like.all(swing.stiffness) * step));
            let bone = Rod { head, rod, length, hit_radius: like.all(swing.hit_radius) };
            let arc = drive.arc(like, &bone, tail, has_length, part);
            let next = L::Vector::select(has_length, head.plus(arc.direction.times(length)), head);
            L::Vector::select(keeps, next, current).store(&mut point.current);
            L::Vector::select(keeps, current, previous).store(&mut point.previous);
            last = Some(arc);
            head = next;
        }
        if let Some(arc) = &last {
            above.add(like, arc);
        }
    }
}

/// How the bones so far are turned.
struct Above<'a, L: Lane> {
    /// As a matrix: to add to it takes no square root, which the bone after the next one would have to wait for.
    rows: [L::Vector; 3],
    shows: L::Mask,
    /// Of the bones that come next.
    turns: std::slice::IterMut<'a, [L::Numbers; 4]>,
}

impl<L: Lane> Above<'_, L> {
    /// One more that hangs on them, which is written where it is shown.
    #[inline(always)]
    fn add(&mut self, like: L, arc: &Arc<L>) {
        if let Some(numbers) = self.turns.next()
            && L::any(self.shows)
        {
            let half = like.all(0.5);
            let w = ((arc.more * arc.per_length) * half).sqrt();
            let axis = mix::<L>(self.rows, arc.from.cross(arc.direction));
            Rotation { vector: axis.times(half / w), w }.store_where(self.shows, like, numbers);
        }
        // All columns, turned by the arc.
        let along = mix::<L>(self.rows, arc.from);
        let parts = along.times(arc.length).plus(mix::<L>(self.rows, arc.to)).times(like.all(1.0) / arc.more);
        let sides = along.plus(along).minus(parts).times(arc.per_length);
        let ([from_x, from_y, from_z], [to_x, to_y, to_z]) = (arc.from.parts(), arc.to.parts());
        let [x, y, z] = self.rows;
        self.rows = [
            x.minus(parts.times(from_x)).plus(sides.times(to_x)),
            y.minus(parts.times(from_y)).plus(sides.times(to_y)),
            z.minus(parts.times(from_z)).plus(sides.times(to_z)),
        ];
    }
}

#[inline(always)]
fn identity<L: Lane>(like: L) -> [L::Vector; 3] {
    let (zero, one) = (like.all(0.0), like.all(1.0));
    [
        L::Vector::from_parts([one, zero, zero]),
        L::Vector::from_parts([zero, one, zero]),
        L::Vector::from_parts([zero, zero, one]),
    ]
}

/// The transpose of a matrix of rows, times a vector.
#[inline(always)]
fn mix<L: Lane>([x, y, z]: [L::Vector; 3], vector: L::Vector) -> L::Vector {
    let [along_x, along_y, along_z] = vector.parts();
    x.times(along_x).plus(y.times(along_y)).plus(z.times(along_z))
}

impl<const N: usize> Drive<'_, N> {
    /// How a bone is turned whose tail is drawn to a point, seen from its head: to the end of its rod, and out of
    /// colliders. One that has no length is not.
    #[inline(always)]
    fn arc<L: Lane<Numbers = [f32; N]>>(
        &self,
        like: L,
        bone: &Rod<L>,
        tail: L::Vector,
        has_length: L::Mask,
        part: L,
    ) -> Arc<L> {
        let one = like.all(1.0);
        let squared = tail.dot(tail);
        let is_usual = L::Vector::is_usual(squared);
        let mut arc = Arc::new(bone.rod, tail, squared.sqrt());
        let mut is_free = is_usual & has_length;
        if !self.chain.colliders.is_empty() {
            is_free = one.less(one);
        }
        if L::any(!is_free) {
            let mut shown = L::Vector::select(is_usual, arc.direction, bone.rod);
            for &index in &self.chain.colliders {
                let obstacle =
                    Obstacle::between(like, &self.colliders_before[index], &self.colliders[index], part);
                shown = obstacle.push(&self.springs.colliders[index].shape, bone, shown);
            }
            let mut other = Arc::new(bone.rod, L::Vector::select(has_length, shown, bone.rod), one);
            other.more = L::select(has_length, other.more, one + one);
            arc = arc.or(is_free, other);
        }
        let is_folded = arc.more.less(arc.length * like.all(0.1));
        if L::any(is_folded) {
            arc = arc.or(!is_folded, arc.folded());
        }
        arc
    }
}

impl<L: Lane> Arc<L> {
    #[inline(always)]
    fn new(from: L::Vector, to: L::Vector, length: L) -> Self {
        let per_length = length.all(1.0) / length;
        Self { from, direction: to.times(per_length), to, length, per_length, more: length + from.dot(to) }
    }

    /// Another one where it is not wanted.
    #[inline(always)]
    fn or(self, is_wanted: L::Mask, other: Self) -> Self {
        Self {
            from: self.from,
            direction: L::Vector::select(is_wanted, self.direction, other.direction),
            to: L::Vector::select(is_wanted, self.to, other.to),
            length: L::select(is_wanted, self.length, other.length),
            per_length: L::select(is_wanted, self.per_length, other.per_length),
            more: L::select(is_wanted, self.more, other.more),
        }
    }

    /// The same where both are nearly opposite: there the sum of both is more exact than one and the cosine.
    #[inline(always)]
    fn folded(self) -> Self {
        let one = self.length.all(1.0);
        // Exactly the other way round there would be no shortest turn: a little aside.
        let sum = self.from.plus(self.direction);
        let is_opposite = sum.dot(sum).less(one.all(2e-4));
        let aside = self.from.any_perpendicular().times(one.all(0.02));
        let aside = aside.minus(self.from).normalized_or(aside);
        let direction = L::Vector::select(is_opposite, aside, self.direction);
        let sum = self.from.plus(direction);
        let more = sum.dot(sum) * one.all(0.5);
        Self { from: self.from, direction, to: direction, length: one, per_length: one, more }
    }

    /// A vector, turned. What the next bone has to wait for is one quotient beside the length.
    #[inline(always)]
    fn turn(&self, vector: L::Vector) -> L::Vector {
        let along = self.from.dot(vector);
        let part = (along * self.length + self.to.dot(vector)) / self.more;
        let side = (along + along - part) * self.per_length;
        vector.minus(self.from.times(part)).plus(self.to.times(side))
    }
}
