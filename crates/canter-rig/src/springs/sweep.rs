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
    to: L::Vector,
    /// Their sum, and half of its square: one more than the cosine.
    sum: L::Vector,
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
        let mut above = Above { rotation: Rotation::none(like), shows, turns: turns.iter_mut() };
        let mut last: Option<Arc<L>> = None;
        for (bone, swing) in drive.chain.swings.iter().enumerate().take(bones) {
            let [start, point] = &mut points[bone..bone + 2] else { break };
            let load = |vectors: &Vectors<N>| L::Vector::load(like, vectors);
            let mut rest = load(&point.now).minus(load(&start.now));
            let mut length = like.load(&point.length);
            if is_any_before {
                let old = load(&point.before).minus(load(&start.before));
                let length_before = like.load(&point.length_before);
                rest = L::Vector::select(is_before, old.toward(rest, part), rest);
                length = L::select(is_before, length_before + (length - length_before) * part, length);
            }
            let (direction, has_direction) = rest.normalized();
            let has_length = has_direction & zero.less(length);

            let mut rod = above.rotation.rotate(direction);
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
            let shown = drive.shown(like, &bone, tail, part);
            let shown = L::Vector::select(has_length, shown, rod);
            let next = L::Vector::select(has_length, head.plus(shown.times(length)), head);
            L::Vector::select(keeps, next, current).store(&mut point.current);
            L::Vector::select(keeps, current, previous).store(&mut point.previous);
            last = Some(Arc::new(rod, shown));
            head = next;
        }
        if let Some(arc) = &last {
            above.add(like, arc);
        }
    }
}

/// How the bones so far are turned.
struct Above<'a, L: Lane> {
    rotation: Rotation<L>,
    shows: L::Mask,
    /// Of the bones that come next.
    turns: std::slice::IterMut<'a, [L::Numbers; 4]>,
}

impl<L: Lane> Above<'_, L> {
    /// One more that hangs on them, which is written where it is shown.
    #[inline(always)]
    fn add(&mut self, like: L, arc: &Arc<L>) {
        let turn = arc.rotation();
        if let Some(numbers) = self.turns.next()
            && L::any(self.shows)
        {
            turn.seen_before(self.rotation).store_where(self.shows, like, numbers);
        }
        self.rotation = turn.after(self.rotation);
    }
}

impl<const N: usize> Drive<'_, N> {
    /// The direction of a bone whose tail is drawn to a point, seen from its head: at the end of its rod, and out
    /// of colliders.
    #[inline(always)]
    fn shown<L: Lane<Numbers = [f32; N]>>(
        &self,
        like: L,
        bone: &Rod<L>,
        tail: L::Vector,
        part: L,
    ) -> L::Vector {
        let mut shown = tail.normalized_or(bone.rod);
        for &index in &self.chain.colliders {
            let obstacle =
                Obstacle::between(like, &self.colliders_before[index], &self.colliders[index], part);
            shown = obstacle.push(&self.springs.colliders[index].shape, bone, shown);
        }
        // Exactly the other way round there would be no shortest turn: a little aside.
        let sum = bone.rod.plus(shown);
        let is_opposite = sum.dot(sum).less(like.all(2e-4));
        if L::any(is_opposite) {
            let aside = bone.rod.any_perpendicular().times(like.all(0.02));
            shown = L::Vector::select(is_opposite, aside.minus(bone.rod).normalized_or(aside), shown);
        }
        shown
    }
}

impl<L: Lane> Arc<L> {
    #[inline(always)]
    fn new(from: L::Vector, to: L::Vector) -> Self {
        let sum = from.plus(to);
        let more = sum.dot(sum);
        Self { from, to, sum, more: more * more.all(0.5) }
    }

    /// A vector, turned; without a square root, on which the next bone would have to wait.
    #[inline(always)]
    fn turn(&self, vector: L::Vector) -> L::Vector {
        let along = self.from.dot(vector);
        let part = self.sum.dot(vector) / self.more;
        vector.minus(self.sum.times(part)).plus(self.to.times(along + along))
    }

    #[inline(always)]
    fn rotation(&self) -> Rotation<L> {
        let half = self.more.all(0.5);
        let w = (self.more * half).sqrt();
        Rotation { vector: self.from.cross(self.to).times(half / w), w }
    }
}
