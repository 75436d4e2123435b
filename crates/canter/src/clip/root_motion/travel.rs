//! A way over the ground: from one place and heading to another.

use glam::{DVec3, Quat, Vec3, Vec4};

use crate::math::sin_cos_f64;
use crate::transform::{LARGEST_F64, Transform};

/// A shift, as seen from where it begins, and a turn about the vertical in radians. In double precision, since
/// many small ones are added up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Travel {
    pub(crate) shift: DVec3,
    pub(crate) yaw: f64,
}

/// Up to this, in radians, three terms of sine and cosine are exact to a tenth of the last place of `f32`.
const SMALL_TURN: f64 = 1.0 / 32.0;

impl Travel {
    pub(crate) const NONE: Self = Self { shift: DVec3::ZERO, yaw: 0.0 };

    /// x, y, z and yaw.
    #[inline]
    pub(crate) fn of_vec4(numbers: Vec4) -> Self {
        let numbers = numbers.as_dvec4();
        Self { shift: numbers.truncate(), yaw: numbers.w }
    }

    /// This way, and then another one from where it ends.
    #[inline]
    pub(crate) fn then(self, next: Self) -> Self {
        Self { shift: self.shift + turned(next.shift, self.yaw), yaw: self.yaw + next.yaw }.clamped()
    }

    /// The way back.
    pub(crate) fn inverse(self) -> Self {
        Self { shift: turned(-self.shift, -self.yaw), yaw: -self.yaw }
    }

    /// The same way so many times; costs the same for any number of times.
    #[expect(clippy::cast_precision_loss, reason = "exact for 2⁵³ times")]
    pub(crate) fn times(self, times: u64) -> Self {
        let times = times as f64;
        // The sum of turned shifts is a geometric series: R((n - 1) a / 2) sin(n a / 2) / sin(a / 2).
        let half = self.yaw / 2.0;
        let (sin_half, _) = sin_cos_f64(half);
        let shift = if sin_half.abs() < 1e-12 {
            self.shift * times
        } else {
            let (sin_all, _) = sin_cos_f64(half * times);
            let level = turned(self.shift, half * (times - 1.0)) * (sin_all / sin_half);
            DVec3::new(level.x, self.shift.y * times, level.z)
        };
        Self { shift, yaw: self.yaw * times }.clamped()
    }

    /// A part of it, as a mean of several takes it.
    #[inline]
    pub(crate) fn scaled(self, part: f64) -> Self {
        Self { shift: self.shift * part, yaw: self.yaw * part }
    }

    /// The sum of parts.
    #[inline]
    pub(crate) fn plus(self, other: Self) -> Self {
        Self { shift: self.shift + other.shift, yaw: self.yaw + other.yaw }
    }

    /// Finite, however often something is repeated.
    pub(crate) fn clamped(self) -> Self {
        let limit = DVec3::splat(LARGEST_F64);
        Self { shift: self.shift.clamp(-limit, limit), yaw: self.yaw.clamp(-LARGEST_F64, LARGEST_F64) }
    }

    /// Finite, as long as it is no more than a few that are [clamped](Self::clamped).
    pub(crate) fn translation(self) -> Vec3 {
        self.shift.as_vec3()
    }

    pub(crate) fn transform(self) -> Transform {
        let half = self.yaw / 2.0;
        let (sin, cos) = if half == 0.0 {
            // Most roots go straight on.
            (0.0, 1.0)
        } else if half.abs() < SMALL_TURN {
            let squared = half * half;
            (half - half * squared * (1.0 / 6.0 - squared / 120.0), 1.0 - squared * (0.5 - squared / 24.0))
        } else {
            sin_cos_f64(half)
        };
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the point")]
        let rotation = Quat::from_xyzw(0.0, sin as f32, 0.0, cos as f32);
        Transform { translation: self.translation(), rotation, ..Transform::IDENTITY }
    }
}

/// A vector turned about the vertical.
#[inline]
pub(super) fn turned(vector: DVec3, yaw: f64) -> DVec3 {
    if yaw == 0.0 {
        return vector;
    }
    let (sin, cos) = sin_cos_f64(yaw);
    DVec3::new(vector.x * cos + vector.z * sin, vector.y, vector.z * cos - vector.x * sin)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: Travel, b: Travel, tolerance: f64) {
        assert!(a.shift.distance(b.shift) < tolerance && (a.yaw - b.yaw).abs() < tolerance, "{a:?} {b:?}");
    }

    #[test]
    fn many_times_is_one_after_the_other() {
        for yaw in [0.0, 1e-9, 0.3, -1.7, std::f64::consts::TAU, std::f64::consts::PI] {
            let step = Travel { shift: DVec3::new(0.3, -0.1, 1.2), yaw };
            let mut walked = Travel::NONE;
            for times in 0..500 {
                near(step.times(times), walked, 1e-8);
                walked = walked.then(step);
            }
        }
    }

    #[test]
    fn there_and_back_leads_nowhere() {
        let way = Travel { shift: DVec3::new(3.0, 1.0, -2.0), yaw: 2.2 };
        near(way.then(way.inverse()), Travel::NONE, 1e-15);
        near(way.inverse().then(way), Travel::NONE, 1e-15);
    }

    #[test]
    fn it_stays_finite_however_often_it_is_repeated() {
        for yaw in [0.0, 0.3] {
            let far = Travel { shift: DVec3::splat(1e15), yaw }.times(u64::MAX);
            let transform = far.then(far).transform();
            assert!(transform.translation.is_finite() && transform.rotation.is_finite(), "{transform:?}");
        }
    }
}
