//! Many boxes of joints at once: eight in a register.

use std::collections::BTreeMap;

use canter::Mat3x4;
use canter::glam::Vec4;
use fearless_simd::{Simd, f32x8, prelude::*};

use super::bunch::Bunch;
use super::corners::Corners;
use super::octet::{LANES, MOST_SLACK, Octet, Turn, by_axis, chosen, eight, widen};
use super::{JointBox, Region};
use crate::bounds::Bounds;

/// Boxes of joints.
#[derive(Clone, Debug, Default)]
pub(super) struct Octets {
    /// Boxes of joints next to each other: the first of these joints, and their boxes.
    runs: Vec<(usize, Vec<Octet>)>,
    /// Boxes of any joints.
    others: Vec<([usize; LANES], Octet)>,
    /// Boxes of a joint that has many.
    bunches: Vec<Bunch>,
    /// By how much the box around those has to be larger, in relation to its distance from the origin.
    slack: f32,
    /// Boxes that are calculated one by one: the last few, and those that need much more room since the sum of some weights is
    /// far from one, which hardly any file has.
    single: Vec<JointBox>,
    /// How many joints there must be.
    joint_count: usize,
}

/// Fewer boxes than this that are left over are calculated one by one.
const FEWEST: usize = 4;
/// With fewer boxes than this a run costs more than it saves, and so does a bunch.
const FEWEST_AT_ONCE: usize = 5;
/// Takes the place of a box where a joint of a run has none: smaller than any.
const NOTHING: Region = Region { center: Vec4::ZERO, half: Vec4::splat(-1e30) };

impl Octets {
    pub(super) fn new(boxes: &[JointBox]) -> Self {
        let joint_count = boxes.iter().map(|part| part.joint + 1).max().unwrap_or(0);
        let (loose, boxes): (Vec<_>, Vec<_>) = boxes.iter().partition(|part| part.slack() > MOST_SLACK);
        let slack = boxes.iter().map(JointBox::slack).fold(0.0, f32::max);
        let (bunches, boxes) = bunches(boxes);
        // Where the first run begins decides how many boxes are left over.
        let ways = (0..LANES).map(|start| Self::with_runs_from(start, &boxes));
        let best = ways.min_by_key(Self::cost).unwrap_or_default();
        Self { single: [loose, best.single].concat(), bunches, slack, joint_count, ..best }
    }

    fn cost(&self) -> usize {
        // In instructions: finding matrices here and there costs a third more.
        let in_runs: usize = self.runs.iter().map(|(_, run)| run.len()).sum();
        15 * self.runs.len() + 100 * in_runs + 140 * self.others.len() + 40 * self.single.len()
    }

    fn with_runs_from(start: usize, boxes: &[JointBox]) -> Self {
        let joint_count = boxes.iter().map(|part| part.joint + 1).max().unwrap_or(0);
        let mut octets = Self::default();
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
                    Some(run) if run.iter().flatten().count() >= FEWEST_AT_ONCE => {
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
        // Those that are near each other may make more runs, over joints that others went through, too.
        while let Some((first, regions)) = take_run(&mut left, joint_count) {
            octets.append(first, Octet::new(regions));
        }
        for some in left.chunks(LANES) {
            if some.len() < FEWEST {
                octets.single.extend(some.iter().copied());
            } else {
                let eight = eight(some);
                octets.others.push((eight.map(|part| part.joint), Octet::new(eight.map(|part| part.region))));
            }
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
    #[inline(always)]
    pub(super) fn bounds<S: Simd>(&self, simd: S, columns: impl Turn<S>, joints: &[Mat3x4]) -> Corners<S> {
        assert!(joints.len() >= self.joint_count, "a model pose of another model");
        let mut corners = self.at_once(simd, columns, joints);
        for part in &self.single {
            corners = corners.union(Corners::under(simd, &part.region, &joints[part.joint]));
        }
        corners
    }

    #[inline(always)]
    fn at_once<S: Simd>(&self, simd: S, columns: impl Turn<S>, joints: &[Mat3x4]) -> Corners<S> {
        if self.runs.is_empty() && self.others.is_empty() && self.bunches.is_empty() {
            return Corners::of(simd, &Bounds::EMPTY);
        }
        let nothing = (f32x8::splat(simd, f32::INFINITY), f32x8::splat(simd, f32::NEG_INFINITY));
        let mut extremes = [nothing; 3];
        for (first, run) in &self.runs {
            // In two goes, so that no register has to be put aside.
            let matrices = joints[*first..].as_chunks().0;
            for (octet, matrices) in run.iter().zip(matrices) {
                octet.add_part::<S, 0>(simd, columns, matrices.each_ref(), &mut extremes);
                octet.add_part::<S, 1>(simd, columns, matrices.each_ref(), &mut extremes);
            }
            for (octet, matrices) in run.iter().zip(matrices) {
                octet.add_part::<S, 2>(simd, columns, matrices.each_ref(), &mut extremes);
            }
        }
        for (of, octet) in &self.others {
            widen(&mut extremes, octet.extents(simd, columns, chosen(joints, of)));
        }
        let mut axes = by_axis(extremes);
        if !self.bunches.is_empty() {
            let mut of_bunches = [nothing; 3];
            for bunch in &self.bunches {
                bunch.add_to(simd, &mut of_bunches, joints);
            }
            for ((least, most), (other_least, other_most)) in axes.iter_mut().zip(of_bunches) {
                let ((a, b), (c, d)) = (other_least.split(), other_most.split());
                (*least, *most) = (least.min(a.min(b)), most.max(c.max(d)));
            }
        }
        Corners::across(axes).loose(self.slack)
    }
}

/// Takes boxes of joints near each other out: as many as a run can have. The first joint of the run, and the boxes.
fn take_run(boxes: &mut Vec<&JointBox>, joint_count: usize) -> Option<(usize, [Region; LANES])> {
    let last = joint_count.checked_sub(LANES)?;
    let run_from = |first: usize| {
        let mut run: [Option<usize>; LANES] = [None; LANES];
        for (index, part) in boxes.iter().enumerate() {
            if let Some(lane) = part.joint.checked_sub(first).filter(|lane| *lane < LANES) {
                run[lane].get_or_insert(index);
            }
        }
        (first, run)
    };
    let len = |(_, run): &(usize, [Option<usize>; LANES])| run.iter().flatten().count();
    let (first, run) = boxes.iter().map(|part| run_from(part.joint.min(last))).max_by_key(len)?;
    let count = len(&(first, run));
    if count < FEWEST_AT_ONCE && (count < boxes.len() || count < FEWEST) {
        return None;
    }
    let regions = run.map(|index| index.map_or(NOTHING, |index| boxes[index].region));
    let mut index = 0..;
    boxes.retain(|_| !run.contains(&index.next()));
    Some((first, regions))
}

/// Takes the boxes of joints with many out.
fn bunches(boxes: Vec<JointBox>) -> (Vec<Bunch>, Vec<JointBox>) {
    let mut by_joint: BTreeMap<usize, Vec<JointBox>> = BTreeMap::new();
    for part in boxes {
        by_joint.entry(part.joint).or_default().push(part);
    }
    let (mut bunches, mut others) = (Vec::new(), Vec::new());
    for (joint, boxes) in by_joint {
        let many = boxes.len() - if boxes.len() % LANES < FEWEST_AT_ONCE { boxes.len() % LANES } else { 0 };
        if many > 0 {
            bunches.push(Bunch::new(joint, &boxes[..many]));
        }
        others.extend(&boxes[many..]);
    }
    (bunches, others)
}

#[cfg(test)]
mod tests {
    use canter::glam::Vec3;
    use fearless_simd::{Fallback, Level};
    use proptest::prelude::*;

    use super::super::columns::{self, columns};
    use super::*;

    fn bounds_quickly(octets: &Octets, joints: &[Mat3x4]) -> Bounds {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Level::new().as_avx2() {
            return avx2.vectorize(
                #[inline(always)]
                || octets.bounds(avx2, columns::avx2::columns, joints).bounds(),
            );
        }
        bounds_slowly(octets, joints)
    }

    fn bounds_slowly(octets: &Octets, joints: &[Mat3x4]) -> Bounds {
        octets.bounds(Fallback::new(), columns, joints).bounds()
    }

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
            let at_once = bounds_quickly(&octets, &joints);
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
            let slowly = bounds_slowly(&octets, &joints);
            prop_assert_eq!(slowly, at_once);
        }
    }
}
