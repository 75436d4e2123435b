//! How what was there dies away, eight joints at a time.

use fearless_simd::{Simd, f32x8, prelude::*};

use super::{JointEntry, MorphEntry};
use crate::clip::interpolate::Visitor;
use crate::pose::JointGroup;
use crate::pose::lanes::{TransformLanes, dot, load_all, normalize, product, store};

/// Leads to what is in a pose.
pub(super) trait Lead<S: Simd>: Visitor<S> {
    fn groups(&self) -> &[JointGroup];
}

/// Takes each group of a pose to where it leads.
#[inline(always)]
pub(super) fn follow<S: Simd>(simd: S, mut lead: impl Lead<S>) {
    for group in 0..lead.groups().len() {
        let target = TransformLanes::load(simd, &lead.groups()[group]);
        lead.visit(group, target);
    }
}

/// Whether translations, or scales, have to be led anywhere: mostly those of all joints but the root stay.
#[inline(always)]
fn moves(entry: &JointEntry, property: usize) -> bool {
    entry.rates[property].0[0] > 0.0
}

/// How long something has moved whose velocity dies at a rate, in seconds of its first velocity. (A quotient
/// instead of an exponential: it begins and ends the same, and takes one division.)
#[inline(always)]
fn dying<S: Simd>(secs: f32x8<S>, rate: f32x8<S>) -> f32x8<S> {
    secs / (secs * rate + f32x8::splat(secs.token(), 1.0))
}

/// Lets the old pose move on, and blends the target over it.
pub(super) struct Dead<'a> {
    pub(super) secs: f32,
    /// Of the way to the target.
    pub(super) part: f32,
    pub(super) entries: &'a mut [JointEntry],
    pub(super) groups: &'a mut [JointGroup],
}

impl<S: Simd> Visitor<S> for Dead<'_> {
    const IS_COMMON: bool = false;

    #[inline(always)]
    fn visit(&mut self, group: usize, target: TransformLanes<S>) {
        let simd = target.rotation[0].token();
        let secs = f32x8::splat(simd, self.secs);
        let (zero, part) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, self.part));
        let one = f32x8::splat(simd, 1.0);
        let left = one - part;
        let entry = &mut self.entries[group];
        let mut old = TransformLanes::load(simd, &entry.from);
        let by = TransformLanes::load(simd, &entry.by);
        let rates = load_all(simd, &entry.rates);
        let mut out = target;
        if moves(entry, 0) {
            let moved = dying(secs, rates[0]);
            for i in 0..3 {
                old.translation[i] += by.translation[i] * moved;
                out.translation[i] = old.translation[i] + (target.translation[i] - old.translation[i]) * part;
            }
        }
        if moves(entry, 2) {
            let scaled = dying(secs, rates[2]);
            for i in 0..3 {
                old.scale[i] += by.scale[i] * scaled;
                out.scale[i] = old.scale[i] + (target.scale[i] - old.scale[i]) * part;
            }
        }
        let turned = dying(secs, rates[1]);
        for i in 0..4 {
            old.rotation[i] += by.rotation[i] * turned;
        }
        // As long as what it was; a half turn in no time may leave nothing of it.
        let left = left / dot(old.rotation, old.rotation).max(f32x8::splat(simd, 1e-30)).sqrt();
        // The target may change its sign at any time; the way to it must not change.
        let last = load_all(simd, &entry.target);
        let is_opposite = dot(last, target.rotation).simd_lt(zero);
        let side = is_opposite.select(-one, one);
        for i in 0..4 {
            out.rotation[i] *= side;
        }
        store(out.rotation, &mut entry.target);
        for i in 0..4 {
            out.rotation[i] = old.rotation[i] * left + out.rotation[i] * part;
        }
        normalize(simd, &mut out.rotation);
        out.store(&mut self.groups[group]);
    }
}

impl<S: Simd> Lead<S> for Dead<'_> {
    #[inline(always)]
    fn groups(&self) -> &[JointGroup] {
        self.groups
    }
}

/// Adds what is left of the differences to the target.
pub(super) struct Inertial<'a> {
    pub(super) secs: f32,
    pub(super) entries: &'a [JointEntry],
    pub(super) groups: &'a mut [JointGroup],
}

impl<S: Simd> Visitor<S> for Inertial<'_> {
    const IS_COMMON: bool = false;

    #[inline(always)]
    fn visit(&mut self, group: usize, target: TransformLanes<S>) {
        let simd = target.rotation[0].token();
        let secs = f32x8::splat(simd, self.secs);
        let entry = &self.entries[group];
        let along = TransformLanes::load(simd, &entry.from);
        let curves = TransformLanes::load(simd, &entry.by);
        let rates = load_all(simd, &entry.rates);
        let mut out = target;
        if moves(entry, 0) {
            let moved = left_at(secs * rates[0], curves.translation);
            for i in 0..3 {
                out.translation[i] += along.translation[i] * moved;
            }
        }
        if moves(entry, 2) {
            let scaled = left_at(secs * rates[2], curves.scale);
            for i in 0..3 {
                out.scale[i] += along.scale[i] * scaled;
            }
        }
        let [start, first, second, _] = curves.rotation;
        // Half of an angle is what quaternions are made of.
        let (sin, cos) = sin_cos(left_at(secs * rates[1], [start, first, second]));
        let [x, y, z, _] = along.rotation;
        out.rotation = product([x * sin, y * sin, z * sin, cos], target.rotation);
        out.store(&mut self.groups[group]);
    }
}

impl<S: Simd> Lead<S> for Inertial<'_> {
    #[inline(always)]
    fn groups(&self) -> &[JointGroup] {
        self.groups
    }
}

/// A curve of fifth degree that comes to 0 at time 1, where its velocity and acceleration are 0, too.
#[inline(always)]
fn left_at<S: Simd>(time: f32x8<S>, [start, first, second]: [f32x8<S>; 3]) -> f32x8<S> {
    let one = f32x8::splat(time.token(), 1.0);
    let time = time.min(one);
    let left = one - time;
    left * left * left * ((second * time + first) * time + start)
}

/// Of angles up to a quarter turn, to the last place or two: their Taylor series.
#[inline(always)]
fn sin_cos<S: Simd>(angle: f32x8<S>) -> (f32x8<S>, f32x8<S>) {
    const SIN: [f32; 6] =
        [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5_040.0, 1.0 / 362_880.0, -1.0 / 39_916_800.0];
    const COS: [f32; 7] =
        [1.0, -1.0 / 2.0, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0, -1.0 / 3_628_800.0, 1.0 / 479_001_600.0];
    let squared = angle * angle;
    let (mut sin, mut cos) = (squared * SIN[5] + SIN[4], squared * COS[6] + COS[5]);
    for i in (0..4).rev() {
        sin = sin * squared + SIN[i];
    }
    for i in (0..5).rev() {
        cos = cos * squared + COS[i];
    }
    (sin * angle, cos)
}

pub(super) fn dead_morphs(secs: f32, part: f32, entries: &[MorphEntry], weights: &mut [f32]) {
    for (entry, weight) in entries.iter().zip(weights) {
        let old = entry.from + entry.by[0] * (secs / (1.0 + secs * entry.rate));
        *weight = old + (*weight - old) * part;
    }
}

pub(super) fn inertial_morphs(secs: f32, entries: &[MorphEntry], weights: &mut [f32]) {
    for (entry, weight) in entries.iter().zip(weights) {
        let ([start, first, second], time) = (entry.by, (secs * entry.rate).min(1.0));
        let left = 1.0 - time;
        *weight += entry.from * (left * left * left * ((second * time + first) * time + start));
    }
}
