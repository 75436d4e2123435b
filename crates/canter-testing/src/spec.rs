//! Random clips, kept as they were given to the builder.

use canter::glam::{Quat, Vec3};
use canter::{Clip, Interpolation, Track};

use crate::random::Random;
use crate::rig::Rig;

/// A clip as lists of keys, by joint in the order given to the skeleton's builder.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    pub joints: Vec<[Option<Keys>; 3]>,
    pub morphs: Vec<Option<Keys>>,
}

/// The keys of one property. A value has three numbers, four if it is a rotation, or all weights of a morph
/// set.
#[derive(Clone, Debug)]
pub struct Keys {
    pub interpolation: Interpolation,
    pub times: Vec<f32>,
    pub values: Vec<Vec<f32>>,
}

pub const TRANSLATION: usize = 0;
pub const ROTATION: usize = 1;
pub const SCALE: usize = 2;

/// What kind of clip.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Whether tracks have times of their own.
    pub own_times: bool,
    /// The most keys of a track.
    pub keys: usize,
    /// The most keys of the tracks of one joint, if those have times of their own.
    pub busy_joint: Option<usize>,
    /// The largest turn from key to key in degrees.
    pub degrees: f32,
    /// Which interpolations there are.
    pub interpolations: &'static [Interpolation],
    /// How many of all possible tracks there are.
    pub density: f32,
}

const ALL: &[Interpolation] = &[Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline];
const LINEAR: &[Interpolation] = &[Interpolation::Linear];

/// One of each sort that compiles to something else.
pub const KINDS: [Kind; 10] = [
    kind(false, 40, 6.0, LINEAR, 1.0),
    kind(false, 30, 20.0, LINEAR, 0.8),
    kind(false, 20, 45.0, LINEAR, 0.5),
    kind(false, 10, 180.0, LINEAR, 0.3),
    kind(false, 10, 90.0, ALL, 0.7),
    kind(true, 4, 180.0, LINEAR, 0.6),
    kind(true, 60, 40.0, LINEAR, 0.9),
    kind(true, 12, 180.0, ALL, 0.8),
    kind(true, 50, 60.0, ALL, 0.5),
    Kind { busy_joint: Some(800), ..kind(false, 12, 10.0, LINEAR, 1.0) },
];

const fn kind(
    own_times: bool,
    keys: usize,
    degrees: f32,
    interpolations: &'static [Interpolation],
    density: f32,
) -> Kind {
    Kind { own_times, keys, busy_joint: None, degrees, interpolations, density }
}

impl Spec {
    pub fn random(random: &mut Random, rig: &Rig, kind: Kind) -> Self {
        // Times that several tracks share, and those that each has for itself.
        let shared: Vec<Vec<f32>> = (0..2).map(|_| times(random, kind.keys)).collect();
        let busy = kind.busy_joint.map(|most| (random.below(rig.len()), times(random, most)));
        let keys = |random: &mut Random, joint: Option<usize>, width: usize, unit: bool| {
            random.chance(kind.density).then(|| {
                let interpolation = random.pick(kind.interpolations);
                let busy = busy.as_ref().filter(|(busy, _)| Some(*busy) == joint);
                let times = match random.below(10) {
                    _ if let Some((_, times)) = busy => times.clone(),
                    0 if kind.own_times => shared[1].clone(),
                    _ if kind.own_times => times(random, kind.keys),
                    _ => shared[0].clone(),
                };
                let values = values(random, interpolation, times.len(), width, unit, kind.degrees);
                Keys { interpolation, times, values }
            })
        };
        let joints = (0..rig.len())
            .map(|joint| {
                let joint = Some(joint);
                [keys(random, joint, 3, false), keys(random, joint, 4, true), keys(random, joint, 3, false)]
            })
            .collect();
        let morphs = rig.morph_rest.iter().map(|rest| keys(random, None, rest.len(), false)).collect();
        Self { joints, morphs }
    }

    pub fn build(&self, rig: &Rig, name: &str) -> Clip {
        let mut clip = Clip::builder(name, &rig.skeleton);
        for (source, [translation, rotation, scale]) in self.joints.iter().enumerate() {
            let joint = rig.joint(source);
            if let Some(keys) = translation {
                clip.translation(joint, keys.track(|v| Vec3::new(v[0], v[1], v[2])));
            }
            if let Some(keys) = rotation {
                clip.rotation(joint, keys.track(|v| Quat::from_xyzw(v[0], v[1], v[2], v[3])));
            }
            if let Some(keys) = scale {
                clip.scale(joint, keys.track(|v| Vec3::new(v[0], v[1], v[2])));
            }
        }
        for (keys, morph) in self.morphs.iter().zip(rig.skeleton.morphs()) {
            if let Some(keys) = keys {
                let values = keys.values.iter().flatten().copied().collect();
                clip.morph_weights(morph, Track::new(keys.interpolation, keys.times.clone(), values));
            }
        }
        clip.build().unwrap()
    }

    pub fn duration_secs(&self) -> f32 {
        let joints = self.joints.iter().flatten().flatten();
        let last = joints.chain(self.morphs.iter().flatten()).filter_map(|keys| keys.times.last());
        last.fold(0.0, |longest, secs| longest.max(*secs))
    }

    /// Times on and around all keys, before the first and after the last.
    pub fn interesting_times(&self, random: &mut Random) -> Vec<f32> {
        let duration_secs = self.duration_secs();
        let mut times = vec![-1.0, 0.0, duration_secs, duration_secs + 1.0];
        times.extend((0..6).map(|_| random.between(0.0, duration_secs)));
        let tracks: Vec<&Keys> = self.joints.iter().flatten().flatten().collect();
        for _ in 0..4 {
            if !tracks.is_empty() {
                let keys = random.pick(&tracks);
                let key = random.pick(&keys.times);
                times.extend([key, key.next_down(), key.next_up()]);
            }
        }
        times
    }
}

impl Keys {
    fn track<T>(&self, value: impl Fn(&[f32]) -> T) -> Track<T> {
        let values = self.values.iter().map(|numbers| value(numbers)).collect();
        Track::new(self.interpolation, self.times.clone(), values)
    }
}

/// Sorted times; some start after 0, some at once, some are there twice or more often.
fn times(random: &mut Random, most: usize) -> Vec<f32> {
    let count = 1 + random.below(most);
    let mut secs = if random.chance(0.5) { 0.0 } else { random.between(0.0, 0.5) };
    let is_even = random.chance(0.3);
    let step = random.between(0.01, 0.1);
    let mut times = Vec::with_capacity(count);
    for _ in 0..count {
        times.push(secs);
        secs += if is_even {
            step
        } else if random.chance(0.1) {
            0.0
        } else {
            random.between(0.005, 0.2)
        };
    }
    times
}

fn values(
    random: &mut Random,
    interpolation: Interpolation,
    keys: usize,
    width: usize,
    unit: bool,
    degrees: f32,
) -> Vec<Vec<f32>> {
    let is_still = random.chance(0.1);
    let per_key = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let mut values: Vec<Vec<f32>> = Vec::with_capacity(keys * per_key);
    let mut turn = random.turn(180.0);
    for key in 0..keys {
        if is_still && key > 0 {
            values.extend_from_within(..per_key);
            continue;
        }
        turn = random.turn(degrees) * turn;
        let value = if unit {
            // Either sign, and any length: both are the same rotation.
            let length = if random.chance(0.5) { 1.0 } else { random.between(0.5, 2.0) };
            let sign = if random.chance(0.3) { -1.0 } else { 1.0 };
            (turn * (length * sign)).to_array().to_vec()
        } else {
            (0..width).map(|_| random.between(-2.0, 2.0)).collect()
        };
        let slope = if is_still { 0.0 } else { 3.0 };
        let mut tangent = || (0..width).map(|_| random.between(-slope, slope)).collect::<Vec<_>>();
        if per_key == 3 {
            let (before, after) = (tangent(), tangent());
            values.extend([before, value, after]);
        } else {
            values.push(value);
        }
    }
    values
}
