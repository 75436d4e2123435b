//! Lays prepared tracks out as rows.

use super::morph::MorphRows;
use super::prepare::Prepared;
use super::rows::{GroupStrips, Layers, Lone, Patch, Rows, Strip, StripKind, Timeline};
use super::slerp::{Reach, separation};
use super::times::KeyTimes;
use super::{ClipTrack, Interpolation, Property, TrackTarget, merge};
use crate::pose::{JointGroup, LANES, Lanes, RestPose};

/// The most numbers that the keys of a clip may have, so that places in its rows can be counted in `u32`:
/// joining tracks makes the rows at most six times as long, and a distance comes to every four numbers of a
/// rotation.
pub(crate) const MOST_NUMBERS: usize = 1 << 28;

/// One in so many groups may have lanes that are patched over, if the others are read from left to right. None in the
/// module of the npm package, which would be 1 kB larger for it: there such clips are read strip by strip, to the same
/// bits.
const PATCHED_ONE_IN: usize = if cfg!(canter_web) { usize::MAX } else { 4 };

/// Compiles the tracks of a clip over what holds without a track; for `sign_slack` see [`same_side`].
///
/// [`same_side`]: super::prepare::same_side
pub(crate) fn compile(rest: &RestPose, tracks: &[ClipTrack], sign_slack: f64) -> Rows {
    // What does not move goes into the pose that everything else is laid over.
    let mut base = rest.groups.clone();
    let mut moving = Vec::new();
    let mut opposite_ends = Vec::new();
    let mut morphs = vec![None; rest.morph_ends.len()];
    for ClipTrack { target, curve } in tracks {
        let track = match *target {
            TrackTarget::Joint(joint, property) => Prepared::new(joint, property, curve, sign_slack),
            TrackTarget::Morph(morph) => {
                morphs[morph.index()] = Some(curve);
                continue;
            }
        };
        if track.has_opposite_ends() {
            opposite_ends.resize(rest.groups.len(), 0_u8);
            opposite_ends[track.joint / LANES] |= 1 << (track.joint % LANES);
        }
        match track.constant() {
            Some(value) => put(&mut base, &track, value),
            None => moving.push(track),
        }
    }
    let of_vectors = [Property::Translation, Property::Scale];
    let resting_from = at_rest_from(&rest.groups, &base, &moving, &of_vectors);
    let turning = at_rest_from(&rest.groups, &base, &moving, &[Property::Rotation]);
    let idle_from = turning.max(resting_from);
    let mut layout = Layout::new(&base);
    let mut timelines = merge::share(moving);
    timelines.sort_by_key(|shared| std::cmp::Reverse(shared.tracks.len()));
    for shared in timelines {
        layout.add_timeline(shared);
    }
    let morphs = morphs.into_iter().enumerate().map(|(set, curve)| {
        let weights = rest.morph_range(set);
        MorphRows::new(weights.clone(), &rest.morph_weights[weights], curve)
    });
    Rows {
        morphs: morphs.collect(),
        opposite_ends: opposite_ends.into(),
        resting_from,
        idle_from,
        ..layout.finish()
    }
}

/// From which group on some properties are those of the rest pose.
fn at_rest_from(
    rest: &[JointGroup],
    base: &[JointGroup],
    moving: &[Prepared],
    properties: &[Property],
) -> u32 {
    let mut is_moved = vec![false; rest.len()];
    for track in moving.iter().filter(|track| properties.contains(&track.property)) {
        is_moved[track.joint / LANES] = true;
    }
    let has_bits = |(a, b): (&Lanes, &Lanes)| a.0.map(f32::to_bits) == b.0.map(f32::to_bits);
    for (is_moved, (base, rest)) in is_moved.iter_mut().zip(base.iter().zip(rest)) {
        let has_bits = |property| lanes(base, property).iter().zip(lanes(rest, property)).all(has_bits);
        *is_moved |= !properties.iter().copied().all(has_bits);
    }
    behind_last(&is_moved, |is_moved| *is_moved)
}

/// How many there are up to the last for which something holds.
fn behind_last<T>(items: &[T], holds: impl Fn(&T) -> bool) -> u32 {
    count(items.iter().rposition(holds).map_or(0, |last| last + 1))
}

fn put(base: &mut [JointGroup], track: &Prepared, value: [f32; 4]) {
    let group = &mut base[track.joint / LANES];
    for (lanes, number) in lanes_mut(group, track.property).iter_mut().zip(value) {
        lanes.0[track.joint % LANES] = number;
    }
}

pub(crate) fn lanes_mut(group: &mut JointGroup, property: Property) -> &mut [Lanes] {
    match property {
        Property::Translation => &mut group.translation,
        Property::Rotation => &mut group.rotation,
        Property::Scale => &mut group.scale,
    }
}

pub(super) fn lanes(group: &JointGroup, property: Property) -> &[Lanes] {
    match property {
        Property::Translation => &group.translation,
        Property::Rotation => &group.rotation,
        Property::Scale => &group.scale,
    }
}

/// The strip of a timeline that holds one property of one group in one interpolation.
struct Column<'a> {
    group: usize,
    property: Property,
    interpolation: Interpolation,
    /// The tracks of the lanes that it drives.
    tracks: [Option<&'a Prepared>; LANES],
}

impl Column<'_> {
    fn driven(&self) -> usize {
        self.tracks.iter().flatten().count()
    }

    /// How many lanes it takes in a row.
    fn width(&self) -> usize {
        let width = self.property.width();
        match (self.interpolation, self.property) {
            (Interpolation::CubicSpline, _) => 3 * width,
            (Interpolation::Linear, Property::Rotation) => width + 1,
            _ => width,
        }
    }

    fn kind(&self, reach: Reach) -> StripKind {
        match (self.interpolation, self.property) {
            (Interpolation::Step, _) => StripKind::Step,
            (Interpolation::Linear, Property::Rotation) => StripKind::Slerp(reach),
            (Interpolation::Linear, _) => StripKind::Lerp,
            (Interpolation::CubicSpline, _) => StripKind::Cubic,
        }
    }

    /// Writes its part of all rows of a timeline; returns the widest arc between neighbouring keys.
    fn fill(&self, base: &JointGroup, rows: &mut [Lanes], stride: usize, offset: usize) -> Reach {
        let base = lanes(base, self.property);
        let parts = self.property.width();
        let is_slerp = matches!(self.kind(Reach::Near), StripKind::Slerp(_));
        let mut widest = 0.0_f64;
        for (key, row) in rows.chunks_exact_mut(stride).enumerate() {
            let strip = &mut row[offset..offset + self.width()];
            for (lane, track) in self.tracks.iter().enumerate() {
                let Some(track) = track else {
                    let values = strip[self.first_value()..].iter_mut().zip(base);
                    values.for_each(|(lanes, base)| lanes.0[lane] = base.0[lane]);
                    continue;
                };
                let mut put = |first: usize, numbers: &[f32; 4]| {
                    for (lanes, number) in strip[first..first + parts].iter_mut().zip(numbers) {
                        lanes.0[lane] = *number;
                    }
                };
                put(self.first_value(), &track.values[key]);
                if let Some(tangents) = track.tangents.get(key) {
                    put(0, &tangents.before);
                    put(2 * parts, &tangents.after);
                }
                if is_slerp && let Some(next) = track.values.get(key + 1) {
                    let z = separation(track.values[key], *next);
                    widest = widest.max(z);
                    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
                    let z = z as f32;
                    strip[parts].0[lane] = z;
                }
            }
        }
        #[expect(clippy::cast_possible_truncation, reason = "as the kernel reads it")]
        Reach::of(widest as f32)
    }

    /// Where the values begin: behind the in-tangents, if there are some.
    fn first_value(&self) -> usize {
        if self.interpolation == Interpolation::CubicSpline { self.property.width() } else { 0 }
    }
}

/// Rows while they are laid out.
pub(super) struct Layout<'a> {
    pub(super) base: &'a [JointGroup],
    pub(super) timelines: Vec<Timeline>,
    /// Each group's strips, with the lanes that they drive.
    pub(super) strips: Vec<Vec<(Property, Strip, [bool; LANES])>>,
    /// Of which nothing needs to be kept where the clip does the same.
    pub(super) rest: Option<&'a [JointGroup]>,
    /// Whether there are packed tracks beside them.
    pub(super) is_packed: bool,
}

impl<'a> Layout<'a> {
    pub(super) fn new(base: &'a [JointGroup]) -> Self {
        Self {
            base,
            timelines: Vec::new(),
            strips: vec![Vec::new(); base.len()],
            rest: None,
            is_packed: false,
        }
    }

    pub(super) fn add_timeline(&mut self, shared: merge::Shared) {
        let columns = columns(&shared.tracks);
        let stride: usize = columns.iter().map(Column::width).sum();
        let mut rows = vec![Lanes::default(); shared.secs.len() * stride];
        let timeline = count(self.timelines.len());
        let (mut offset, mut widest) = (0, Reach::Near);
        for column in &columns {
            let reach = column.fill(&self.base[column.group], &mut rows, stride, offset);
            widest = widest.max(reach);
            let strip = Strip { kind: column.kind(reach), timeline, offset: count(offset) };
            let driven = column.tracks.map(|track| track.is_some());
            self.strips[column.group].push((column.property, strip, driven));
            offset += column.width();
        }
        let has_splines = columns.iter().any(|column| column.interpolation == Interpolation::CubicSpline);
        let (times, is_narrow, reach) = (KeyTimes::new(shared.secs), false, widest);
        self.timelines.push(Timeline { times, rows, stride, is_narrow, reach, has_splines, packed: None });
    }

    /// Whether nearly all groups can be read from the first timeline alone, from left to right.
    fn is_plain(&self) -> bool {
        let strips = || self.strips.iter().flatten().map(|(_, strip, _)| strip);
        let is_linear = |strip: &Strip| matches!(strip.kind, StripKind::Lerp | StripKind::Slerp(_));
        let is_patched = |group: &&Vec<(_, Strip, _)>| group.iter().any(|(_, strip, _)| strip.timeline > 0);
        let patched = self.strips.iter().filter(is_patched).count();
        !self.is_packed
            && strips().filter(|strip| strip.timeline == 0).all(is_linear)
            && patched <= self.strips.len() / PATCHED_ONE_IN
    }

    /// Makes the rows of a timeline narrow, if that is all that is patched in a group, and drives a single joint there.
    fn lone(&mut self, group: &GroupStrips, patches: &[Patch]) -> Option<Lone> {
        let of = |layers: Layers| &patches[layers.patches.0 as usize..layers.patches.1 as usize];
        let ([translation], [rotation], []) = (of(group.translation), of(group.rotation), of(group.scale))
        else {
            return None;
        };
        let timeline = translation.strip.timeline;
        let strip = |kind, offset| Strip { kind, timeline, offset };
        let is_joint = translation.strip == strip(StripKind::Lerp, 0)
            && rotation.strip == strip(StripKind::Slerp(Reach::Near), 3)
            && translation.mask == rotation.mask;
        let Timeline { rows, stride, is_narrow, .. } = &mut self.timelines[timeline as usize];
        let lane = translation.mask.iter().position(|driven| *driven != 0)?;
        let is_alone = translation.mask.iter().skip(lane + 1).all(|driven| *driven == 0);
        if !(is_joint && is_alone && *stride == LANES) {
            return None;
        }
        let numbers = |row: &[Lanes]| Lanes(std::array::from_fn(|number| row[number].0[lane]));
        *rows = rows.chunks_exact(LANES).map(numbers).collect();
        (*stride, *is_narrow) = (1, true);
        Some(Lone { timeline, mask: translation.mask })
    }

    pub(super) fn finish(mut self) -> Rows {
        let is_plain = self.is_plain();
        let mut constants = Vec::new();
        let mut patches = Vec::new();
        let mut groups = Vec::with_capacity(self.base.len());
        for (group, (base, strips)) in self.base.iter().zip(&self.strips).enumerate() {
            let mut layers = |property| {
                let first_patch = count(patches.len());
                let own = || strips.iter().filter(|(of, ..)| *of == property);
                // The strip that drives most lanes fills all of them; the others are patched over it.
                let undriven = |strip: &[bool; LANES]| strip.iter().filter(|driven| !**driven).count();
                // Where rows are read from left to right, only those of the first timeline are.
                let may_be_main = |strip: &Strip| !is_plain || strip.timeline == 0;
                let main = own()
                    .filter(|(_, strip, _)| may_be_main(strip))
                    .min_by_key(|(.., driven)| undriven(driven));
                let others = own().filter(|other| main.is_none_or(|main| !std::ptr::eq(*other, main)));
                patches.extend(others.map(|(_, strip, driven)| Patch {
                    strip: *strip,
                    mask: driven.map(|driven| -i32::from(driven)),
                }));
                let still = lanes(base, property);
                let strip = match main {
                    Some((_, strip, _)) => *strip,
                    None if self.rest.is_some_and(|rest| lanes(&rest[group], property) == still) => {
                        Strip { kind: StripKind::Rest, timeline: 0, offset: 0 }
                    }
                    None => {
                        let offset = count(constants.len());
                        constants.extend_from_slice(still);
                        Strip { kind: StripKind::Constant, timeline: 0, offset }
                    }
                };
                Layers { strip, patches: (first_patch, count(patches.len())) }
            };
            let [translation, rotation] = [layers(Property::Translation), layers(Property::Rotation)];
            groups.push(GroupStrips::new(translation, rotation, layers(Property::Scale)));
        }
        let is_patched = |group: &usize| groups[*group].is_patched();
        let patched =
            if is_plain { (0..groups.len()).filter(is_patched).map(count).collect() } else { Vec::new() };
        let lone = match patched[..] {
            [group] if cfg!(not(canter_web)) => self.lone(&groups[group as usize], &patches),
            _ => None,
        };
        let turning_from = behind_last(&groups, |group| !group.only_turns);
        Rows {
            groups: groups.into(),
            patched: patched.into(),
            lone,
            patches: patches.into(),
            constants: constants.into(),
            timelines: self.timelines.into(),
            is_plain,
            turning_from,
            resting_from: u32::MAX,
            idle_from: u32::MAX,
            is_packed: self.is_packed,
            is_additive: false,
            still: Box::default(),
            undriven: Box::default(),
            morphs: Box::default(),
            opposite_ends: Box::default(),
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "bounded by `MOST_NUMBERS`")]
pub(super) fn count(items: usize) -> u32 {
    items as u32
}

/// Tracks by group, property and interpolation: a row is read from left to right, group by group.
fn columns(tracks: &[Prepared]) -> Vec<Column<'_>> {
    let mut columns: Vec<Column<'_>> = Vec::new();
    let key = |track: &Prepared| (track.joint / LANES, track.property, track.interpolation as u8);
    let mut sorted: Vec<&Prepared> = tracks.iter().collect();
    sorted.sort_by_key(|track| key(track));
    for track in sorted {
        let (group, property, interpolation) = (track.joint / LANES, track.property, track.interpolation);
        let same = |column: &&mut Column<'_>| {
            (column.group, column.property, column.interpolation) == (group, property, interpolation)
        };
        let lane = track.joint % LANES;
        match columns.last_mut().filter(same) {
            Some(column) => column.tracks[lane] = Some(track),
            None => {
                let mut tracks = [None; LANES];
                tracks[lane] = Some(track);
                columns.push(Column { group, property, interpolation, tracks });
            }
        }
    }
    debug_assert!(columns.iter().all(|column| column.driven() > 0));
    columns
}
