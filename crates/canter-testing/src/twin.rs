//! The same animation in plain float64, straight from the formulas of the glTF 2.0 specification (appendix
//! C). No lanes, no tables, no tricks: what the crate is measured against.

use canter::Interpolation;
use canter::glam::{DMat4, DQuat, DVec3};

use crate::rig::Rig;
use crate::spec::{Keys, ROTATION, SCALE, Spec, TRANSLATION};

/// A joint's transform, and how large the numbers are that each part was made from: rounding is relative to
/// that.
#[derive(Clone, Copy, Debug)]
pub struct Joint {
    pub translation: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
    pub sizes: [f64; 3],
}

#[derive(Clone, Debug)]
pub struct Twin {
    /// In the order given to the skeleton's builder.
    pub joints: Vec<Joint>,
    pub morphs: Vec<Vec<f64>>,
}

pub fn rest(rig: &Rig) -> Twin {
    let joint = |rest: &canter::Transform| Joint {
        translation: rest.translation.as_dvec3(),
        rotation: rest.rotation.as_dquat().normalize(),
        scale: rest.scale.as_dvec3(),
        sizes: [1.0; 3],
    };
    let weights = |rest: &Vec<f32>| rest.iter().map(|weight| f64::from(*weight)).collect();
    Twin {
        joints: rig.rest.iter().map(joint).collect(),
        morphs: rig.morph_rest.iter().map(weights).collect(),
    }
}

/// The pose of a clip at a time; what has no track is at rest.
pub fn sample(rig: &Rig, spec: &Spec, secs: f32) -> Twin {
    let mut twin = rest(rig);
    for (joint, tracks) in twin.joints.iter_mut().zip(&spec.joints) {
        if let Some(keys) = &tracks[TRANSLATION] {
            let (value, size) = keys.at(secs, false);
            (joint.translation, joint.sizes[TRANSLATION]) = (DVec3::from_slice(&value), size);
        }
        if let Some(keys) = &tracks[ROTATION] {
            let (value, size) = keys.at(secs, true);
            (joint.rotation, joint.sizes[ROTATION]) = (DQuat::from_slice(&value), size);
        }
        if let Some(keys) = &tracks[SCALE] {
            let (value, size) = keys.at(secs, false);
            (joint.scale, joint.sizes[SCALE]) = (DVec3::from_slice(&value), size);
        }
    }
    for (weights, keys) in twin.morphs.iter_mut().zip(&spec.morphs) {
        if let Some(keys) = keys {
            (*weights, _) = keys.at(secs, false);
        }
    }
    twin
}

impl Keys {
    fn value(&self, key: usize, is_rotation: bool) -> Vec<f64> {
        let per_key = if self.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let value = wide(&self.values[key * per_key + per_key / 2]);
        if is_rotation { DQuat::from_slice(&value).normalize().to_array().to_vec() } else { value }
    }

    fn at(&self, secs: f32, is_rotation: bool) -> (Vec<f64>, f64) {
        // Clamped before the first key and after the last; of equal times the later key holds.
        let right = self.times.partition_point(|time| *time <= secs);
        if right == 0 || right == self.times.len() {
            let value = self.value(right.max(1) - 1, is_rotation);
            let size = size(&value);
            return (value, size);
        }
        let left = right - 1;
        let (before, after) = (f64::from(self.times[left]), f64::from(self.times[right]));
        let interval = after - before;
        let t = (f64::from(secs) - before) / interval;
        let (a, b) = (self.value(left, is_rotation), self.value(right, is_rotation));
        match self.interpolation {
            Interpolation::Step => (a.clone(), size(&a)),
            Interpolation::Linear if is_rotation => slerp(&a, &b, t),
            Interpolation::Linear => {
                let line = a.iter().zip(&b).map(|(a, b)| (1.0 - t) * a + t * b).collect();
                (line, size(&a).max(size(&b)))
            }
            Interpolation::CubicSpline => {
                let out_tangent = wide(&self.values[left * 3 + 2]);
                let in_tangent = wide(&self.values[right * 3]);
                let (t2, t3) = (t * t, t * t * t);
                let mut largest = 1.0_f64;
                let mut spline: Vec<f64> = (0..a.len())
                    .map(|i| {
                        let terms = [
                            (2.0 * t3 - 3.0 * t2 + 1.0) * a[i],
                            interval * (t3 - 2.0 * t2 + t) * out_tangent[i],
                            (-2.0 * t3 + 3.0 * t2) * b[i],
                            interval * (t3 - t2) * in_tangent[i],
                        ];
                        largest = largest.max(size(&terms));
                        terms.iter().sum()
                    })
                    .collect();
                if is_rotation {
                    let length = spline.iter().map(|x| x * x).sum::<f64>().sqrt();
                    spline.iter_mut().for_each(|x| *x /= length);
                    largest /= length;
                }
                (spline, largest)
            }
        }
    }
}

fn slerp(a: &[f64], b: &[f64], t: f64) -> (Vec<f64>, f64) {
    let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let (angle, sign) = (dot.abs().min(1.0).acos(), dot.signum());
    let (of_a, of_b) = if angle < 1e-6 {
        (1.0 - t, t)
    } else {
        ((angle * (1.0 - t)).sin() / angle.sin(), (angle * t).sin() / angle.sin())
    };
    // Of half a turn either way is the shortest, and rounding decides.
    let size = if dot.abs() < 1e-5 { f64::INFINITY } else { 1.0 };
    (a.iter().zip(b).map(|(a, b)| of_a * a + sign * of_b * b).collect(), size)
}

/// Blends poses with weights, the strongest first, each rotation on the side of the sum so far, and the rest
/// pose where weights do not reach the threshold.
pub fn blend(rig: &Rig, mut poses: Vec<(Twin, f64)>, rest_threshold: f64) -> Twin {
    poses.sort_by(|a, b| b.1.total_cmp(&a.1));
    let sum: f64 = poses.iter().map(|(_, weight)| weight).sum();
    poses.push((rest(rig), (rest_threshold - sum).max(0.0)));
    let whole = sum.max(rest_threshold);
    let mut blended = rest(rig);
    for (index, joint) in blended.joints.iter_mut().enumerate() {
        let (mut translation, mut scale, mut rotation) =
            (DVec3::ZERO, DVec3::ZERO, DQuat::from_array([0.0; 4]));
        // How near a sign was to falling the other way.
        let mut margin = 1.0_f64;
        for (pose, weight) in &poses {
            let (other, share) = (pose.joints[index], weight / whole);
            translation += other.translation * share;
            scale += other.scale * share;
            let dot = rotation.dot(other.rotation);
            if share > 0.0 && rotation.length_squared() > 0.0 {
                margin = margin.min(dot.abs());
            }
            rotation += other.rotation * if dot < 0.0 { -share } else { share };
            for (size, other) in joint.sizes.iter_mut().zip(other.sizes) {
                *size = size.max(other);
            }
        }
        joint.sizes[ROTATION] /= rotation.length();
        if margin < 1e-5 {
            // Either side is right, and rounding decides.
            joint.sizes[ROTATION] = f64::INFINITY;
        }
        (joint.translation, joint.scale, joint.rotation) = (translation, scale, rotation.normalize());
    }
    for (set, weights) in blended.morphs.iter_mut().enumerate() {
        for (index, weight) in weights.iter_mut().enumerate() {
            *weight = poses.iter().map(|(pose, share)| pose.morphs[set][index] * share / whole).sum();
        }
    }
    blended
}

impl Twin {
    /// `model_from_joint` of every joint with the size of the numbers that it was made from.
    pub fn compose(&self, rig: &Rig) -> Vec<(DMat4, f64)> {
        let mut model: Vec<Option<(DMat4, f64)>> = vec![None; rig.len()];
        for start in 0..rig.len() {
            // Up to the first joint that is known, and down again.
            let mut way = Vec::new();
            let mut next = Some(start);
            while let Some(joint) = next.filter(|joint| model[*joint].is_none()) {
                way.push(joint);
                next = rig.parents[joint];
            }
            for joint in way.into_iter().rev() {
                let Joint { translation, rotation, scale, sizes } = self.joints[joint];
                let local = DMat4::from_scale_rotation_translation(scale, rotation, translation);
                let (parent, parent_size) =
                    rig.parents[joint].map_or((DMat4::IDENTITY, 1.0), |parent| model[parent].unwrap());
                let matrix = parent * local;
                let size = parent_size
                    .max(size(&matrix.to_cols_array()))
                    .max(size(&parent.to_cols_array()) * sizes.into_iter().fold(1.0, f64::max));
                model[joint] = Some((matrix, size));
            }
        }
        model.into_iter().map(Option::unwrap).collect()
    }
}

fn wide(numbers: &[f32]) -> Vec<f64> {
    numbers.iter().map(|number| f64::from(*number)).collect()
}

fn size(numbers: &[f64]) -> f64 {
    numbers.iter().fold(1.0, |size, number| size.max(number.abs()))
}
