//! A target that is followed smoothly.

use canter::glam::Vec3;
use canter::math;

/// A point that follows another without overshooting, the same at any frame rate: a critically damped spring,
/// solved exactly for a target that stands still during a step.
///
/// ```
/// # use canter::glam::Vec3;
/// use canter_rig::DampedPoint;
///
/// let mut gaze = DampedPoint::new(Vec3::ZERO);
/// for _ in 0..60 {
///     gaze.follow(Vec3::X, 0.1, 1.0 / 60.0);
/// }
/// assert!(gaze.position.distance(Vec3::X) < 1e-3);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DampedPoint {
    /// Where it is.
    pub position: Vec3,
    /// How fast it moves, in metres per second.
    pub velocity: Vec3,
}

impl DampedPoint {
    /// At rest at a point.
    #[must_use]
    pub const fn new(position: Vec3) -> Self {
        Self { position, velocity: Vec3::ZERO }
    }

    /// Moves on by a step and returns where it is then. After `half_life_secs` about half of the way is left;
    /// 0 or less gets there at once. A step that is not above 0, and a target that is not finite, change
    /// nothing.
    pub fn follow(&mut self, target: Vec3, half_life_secs: f32, dt_secs: f32) -> Vec3 {
        if !target.is_finite() || dt_secs.is_nan() || dt_secs <= 0.0 {
            return self.position;
        }
        if half_life_secs.is_nan() || half_life_secs <= 0.0 {
            *self = Self::new(target);
            return target;
        }
        self.follow_by(target, &Decay::new(half_life_secs, dt_secs))
    }

    /// By what was calculated for the step; the target has to be finite.
    #[inline]
    pub(crate) fn follow_by(&mut self, target: Vec3, by: &Decay) -> Vec3 {
        let &Decay { rate, step, decay } = by;
        if step <= 0.0 {
            return self.position;
        }
        let offset = self.position - target;
        let drive = self.velocity + offset * rate;
        let next = Self {
            position: target + (offset + drive * step) * decay,
            velocity: (self.velocity - drive * (rate * step)) * decay,
        };
        // Half-lives that are next to nothing overflow.
        *self = if next.position.is_finite() && next.velocity.is_finite() { next } else { Self::new(target) };
        self.position
    }
}

/// What a step makes of what is left of a way; the same for all points with a half-life.
#[derive(Clone, Copy)]
pub(crate) struct Decay {
    rate: f32,
    step: f32,
    decay: f32,
}

impl Decay {
    /// For a half-life above 0 and a step that is not negative.
    pub(crate) fn new(half_life_secs: f32, dt_secs: f32) -> Self {
        // 1.678 is where (1 + x) exp(-x) is a half.
        let rate = 1.678_347 / half_life_secs;
        let step = dt_secs.min(1e4 * half_life_secs);
        Self { rate, step, decay: math::exp(-rate * step) }
    }

    /// For half the half-life, and the same step.
    pub(crate) fn twice_as_fast(self) -> Self {
        Self { rate: 2.0 * self.rate, step: self.step, decay: self.decay * self.decay }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_any_length_lead_to_the_same_place() {
        let start = DampedPoint { position: Vec3::new(1.0, -2.0, 0.5), velocity: Vec3::new(3.0, 0.0, -4.0) };
        let target = Vec3::new(-1.0, 4.0, 2.0);
        let mut whole = start;
        whole.follow(target, 0.3, 0.5);
        for steps in [2_u16, 7, 100] {
            let mut many = start;
            for _ in 0..steps {
                many.follow(target, 0.3, 0.5 / f32::from(steps));
            }
            assert!(many.position.distance(whole.position) < 1e-5, "{steps}: {many:?} {whole:?}");
            assert!(many.velocity.distance(whole.velocity) < 1e-4, "{steps}: {many:?} {whole:?}");
        }
    }

    #[test]
    fn half_of_the_way_is_left_after_the_half_life_and_nothing_overshoots() {
        let mut point = DampedPoint::new(Vec3::ZERO);
        assert!((point.follow(Vec3::X, 0.2, 0.2).x - 0.5).abs() < 1e-4);
        let mut last = 0.0;
        for _ in 0..500 {
            let x = point.follow(Vec3::X, 0.2, 0.01).x;
            assert!(x >= last && x <= 1.0 + 1e-6, "{x} after {last}");
            last = x;
        }
    }

    #[test]
    fn odd_steps_are_answered() {
        let start = DampedPoint { position: Vec3::ONE, velocity: Vec3::X };
        for (target, half_life, dt) in [(Vec3::NAN, 1.0, 1.0), (Vec3::X, 1.0, 0.0), (Vec3::X, 1.0, -1.0)] {
            let mut point = start;
            point.follow(target, half_life, dt);
            assert_eq!(point, start);
        }
        for (half_life, dt) in
            [(0.0, 0.1), (-1.0, 0.1), (f32::NAN, 0.1), (1e-40, 0.1), (1.0, f32::MAX), (1.0, 1e9)]
        {
            let mut point = start;
            point.follow(Vec3::Y, half_life, dt);
            assert!(point.position.distance(Vec3::Y) < 1e-6, "{half_life} {dt}: {point:?}");
        }
    }
}
