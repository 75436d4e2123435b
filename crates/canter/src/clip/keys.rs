//! The keys of a clip as they were given, without keeping them twice.
//!
//! Until a clip is compiled it has its tracks as given. Then the rows have all numbers of them, so that the
//! tracks are dropped and put together again when somebody asks, with the same bits. What the rows do not have
//! exactly, such as quaternions that were not of unit length, is kept.

use std::sync::{Arc, Mutex, PoisonError};

use super::rows::{Rows, Strip, StripKind, Timeline};
use super::{Clip, ClipTrack, Curve, Interpolation, Property, TrackTarget};
use crate::pose::LANES;
use crate::skeleton::{JointId, MorphId};

/// The tracks of a clip, wherever their numbers are.
#[derive(Debug)]
pub(super) struct Keys(Mutex<Arc<Source>>);

#[derive(Debug)]
pub(super) enum Source {
    Given(Vec<ClipTrack>),
    Rows(RowKeys),
    Packed(PackedKeys),
}

/// What a packed clip has tracks for. Their keys are those that it plays.
#[derive(Debug)]
pub(super) struct PackedKeys {
    targets: Vec<u8>,
    joint_count: usize,
}

/// What rows do not tell of the tracks that they were made of.
#[derive(Debug)]
pub(super) struct RowKeys {
    tracks: Vec<RowTrack>,
    /// Times that tracks share.
    times: Vec<Arc<[f32]>>,
    /// Track and key from which on quaternions are the opposite of what they were before.
    sign_changes: Vec<(u32, u32)>,
    /// Tracks that cannot be read back.
    given: Vec<ClipTrack>,
}

#[derive(Clone, Copy, Debug)]
struct RowTrack {
    target: TrackTarget,
    interpolation: Interpolation,
    place: Place,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    /// In the rows, with the times of this index.
    Rows(u32),
    Given(u32),
}

impl Clone for Keys {
    fn clone(&self) -> Self {
        Self(Mutex::new(self.source()))
    }
}

impl Keys {
    pub(super) fn new(tracks: Vec<ClipTrack>) -> Self {
        Self(Mutex::new(Arc::new(Source::Given(tracks))))
    }

    /// Of a packed clip: there is nothing to keep but what it has tracks for.
    pub(super) fn packed(targets: impl Iterator<Item = TrackTarget>, joint_count: usize) -> Self {
        Self(Mutex::new(Arc::new(Source::Packed(PackedKeys::new(targets, joint_count)))))
    }

    pub(super) fn are_packed(&self) -> bool {
        matches!(&*self.source(), Source::Packed(_))
    }

    pub(super) fn source(&self) -> Arc<Source> {
        Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Drops what the rows have.
    pub(super) fn move_to(&self, rows: &Rows) {
        // Visitors of a web page wait for its size: there keys stay as they are, and nothing reads them back.
        if cfg!(not(canter_web))
            && let Source::Given(tracks) = &*self.source()
        {
            let moved = Arc::new(Source::Rows(RowKeys::new(tracks, rows)));
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = moved;
        }
    }
}

impl Source {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Given(tracks) => tracks.len(),
            Self::Rows(keys) => keys.tracks.len(),
            // The module of the npm package has no packed clips.
            Self::Packed(_) if cfg!(canter_web) => 0,
            Self::Packed(keys) => keys.targets().count(),
        }
    }

    pub(super) fn target(&self, track: usize) -> TrackTarget {
        match self {
            Self::Given(tracks) => tracks[track].target,
            Self::Rows(keys) => keys.tracks[track].target,
            Self::Packed(keys) => keys.target(track),
        }
    }

    pub(super) fn bytes(&self, rows: &Rows) -> usize {
        // What an `Arc` has beside its numbers.
        const COUNTS: usize = 2 * size_of::<usize>();
        let tracks = |tracks: &[ClipTrack]| {
            let numbers = tracks.iter().map(|track| COUNTS + size_of_val(track.curve.numbers()));
            size_of_val(tracks) + numbers.sum::<usize>()
        };
        match self {
            Self::Given(given) => tracks(given),
            Self::Packed(keys) => keys.targets.len(),
            Self::Rows(keys) => {
                let is_shared = |times: &[f32]| {
                    rows.timelines.iter().any(|timeline| std::ptr::eq(timeline.times.secs(), times))
                };
                let own_times = keys.times.iter().filter(|times| !is_shared(times));
                own_times.map(|times| size_of_val(&**times)).sum::<usize>()
                    + size_of_val(&keys.tracks[..])
                    + size_of_val(&keys.times[..])
                    + size_of_val(&keys.sign_changes[..])
                    + tracks(&keys.given)
            }
        }
    }
}

impl PackedKeys {
    /// The bits of a byte stand for the properties of a joint; behind all joints a byte stands for a morph set.
    fn new(of: impl Iterator<Item = TrackTarget>, joint_count: usize) -> Self {
        let mut targets = vec![0; joint_count];
        for target in of {
            let (index, bit) = match target {
                TrackTarget::Joint(joint, property) => (joint.index(), 1 << property as u8),
                TrackTarget::Morph(morph) => (joint_count + morph.index(), 1),
            };
            if index >= targets.len() {
                targets.resize(index + 1, 0);
            }
            targets[index] |= bit;
        }
        Self { targets, joint_count }
    }

    fn targets(&self) -> impl Iterator<Item = TrackTarget> {
        let (joints, morphs) = self.targets.split_at(self.joint_count);
        let properties = [Property::Translation, Property::Rotation, Property::Scale];
        let joints = (0..).map(JointId).zip(joints).flat_map(move |(joint, bits)| {
            let driven = properties.into_iter().filter(move |property| bits & (1 << *property as u8) != 0);
            driven.map(move |property| TrackTarget::Joint(joint, property))
        });
        let morphs = (0..).map(MorphId).zip(morphs).filter(|(_, bit)| **bit != 0);
        joints.chain(morphs.map(|(morph, _)| TrackTarget::Morph(morph)))
    }

    fn target(&self, index: usize) -> TrackTarget {
        self.targets().nth(index).expect("counted before")
    }

    /// A track as it is played: keys where the clip that was packed had them.
    pub(super) fn track(&self, index: usize, clip: &Clip) -> ClipTrack {
        let (target, rows) = (self.target(index), clip.rows());
        let (joint, property) = match target {
            TrackTarget::Joint(joint, property) => (joint, property),
            TrackTarget::Morph(morph) => {
                return ClipTrack { target, curve: rows.morphs[morph.index()].curve().clone() };
            }
        };
        let has_packed = |timeline: &&Timeline| {
            timeline.packed.as_ref().is_some_and(|packed| packed.drives(joint.index(), property))
        };
        let packed = rows.timelines.iter().find(has_packed);
        let strip = strip_of(rows, joint, property).filter(|_| packed.is_none());
        let kind = strip.map_or(StripKind::Rest, |strip| strip.kind);
        let timeline = strip.and_then(|strip| rows.timelines.get(strip.timeline as usize));
        let interpolation = match kind {
            StripKind::Step => Interpolation::Step,
            StripKind::Cubic => Interpolation::CubicSpline,
            _ => Interpolation::Linear,
        };
        let times: Vec<f32> = match (kind, timeline) {
            _ if packed.is_some() => packed.map_or_else(Vec::new, |timeline| timeline.times.secs().to_vec()),
            (StripKind::Constant | StripKind::Rest, _) | (_, None) => {
                // A clip is as long as its longest track.
                if clip.duration_secs > 0.0 { vec![0.0, clip.duration_secs] } else { vec![0.0] }
            }
            (_, Some(timeline)) => timeline.times.secs().to_vec(),
        };
        let from_rows = || read_joint(rows, joint, property, interpolation, &times);
        let is_sampled = matches!(kind, StripKind::Rest | StripKind::Constant);
        let values = if is_sampled { None } else { from_rows() };
        let values = values.unwrap_or_else(|| sampled(clip, joint, property, &times));
        let curve =
            Curve { interpolation, times: times.into(), values: values.into(), width: property.width() };
        ClipTrack { target, curve }
    }
}

fn sampled(clip: &Clip, joint: JointId, property: Property, times: &[f32]) -> Vec<f32> {
    let mut pose = clip.rest_pose.to_pose();
    let mut values = Vec::with_capacity(times.len() * property.width());
    for secs in times {
        clip.sample(*secs, &mut pose);
        let transform = pose.joint(joint);
        match property {
            Property::Translation => values.extend(transform.translation.to_array()),
            Property::Rotation => values.extend(transform.rotation.to_array()),
            Property::Scale => values.extend(transform.scale.to_array()),
        }
    }
    values
}

impl RowKeys {
    fn new(tracks: &[ClipTrack], rows: &Rows) -> Self {
        let mut keys = Self {
            tracks: Vec::with_capacity(tracks.len()),
            times: Vec::new(),
            sign_changes: Vec::new(),
            given: Vec::new(),
        };
        for track in tracks {
            keys.push(track, rows);
        }
        keys.sign_changes.shrink_to_fit();
        keys
    }

    /// Adds a track, in the rows if the same bits can be read back from there.
    fn push(&mut self, track: &ClipTrack, rows: &Rows) {
        let index = count(self.tracks.len());
        let (times, sign_changes) = (self.times.len(), self.sign_changes.len());
        let place = Place::Rows(self.times_index(&track.curve.times));
        self.tracks.push(RowTrack { target: track.target, interpolation: track.curve.interpolation, place });
        if let Some(unsigned) = self.read(index, rows) {
            self.push_sign_changes(index, &track.curve, &unsigned);
            if self.read(index, rows).is_some_and(|read| same_bits(&read.values, &track.curve.values)) {
                return;
            }
        }
        self.times.truncate(times);
        self.sign_changes.truncate(sign_changes);
        let place = Place::Given(count(self.given.len()));
        self.given.push(track.clone());
        self.tracks[index as usize].place = place;
    }

    fn times_index(&mut self, times: &Arc<[f32]>) -> u32 {
        let seen = self.times.iter().rposition(|seen| Arc::ptr_eq(seen, times));
        count(seen.unwrap_or_else(|| {
            self.times.push(Arc::clone(times));
            self.times.len() - 1
        }))
    }

    fn push_sign_changes(&mut self, track: u32, given: &Curve, read: &Curve) {
        if !matches!(self.tracks[track as usize].target, TrackTarget::Joint(_, Property::Rotation)) {
            return;
        }
        let mut is_opposite = false;
        for key in 0..given.times.len() {
            let is_now = !same_bits(given.value(key), read.value(key));
            if is_now != is_opposite {
                self.sign_changes.push((track, count(key)));
                is_opposite = is_now;
            }
        }
    }

    fn read(&self, index: u32, rows: &Rows) -> Option<Curve> {
        let track = self.tracks[index as usize];
        let times = match track.place {
            Place::Rows(times) => &self.times[times as usize],
            Place::Given(given) => return Some(self.given[given as usize].curve.clone()),
        };
        let (joint, property) = match track.target {
            TrackTarget::Joint(joint, property) => (joint, property),
            TrackTarget::Morph(morph) => return Some(rows.morphs[morph.index()].curve().clone()),
        };
        let width = property.width();
        let mut values = read_joint(rows, joint, property, track.interpolation, times)?;
        let numbers_per_key = width * track.interpolation.values_per_key();
        let first = self.sign_changes.partition_point(|change| change.0 < index);
        let changes = self.sign_changes[first..].iter().take_while(|change| change.0 == index);
        for (_, key) in changes {
            // Each turns round all that follows, so that the next one turns it back.
            values[*key as usize * numbers_per_key..].iter_mut().for_each(|number| *number = -*number);
        }
        let (interpolation, times) = (track.interpolation, Arc::clone(times));
        Some(Curve { interpolation, times, values: values.into(), width })
    }

    pub(super) fn track(&self, index: usize, rows: &Rows) -> ClipTrack {
        let curve = self.read(count(index), rows).expect("only what can be read was dropped");
        ClipTrack { target: self.tracks[index].target, curve }
    }
}

/// The numbers of a joint's track at these times, as the rows have them; `None` if they do not have all.
fn read_joint(
    rows: &Rows,
    joint: JointId,
    property: Property,
    interpolation: Interpolation,
    times: &[f32],
) -> Option<Vec<f32>> {
    let (strip, lane) = (strip_of(rows, joint, property)?, joint.index() % LANES);
    let parts = property.width() * interpolation.values_per_key();
    let mut values = Vec::with_capacity(times.len() * parts);
    if strip.kind == StripKind::Constant {
        if interpolation == Interpolation::CubicSpline {
            return None;
        }
        for _ in times {
            values.extend((0..parts).map(|part| rows.constants[strip.offset as usize + part].0[lane]));
        }
        return Some(values);
    }
    let timeline = rows.timelines.get(strip.timeline as usize)?;
    if timeline.rows.is_empty() {
        return None;
    }
    let mut row = 0;
    for secs in times {
        let is_key = |other: &f32| other.to_bits() == secs.to_bits();
        row += timeline.times.secs().get(row..)?.iter().position(is_key)?;
        let (first, offset) = (row * timeline.stride, strip.offset as usize);
        if cfg!(not(canter_web)) && timeline.is_narrow {
            values.extend_from_slice(timeline.rows.get(first)?.0.get(offset..offset + parts)?);
        } else {
            let lanes = timeline.rows.get(first + offset..first + offset + parts)?;
            values.extend(lanes.iter().map(|lanes| lanes.0[lane]));
        }
        row += 1;
    }
    Some(values)
}

/// The strip that drives a joint: the last that overwrites its lane.
fn strip_of(rows: &Rows, joint: JointId, property: Property) -> Option<Strip> {
    let group = rows.groups.get(joint.index() / LANES)?;
    let layers = match property {
        Property::Translation => group.translation,
        Property::Rotation => group.rotation,
        Property::Scale => group.scale,
    };
    let patches = &rows.patches[layers.patches.0 as usize..layers.patches.1 as usize];
    let patch = patches.iter().rfind(|patch| patch.mask[joint.index() % LANES] != 0);
    Some(patch.map_or(layers.strip, |patch| patch.strip))
}

fn same_bits(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

#[expect(clippy::cast_possible_truncation, reason = "bounded by the number of joints and keys of a clip")]
fn count(items: usize) -> u32 {
    items as u32
}
