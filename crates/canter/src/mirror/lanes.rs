//! Mirrors poses, eight joints at a time.

use fearless_simd::{Level, Simd, f32x8, mask32x8, prelude::*};

use super::{Side, rotate};
use crate::glam::Vec3;
use crate::kernel::dispatch;
use crate::pose::lanes::{load_all, product, select, store};
use crate::pose::{JointGroup, LANES, Lanes};

/// Eight joints and how they get what their partners have.
#[derive(Clone, Debug)]
pub(super) struct MirrorGroup {
    /// The partner of each; the joint itself if it is left as it is.
    partners: [u32; LANES],
    /// The groups in which the partners are, the first `source_count` of these.
    sources: [u32; LANES],
    source_count: usize,
    /// -1 for joints that have a partner, 0 for those that are left as they are.
    has_partner: [i32; LANES],
    /// See [`Side`].
    parent: [Lanes; 4],
    own: [Lanes; 4],
    /// What each axis of the joint takes of the scales of its partner's.
    stretch: [[Lanes; 3]; 3],
    rest: [[Lanes; 3]; 2],
    partner_rest: [[Lanes; 3]; 2],
}

impl MirrorGroup {
    /// Of all joints.
    pub(super) fn all(sides: &[Option<Side>]) -> Vec<Self> {
        (0..).step_by(LANES).zip(sides.chunks(LANES)).map(|(first, sides)| Self::new(first, sides)).collect()
    }

    fn new(first: u32, sides: &[Option<Side>]) -> Self {
        let mut group = Self {
            partners: std::array::from_fn(|lane| first + u32::try_from(lane).expect("eight lanes")),
            sources: [0; LANES],
            source_count: 0,
            has_partner: [0; LANES],
            parent: [Lanes::default(); 4],
            own: [Lanes::default(); 4],
            stretch: [[Lanes::default(); 3]; 3],
            rest: [[Lanes::default(); 3]; 2],
            partner_rest: [[Lanes::default(); 3]; 2],
        };
        for (lane, side) in sides.iter().enumerate() {
            let Some(side) = side else { continue };
            group.partners[lane] = side.partner.0;
            group.has_partner[lane] = -1;
            for i in 0..4 {
                group.parent[i].0[lane] = side.parent[i];
                group.own[i].0[lane] = side.own[i];
            }
            for (i, axis) in Vec3::AXES.into_iter().enumerate() {
                let axis = rotate(side.own, axis);
                for (j, factor) in (axis * axis).to_array().into_iter().enumerate() {
                    group.stretch[i][j].0[lane] = factor;
                }
                for (to, from) in
                    [(&mut group.rest, &side.rest), (&mut group.partner_rest, &side.partner_rest)]
                {
                    to[0][i].0[lane] = from.translation[i];
                    to[1][i].0[lane] = from.scale[i];
                }
            }
        }
        for partner in group.partners {
            let source = partner / 8;
            if !group.sources[..group.source_count].contains(&source) {
                group.sources[group.source_count] = source;
                group.source_count += 1;
            }
        }
        group
    }
}

/// What a group has beside turns.
#[derive(Clone, Copy)]
struct Changes {
    is_moved: bool,
    is_grown: bool,
}

/// Of so many groups, less one, it is found out what changes; the others are always calculated.
const MOST_GROUPS: usize = 64;

/// Mirrors all joints. `rest` is the rest pose.
pub(super) fn mirror(
    level: Level,
    mirrors: &[MirrorGroup],
    rest: &[JointGroup],
    from: &[JointGroup],
    to: &mut [JointGroup],
) {
    dispatch!(level, simd => mirror_groups(simd, mirrors, rest, from, to));
}

#[inline(always)]
fn mirror_groups<S: Simd>(
    simd: S,
    mirrors: &[MirrorGroup],
    rest: &[JointGroup],
    from: &[JointGroup],
    to: &mut [JointGroup],
) {
    // All first: what was just written number by number is waited for if it is read eight at a time.
    // Most joints only ever turn: what is at rest in one is at rest in the other.
    let mut changes = [Changes { is_moved: true, is_grown: true }; MOST_GROUPS];
    for (mirror, to) in mirrors.iter().zip(&mut *to) {
        gather(&mirror.partners, from, |group| &group.rotation, &mut to.rotation);
    }
    for (changes, (from, rest)) in changes[..MOST_GROUPS - 1].iter_mut().zip(from.iter().zip(rest)) {
        changes.is_moved = differs(simd, &from.translation, &rest.translation);
        changes.is_grown = differs(simd, &from.scale, &rest.scale);
    }
    for ((mirror, to), own_rest) in mirrors.iter().zip(to).zip(rest) {
        let has_partner = mask32x8::simd_from(simd, mirror.has_partner);
        let [x, y, z, w] = load_all(simd, &to.rotation);
        let mirrored = [x, -y, -z, w];
        let turned = product(product(load_all(simd, &mirror.parent), mirrored), load_all(simd, &mirror.own));
        let mut rotation = [x, y, z, w];
        select(has_partner, turned, &mut rotation);
        store(rotation, &mut to.rotation);

        let sources = &mirror.sources[..mirror.source_count];
        let changes = |&source: &u32| changes[(source as usize).min(MOST_GROUPS - 1)];
        to.translation = own_rest.translation;
        if sources.iter().any(|source| changes(source).is_moved) {
            gather(&mirror.partners, from, |group| &group.translation, &mut to.translation);
            translate(simd, mirror, has_partner, &mut to.translation);
        }
        to.scale = own_rest.scale;
        if sources.iter().any(|source| changes(source).is_grown) {
            gather(&mirror.partners, from, |group| &group.scale, &mut to.scale);
            scale(simd, mirror, has_partner, &mut to.scale);
        }
    }
}

/// The numbers of eight joints from wherever they are.
#[inline(always)]
fn gather<const N: usize>(
    joints: &[u32; LANES],
    groups: &[JointGroup],
    part: impl Fn(&JointGroup) -> &[Lanes; N],
    gathered: &mut [Lanes; N],
) {
    for (lane, &joint) in joints.iter().enumerate() {
        let joint = joint as usize;
        let numbers = part(&groups[joint / LANES]);
        for i in 0..N {
            gathered[i].0[lane] = numbers[i].0[joint % LANES];
        }
    }
}

#[inline(always)]
fn differs<S: Simd>(simd: S, numbers: &[Lanes; 3], others: &[Lanes; 3]) -> bool {
    let (a, b) = (load_all(simd, numbers), load_all(simd, others));
    let same = a[0].simd_eq(b[0]) & a[1].simd_eq(b[1]) & a[2].simd_eq(b[2]);
    !same.all_true()
}

#[inline(always)]
fn translate<S: Simd>(simd: S, mirror: &MirrorGroup, has_partner: mask32x8<S>, joints: &mut [Lanes; 3]) {
    let partner = load_all(simd, joints);
    let [qx, qy, qz, qw] = load_all(simd, &mirror.parent);
    let rest: [f32x8<S>; 3] = load_all(simd, &mirror.rest[0]);
    let partner_rest: [f32x8<S>; 3] = load_all(simd, &mirror.partner_rest[0]);
    let way = [-(partner[0] - partner_rest[0]), partner[1] - partner_rest[1], partner[2] - partner_rest[2]];
    let two = f32x8::splat(simd, 2.0);
    let axis = [qx, qy, qz];
    let twice = cross(axis, way);
    let twice = [twice[0] * two, twice[1] * two, twice[2] * two];
    let across = cross(axis, twice);
    let mut moved = partner;
    let turned = [
        rest[0] + ((way[0] + twice[0] * qw) + across[0]),
        rest[1] + ((way[1] + twice[1] * qw) + across[1]),
        rest[2] + ((way[2] + twice[2] * qw) + across[2]),
    ];
    select(has_partner, turned, &mut moved);
    store(moved, joints);
}

#[inline(always)]
fn scale<S: Simd>(simd: S, mirror: &MirrorGroup, has_partner: mask32x8<S>, joints: &mut [Lanes; 3]) {
    let partner = load_all(simd, joints);
    let rest: [f32x8<S>; 3] = load_all(simd, &mirror.rest[1]);
    let partner_rest: [f32x8<S>; 3] = load_all(simd, &mirror.partner_rest[1]);
    let by = [partner[0] - partner_rest[0], partner[1] - partner_rest[1], partner[2] - partner_rest[2]];
    let is_even = by[0].simd_eq(by[1]) & by[1].simd_eq(by[2]);
    let mut grown = partner;
    let mut stretched = partner;
    for i in 0..3 {
        let factors: [f32x8<S>; 3] = load_all(simd, &mirror.stretch[i]);
        let along = (factors[0] * by[0] + factors[1] * by[1]) + factors[2] * by[2];
        stretched[i] = rest[i] + is_even.select(by[i], along);
    }
    select(has_partner, stretched, &mut grown);
    store(grown, joints);
}

#[inline(always)]
fn cross<S: Simd>(a: [f32x8<S>; 3], b: [f32x8<S>; 3]) -> [f32x8<S>; 3] {
    [a[1] * b[2] - b[1] * a[2], a[2] * b[0] - b[2] * a[0], a[0] * b[1] - b[0] * a[1]]
}
