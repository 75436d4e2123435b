//! Mathematics that gives the same bits on every machine.
//!
//! The standard library's `sin` and `cos` call the system's libm, whose last bit differs between
//! platforms. Everything here is made of `+ - * /` and `sqrt`, which IEEE 754 rounds exactly, and
//! in `f64`, where glam uses no SIMD and no fused multiply-add.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

use glam::{DMat3, DQuat, DVec3};

/// Sine and cosine of an angle in radians.
pub(crate) fn sin_cos(angle: f64) -> (f64, f64) {
    let quarter = (angle * FRAC_2_PI).round();
    let x = angle - quarter * FRAC_PI_2;
    let xx = x * x;
    // Taylor series in Horner form; |x| <= pi/4 makes the first dropped term smaller than 1e-16.
    let mut sin_sum = 1.0;
    for n in [16.0, 14.0, 12.0, 10.0, 8.0, 6.0, 4.0, 2.0] {
        sin_sum = 1.0 - xx / (n * (n + 1.0)) * sin_sum;
    }
    let mut cos_sum = 1.0;
    for n in [16.0, 14.0, 12.0, 10.0, 8.0, 6.0, 4.0, 2.0] {
        cos_sum = 1.0 - xx / (n * (n - 1.0)) * cos_sum;
    }
    let (sin, cos) = (x * sin_sum, cos_sum);
    match quarter.rem_euclid(4.0) as u8 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

pub(crate) fn sin(angle: f64) -> f64 {
    sin_cos(angle).0
}

pub(crate) fn cos(angle: f64) -> f64 {
    sin_cos(angle).1
}

/// Rotation about a unit axis.
pub(crate) fn rotation(axis: DVec3, angle: f64) -> DQuat {
    let (sin, cos) = sin_cos(angle * 0.5);
    let v = axis * sin;
    DQuat::from_xyzw(v.x, v.y, v.z, cos)
}

pub(crate) fn rot_x(angle: f64) -> DQuat {
    rotation(DVec3::X, angle)
}

pub(crate) fn rot_y(angle: f64) -> DQuat {
    rotation(DVec3::Y, angle)
}

pub(crate) fn rot_z(angle: f64) -> DQuat {
    rotation(DVec3::Z, angle)
}

/// The rotation whose Y axis is `along` and whose Z axis is as near to `toward` as possible.
///
/// All joint frames are made this way: Y runs along the bone, Z is where a bend takes it, hence a
/// positive turn about X bends the joint.
pub(crate) fn bone_frame(along: DVec3, toward: DVec3) -> DQuat {
    let y = along.normalize();
    let x = y.cross(toward).normalize();
    DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))).normalize()
}

/// From one rotation to another the short way, at nearly even speed, without an arc cosine.
pub(crate) fn blend(from: DQuat, to: DQuat, share: f64) -> DQuat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    (from * (1.0 - share) + to * share).normalize()
}

/// Zero below `low`, one above `high`, smooth between (also when `low > high`, then falling).
pub(crate) fn ramp(value: f64, low: f64, high: f64) -> f64 {
    let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

pub(crate) fn lerp(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}

/// A smooth curve through `(time, value)` keys, level at both ends.
///
/// Tangents are those of the parabola through three neighbours in chord form, which keeps unevenly
/// spaced keys from overshooting much.
pub(crate) fn curve(keys: &[(f64, f64)], time: f64) -> f64 {
    let last = keys.len() - 1;
    if time <= keys[0].0 {
        return keys[0].1;
    }
    if time >= keys[last].0 {
        return keys[last].1;
    }
    let after = keys.iter().position(|key| key.0 > time).unwrap_or(last);
    let tangent = |i: usize| {
        if i == 0 || i == last {
            return 0.0;
        }
        let slope_before = (keys[i].1 - keys[i - 1].1) / (keys[i].0 - keys[i - 1].0);
        let slope_after = (keys[i + 1].1 - keys[i].1) / (keys[i + 1].0 - keys[i].0);
        // A turning point is level, so that holds hold and peaks are not overshot.
        if slope_before * slope_after <= 0.0 {
            return 0.0;
        }
        2.0 * slope_before * slope_after / (slope_before + slope_after)
    };
    let ((t0, v0), (t1, v1)) = (keys[after - 1], keys[after]);
    let span = t1 - t0;
    hermite([v0, tangent(after - 1) * span], [v1, tangent(after) * span], (time - t0) / span)
}

/// Cubic between two `[value, slope]` ends, `t` from 0 to 1.
pub(crate) fn hermite(start: [f64; 2], end: [f64; 2], t: f64) -> f64 {
    let (t2, t3) = (t * t, t * t * t);
    start[0] * (2.0 * t3 - 3.0 * t2 + 1.0)
        + start[1] * (t3 - 2.0 * t2 + t)
        + end[0] * (3.0 * t2 - 2.0 * t3)
        + end[1] * (t3 - t2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sine_and_cosine_agree_with_the_standard_library() {
        for step in -400..=400 {
            let angle = f64::from(step) * 0.037;
            let (sin, cos) = sin_cos(angle);
            assert!((sin - angle.sin()).abs() < 1e-14, "sin {angle}");
            assert!((cos - angle.cos()).abs() < 1e-14, "cos {angle}");
        }
    }

    #[test]
    fn a_positive_turn_about_x_bends_a_bone_toward_its_z() {
        let frame = bone_frame(DVec3::NEG_Y, DVec3::Z);
        let bent = frame * rot_x(0.1) * DVec3::Y;
        assert!(bent.z > 0.0 && bent.y < 0.0);
    }

    #[test]
    fn a_curve_passes_through_its_keys_and_does_not_overshoot_a_peak() {
        let keys = [(0.0, 0.0), (0.3, 1.0), (0.5, -0.5), (1.0, 0.0)];
        for (time, value) in keys {
            assert!((curve(&keys, time) - value).abs() < 1e-12);
        }
        assert!((0..100).all(|i| curve(&keys, f64::from(i) * 0.01) <= 1.0));
    }
}
