//! Many boxes of joints at once: eight in a register.

use canter::Mat3x4;
use canter::glam::{Vec3, Vec4};
use fearless_simd::{Level, Simd, dispatch, f32x4, f32x8, prelude::*};

use super::columns::{self, columns};
use super::{JointBox, Region};
use crate::bounds::Bounds;

/// Boxes of joints.
#[derive(Clone, Debug, Default)]
pub(super) struct Octets {
    /// Boxes of joints next to each other: the first of these joints, and their boxes.
    runs: Vec<(usize, Vec<Octet>)>,
    /// Boxes of any joints.
    others: Vec<([usize; LANES], Octet)>,
    /// By how much the box around those has to be larger, in relation to its distance from the origin.
    slack: f32,
    /// Boxes that are calculated one by one: where there are few, and those that need much more room since the sum of some
    /// weights is far from one, which hardly any file has.
    single: Vec<JointBox>,
    /// How many joints there must be.
    joint_count: usize,
}

/// Eight boxes.
///
/// What two matrices consist of is read as it lies in memory, in three registers: x and y of the first; its z, and x of the
/// second; y and z of the second. The numbers of the boxes lie likewise.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
struct Octet {
    centers: [[[f32; LANES]; 3]; 3],
    halves: [[[f32; LANES]; 3]; 3],
}

const LANES: usize = 8;
/// A box that needs more room than this in relation to its distance from the origin is calculated by itself.
const MOST_SLACK: f32 = 1e-3;
/// Fewer boxes than this are, too.
const FEWEST: usize = 4;
/// With fewer boxes than this a run costs more than it saves.
const FEWEST_IN_RUN: usize = 5;
/// Takes the place of a box where a joint of a run has none: smaller than any.
const NOTHING: Region = Region { center: Vec4::ZERO, half: Vec4::splat(-1e30) };

/// The least and the greatest numbers up to now, in each of the three registers.
type Extremes<S> = [(f32x8<S>, f32x8<S>); 3];

/// Turns rows into columns.
trait Turn<S: Simd>: Fn([f32x8<S>; 4]) -> [f32x8<S>; 4] + Copy {}

impl<S: Simd, F: Fn([f32x8<S>; 4]) -> [f32x8<S>; 4] + Copy> Turn<S> for F {}

impl Octets {
    pub(super) fn new(boxes: &[JointBox]) -> Self {
        let is_single = |part: &&JointBox| boxes.len() < FEWEST || part.slack() > MOST_SLACK;
        let (single, boxes): (Vec<_>, Vec<_>) = boxes.iter().partition(is_single);
        // Where the first run begins decides how many boxes are left over.
        let ways = (0..LANES).map(|start| Self::with_runs_from(start, &boxes));
        let best = ways.min_by_key(Self::cost).unwrap_or_default();
        let joint_count = single.iter().map(|part| part.joint + 1).fold(best.joint_count, usize::max);
        Self { single, joint_count, ..best }
    }

    fn cost(&self) -> usize {
        // Finding matrices here and there costs a third more.
        let in_runs: usize = self.runs.iter().map(|(_, run)| run.len()).sum();
        3 * in_runs + 4 * self.others.len()
    }

    fn with_runs_from(start: usize, boxes: &[JointBox]) -> Self {
        let slack = boxes.iter().map(JointBox::slack).fold(0.0, f32::max);
        let joint_count = boxes.iter().map(|part| part.joint + 1).max().unwrap_or(0);
        let mut octets = Self { slack, joint_count, ..Self::default() };
        let mut waiting: Vec<_> = boxes.iter().collect();
        let mut left: Vec<&JointBox> = Vec::new();
        while !waiting.is_empty() {
            // One box per joint in each round; the next ones of the same joint wait.
            let mut round: Vec<Option<&JointBox>> = vec![None; joint_count];
            waiting.retain(|&part| {
                let waits = round[part.joint].is_some();
                round[part.joint].get_or_insert(part);
                waits
            });
            let mut joint = start.min(joint_count);
            left.extend(round[..joint].iter().flatten());
            while joint < joint_count {
                match round[joint..].first_chunk::<LANES>() {
                    Some(run) if run.iter().flatten().count() >= FEWEST_IN_RUN => {
                        let regions = run.map(|part| part.map_or(NOTHING, |part| part.region));
                        octets.append(joint, Octet::new(regions));
                        joint += LANES;
                    }
                    _ => {
                        left.extend(round[joint]);
                        joint += 1;
                    }
                }
            }
        }
        for few in left.chunks(LANES) {
            // Lanes that are left over repeat a box.
            let eight: [_; LANES] = std::array::from_fn(|lane| few[lane.min(few.len() - 1)]);
            octets.others.push((eight.map(|part| part.joint), Octet::new(eight.map(|part| part.region))));
        }
        octets
    }

    /// Adds to the last run if it ends before a joint, or begins another one.
    fn append(&mut self, joint: usize, octet: Octet) {
        match self.runs.last_mut() {
            Some((first, run)) if *first + run.len() * LANES == joint => run.push(octet),
            _ => self.runs.push((joint, vec![octet])),
        }
    }

    /// The box around all of them where the joints are.
    pub(super) fn bounds(&self, joints: &[Mat3x4]) -> Bounds {
        self.bounds_at(Level::new(), joints)
    }

    fn bounds_at(&self, level: Level, joints: &[Mat3x4]) -> Bounds {
        assert!(joints.len() >= self.joint_count, "a model pose of another model");
        if self.runs.is_empty() && self.others.is_empty() {
            return self.around_single(Bounds::EMPTY, joints);
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = level.as_avx2() {
            return avx2.vectorize(
                #[inline(always)]
                || self.bounds_in(avx2, columns::avx2::columns, joints),
            );
        }
        dispatch!(level, simd => self.bounds_in(simd, columns, joints))
    }

    fn around_single(&self, bounds: Bounds, joints: &[Mat3x4]) -> Bounds {
        self.single.iter().fold(bounds, |bounds, part| bounds.union(&part.under(joints, Region::NONE)))
    }

    #[inline(always)]
    fn bounds_in<S: Simd>(&self, simd: S, columns: impl Turn<S>, joints: &[Mat3x4]) -> Bounds {
        let nothing = (f32x8::splat(simd, f32::INFINITY), f32x8::splat(simd, f32::NEG_INFINITY));
        let mut extremes = [nothing; 3];
        for (first, run) in &self.runs {
            for (octet, matrices) in run.iter().zip(joints[*first..].as_chunks().0) {
                octet.add_to(simd, columns, &mut extremes, matrices.each_ref());
            }
        }
        // Spelled out: `array::map` is not always inlined.
        for ([a, b, c, d, e, f, g, h], octet) in &self.others {
            let [a, b, c, d] = [&joints[*a], &joints[*b], &joints[*c], &joints[*d]];
            let [e, f, g, h] = [&joints[*e], &joints[*f], &joints[*g], &joints[*h]];
            octet.add_to(simd, columns, &mut extremes, [a, b, c, d, e, f, g, h]);
        }
        let [(xy_min, xy_max), (zx_min, zx_max), (yz_min, yz_max)] = extremes;
        let ((x, y), (z, other_x), (other_y, other_z)) = (xy_min.split(), zx_min.split(), yz_min.split());
        let min = across([x.min(other_x), y.min(other_y), z.min(other_z)], f32x4::min);
        let ((x, y), (z, other_x), (other_y, other_z)) = (xy_max.split(), zx_max.split(), yz_max.split());
        let max = across([x.max(other_x), y.max(other_y), z.max(other_z)], f32x4::max);
        let room = min.abs().max(max.abs()) * self.slack;
        let bounds = Bounds { min: min - room, max: max + room };
        if self.single.is_empty() { bounds } else { self.around_single(bounds, joints) }
    }
}

impl Octet {
    fn new(regions: [Region; LANES]) -> Self {
        let spread = |axis: usize, of: fn(&Region) -> Vec4| -> [[f32; LANES]; 3] {
            let number = |pair: usize, second: bool| of(&regions[2 * pair + usize::from(second)])[axis];
            [[false, false], [false, true], [true, true]]
                .map(|blocks| std::array::from_fn(|lane| number(lane % 4, blocks[lane / 4])))
        };
        Self {
            centers: [0, 1, 2].map(|axis| spread(axis, |region| region.center)),
            halves: [0, 1, 2].map(|axis| spread(axis, |region| region.half)),
        }
    }

    #[inline(always)]
    fn add_to<S: Simd>(
        &self,
        simd: S,
        columns: impl Turn<S>,
        extremes: &mut Extremes<S>,
        matrices: [&Mat3x4; LANES],
    ) {
        let [a, b, c, d, e, f, g, h] = matrices;
        let pairs = [(a, b), (c, d), (e, f), (g, h)];
        let [[a, b, c], [d, e, f], [g, h, i], [j, k, l]] =
            [parts(simd, pairs[0]), parts(simd, pairs[1]), parts(simd, pairs[2]), parts(simd, pairs[3])];
        self.add_part::<S, 0>(simd, columns, extremes, [a, d, g, j]);
        self.add_part::<S, 1>(simd, columns, extremes, [b, e, h, k]);
        self.add_part::<S, 2>(simd, columns, extremes, [c, f, i, l]);
    }

    #[inline(always)]
    fn add_part<S: Simd, const PART: usize>(
        &self,
        simd: S,
        columns: impl Turn<S>,
        extremes: &mut Extremes<S>,
        rows: [f32x8<S>; 4],
    ) {
        let [x, y, z, translation] = columns(rows);
        let [cx, cy, cz] = &self.centers;
        let [hx, hy, hz] = &self.halves;
        let center = (x * load(simd, &cx[PART]) + y * load(simd, &cy[PART]))
            + (z * load(simd, &cz[PART]) + translation);
        let half = (x.abs() * load(simd, &hx[PART]) + y.abs() * load(simd, &hy[PART]))
            + z.abs() * load(simd, &hz[PART]);
        let (least, most) = &mut extremes[PART];
        *least = least.min(center - half);
        *most = most.max(center + half);
    }
}

/// The least or the greatest of the four numbers of x, of y and of z.
#[inline(always)]
fn across<S: Simd>([x, y, z]: [f32x4<S>; 3], of: impl Fn(f32x4<S>, f32x4<S>) -> f32x4<S>) -> Vec3 {
    let ((xz, xz_high), (yz, yz_high)) = (x.interleave(z), y.interleave(z));
    let ((a, b), (c, d)) = (xz.interleave(yz), xz_high.interleave(yz_high));
    let found = of(of(a, b), of(c, d));
    Vec3::new(found[0], found[1], found[2])
}

/// Two matrices as three registers.
#[inline(always)]
fn parts<S: Simd>(simd: S, (first, second): (&Mat3x4, &Mat3x4)) -> [f32x8<S>; 3] {
    [
        f32x8::from_slice(simd, &first.rows.as_flattened()[..8]),
        f32x4::simd_from(simd, first.rows[2]).combine(f32x4::simd_from(simd, second.rows[0])),
        f32x8::from_slice(simd, &second.rows.as_flattened()[4..]),
    ]
}

#[inline(always)]
fn load<S: Simd>(simd: S, numbers: &[f32; LANES]) -> f32x8<S> {
    f32x8::simd_from(simd, *numbers)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_region(slack: f32) -> impl Strategy<Value = Region> {
        (prop::array::uniform3(-2.0..2.0_f32), prop::array::uniform3(0.0..1.0_f32)).prop_map(
            move |(center, half)| {
                let (center, half) = (Vec3::from_array(center), Vec3::from_array(half));
                let room = (center.abs() + half) * slack;
                Region { center: center.extend(1.0), half: (half + room).extend(slack) }
            },
        )
    }

    fn any_matrix() -> impl Strategy<Value = Mat3x4> {
        let numbers =
            prop::array::uniform12(prop_oneof![4 => -3.0..3.0_f32, 1 => Just(0.0), 1 => Just(1e18)]);
        numbers.prop_map(|n| Mat3x4 {
            rows: [[n[0], n[1], n[2], n[3]], [n[4], n[5], n[6], n[7]], [n[8], n[9], n[10], n[11]]],
        })
    }

    proptest! {
        /// Joints with no box, one, or several, in any order, and some that are calculated by themselves.
        #[test]
        fn eight_at_once_are_what_they_are_one_by_one(
            joints in prop::collection::vec(any_matrix(), 1..40),
            boxes in prop::collection::vec((0..40_usize, any_region(1e-5), any_region(0.5), any::<bool>()), 0..60),
        ) {
            let boxes: Vec<_> = boxes.into_iter().map(|(joint, tight, loose, is_tight)| JointBox {
                joint: joint % joints.len(),
                region: if is_tight { tight } else { loose },
            }).collect();
            let one_by_one =
                |bounds: Bounds, part: &JointBox| bounds.union(&part.under(&joints, Region::NONE));
            let largest = boxes.iter().fold(Bounds::EMPTY, one_by_one);
            // Room for rounding is added in another way: what matters is that of the points themselves.
            let tight = |part: &JointBox| JointBox {
                region: Region { half: part.region.half.truncate().extend(0.0), ..part.region },
                ..*part
            };
            let least = boxes.iter().map(tight).fold(Bounds::EMPTY, |bounds, part| one_by_one(bounds, &part));
            let octets = Octets::new(&boxes);
            let at_once = octets.bounds(&joints);
            if boxes.is_empty() {
                prop_assert_eq!(at_once, Bounds::EMPTY);
            } else {
                prop_assert!(at_once.min.cmple(least.min).all() && at_once.max.cmpge(least.max).all());
                // A joint without a box that is scaled to nothing may count as a point.
                let points = joints.iter().map(|joint| joint.transform_point(Vec3::ZERO));
                let largest = largest.union(&Bounds::around(points));
                let room = largest.min.abs().max(largest.max.abs()) * 4e-5;
                prop_assert!(at_once.min.cmpge(largest.min - room).all());
                prop_assert!(at_once.max.cmple(largest.max + room).all());
            }
            for level in [Level::Fallback(fearless_simd::Fallback::new()), Level::new()] {
                prop_assert_eq!(octets.bounds_at(level, &joints), at_once);
            }
        }
    }
}
