//! How what was there dies away, eight joints at a time.

use fearless_simd::{Simd, f32x8, prelude::*};

use super::{JointEntry, MorphEntry};
use crate::pose::JointGroup;
use crate::pose::lanes::{TransformLanes, dot, load_all, normalize, product, store};

/// How long something has moved whose velocity dies at a rate, in seconds of its first velocity. (A quotient
/// instead of an exponential: it begins and ends the same, and takes one division.)
#[inline(always)]
fn dying<S: Simd>(secs: f32x8<S>, rate: f32x8<S>) -> f32x8<S> {
    secs / (secs * rate + f32x8::splat(secs.token(), 1.0))
}

/// Lets the old pose move on, and blends the target over it.
#[inline(always)]
pub(super) fn dead<S: Simd>(
    simd: S,
    secs: f32,
    part: f32,
    entries: &mut [JointEntry],
    groups: &mut [JointGroup],
) {
    let secs = f32x8::splat(simd, secs);
    let (zero, part) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, part));
    let left = f32x8::splat(simd, 1.0) - part;
    for (entry, group) in entries.iter_mut().zip(groups) {
        let mut old = TransformLanes::load(simd, &entry.from);
        let by = TransformLanes::load(simd, &entry.by);
        let target = TransformLanes::load(simd, group);
        let rates = load_all(simd, &entry.rates);
        let [moved, turned, scaled] = [dying(secs, rates[0]), dying(secs, rates[1]), dying(secs, rates[2])];
        let mut out = target;
        for i in 0..3 {
            old.translation[i] += by.translation[i] * moved;
            out.translation[i] = old.translation[i] + (target.translation[i] - old.translation[i]) * part;
            old.scale[i] += by.scale[i] * scaled;
            out.scale[i] = old.scale[i] + (target.scale[i] - old.scale[i]) * part;
        }
        for i in 0..4 {
            old.rotation[i] += by.rotation[i] * turned;
        }
        normalize(simd, &mut old.rotation);
        // The target may change its sign at any time; the way to it must not change.
        let last = load_all(simd, &entry.target);
        let is_opposite = dot(last, target.rotation).simd_lt(zero);
        let mut aim = target.rotation;
        for i in 0..4 {
            aim[i] = is_opposite.select(-aim[i], aim[i]);
            out.rotation[i] = old.rotation[i] * left + aim[i] * part;
        }
        store(aim, &mut entry.target);
        normalize(simd, &mut out.rotation);
        out.store(group);
    }
}

/// Adds what is left of the differences to the target.
#[inline(always)]
pub(super) fn inertial<S: Simd>(simd: S, secs: f32, entries: &[JointEntry], groups: &mut [JointGroup]) {
    let secs = f32x8::splat(simd, secs);
    for (entry, group) in entries.iter().zip(groups) {
        let along = TransformLanes::load(simd, &entry.from);
        let curves = TransformLanes::load(simd, &entry.by);
        let rates = load_all(simd, &entry.rates);
        let mut out = TransformLanes::load(simd, group);
        let moved = quintic(secs * rates[0], curves.translation);
        let scaled = quintic(secs * rates[2], curves.scale);
        for i in 0..3 {
            out.translation[i] += along.translation[i] * moved;
            out.scale[i] += along.scale[i] * scaled;
        }
        let [start, velocity, acceleration, _] = curves.rotation;
        let angle = quintic(secs * rates[1], [start, velocity, acceleration]);
        let (sin, cos) = sin_cos(angle * 0.5);
        let [x, y, z, _] = along.rotation;
        out.rotation = product([x * sin, y * sin, z * sin, cos], out.rotation);
        out.store(group);
    }
}

/// A curve from a value, with a velocity and half of an acceleration, to 0 at time 1, where velocity and
/// acceleration are 0, too.
#[inline(always)]
fn quintic<S: Simd>(time: f32x8<S>, [start, velocity, acceleration]: [f32x8<S>; 3]) -> f32x8<S> {
    let simd = time.token();
    let fifth = -(acceleration + velocity * 3.0 + start * 6.0);
    let fourth = acceleration * 3.0 + velocity * 8.0 + start * 15.0;
    let third = -(acceleration * 3.0 + velocity * 6.0 + start * 10.0);
    let value =
        ((((fifth * time + fourth) * time + third) * time + acceleration) * time + velocity) * time + start;
    let is_over = time.simd_ge(f32x8::splat(simd, 1.0));
    is_over.select(f32x8::splat(simd, 0.0), value)
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
        let ([start, velocity, acceleration], time) = (entry.by, secs * entry.rate);
        if time < 1.0 {
            let fifth = -(acceleration + velocity * 3.0 + start * 6.0);
            let fourth = acceleration * 3.0 + velocity * 8.0 + start * 15.0;
            let third = -(acceleration * 3.0 + velocity * 6.0 + start * 10.0);
            let left = ((((fifth * time + fourth) * time + third) * time + acceleration) * time + velocity)
                * time
                + start;
            *weight += entry.from * left;
        }
    }
}
