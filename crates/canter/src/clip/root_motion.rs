//! The way that a clip's root joint makes over the ground, apart from the pose.

mod error;
mod split;
mod travel;

use glam::{BVec3, Quat, Vec3, Vec4};

use super::reader::CurveReader;
use super::{Clip, Curve, Interpolation};
use crate::clock::{Clock, LoopMode, Moment};
use crate::math;
use crate::skeleton::JointId;
use crate::transform::Transform;

pub use error::{RootMotionError, RootMotionFault};
pub(crate) use travel::Travel;

/// What of a joint's motion is the character's; see [`Clip::with_root_motion`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMotion {
    /// The joint that leads the others: a root at the feet, or the hips.
    pub joint: JointId,
    /// Which axes of its way, in the space of the model, are taken out of the pose.
    pub axes: BVec3,
    /// Whether turns about the vertical axis are taken out of the pose, too.
    pub yaw: bool,
}

impl RootMotion {
    /// The way over the ground and turns about the vertical: up and down stays in the pose.
    #[must_use]
    pub const fn over_ground(joint: JointId) -> Self {
        Self { joint, axes: BVec3::new(true, false, true), yaw: true }
    }
}

/// The way of a clip's root: where the character has got to at every instant of the clip, relative to where
/// its pose is at rest.
#[derive(Clone, Debug)]
pub struct RootCurve {
    joint: JointId,
    /// Three numbers, the place; or four, the yaw after it.
    reader: CurveReader,
    /// The same from key to key, if it runs in straight lines, as it mostly does.
    lines: Vec<Line>,
}

/// A straight way from a key on.
#[derive(Clone, Copy, Debug)]
struct Line {
    secs: f32,
    /// Place and yaw at the key, and how much they change per second.
    numbers: Vec4,
    per_sec: Vec4,
}

impl Line {
    #[inline]
    fn at(&self, secs: f32) -> Vec4 {
        self.numbers + self.per_sec * (secs - self.secs)
    }

    /// Those of a curve; none if it is bent, or so steep that numbers do not suffice.
    fn all(curve: &Curve) -> Vec<Self> {
        let times = curve.times();
        let numbers = |key: usize| {
            let value = curve.value(key);
            Vec4::from_array(std::array::from_fn(|index| value.get(index).copied().unwrap_or(0.0)))
        };
        let line = |key: usize| {
            let interval_secs = times.get(key + 1).map_or(0.0, |next| next - times[key]);
            let is_short = interval_secs <= 0.0;
            let per_sec =
                if is_short { Vec4::ZERO } else { (numbers(key + 1) - numbers(key)) / interval_secs };
            Self { secs: times[key], numbers: numbers(key), per_sec }
        };
        let is_straight = curve.interpolation() == Interpolation::Linear;
        let lines: Vec<_> = (0..if is_straight { times.len() } else { 0 }).map(line).collect();
        if lines.iter().all(|line| line.per_sec.is_finite()) { lines } else { Vec::new() }
    }
}

impl RootCurve {
    pub(super) fn new(joint: JointId, curve: Curve) -> Self {
        Self { joint, lines: Line::all(&curve), reader: CurveReader::new(curve) }
    }

    /// The joint that it was taken from.
    #[must_use]
    pub fn joint(&self) -> JointId {
        self.joint
    }

    /// The keys: x, y and z in metres and, if it turns, the angle about the vertical in radians, which goes on
    /// beyond a whole turn.
    #[must_use]
    pub fn curve(&self) -> &Curve {
        self.reader.curve()
    }

    /// Whether it turns.
    #[must_use]
    pub fn has_yaw(&self) -> bool {
        self.curve().width() == 4
    }

    /// Where the character is at a time.
    #[must_use]
    pub fn at(&self, secs: f32) -> Transform {
        let [x, y, z, yaw] = self.numbers(secs).to_array();
        let (sin, cos) = math::sin_cos(yaw / 2.0);
        Transform {
            translation: Vec3::new(x, y, z),
            rotation: Quat::from_xyzw(0.0, sin, 0.0, cos),
            ..Transform::IDENTITY
        }
    }

    /// Place and yaw at a time.
    pub(crate) fn numbers(&self, secs: f32) -> Vec4 {
        self.numbers_near(secs, &mut 0)
    }

    /// The same, at less cost if the time lies after the same key as the last one did, or after the next.
    #[inline]
    pub(crate) fn numbers_near(&self, secs: f32, key: &mut usize) -> Vec4 {
        if let Some([line, next, last]) = self.lines.get(*key..).and_then(|lines| lines.first_chunk())
            && line.secs <= secs
            && secs < last.secs
        {
            let is_after_next = next.secs <= secs;
            *key += usize::from(is_after_next);
            return if is_after_next { next } else { line }.at(secs);
        }
        self.numbers_anywhere(secs, key)
    }

    #[inline(never)]
    fn numbers_anywhere(&self, secs: f32, key: &mut usize) -> Vec4 {
        *key = self.reader.place(secs).key;
        if let Some(line) = self.lines.get(*key) {
            // The first key holds before it, too.
            return line.at(secs.max(line.secs));
        }
        let mut numbers = [0.0; 4];
        let width = self.curve().width();
        self.reader.each(secs, &mut numbers[..width], |out, number| *out = number);
        Vec4::from_array(numbers)
    }

    /// The way from one time of the clip to another, as seen from where it began.
    pub(crate) fn between(&self, from_secs: f32, to_secs: f32) -> Travel {
        Travel::between(self.numbers(from_secs), self.numbers(to_secs))
    }

    /// What a step of a clock covered that began at a moment, whole loops included.
    pub(crate) fn along(&self, from: Moment, clock: &Clock) -> Travel {
        let to = clock.moment();
        let secs = |moment| clock.time_secs_at(moment);
        // A ping-pong goes back the way that it came.
        if from.loops == to.loops || clock.loop_mode() == LoopMode::PingPong {
            // Rounded as it is where a mixer goes on from where it was: the same bits by both ways.
            return Travel::of_vec4(self.between(secs(from), secs(to)).to_vec4());
        }
        let (start, end) = clock.range_secs();
        let (first, last) = if from.loops < to.loops { (from, to) } else { (to, from) };
        let whole_loops = last.loops.abs_diff(first.loops) - 1;
        let mut travel = self.between(secs(first), end);
        if whole_loops > 0 {
            travel = travel.then(self.between(start, end).times(whole_loops));
        }
        travel = travel.then(self.between(start, secs(last)));
        if from.loops < to.loops { travel } else { travel.inverse() }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.curve().numbers()) + self.reader.bytes() + size_of_val(&self.lines[..])
    }

    /// Metres per second over the ground: of the straight line, or of the way if it turns.
    fn ground_speed(&self, clip_secs: f32) -> f32 {
        let place = |key: usize| {
            let value = self.curve().value(key);
            Vec3::new(value[0], 0.0, value[2])
        };
        let last = self.curve().times().len() - 1;
        let metres = if self.has_yaw() {
            (0..last).map(|key| place(key).distance(place(key + 1))).sum()
        } else {
            place(0).distance(place(last))
        };
        metres / clip_secs
    }
}

impl Clip {
    /// The way of its root over the ground, if that was taken out of the pose.
    #[must_use]
    pub fn root_motion(&self) -> Option<&RootCurve> {
        self.root.as_deref()
    }

    /// How fast it walks, in metres per second: by its root motion, else what
    /// [`with_ground_speed`](Self::with_ground_speed) said; `None` if neither is known.
    ///
    /// A clip that is played at `speed` covers ground `speed` times as fast.
    #[must_use]
    pub fn ground_speed(&self) -> Option<f32> {
        let by_root = self.root_motion().filter(|_| self.duration_secs > 0.0);
        by_root.map(|root| root.ground_speed(self.duration_secs)).or(self.ground_speed)
    }

    /// How fast it is played to cover so many metres per second; `None` if it does not walk.
    #[must_use]
    pub fn speed_over_ground(&self, metres_per_sec: f32) -> Option<f32> {
        let speed = metres_per_sec / self.ground_speed().filter(|speed| *speed > 1e-6)?;
        speed.is_finite().then_some(speed)
    }

    /// The same clip that is known to walk so fast on the spot: at how many metres per second its standing feet
    /// slide backwards. [`Contacts::ground_speed`](crate::Contacts::ground_speed) measures it. A speed that is
    /// negative or not finite is unknown.
    #[must_use]
    pub fn with_ground_speed(mut self, metres_per_sec: f32) -> Self {
        self.ground_speed = Some(metres_per_sec).filter(|speed| speed.is_finite() && *speed >= 0.0);
        self
    }
}
