//! A clip in double precision: what a packed one is measured against.

use glam::{DAffine3, DQuat, DVec3};

use crate::clip::prepare::Prepared;
use crate::clip::slerp::slerp_exact;
use crate::clip::{Interpolation, Property};
use crate::pose::Pose;
use crate::skeleton::Skeleton;

/// How far from a joint the points are that must not be off by more than was asked for.
const SHELL_METRES: f64 = 0.03;

/// Where all joints are at all times that count: keys, and times between any two of them.
pub(super) struct Reference {
    parents: Vec<Option<usize>>,
    rest: Vec<Local>,
    is_additive: bool,
    times: Vec<f32>,
    /// Joint by joint, time after time.
    places: Vec<DAffine3>,
    shell: f64,
}

#[derive(Clone, Copy)]
struct Local {
    translation: DVec3,
    rotation: DQuat,
    scale: DVec3,
}

/// What an error of a joint's own transform does to what hangs on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lever {
    /// The farthest that a point is from it.
    pub(super) reach: f64,
    /// How much larger things are where its translation is given.
    pub(super) parent_scale: f64,
}

impl Reference {
    /// At these times.
    pub(super) fn new(
        skeleton: &Skeleton,
        tracks: &[Prepared],
        times: Vec<f32>,
        is_additive: bool,
        metres_per_unit: f64,
    ) -> Self {
        let parents: Vec<Option<usize>> =
            skeleton.joints().map(|joint| skeleton.parent(joint).map(crate::JointId::index)).collect();
        let rest = skeleton.joints().map(|joint| {
            let rest = skeleton.rest(joint);
            Local {
                translation: rest.translation.as_dvec3(),
                rotation: rest.rotation.as_dquat(),
                scale: rest.scale.as_dvec3(),
            }
        });
        let mut reference = Self {
            parents,
            rest: rest.collect(),
            is_additive,
            times,
            places: Vec::new(),
            shell: SHELL_METRES / metres_per_unit,
        };
        let identity = Local { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };
        let undriven =
            if is_additive { vec![identity; reference.rest.len()] } else { reference.rest.clone() };
        for index in 0..reference.times.len() {
            let mut locals = undriven.clone();
            for track in tracks {
                let value = sample(track, reference.times[index]);
                let local = &mut locals[track.joint];
                match track.property {
                    Property::Translation => local.translation = DVec3::new(value[0], value[1], value[2]),
                    Property::Rotation => local.rotation = DQuat::from_array(value),
                    Property::Scale => local.scale = DVec3::new(value[0], value[1], value[2]),
                }
            }
            let first = reference.places.len();
            for (joint, local) in locals.iter().enumerate() {
                let place = reference.place(joint, local, &reference.places[first..]);
                reference.places.push(place);
            }
        }
        reference
    }

    fn place(&self, joint: usize, local: &Local, above: &[DAffine3]) -> DAffine3 {
        let mut local = *local;
        if self.is_additive {
            let rest = &self.rest[joint];
            local.translation += rest.translation;
            local.rotation = rest.rotation * local.rotation;
            local.scale *= rest.scale;
        }
        let own = DAffine3::from_scale_rotation_translation(local.scale, local.rotation, local.translation);
        match self.parents[joint] {
            Some(parent) => above[parent] * own,
            None => own,
        }
    }

    fn joints(&self) -> usize {
        self.rest.len()
    }

    pub(super) fn levers(&self) -> Vec<Lever> {
        let mut levers = vec![Lever { reach: self.shell, parent_scale: 0.0 }; self.joints()];
        for places in self.places.chunks_exact(self.joints()) {
            for (joint, place) in places.iter().enumerate() {
                let mut above = self.parents[joint];
                levers[joint].parent_scale = levers[joint]
                    .parent_scale
                    .max(above.map_or(1.0, |parent| largest_column(&places[parent])));
                while let Some(ancestor) = above {
                    let away = place.translation.distance(places[ancestor].translation) + self.shell;
                    levers[ancestor].reach = levers[ancestor].reach.max(away);
                    above = self.parents[ancestor];
                }
            }
        }
        levers
    }

    /// By how much points around each joint are off at most in poses that `pose_at` gives.
    pub(super) fn errors(&self, mut pose_at: impl FnMut(f32, &mut Pose), pose: &mut Pose) -> Vec<f64> {
        let mut errors = vec![0.0_f64; self.joints()];
        let mut places = Vec::with_capacity(self.joints());
        for (secs, expected) in self.times.iter().zip(self.places.chunks_exact(self.joints())) {
            pose_at(*secs, pose);
            places.clear();
            for (joint, expected) in expected.iter().enumerate() {
                let own = pose.groups[joint / crate::pose::LANES].joint(joint % crate::pose::LANES);
                let local = Local {
                    translation: own.translation.as_dvec3(),
                    rotation: own.rotation.as_dquat(),
                    scale: own.scale.as_dvec3(),
                };
                let place = self.place(joint, &local, &places);
                errors[joint] = errors[joint].max(self.distance(expected, &place));
                places.push(place);
            }
        }
        errors
    }

    /// The largest distance of points on three axes through a joint, on both sides.
    fn distance(&self, expected: &DAffine3, place: &DAffine3) -> f64 {
        let moved = place.translation - expected.translation;
        let mut most = 0.0_f64;
        for axis in 0..3 {
            let (expected, own) = (expected.matrix3.col(axis), place.matrix3.col(axis));
            let length = expected.length();
            let out = if length > 1e-12 { self.shell / length } else { 0.0 };
            let tilted = (own - expected) * out;
            most = most.max((moved + tilted).length()).max((moved - tilted).length());
        }
        // Not a number is no small error.
        if most.is_nan() { f64::INFINITY } else { most }
    }

    /// A joint, and all that it hangs on.
    pub(super) fn chain(&self, joint: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(joint), |joint| self.parents[*joint])
    }
}

fn largest_column(place: &DAffine3) -> f64 {
    (0..3).map(|axis| place.matrix3.col(axis).length()).fold(0.0, f64::max)
}

/// Quarters of the way from a key to the next, and many parts that are none: weights are rounded otherwise at every
/// time.
const BETWEEN: [f32; 15] =
    [0.02, 0.07, 0.13, 0.19, 0.25, 0.31, 0.38, 0.44, 0.5, 0.57, 0.62, 0.69, 0.75, 0.84, 0.93];

/// So many times are spread over a clip, whatever its keys are: at the end of metres of joints, points were a fifth
/// farther off at others than at keys and those between them.
const SPREAD: u32 = 2048;

/// They come in parts, of which none takes much memory.
pub(super) fn spread_times(tracks: &[Prepared]) -> impl Iterator<Item = Vec<f32>> {
    const PART: u32 = 128;
    /// The golden section: no two multiples of it come near each other soon.
    const STEP: f64 = 0.618_033_988_749_895;
    let secs = || tracks.iter().flat_map(|track| track.secs.iter().copied());
    let (start, end) =
        secs().fold((f32::INFINITY, 0.0_f32), |(start, end), secs| (start.min(secs), end.max(secs)));
    let time = move |number: u32| {
        #[expect(clippy::cast_possible_truncation, reason = "any time near it will do")]
        let part = (f64::from(number) * STEP).fract() as f32;
        start + (end - start) * part
    };
    let has_length = start < end;
    let parts = (0..SPREAD).step_by(PART as usize).filter(move |_| has_length);
    parts.map(move |first| (first..first + PART).map(time).collect())
}

/// Keys of all tracks, and times between neighbours.
pub(super) fn key_times(tracks: &[Prepared]) -> Vec<f32> {
    let mut keys: Vec<f32> = tracks.iter().flat_map(|track| track.secs.iter().copied()).collect();
    keys.sort_by(f32::total_cmp);
    keys.dedup();
    let mut times = Vec::with_capacity(4 * keys.len());
    for (index, &secs) in keys.iter().enumerate() {
        times.push(secs);
        if let Some(next) = keys.get(index + 1) {
            times.extend(BETWEEN.map(|part| secs + (next - secs) * part));
        }
    }
    times.dedup();
    times
}

/// A track at a time.
pub(super) fn sample(track: &Prepared, secs: f32) -> [f64; 4] {
    let left = track.secs.partition_point(|key| *key <= secs).saturating_sub(1);
    let wide = |value: [f32; 4]| value.map(f64::from);
    let a = wide(track.values[left]);
    let Some(next) = track.values.get(left + 1) else { return a };
    let (from, to) = (f64::from(track.secs[left]), f64::from(track.secs[left + 1]));
    if f64::from(secs) <= from || to <= from || track.interpolation == Interpolation::Step {
        return a;
    }
    let (b, interval) = (wide(*next), to - from);
    let t = (f64::from(secs) - from) / interval;
    if track.interpolation == Interpolation::CubicSpline {
        let (out, into) = (wide(track.tangents[left].after), wide(track.tangents[left + 1].before));
        let (squared, cubed) = (t * t, t * t * t);
        let right = 3.0 * squared - 2.0 * cubed;
        let value = std::array::from_fn(|i| {
            a[i] * (1.0 - right)
                + out[i] * interval * (cubed - 2.0 * squared + t)
                + b[i] * right
                + into[i] * interval * (cubed - squared)
        });
        let length = value.iter().map(|x| x * x).sum::<f64>().sqrt();
        let is_turn = track.property == Property::Rotation && length > 1e-6;
        return if is_turn { value.map(|x| x / length) } else { value };
    }
    if track.property == Property::Rotation {
        return slerp_exact(a, b, t);
    }
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t)
}
