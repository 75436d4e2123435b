//! Clips in double precision: the twin of the player, by which errors are measured.

use canter::glam::{DMat3, DQuat, DVec3, DVec4};
use canter::{Clip, Curve, Interpolation, Property, TrackTarget};

use super::rig::Rig;

/// A matrix of three columns, and a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Affine {
    pub(super) columns: DMat3,
    pub(super) place: DVec3,
}

/// A clip as functions of time.
#[derive(Clone, Debug)]
pub(super) struct Motion {
    pub(super) tracks: Vec<Track>,
    /// The track of each property of each joint.
    of_joint: Vec<[Option<usize>; 3]>,
}

impl Motion {
    pub(super) fn new(tracks: Vec<Track>, joints: usize) -> Self {
        let mut of_joint = vec![[None; 3]; joints];
        for (index, track) in tracks.iter().enumerate() {
            if let TrackTarget::Joint(joint, property) = track.target {
                of_joint[joint.index()][property as usize] = Some(index);
            }
        }
        Self { tracks, of_joint }
    }

    pub(super) fn of_clip(clip: &Clip, joints: usize) -> Self {
        Self::new(clip.tracks().map(|track| Track::of_curve(track.target, &track.curve)).collect(), joints)
    }

    /// Where all joints are at a time.
    pub(super) fn pose(&self, rig: &Rig, secs: f64, pose: &mut Vec<Affine>) {
        pose.clear();
        for (index, joint) in rig.joints.iter().enumerate() {
            let [translation, rotation, scale] =
                self.of_joint[index].map(|track| track.map(|track| self.tracks[track].sample(secs)));
            let translation = translation.map_or(joint.translation, |value| value.truncate());
            let rotation = rotation.map_or(joint.rotation, DQuat::from_vec4);
            let scale = scale.map_or(joint.scale, |value| value.truncate());
            let columns = DMat3::from_quat(rotation) * DMat3::from_diagonal(scale);
            pose.push(match joint.parent {
                None => Affine { columns, place: translation },
                Some(parent) => {
                    let parent: Affine = pose[parent];
                    Affine {
                        columns: parent.columns * columns,
                        place: parent.place + parent.columns * translation,
                    }
                }
            });
        }
    }

    /// All times of keys, sorted, each once.
    pub(super) fn key_times(&self) -> Vec<f64> {
        let mut times: Vec<f64> = self.tracks.iter().flat_map(|track| &track.times).copied().collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }
}

/// One track: keys, and what is between them.
#[derive(Clone, Debug)]
pub(super) struct Track {
    pub(super) target: TrackTarget,
    pub(super) interpolation: Interpolation,
    pub(super) times: Vec<f64>,
    /// Numbers per value.
    pub(super) width: usize,
    /// All numbers, key by key, as in a [`Curve`].
    pub(super) numbers: Vec<f64>,
}

impl Track {
    pub(super) fn of_curve(target: TrackTarget, curve: &Curve) -> Self {
        let times = curve.times().iter().map(|&secs| secs.into()).collect();
        let numbers = curve.numbers().iter().map(|&number| number.into()).collect();
        Self::new(target, curve.interpolation(), times, curve.width(), numbers)
    }

    pub(super) fn new(
        target: TrackTarget,
        interpolation: Interpolation,
        times: Vec<f64>,
        width: usize,
        numbers: Vec<f64>,
    ) -> Self {
        let mut track = Self { target, interpolation, times, width, numbers };
        track.normalize();
        track
    }

    pub(super) fn is_rotation(&self) -> bool {
        matches!(self.target, TrackTarget::Joint(_, Property::Rotation))
    }

    /// Values per key: with tangents three, of which the middle one is the value.
    pub(super) fn values_per_key(&self) -> usize {
        if self.interpolation == Interpolation::CubicSpline { 3 } else { 1 }
    }

    /// Rotations as they are played: keys have length one.
    fn normalize(&mut self) {
        let per_key = self.values_per_key();
        if self.is_rotation() {
            for key in self.numbers.as_chunks_mut::<4>().0.iter_mut().skip(per_key / 2).step_by(per_key) {
                *key = unit(DVec4::from_array(*key)).to_array();
            }
        }
    }

    /// The keys before and after a time, and how far between them it is.
    fn find(&self, secs: f64) -> (usize, usize, f64) {
        let after = self.times.partition_point(|&time| time <= secs);
        let last = self.times.len() - 1;
        match after {
            0 => (0, 0, 0.0),
            after if after > last => (last, last, 0.0),
            after => {
                let (from, to) = (self.times[after - 1], self.times[after]);
                (after - 1, after, (secs - from) / (to - from))
            }
        }
    }

    /// The value at a time, of a joint.
    pub(super) fn sample(&self, secs: f64) -> DVec4 {
        let mut value = [0.0; 4];
        self.sample_into(secs, &mut value[..self.width.min(4)]);
        DVec4::from_array(value)
    }

    /// All numbers of the value at a time.
    pub(super) fn sample_into(&self, secs: f64, value: &mut [f64]) {
        let (from, to, t) = self.find(secs);
        let width = self.width;
        let part = |key: usize, part: usize| {
            let first = (key * self.values_per_key() + part) * width;
            &self.numbers[first..first + width]
        };
        match self.interpolation {
            Interpolation::Step => value.copy_from_slice(part(from, 0)),
            Interpolation::Linear if self.is_rotation() => {
                let [a, b] = [from, to].map(|key| DVec4::from_slice(part(key, 0)));
                value.copy_from_slice(&slerp(a, b, t).to_array());
            }
            Interpolation::Linear => {
                let (a, b) = (part(from, 0), part(to, 0));
                for (index, value) in value.iter_mut().enumerate() {
                    *value = a[index] + (b[index] - a[index]) * t;
                }
            }
            Interpolation::CubicSpline => {
                let secs = self.times[to] - self.times[from];
                let (a, b, out, into) = (part(from, 1), part(to, 1), part(from, 2), part(to, 0));
                let (t2, t3) = (t * t, t * t * t);
                for (index, value) in value.iter_mut().enumerate() {
                    *value = (2.0 * t3 - 3.0 * t2 + 1.0) * a[index]
                        + (t3 - 2.0 * t2 + t) * secs * out[index]
                        + (3.0 * t2 - 2.0 * t3) * b[index]
                        + (t3 - t2) * secs * into[index];
                }
                if self.is_rotation() {
                    value.copy_from_slice(&unit(DVec4::from_slice(value)).to_array());
                }
            }
        }
    }
}

/// A quaternion of length one; no rotation where it has no direction.
pub(super) fn unit(quaternion: DVec4) -> DVec4 {
    let length = quaternion.dot(quaternion).sqrt();
    if length > 1e-150 { quaternion / length } else { DVec4::W }
}

/// The shorter way between two rotations.
///
/// `sin(tθ)/sin θ` is `t·₂F₁(1+t, 1-t; 3/2; sin²(θ/2))`, which needs no sines; wide angles are halved first, so
/// that a few terms do.
pub(super) fn slerp(mut a: DVec4, mut b: DVec4, mut t: f64) -> DVec4 {
    const NARROW: f64 = 0.01;
    if a.dot(b) < 0.0 {
        b = -b;
    }
    let mut squared = (a - b).dot(a - b) / 4.0;
    // Twice is enough for the widest angle of all; what is no number ends, too.
    for _ in 0..4 {
        if squared <= NARROW {
            break;
        }
        let middle = unit(a + b);
        (a, b, t) = if t < 0.5 { (a, middle, 2.0 * t) } else { (middle, b, 2.0 * t - 1.0) };
        squared = (a - b).dot(a - b) / 4.0;
    }
    unit(a * share(1.0 - t, squared) + b * share(t, squared))
}

fn share(t: f64, squared: f64) -> f64 {
    let (mut sum, mut term, mut n) = (1.0, 1.0, 0.0);
    while term > 1e-18 && n < 40.0 {
        term *= (1.0 + t + n) * (1.0 - t + n) / ((1.5 + n) * (n + 1.0)) * squared;
        sum += term;
        n += 1.0;
    }
    t * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slerp_goes_the_shorter_way_at_an_even_pace() {
        for degrees in [0.0, 1e-6, 1.0, 30.0, 90.0, 179.0, 181.0, 359.0_f64] {
            let half = degrees.to_radians() / 2.0;
            let a = DVec4::W;
            let b = DVec4::new(half.sin(), 0.0, 0.0, half.cos());
            let shorter = if degrees > 180.0 { half - std::f64::consts::PI } else { half };
            for t in [0.0, 0.1, 0.5, 0.77, 1.0] {
                let expected = DVec4::new((shorter * t).sin(), 0.0, 0.0, (shorter * t).cos());
                let found = slerp(a, b, t);
                assert!((found - expected).length() < 1e-14, "{degrees} {t}: {found} {expected}");
            }
        }
    }
}
