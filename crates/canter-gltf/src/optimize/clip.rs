//! A clip with fewer and shorter keys, within a bound.

use canter::{Clip, Interpolation, TrackTarget};

use super::keys::{Choice, Gridded, bends, short};
use super::lever::Levers;
use super::measure::distances;
use super::motion::{Motion, Track};
use super::rig::Rig;
use super::share::{Setting, groups, value_bytes};
use crate::asset::Asset;
use crate::write::{NewChannel, Values, ascending, target};

/// What becomes of a track.
#[derive(Clone, Debug)]
enum Plan {
    /// It is what the joint does anyway.
    Gone,
    /// One key.
    Constant(Vec<f64>),
    /// Straight pieces between these times of the grid.
    Keys { keys: Vec<usize>, is_short: bool },
    /// As it is, perhaps in 16 bits.
    Kept { is_short: bool },
}

/// A clip that is made smaller.
pub(super) struct Reducer<'a> {
    asset: &'a Asset,
    rig: &'a Rig,
    clip: &'a Clip,
    motion: Motion,
    levers: Levers,
    grid: Vec<f64>,
    /// The tracks on the grid; `None` for those that are kept.
    gridded: Vec<Option<Gridded>>,
    /// How far anything may be off, in units of the file. A little is left for rounding to single precision.
    bound: f64,
}

/// Numbers of all tracks on the times of all: beyond that, tracks keep times of their own.
const MOST_NUMBERS: usize = 1 << 24;
const ROUNDS: usize = 30;

impl<'a> Reducer<'a> {
    pub(super) fn new(asset: &'a Asset, rig: &'a Rig, clip: &'a Clip, bound: f64) -> Self {
        let motion = Motion::of_clip(clip, rig.joints.len());
        let levers = Levers::new(rig, &motion);
        let mut grid: Vec<f64> = motion.tracks.iter().flat_map(bends).collect();
        grid.sort_by(f64::total_cmp);
        grid.dedup();
        let numbers: usize = motion.tracks.iter().map(|track| track.width).sum();
        let fits = numbers.saturating_mul(grid.len()) <= MOST_NUMBERS;
        let gridded = |track: &Track| (fits && is_reducible(track)).then(|| Gridded::new(track, &grid));
        let gridded = motion.tracks.iter().map(gridded).collect();
        Self { asset, rig, clip, motion, levers, grid, gridded, bound: 0.995 * bound }
    }

    /// The channels of the clip: as small as they get within the bound.
    pub(super) fn channels(&self) -> Vec<NewChannel> {
        let mut leeway = vec![1.0; self.rig.joints.len() + self.rig.morphs.len()];
        let mut within = None;
        for _ in 0..ROUNDS {
            let mut plans = self.plan(&leeway);
            if within.is_some() {
                self.share(&mut plans, &leeway);
            }
            let distances = distances(self.rig, &self.motion, &self.motion_of(&plans));
            if self.tighten(&distances, &mut leeway) {
                continue;
            }
            // Within the bound: once more with shared times, which may take other keys.
            if within.replace(plans).is_some() {
                break;
            }
        }
        let plans = within.unwrap_or_else(|| vec![Plan::Kept { is_short: false }; self.motion.tracks.len()]);
        self.encode(plans)
    }

    /// Leaves less leeway to all joints above those that are too far off; whether there are some.
    fn tighten(&self, distances: &[f64], leeway: &mut [f64]) -> bool {
        let mut factors = vec![1.0_f64; leeway.len()];
        for (index, &distance) in distances.iter().enumerate().filter(|(_, distance)| **distance > self.bound)
        {
            let factor = (0.9 * self.bound / distance).max(0.5);
            let mut above = Some(index);
            while let Some(ancestor) = above {
                factors[ancestor] = factors[ancestor].min(factor);
                above = self.rig.joints.get(ancestor).and_then(|joint| joint.parent);
            }
        }
        for (leeway, factor) in leeway.iter_mut().zip(&factors) {
            *leeway *= factor;
        }
        factors.iter().any(|&factor| factor < 1.0)
    }

    fn tolerance(&self, target: TrackTarget, leeway: &[f64]) -> f64 {
        let index = match target {
            TrackTarget::Joint(joint, _) => joint.index(),
            TrackTarget::Morph(morph) => self.rig.joints.len() + morph.index(),
        };
        leeway[index] * self.bound
    }

    fn setting(&self) -> Setting<'_> {
        Setting { grid: &self.grid, rig: self.rig, levers: &self.levers }
    }

    fn choice<'b>(&self, track: &'b Gridded, leeway: &[f64]) -> Choice<'b> {
        let tolerance = self.tolerance(track.target, leeway);
        Choice { track, tolerance, is_short: self.may_be_short(track.target, tolerance) }
    }

    /// Whether rounding to 16 bits leaves room for more.
    fn may_be_short(&self, target: TrackTarget, tolerance: f64) -> bool {
        // Half a step in four directions, and an angle is twice that between quaternions.
        const ROUNDING: f64 = 2.0 / 32767.0;
        matches!(target, TrackTarget::Joint(_, canter::Property::Rotation))
            && ROUNDING * self.levers.reach(target) <= 0.6 * tolerance
    }

    /// What becomes of each track if it has times of its own.
    fn plan(&self, leeway: &[f64]) -> Vec<Plan> {
        let plan = |(track, gridded): (&Track, &Option<Gridded>)| {
            let tolerance = self.tolerance(track.target, leeway);
            let Some(gridded) = gridded.as_ref().filter(|_| self.bound > 0.0) else {
                return Plan::Kept { is_short: false };
            };
            let within = |a: &[f64], b: &[f64]| self.levers.apart(self.rig, track.target, a, b) <= tolerance;
            if gridded.is_near(&self.rest(track.target), &within) {
                return Plan::Gone;
            }
            let first = gridded.own.first().map_or(&[][..], |&first| gridded.exact(first));
            if gridded.is_near(first, &within) {
                return Plan::Constant(first.to_vec());
            }
            let choice = self.choice(gridded, leeway);
            let keys = self.setting().choose(&[choice], &gridded.own);
            if track.interpolation == Interpolation::CubicSpline {
                let is_short = choice.is_short && fits_short(track);
                let kept = track.times.len() * (4 + 3 * track.width * if is_short { 2 } else { 4 });
                if kept <= keys.len() * (4 + value_bytes(&choice)) {
                    return Plan::Kept { is_short };
                }
            }
            Plan::Keys { keys, is_short: choice.is_short }
        };
        self.motion.tracks.iter().zip(&self.gridded).map(plan).collect()
    }

    /// Lets tracks share times where that takes less room.
    fn share(&self, plans: &mut [Plan], leeway: &[f64]) {
        let (mut choices, mut alone) = (Vec::new(), Vec::new());
        for (index, (plan, gridded)) in plans.iter().zip(&self.gridded).enumerate() {
            if let (Plan::Keys { keys, .. }, Some(gridded)) = (plan, gridded) {
                choices.push((index, self.choice(gridded, leeway)));
                alone.push(keys.clone());
            }
        }
        for group in groups(&choices, alone, self.setting()) {
            for track in group.tracks {
                if let Plan::Keys { keys, .. } = &mut plans[track] {
                    keys.clone_from(&group.keys);
                }
            }
        }
    }

    fn rest(&self, target: TrackTarget) -> Vec<f64> {
        match target {
            TrackTarget::Morph(morph) => self.rig.morphs[morph.index()].rest.clone(),
            TrackTarget::Joint(joint, property) => {
                let joint = &self.rig.joints[joint.index()];
                match property {
                    canter::Property::Translation => joint.translation.to_array().to_vec(),
                    canter::Property::Rotation => joint.rotation.to_array().to_vec(),
                    canter::Property::Scale => joint.scale.to_array().to_vec(),
                }
            }
        }
    }

    /// What the plans would play.
    fn motion_of(&self, plans: &[Plan]) -> Motion {
        let track = |(index, plan): (usize, &Plan)| {
            let old = &self.motion.tracks[index];
            let linear = |times: Vec<f64>, numbers: Vec<f64>| {
                Track::new(old.target, Interpolation::Linear, times, old.width, numbers)
            };
            match plan {
                Plan::Gone => None,
                Plan::Constant(value) => Some(linear(vec![0.0], value.clone())),
                Plan::Kept { is_short: false } => Some(old.clone()),
                Plan::Kept { is_short: true } => {
                    let numbers = old.numbers.iter().map(|number| (number * 32767.0).round() / 32767.0);
                    let (times, numbers) = (old.times.clone(), numbers.collect());
                    Some(Track::new(old.target, old.interpolation, times, old.width, numbers))
                }
                Plan::Keys { keys, is_short } => {
                    let gridded = self.gridded[index].as_ref()?;
                    let times = keys.iter().map(|&key| self.grid[key]).collect();
                    let numbers =
                        keys.iter().flat_map(|&key| gridded.written(key, *is_short)).copied().collect();
                    Some(linear(times, numbers))
                }
            }
        };
        Motion::new(plans.iter().enumerate().filter_map(track).collect(), self.rig.joints.len())
    }

    #[expect(clippy::cast_possible_truncation, reason = "files have single precision")]
    fn encode(&self, plans: Vec<Plan>) -> Vec<NewChannel> {
        let mut channels = Vec::new();
        for (index, (plan, track)) in plans.iter().zip(self.clip.tracks()).enumerate() {
            if track.curve.numbers().is_empty() {
                continue;
            }
            let Some((node, path)) = target(track.target, self.asset) else { continue };
            let single =
                |numbers: &[f64]| Values::Floats(numbers.iter().map(|&number| number as f32).collect());
            let (interpolation, times, values) = match plan {
                Plan::Gone => continue,
                Plan::Constant(value) => (Interpolation::Linear, vec![track.curve.times()[0]], single(value)),
                Plan::Kept { is_short } => {
                    let values = if *is_short {
                        let numbers = &self.motion.tracks[index].numbers;
                        Values::Fractions(numbers.as_chunks::<4>().0.iter().flat_map(|q| short(q)).collect())
                    } else {
                        Values::Floats(track.curve.numbers().to_vec())
                    };
                    let kept = without_repeats(&track.curve, values);
                    (track.curve.interpolation(), kept.0, kept.1)
                }
                Plan::Keys { keys, is_short } => {
                    let Some(gridded) = &self.gridded[index] else { continue };
                    let times = keys.iter().map(|&key| self.grid[key] as f32).collect();
                    let exact = keys.iter().map(|&key| gridded.exact(key));
                    let values = if *is_short {
                        Values::Fractions(exact.flat_map(short).collect())
                    } else {
                        single(&exact.flatten().copied().collect::<Vec<f64>>())
                    };
                    (Interpolation::Linear, times, values)
                }
            };
            channels.push(NewChannel { node, path, interpolation, times, values });
        }
        self.keep_length(&mut channels);
        channels
    }

    /// The clip lasts as long as before, and has at least one channel.
    fn keep_length(&self, channels: &mut Vec<NewChannel>) {
        let secs = self.clip.duration_secs();
        let last = |channel: &NewChannel| channel.times.last().copied().unwrap_or(0.0);
        if channels.iter().any(|channel| last(channel) >= secs) {
            return;
        }
        // The one whose values are the shortest holds its last one for longer.
        let of_linear = |channel: &&mut NewChannel| channel.interpolation != Interpolation::CubicSpline;
        let cost = |channel: &NewChannel| channel.times.len();
        if let Some(channel) = channels.iter_mut().filter(of_linear).min_by_key(|channel| cost(channel)) {
            let keys = channel.times.len();
            channel.times.push(secs);
            match &mut channel.values {
                Values::Floats(numbers) => numbers.extend_from_within(numbers.len() - numbers.len() / keys..),
                Values::Fractions(numbers) => {
                    numbers.extend_from_within(numbers.len() - numbers.len() / keys..)
                }
            }
            return;
        }
        let Some(track) = self.clip.tracks().next() else { return };
        let Some((node, path)) = target(track.target, self.asset) else { return };
        let numbers = &self.motion.tracks[0];
        let mut value = vec![0.0; numbers.width];
        numbers.sample_into(0.0, &mut value);
        #[expect(clippy::cast_possible_truncation, reason = "files have single precision")]
        let value: Vec<f32> = value.iter().map(|&number| number as f32).collect();
        let times = if secs > 0.0 { vec![0.0, secs] } else { vec![0.0] };
        let values = Values::Floats(value.repeat(times.len()));
        channels.push(NewChannel { node, path, interpolation: Interpolation::Linear, times, values });
    }
}

/// Steps and jumps are kept as they are.
fn is_reducible(track: &Track) -> bool {
    track.interpolation != Interpolation::Step
        && track.width > 0
        && track.times.windows(2).all(|pair| pair[0] < pair[1])
}

/// Whether all numbers, tangents too, are fractions.
fn fits_short(track: &Track) -> bool {
    track.numbers.iter().all(|number| number.abs() <= 1.0)
}

/// Steps without keys that repeat the one before, but the last; everything else as it is.
fn without_repeats(curve: &canter::Curve, values: Values) -> (Vec<f32>, Values) {
    let times = ascending(curve.times());
    let (Values::Floats(numbers), Interpolation::Step) = (&values, curve.interpolation()) else {
        return (times, values);
    };
    let last = times.len() - 1;
    let is_needed = |key: usize| key == 0 || key == last || curve.value(key) != curve.value(key - 1);
    let keys: Vec<usize> = (0..times.len()).filter(|&key| is_needed(key)).collect();
    let numbers = keys.iter().flat_map(|&key| &numbers[key * curve.width()..][..curve.width()]).copied();
    (keys.iter().map(|&key| times[key]).collect(), Values::Floats(numbers.collect()))
}
