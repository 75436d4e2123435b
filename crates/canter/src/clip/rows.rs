//! What a clip is compiled to: rows of lanes, one row per key, read by the kernels.
//!
//! Tracks with the same key times share a [`Timeline`]: one search and one alpha for all of them. A key of it
//! is a row; a row holds, group by group, the numbers of all joints that it drives, eight joints side by
//! side. Sampling reads two rows from left to right. Properties that do not move are no part of the rows;
//! they are constants.

use super::morph::MorphRows;
use super::packed::{PackedPlace, PackedRows, Still, Undriven};
use super::slerp::{Reach, SlerpWeights};
use super::times::KeyTimes;
use crate::pose::Lanes;

/// A compiled clip.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    /// One per group of eight joints. None if nothing is here but what is packed: all else is as the pose has it that the
    /// clip is laid over.
    pub(crate) groups: Box<[GroupStrips]>,
    /// Strips of a few lanes that overwrite what a group's own strip gave.
    pub(crate) patches: Box<[Patch]>,
    pub(crate) constants: Box<[Lanes]>,
    pub(crate) timelines: Box<[Timeline]>,
    /// Whether rows of the first timeline can be read from left to right without looking up where strips lie: each is
    /// linear, and what a group does not have there is constant. Nearly all clips are so.
    pub(crate) is_plain: bool,
    /// The groups of such a clip of which that gives not all lanes: the others are patched over them.
    pub(crate) patched: Box<[u32]>,
    /// The joint that such a clip has on a timeline of its own, if there is nothing else that is patched.
    pub(crate) lone: Option<Lone>,
    /// From which group on joints of such a clip only turn, along short arcs, as most do: all else is constant.
    pub(crate) turning_from: u32,
    /// From which group on translations and scales are those of the rest pose. Nothing else than tracks decides that: not
    /// how they are laid out.
    pub(crate) resting_from: u32,
    /// The same of all properties: nodes of meshes mostly, which come last in many files.
    pub(crate) idle_from: u32,
    /// Whether it is packed: then it is not read group by group.
    pub(crate) is_packed: bool,
    /// Whether it is laid over no turn and no way instead of the rest pose.
    pub(crate) is_additive: bool,
    /// Packed tracks that do not move.
    pub(crate) still: Box<[Still]>,
    /// Where a packed clip has `groups`, it is not used.
    pub(crate) undriven: Box<[Undriven]>,
    /// One per morph set of the skeleton.
    pub(crate) morphs: Box<[MorphRows]>,
    /// A bit per joint, by groups: set where the last quaternion lies on the other side than the first, so
    /// that a loop changes sides. Empty if there is none.
    pub(crate) opposite_ends: Box<[u8]>,
}

/// Where a group's numbers come from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupStrips {
    pub(crate) translation: Layers,
    pub(crate) rotation: Layers,
    pub(crate) scale: Layers,
    /// Whether joints turn along short arcs while all else is constant, as most do.
    pub(crate) only_turns: bool,
}

impl GroupStrips {
    pub(crate) fn new(translation: Layers, rotation: Layers, scale: Layers) -> Self {
        let is_constant = |layers: Layers| layers.are_plain() && layers.strip.kind == StripKind::Constant;
        let turns = rotation.are_plain() && rotation.strip.kind == StripKind::Slerp(Reach::Near);
        Self {
            translation,
            rotation,
            scale,
            only_turns: is_constant(translation) && turns && is_constant(scale),
        }
    }

    /// How many lanes of a row, and how many constants, a plain group takes.
    #[inline(always)]
    pub(crate) fn plain_sizes(&self) -> (usize, usize) {
        let size = |layers: Layers, width: usize| match layers.strip.kind {
            StripKind::Constant => (0, width),
            StripKind::Slerp(_) => (width + 1, 0),
            _ => (width, 0),
        };
        let [t, r, s] = [size(self.translation, 3), size(self.rotation, 4), size(self.scale, 3)];
        (t.0 + r.0 + s.0, t.1 + r.1 + s.1)
    }

    /// Whether some lanes of any property are overwritten.
    pub(crate) fn is_patched(&self) -> bool {
        [self.translation, self.rotation, self.scale].iter().any(|of| of.patches.0 < of.patches.1)
    }
}

/// Where one property of a group comes from: a strip for all lanes, and others that overwrite a few of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layers {
    pub(crate) strip: Strip,
    /// Their part of [`Rows::patches`].
    pub(crate) patches: (u32, u32),
}

impl Layers {
    fn are_plain(self) -> bool {
        let is_plain = match self.strip.kind {
            StripKind::Constant | StripKind::Lerp | StripKind::Slerp(_) => true,
            StripKind::Step | StripKind::Cubic | StripKind::Rest => false,
        };
        is_plain && self.patches.0 == self.patches.1
    }
}

/// One property of eight joints in the rows of a timeline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Strip {
    pub(crate) kind: StripKind,
    /// Which timeline; meaningless for constants.
    pub(crate) timeline: u32,
    /// Where it starts in a row, or among the constants; in the lanes of a narrow row.
    pub(crate) offset: u32,
}

/// How a strip is interpolated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StripKind {
    Constant,
    Step,
    /// A straight line, for translation and scale.
    Lerp,
    /// A shortest arc: four lanes of quaternions, then the `z` of each to the next key.
    Slerp(Reach),
    /// In-tangents, values, out-tangents.
    Cubic,
    /// As the rest pose has it. Only in packed clips.
    Rest,
}

/// A strip that drives only some lanes of its group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patch {
    pub(crate) strip: Strip,
    /// -1 in the lanes that it drives, else 0.
    pub(crate) mask: [i32; crate::pose::LANES],
}

/// A joint by itself, of which the rows of a narrow timeline have the translation, and the rotation along short arcs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lone {
    pub(crate) timeline: u32,
    /// As that of a [`Patch`].
    pub(crate) mask: [i32; crate::pose::LANES],
}

/// Key times and the rows at them.
#[derive(Clone, Debug)]
pub(crate) struct Timeline {
    pub(crate) times: KeyTimes,
    pub(crate) rows: Vec<Lanes>,
    /// Lanes from one row to the next.
    pub(crate) stride: usize,
    /// Whether it is that of a [`Lone`], whose numbers are the lanes of a row: a root whose turns were taken out of the
    /// pose has many keys.
    pub(crate) is_narrow: bool,
    /// The widest arc between two of its keys.
    pub(crate) reach: Reach,
    pub(crate) has_splines: bool,
    /// Instead of `rows`.
    pub(crate) packed: Option<Box<PackedRows>>,
}

/// Where a sample falls on a timeline, and the numbers that all its joints share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    /// Where the left and the right row start.
    pub(crate) left: u32,
    pub(crate) right: u32,
    pub(crate) alpha: f32,
    /// Of the left value, its out-tangent, the right value, its in-tangent.
    pub(crate) hermite: [f32; 4],
    /// For arcs up to [`Reach::Far`].
    pub(crate) slerp: SlerpWeights,
    /// For [`Reach::Wide`]: the weights within the half of the arc that alpha lies in.
    pub(crate) half: SlerpWeights,
    /// For packed rows.
    pub(crate) packed: PackedPlace,
}

impl Segment {
    pub(crate) const EMPTY: Self = Self {
        left: 0,
        right: 0,
        alpha: 0.0,
        hermite: [0.0; 4],
        slerp: SlerpWeights::ZERO,
        half: SlerpWeights::ZERO,
        packed: PackedPlace::EMPTY,
    };

    /// Whether alpha lies in the first half of the arc.
    pub(crate) fn in_first_half(&self) -> bool {
        self.alpha < 0.5
    }
}

impl Timeline {
    /// Finds the place of a time. Writes only what the timeline's strips read.
    fn locate(&self, secs: f32, segment: &mut Segment) {
        let place = self.times.place(secs);
        let right = (place.key + 1).min(self.times.secs().len() - 1);
        if cfg!(not(canter_web))
            && let Some(packed) = &self.packed
        {
            packed.locate(self.times.secs(), place.key, place.alpha, &mut segment.packed);
        } else {
            segment.left = self.row(place.key);
            segment.right = self.row(right);
        }
        segment.alpha = place.alpha;
        if cfg!(not(canter_web)) && self.packed.as_ref().is_some_and(|packed| !packed.has_arcs()) {
            return;
        }
        segment.slerp.set(place.alpha, self.reach);
        if self.reach == Reach::Wide {
            let doubled = 2.0 * place.alpha;
            segment.half.set(if segment.in_first_half() { doubled } else { doubled - 1.0 }, Reach::Wide);
        }
        if self.has_splines {
            segment.hermite = hermite(place.alpha, place.interval_secs);
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "the size of the rows is bounded when a clip is built"
    )]
    fn row(&self, key: usize) -> u32 {
        (key * self.stride) as u32
    }
}

/// The cubic Hermite basis, with the tangents scaled by the time between the keys, as glTF has it.
pub(crate) fn hermite(alpha: f32, interval_secs: f32) -> [f32; 4] {
    let squared = alpha * alpha;
    let cubed = squared * alpha;
    let right = 3.0 * squared - 2.0 * cubed;
    [1.0 - right, interval_secs * (cubed - 2.0 * squared + alpha), right, interval_secs * (cubed - squared)]
}

impl Rows {
    /// Finds the place of a time on every timeline.
    #[cfg_attr(canter_web, optimize(speed), inline(never))]
    pub(crate) fn locate(&self, secs: f32, segments: &mut [Segment]) {
        for (timeline, segment) in self.timelines.iter().zip(segments) {
            timeline.locate(secs, segment);
        }
    }

    /// Finds out what packed tracks drive as a whole.
    pub(crate) fn find_undriven(&mut self, groups: usize) {
        self.undriven = vec![Undriven::ALL; groups].into();
        for packed in self.timelines.iter().filter_map(|timeline| timeline.packed.as_ref()) {
            for (group, property) in packed.whole_groups() {
                self.undriven[group].drive(property);
            }
        }
    }

    /// How much memory the rows take.
    pub(crate) fn bytes(&self) -> usize {
        let timeline = |timeline: &Timeline| {
            size_of::<Timeline>()
                + size_of_val(&timeline.rows[..])
                + timeline.packed.as_ref().map_or(0, |packed| packed.bytes())
                + timeline.times.bytes()
        };
        size_of_val(&self.groups[..])
            + size_of_val(&self.patched[..])
            + size_of_val(&self.patches[..])
            + size_of_val(&self.constants[..])
            + size_of_val(&self.still[..])
            + size_of_val(&self.undriven[..])
            + size_of_val(&self.opposite_ends[..])
            + self.timelines.iter().map(timeline).sum::<usize>()
            + self.morphs.iter().map(MorphRows::bytes).sum::<usize>()
    }
}
