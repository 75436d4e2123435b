//! What is remembered of feet, and how they stand and feel the ground.

use canter::glam::{DVec3, Vec3};
use canter::math;

use super::{Ground, MAX_LEGS};
use crate::damped::{DampedPoint, Decay};
use crate::turn::{Limit, Turn};
use crate::vector::Vector3;

/// Steeper ground does not tilt a foot further: 0.7 radians, by sine and cosine of their half.
const MAX_TILT: Limit = Limit::from_half(0.342_897_8, 0.939_372_7);
/// Half-lives, in seconds: of the pelvis, whose feet have half of it; and of the way back to the animated
/// place.
const EASE_PELVIS: f32 = 0.08;
const EASE_BACK: f32 = 0.06;
/// So many seconds ahead the toes of a foot that is lifted feel the ground: as long as it takes a foot to rise.
const AHEAD_SECS: f64 = 0.1;

/// What feet remember from one frame to the next. A plain value: clone it, put it back.
#[derive(Clone, Debug, PartialEq)]
pub struct FeetState {
    pub(super) feet: [Foot; MAX_LEGS],
    /// How far the pelvis is from where it is animated.
    pub(super) pelvis: DampedPoint,
    /// Where the character was in the last frame.
    height: f64,
    pub(super) is_new: bool,
}

/// What is remembered of a foot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Foot {
    /// Where it stands in the world, while it is down.
    lock: Option<DVec3>,
    /// Whether it was let go because the character went too far: it stays so until it is lifted.
    is_released: bool,
    /// From where it is animated to where it is shown, over the ground.
    pub(super) offset: Vec3,
    /// The ground below it, relative to the character: x its height.
    pub(super) height: DampedPoint,
    normal: DampedPoint,
    toe_normal: DampedPoint,
    /// The height of the ground below it when there was some.
    ground: f32,
    last_place: DVec3,
    /// How far it gets, over the ground, until it has risen.
    pub(super) ahead: Vec3,
}

impl Default for FeetState {
    /// Feet that come down in the first frame.
    fn default() -> Self {
        Self { feet: [Foot::default(); MAX_LEGS], pelvis: DampedPoint::default(), height: 0.0, is_new: true }
    }
}

impl FeetState {
    /// Feet come down anew in the next frame, wherever the character is then.
    pub fn reset(&mut self) {
        self.is_new = true;
    }

    /// What is relative to the character stays where it is in the world while the character rises. Further
    /// than a leg is long, it jumps.
    pub(super) fn rise(&mut self, height: f64, length: f32) {
        let fallen = self.height - height;
        let stays = fallen.abs() <= f64::from(length);
        self.is_new |= !stays;
        if !self.is_new {
            #[expect(clippy::cast_possible_truncation, reason = "less than a leg's length")]
            let fallen = fallen as f32;
            self.pelvis.position.x += fallen;
            for foot in &mut self.feet {
                foot.height.position.x += fallen;
                foot.ground += fallen;
            }
        }
        self.height = height;
    }

    /// Moves the pelvis towards a height.
    pub(super) fn sink(&mut self, target: f32, ease: &Ease) {
        let target = Vec3::X * target;
        if self.is_new {
            self.pelvis = DampedPoint::new(target);
        } else {
            self.pelvis.follow_by(target, &ease.pelvis);
        }
    }

    /// Whether anything is shown elsewhere than where it is animated.
    pub(super) fn is_off(&self, legs: usize) -> bool {
        self.pelvis.position.x != 0.0 || self.feet.iter().take(legs).any(Foot::is_off)
    }
}

/// How things are eased in a step.
pub(super) struct Ease {
    foot: Decay,
    pelvis: Decay,
    dt_secs: f32,
}

impl Ease {
    pub(super) fn new(dt_secs: f32) -> Self {
        let pelvis = Decay::new(EASE_PELVIS, dt_secs);
        Self { foot: pelvis.twice_as_fast(), pelvis, dt_secs }
    }
}

/// The ground below a foot, and below its toe; and the way from foot to toe.
pub(super) struct Below {
    pub(super) foot: Option<Ground>,
    pub(super) toe: Option<Ground>,
    pub(super) way: Option<Vec3>,
}

/// What a foot is like: whether it and its toe are down, from 0 to 1, and how far it feels.
pub(super) struct Sense {
    pub(super) contact: f32,
    pub(super) toe_contact: f32,
    pub(super) reach: f32,
}

/// Where a foot is animated, along the axes of the world.
pub(super) struct Stance {
    pub(super) place: Vec3,
    /// What of it stays where it is while it is down.
    pub(super) held: Vec3,
    pub(super) is_down: bool,
    /// How far it may be from where it is animated.
    pub(super) release: f32,
    /// Of the leg.
    pub(super) length: f32,
}

impl Foot {
    /// Decides where it stands, over the ground.
    pub(super) fn stand(&mut self, is_new: bool, origin: DVec3, stance: &Stance, ease: &Ease) {
        let Stance { place, held, is_down, release, length } = *stance;
        let animated = origin + place.as_dvec3();
        let length = f64::from(length);
        if is_new || animated.distance_squared(self.last_place) > length * length {
            *self = Self {
                height: self.height,
                normal: self.normal,
                toe_normal: self.toe_normal,
                ground: self.ground,
                last_place: animated,
                ..Self::default()
            };
        }
        let way = if is_down || ease.dt_secs <= 0.0 { DVec3::ZERO } else { animated - self.last_place };
        let ahead = way * (AHEAD_SECS / f64::from(ease.dt_secs.max(1e-6)));
        self.ahead = ahead.clamp_length_max(0.5 * length).as_vec3() * Vec3::new(1.0, 0.0, 1.0);
        self.last_place = animated;
        if is_down && !self.is_released {
            let held = origin + held.as_dvec3();
            let lock = *self.lock.get_or_insert(held + self.offset.as_dvec3());
            let offset = (lock - held).as_vec3() * Vec3::new(1.0, 0.0, 1.0);
            if offset.length_squared() <= release * release {
                self.offset = offset;
                return;
            }
            self.is_released = true;
        }
        if !is_down {
            self.is_released = false;
        }
        self.lock = None;
        if self.offset != Vec3::ZERO {
            self.offset *= math::exp(-std::f32::consts::LN_2 * ease.dt_secs / EASE_BACK);
            if self.offset.length_squared() < 1e-12 {
                self.offset = Vec3::ZERO;
            }
        }
    }

    /// Feels the ground below it.
    pub(super) fn feel(&mut self, is_new: bool, below: &Below, origin: f64, sense: &Sense, ease: &Ease) {
        let known = |ground: &Ground| ground.height.is_finite() && ground.normal.is_finite();
        let ground = below.foot.filter(known);
        let normal =
            ground.and_then(|ground| unit(ground.normal)).filter(|normal| normal.y > 0.0).unwrap_or(Vec3::Y);
        #[expect(clippy::cast_possible_truncation, reason = "it is clamped to the reach of a leg")]
        let relative = |ground: Ground| (ground.height - origin).clamp(-1e6, 1e6) as f32;
        let mut height = ground.map_or(self.ground, relative);
        self.ground = height;
        // What the toe stands on may be higher than the plane that the foot stands on: a step.
        let mut toe_normal = normal;
        if let (Some(toe), Some(way)) = (below.toe.filter(known), below.way) {
            let rise = -(normal.x * way.x + normal.z * way.z) / normal.y.max(0.1);
            height = height.max(relative(toe) - rise);
            toe_normal = unit(toe.normal).filter(|normal| normal.y > 0.0).unwrap_or(normal);
        }
        let height = Vec3::X * height.clamp(-sense.reach, sense.reach);
        let normal = Vec3::Y.lerp(normal, sense.contact);
        let toe_normal = Vec3::Y.lerp(toe_normal, sense.toe_contact);
        if is_new {
            self.height = DampedPoint::new(height);
            self.normal = DampedPoint::new(normal);
            self.toe_normal = DampedPoint::new(toe_normal);
        } else {
            self.height.follow_by(height, &ease.foot);
            self.normal.follow_by(normal, &ease.foot);
            self.toe_normal.follow_by(toe_normal, &ease.foot);
        }
    }

    fn is_off(&self) -> bool {
        self.offset != Vec3::ZERO
            || self.height.position.x != 0.0
            || self.normal.position != Vec3::Y
            || self.toe_normal.position != Vec3::Y
    }

    /// How the ground tilts it, and its toe.
    pub(super) fn tilts(&self) -> [Turn; 2] {
        let tilt = |normal: Vec3| match Vector3::from(normal).try_normalize() {
            Some(normal) => Turn::arc(Vector3::Y, normal, Vector3::X).at_most(MAX_TILT),
            None => Turn::IDENTITY,
        };
        let foot = tilt(self.normal.position);
        let is_same = self.normal.position == self.toe_normal.position;
        [foot, if is_same { foot } else { tilt(self.toe_normal.position) }]
    }
}

/// Level ground stays exactly level.
fn unit(normal: Vec3) -> Option<Vec3> {
    if normal == Vec3::Y { Some(normal) } else { normal.try_normalize() }
}
