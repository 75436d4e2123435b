//! An action as a sequence of markers that goes on without end, forwards and backwards.

use std::sync::Arc;

use super::{Pace, mean_secs};
use crate::clip::{Clip, MarkerName};
use crate::clock::Moment;
use crate::mixer::Action;

/// Clips with more markers in common, and groups whose patterns together are longer, stay in step by the part
/// of the clip that has passed.
const MOST_POINTS: usize = 32;
const LONGEST_PATTERN: usize = 4096;
/// What is nearer to a point is at it.
const NEAR_SECS: f64 = 1e-9;

/// Where an action is between the markers that all of its group have.
#[derive(Clone, Debug)]
pub(in crate::mixer) struct Gait {
    /// What it was made of: the group, the clip and the part of it that is played.
    number: u32,
    clip: Arc<Clip>,
    range_secs: (f32, f32),
    /// When they are crossed, since the start of a loop, ascending.
    secs: [f64; MOST_POINTS],
    names: [Option<MarkerName>; MOST_POINTS],
    /// Points of a group from which on the same names follow have the same number.
    sequels: [u16; MOST_POINTS],
    count: usize,
    length_secs: f64,
    weight: f32,
    speed: f32,
    /// The one that was crossed last, counted on from the first of loop 0,
    pub(super) index: i64,
    /// and how far it is to the next.
    fraction: f64,
}

/// Whether a clip has a marker of that name where an action plays it.
pub(super) fn has_point(action: &Action, name: &MarkerName) -> bool {
    points(action).any(|(_, other)| other == name)
}

/// The instants that have a name, in the part of the clip that is played.
fn points(action: &Action) -> impl Iterator<Item = (f32, &MarkerName)> {
    let (start, end) = action.clock.range_secs();
    let instants = action.clip.markers().iter().filter(|marker| !marker.is_window());
    let inside = instants.filter(move |marker| (start..=end).contains(&marker.secs));
    inside.map(move |marker| (marker.secs - start, &marker.name)).take(MOST_POINTS + 1)
}

impl Gait {
    /// `None` if there is no marker that all have, or too many.
    pub(super) fn new(number: u32, action: &Action, is_common: impl Fn(&MarkerName) -> bool) -> Option<Self> {
        let length_secs = action.clock.length_secs();
        let mut gait = Self {
            number,
            clip: Arc::clone(&action.clip),
            range_secs: action.clock.range_secs(),
            secs: [0.0; MOST_POINTS],
            names: [const { None }; MOST_POINTS],
            sequels: [0; MOST_POINTS],
            count: 0,
            length_secs,
            weight: 0.0,
            speed: 0.0,
            index: 0,
            fraction: 0.0,
        };
        // The end of a loop is the start of the next.
        let is_seam = |secs: f32| f64::from(secs) >= length_secs;
        let at_seam = points(action).filter(|(secs, _)| is_seam(*secs)).map(|(_, name)| (0.0, name));
        let others = points(action).filter(|(secs, _)| !is_seam(*secs));
        for (secs, name) in at_seam.chain(others).filter(|(_, name)| is_common(name)) {
            *gait.secs.get_mut(gait.count)? = f64::from(secs);
            gait.names[gait.count] = Some(name.clone());
            gait.count += 1;
        }
        if gait.count == 0 {
            return None;
        }
        Some(gait)
    }

    /// Whether it was made for an action of a group as that is now.
    pub(super) fn is_of(&self, number: u32, action: &Action) -> bool {
        self.number == number
            && Arc::ptr_eq(&self.clip, &action.clip)
            && self.range_secs == action.clock.range_secs()
    }

    /// Sees where its action is now.
    pub(super) fn look(&mut self, action: &Action, weight: f32) {
        (self.weight, self.speed) = (weight, action.speed());
        (self.index, self.fraction) = self.place(action.clock.moment());
    }

    #[expect(clippy::cast_possible_wrap, reason = "at most 32")]
    fn count(&self) -> i64 {
        self.count as i64
    }

    /// Which point of its loop.
    #[expect(clippy::cast_possible_truncation, reason = "a remainder of at most 32")]
    fn slot(&self, index: i64) -> usize {
        index.rem_euclid(self.count()) as usize
    }

    /// From a point to the next.
    fn segment_secs(&self, index: i64) -> f64 {
        let slot = self.slot(index);
        if slot + 1 < self.count {
            self.secs[slot + 1] - self.secs[slot]
        } else {
            self.secs[0] + self.length_secs - self.secs[slot]
        }
    }

    /// The point that was crossed last, and how far it is to the next.
    #[expect(clippy::cast_possible_wrap, reason = "at most 32")]
    fn place(&self, moment: Moment) -> (i64, f64) {
        let crossed = self.secs[..self.count].partition_point(|secs| *secs <= moment.secs) as i64;
        let index = moment.loops.saturating_mul(self.count()).saturating_add(crossed - 1);
        let since = if crossed > 0 {
            moment.secs - self.secs[self.slot(index)]
        } else {
            moment.secs + self.length_secs - self.secs[self.count - 1]
        };
        let segment = self.segment_secs(index);
        (index, if segment > 0.0 { (since / segment).clamp(0.0, 1.0) } else { 0.0 })
    }

    /// The moment that lies so far after a point.
    pub(super) fn moment(&self, index: i64, fraction: f64) -> Moment {
        let slot = self.slot(index);
        let (loops, from) = (index.div_euclid(self.count()), self.secs[slot]);
        let segment = self.segment_secs(index);
        // What is before a point must not be rounded to it: that has not been crossed yet.
        let mut secs = (from + fraction * segment).min((from + segment).next_down()).max(from);
        let mut moment = Moment { loops, secs };
        if secs >= self.length_secs {
            secs = (secs - self.length_secs).max(0.0);
            if slot + 1 == self.count {
                secs = secs.min(self.secs[0].next_down()).max(0.0);
            }
            moment = Moment { loops: loops.saturating_add(1), secs };
        }
        moment
    }

    /// The nearest place from which on it has the same sequence of names as the leader.
    pub(super) fn aligned(&self, leader: &Self) -> Option<i64> {
        let sequel = leader.sequels[leader.slot(leader.index)];
        let nearest = (0..self.count()).map(|by| if by % 2 == 0 { by / 2 } else { -(by + 1) / 2 });
        let mut candidates = nearest.map(|by| self.index.saturating_add(by));
        candidates.find(|index| self.sequels[self.slot(*index)] == sequel)
    }

    /// Whether the same names follow without end on a point of this one and on one of another.
    fn continues_as(&self, slot: usize, other: &Self, other_slot: usize) -> bool {
        // Two sequences that repeat themselves are the same if they are so for both lengths together.
        (0..self.count + other.count).all(|after| {
            self.names[(slot + after) % self.count] == other.names[(other_slot + after) % other.count]
        })
    }
}

/// Says of all points of a group which of them are alike, so that followers need not compare names.
pub(super) fn number_sequels(gaits: &mut [Gait]) {
    let mut numbers = 0;
    for index in 0..gaits.len() {
        let (before, [gait, ..]) = gaits.split_at_mut(index) else { return };
        for slot in 0..gait.count {
            let alike = |other: &Gait, slots: usize| {
                (0..slots).find(|at| gait.continues_as(slot, other, *at)).map(|at| other.sequels[at])
            };
            let known = before.iter().find_map(|other| alike(other, other.count));
            gait.sequels[slot] = known.or_else(|| alike(gait, slot)).unwrap_or_else(|| {
                numbers += 1;
                numbers
            });
        }
    }
}

/// Moves on all of a group by a time: by how many points, and how far to the next one it is then. `None` if their
/// patterns are too long together.
pub(super) fn advance(gaits: &[Gait], leader: usize, secs: f64) -> Option<(i64, f64)> {
    let lead = &gaits[leader];
    let mut fraction = lead.fraction;
    if lead.speed == 0.0 || secs <= 0.0 {
        return Some((0, fraction));
    }
    let pattern = pattern(gaits)?;
    let segment = |points: i64| segment_secs(gaits, leader, points);
    // Most steps lead from no point to another.
    let present = segment(0);
    if lead.speed > 0.0 && secs < (1.0 - fraction) * present {
        return Some((0, (fraction + secs / present).clamp(0.0, 1.0)));
    }
    let pattern_secs: f64 = (0..pattern).map(segment).sum();
    let patterns = (secs / pattern_secs).floor();
    let mut left = secs - patterns * pattern_secs;
    #[expect(clippy::cast_possible_truncation, reason = "`as` saturates")]
    let mut points = (patterns as i64).saturating_mul(pattern);
    if lead.speed > 0.0 {
        for _ in 0..=pattern {
            let whole = segment(points);
            let rest = (1.0 - fraction) * whole;
            if left < rest {
                fraction += left / whole;
                break;
            }
            (left, fraction, points) = (left - rest, 0.0, points.saturating_add(1));
        }
    } else {
        points = points.saturating_neg();
        for _ in 0..=pattern {
            let whole = segment(points);
            let rest = fraction * whole;
            if left <= rest {
                fraction -= if whole > 0.0 { left / whole } else { 0.0 };
                break;
            }
            (left, fraction, points) = (left - rest, 1.0, points.saturating_sub(1));
        }
    }
    Some((points, fraction.clamp(0.0, 1.0)))
}

/// How fast one of a group goes from now on, by its own clip, and for how long; `None` if their patterns are too long
/// together.
pub(super) fn pace(gaits: &[Gait], leader: usize, own: usize) -> Option<Pace> {
    let (lead, own) = (&gaits[leader], &gaits[own]);
    if lead.speed == 0.0 {
        return Some(Pace::even(0.0));
    }
    let (pattern, way) = (pattern(gaits)?, f64::from(lead.speed.signum()));
    let segment = |points: i64| segment_secs(gaits, leader, points);
    let pattern_secs: f64 = (0..pattern).map(segment).sum();
    #[expect(clippy::cast_precision_loss, reason = "at most 4096")]
    let loops = (pattern / own.count()) as f64;
    let mean_speed = way * loops * own.length_secs / pattern_secs;
    let (mut points, mut part) = (0, if way > 0.0 { 1.0 - lead.fraction } else { lead.fraction });
    for _ in 0..=pattern {
        let whole = segment(points);
        let secs = part * whole;
        // Rounding may have left it just before a point.
        if secs > NEAR_SECS {
            let speed = way * own.segment_secs(own.index.saturating_add(points)) / whole;
            return Some(Pace { speed, secs, mean_speed });
        }
        (points, part) = (if way > 0.0 { points + 1 } else { points - 1 }, 1.0);
    }
    None
}

/// How many points there are until the sequences of all begin again together; `None` if that are too many.
#[expect(clippy::cast_possible_wrap, reason = "at most 4096")]
fn pattern(gaits: &[Gait]) -> Option<i64> {
    let pattern = gaits.iter().try_fold(1, |pattern, gait| {
        let both = pattern / gcd(pattern, gait.count) * gait.count;
        (both <= LONGEST_PATTERN).then_some(both)
    });
    pattern.map(|pattern| pattern as i64)
}

/// How long a group takes from one point to the next: as long as all take for theirs in the mean.
fn segment_secs(gaits: &[Gait], leader: usize, points: i64) -> f64 {
    let of = |gait: &Gait| gait.segment_secs(gait.index.saturating_add(points));
    let members = gaits.iter().map(|gait| (gait.weight, of(gait), gait.speed));
    let lead = &gaits[leader];
    mean_secs(members).unwrap_or_else(|| of(lead) / f64::from(lead.speed.abs()))
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}
