//! A step of a chain, from its root to its end: the kernel.

use super::collider::{Obstacle, PlacedLanes};
use super::state::Point;
use super::{MAX_JOINTS, Spring, Springs};
use crate::lane::{Lane, Rotation, Vector, Vectors};

pub(super) const STEP_SECS: f32 = 1.0 / 60.0;

/// How each bone of a chain is turned from where the animated pose has it: quaternions.
pub(super) type Turns<const N: usize> = [[[f32; N]; 4]; MAX_JOINTS];

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

/// A chain and what drives it.
pub(super) struct Sweep<'a, const N: usize> {
    pub(super) springs: &'a Springs,
    pub(super) chain: &'a Spring,
    pub(super) wind: &'a Vectors<N>,
    pub(super) colliders_before: &'a [PlacedLanes<N>],
    pub(super) colliders: &'a [PlacedLanes<N>],
}

/// A bone while it is swung.
pub(super) struct Rod<L> {
    pub(super) head: Vector<L>,
    /// Where the bones before it carry it, of length one.
    pub(super) rod: Vector<L>,
    pub(super) length: L,
    pub(super) hit_radius: L,
}

/// The shortest turn from one direction to another.
#[derive(Clone, Copy)]
struct Arc<L> {
    from: Vector<L>,
    to: Vector<L>,
    /// Their sum, and half of its square: one more than the cosine.
    sum: Vector<L>,
    more: L,
}

impl<const N: usize> Sweep<'_, N> {
    /// Swings the chain by a step. `points` are its own; what `like` is does not matter.
    #[inline(always)]
    pub(super) fn run<L: Lane<N>>(
        &self,
        like: L,
        points: &mut [Point<N>],
        time: &Time<N>,
        turns: &mut Turns<N>,
    ) {
        let (zero, one) = (like.all(0.0), like.all(1.0));
        let (part, share) = (like.load(&time.part), like.load(&time.share));
        let (keeps, shows) = (zero.less(like.load(&time.keeps)), zero.less(like.load(&time.shows)));
        let is_before = part.less(one);
        let step = share * like.all(STEP_SECS);
        let wind = Vector::load(like, self.wind);
        let between =
            |before: Vector<L>, now: Vector<L>| Vector::select(is_before, before.toward(now, part), now);
        let mut head = between(Vector::load(like, &points[0].before), Vector::load(like, &points[0].now));
        // How the bones before the last one are turned, and what the last one adds to it. What comes next is
        // turned by them in two steps: the first does not have to wait for the last bone.
        let mut above = Rotation { vector: Vector([zero; 3]), w: one };
        let mut last: Option<Arc<L>> = None;
        for (bone, (_, _, swing)) in self.chain.joints.iter().enumerate().take(self.chain.bone_count()) {
            let [start, point] = &mut points[bone..bone + 2] else { break };
            let load = |vectors: &Vectors<N>| Vector::load(like, vectors);
            let old = load(&point.before).minus(load(&start.before));
            let new = load(&point.now).minus(load(&start.now));
            let (direction, has_direction) = between(old, new).normalized();
            let (length_before, length) = (like.load(&point.length_before), like.load(&point.length));
            let length = L::select(is_before, length_before + (length - length_before) * part, length);
            let has_length = has_direction & zero.less(length);

            let mut rod = above.rotate(direction);
            if let Some(arc) = last {
                rod = arc.turn(rod);
                above = arc.rotation().after(above);
                above.store_where(shows, like, &mut turns[bone - 1]);
            }
            let (current, previous) = (load(&point.current), load(&point.previous));
            let inertia = current.minus(previous).times(like.all(1.0 - swing.drag) * share);
            let outside = Vector::all(like, swing.gravity).plus(wind.times(like.all(swing.wind)));
            let coasting = current.plus(inertia).plus(outside.times(step));
            let tail = coasting.plus(rod.times(like.all(swing.stiffness) * step));
            let bone = Rod { head, rod, length, hit_radius: like.all(swing.hit_radius) };
            let shown = self.shown(like, &bone, tail, part);
            let shown = Vector::select(has_length, shown, rod);
            let next = Vector::select(has_length, head.plus(shown.times(length)), head);
            Vector::select(keeps, next, current).store(&mut point.current);
            Vector::select(keeps, current, previous).store(&mut point.previous);
            last = Some(Arc::new(rod, shown));
            head = next;
        }
        if let Some(arc) = last {
            let above = arc.rotation().after(above);
            above.store_where(shows, like, &mut turns[self.chain.bone_count() - 1]);
        }
    }

    /// The direction of a bone whose tail is drawn to a point: at the end of its rod, and out of colliders.
    #[inline(always)]
    fn shown<L: Lane<N>>(&self, like: L, bone: &Rod<L>, tail: Vector<L>, part: L) -> Vector<L> {
        let mut shown = tail.minus(bone.head).normalized_or(bone.rod);
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
            shown = Vector::select(is_opposite, aside.minus(bone.rod).normalized_or(aside), shown);
        }
        shown
    }
}

impl<L> Arc<L> {
    #[inline(always)]
    fn new<const N: usize>(from: Vector<L>, to: Vector<L>) -> Self
    where
        L: Lane<N>,
    {
        let sum = from.plus(to);
        let more = sum.dot(sum);
        Self { from, to, sum, more: more * more.all(0.5) }
    }

    /// A vector, turned; without a square root, on which the next bone would have to wait.
    #[inline(always)]
    fn turn<const N: usize>(&self, vector: Vector<L>) -> Vector<L>
    where
        L: Lane<N>,
    {
        let along = self.from.dot(vector);
        let part = self.sum.dot(vector) / self.more;
        vector.minus(self.sum.times(part)).plus(self.to.times(along + along))
    }

    #[inline(always)]
    fn rotation<const N: usize>(&self) -> Rotation<L>
    where
        L: Lane<N>,
    {
        let half = self.more.all(0.5);
        let w = (self.more * half).sqrt();
        Rotation { vector: self.from.cross(self.to).times(half / w), w }
    }
}
