//! The way that a clip's root joint makes over the ground, apart from the pose.

mod error;
mod place;
mod split;
mod travel;

use glam::{BVec3, Quat, Vec2, Vec3, Vec4};

use super::reader::CurveReader;
use super::{Clip, Curve, Interpolation};
use crate::clock::{Clock, LoopMode, Moment};
use crate::math;
use crate::skeleton::JointId;
use crate::transform::Transform;

pub use error::{RootMotionError, RootMotionFault};
pub(crate) use place::RootPlace;
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
    /// The same from key to key, if it runs in straight lines, as it mostly does; then [`BEYOND`] more that are never
    /// reached.
    lines: Vec<Line>,
}

/// So many lines after one that may be the last can be looked at.
const BEYOND: usize = 2;
/// Turns since a key up to this, in radians, have a short series.
const SMALL_TURN: f32 = 1.0 / 4.0;

/// A straight way from a key on.
#[derive(Clone, Copy, Debug)]
struct Line {
    secs: f32,
    /// The sine and cosine of the yaw at the key.
    heading: Vec2,
    /// Place and yaw at the key, and how much they change per second.
    numbers: Vec4,
    per_sec: Vec4,
}

impl Line {
    #[inline(always)]
    fn at(&self, secs: f32) -> Vec4 {
        self.numbers + self.per_sec * (secs - self.secs)
    }

    /// The sine and cosine of a yaw on this line, to float precision: those at the key, turned on.
    #[inline(always)]
    fn heading_at(&self, yaw: f32) -> Vec2 {
        let turn = yaw - self.numbers.w;
        if turn.abs() > SMALL_TURN {
            return heading(yaw);
        }
        let squared = turn * turn;
        // The next terms are below a tenth of the last place.
        let sin = turn - turn * squared * (1.0 / 6.0 - squared * (1.0 / 120.0 - squared * (1.0 / 5040.0)));
        let cos = 1.0 - squared * (0.5 - squared * (1.0 / 24.0 - squared * (1.0 / 720.0)));
        let Vec2 { x: sin_before, y: cos_before } = self.heading;
        Vec2::new(sin_before * cos + cos_before * sin, cos_before * cos - sin_before * sin)
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
            Self { secs: times[key], heading: heading(numbers(key).w), numbers: numbers(key), per_sec }
        };
        let is_straight = curve.interpolation() == Interpolation::Linear;
        let mut lines: Vec<_> = (0..if is_straight { times.len() } else { 0 }).map(line).collect();
        if lines.is_empty() || !lines.iter().all(|line| line.per_sec.is_finite()) {
            return Vec::new();
        }
        let never = Self { secs: f32::INFINITY, heading: Vec2::Y, numbers: Vec4::ZERO, per_sec: Vec4::ZERO };
        lines.extend([never; BEYOND]);
        lines
    }
}

/// The sine and cosine of a yaw.
#[inline(never)]
fn heading(yaw: f32) -> Vec2 {
    math::sin_cos(yaw).into()
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
        let mut place = RootPlace::default();
        place.look(self, secs);
        let [x, y, z, yaw] = place.numbers.to_array();
        let (sin, cos) = math::sin_cos(yaw / 2.0);
        Transform {
            translation: Vec3::new(x, y, z),
            rotation: Quat::from_xyzw(0.0, sin, 0.0, cos),
            ..Transform::IDENTITY
        }
    }

    /// The line on which a time lies, if that is the one after a key or the next one.
    #[inline(always)]
    fn line_near(&self, secs: f32, key: &mut usize) -> Option<&Line> {
        let [line, next, last] = self.lines.get(*key..)?.first_chunk::<{ 1 + BEYOND }>()?;
        if !(line.secs <= secs && secs < last.secs) {
            return None;
        }
        let is_after_next = next.secs <= secs;
        *key += usize::from(is_after_next);
        Some(if is_after_next { next } else { line })
    }

    /// Whether it does not turn, and goes in straight lines from key to key.
    pub(crate) fn is_straight(&self) -> bool {
        !self.has_yaw() && !self.lines.is_empty()
    }

    /// The line on which any time lies.
    fn line_anywhere(&self, secs: f32, key: &mut usize) -> Option<&Line> {
        *key = self.reader.key_before(secs);
        self.lines.get(*key)
    }

    /// Place, yaw and heading at any time of a curve that does not run in straight lines.
    #[inline(never)]
    fn bent_at(&self, secs: f32) -> (Vec4, Vec2) {
        let mut numbers = [0.0; 4];
        let width = self.curve().width();
        self.reader.each(secs, &mut numbers[..width], |out, number| *out = number);
        (Vec4::from_array(numbers), heading(numbers[3]))
    }

    /// The way from one time of the clip to another, as seen from where it began: the same bits as a mixer gets that
    /// goes on from where it was.
    pub(crate) fn between(&self, from_secs: f32, to_secs: f32) -> Travel {
        let mut place = RootPlace::default();
        place.look(self, from_secs);
        Travel::of_vec4(place.go_on(self, to_secs))
    }

    /// What a step of a clock covered that began at a moment, whole loops included.
    pub(crate) fn along(&self, from: Moment, clock: &Clock) -> Travel {
        let to = clock.moment();
        let secs = |moment| clock.time_secs_at(moment);
        // A ping-pong goes back the way that it came.
        if from.loops == to.loops || clock.loop_mode() == LoopMode::PingPong {
            return self.between(secs(from), secs(to));
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
        self.reader.bytes() + size_of_val(&self.lines[..])
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
