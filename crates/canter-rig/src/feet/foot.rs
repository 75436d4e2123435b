//! What is remembered of feet, and how they stand and feel the ground.

use canter::glam::{DVec3, Vec3};
use canter::math;

use super::{Ground, MAX_LEGS};
use crate::damped::DampedPoint;
use crate::turn::{Limit, Turn};

/// Steeper ground does not tilt a foot further.
const MAX_TILT: f32 = 0.7;
/// Half-lives, in seconds: of a foot's height and tilt, of the pelvis, of the way back to the animated place.
const EASE_FOOT: f32 = 0.04;
const EASE_PELVIS: f32 = 0.08;
const EASE_BACK: f32 = 0.06;

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
    /// The height of the ground below it when there was some.
    ground: f32,
    last_place: DVec3,
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
    pub(super) fn sink(&mut self, target: f32, dt_secs: f32) {
        let target = Vec3::X * target;
        if self.is_new {
            self.pelvis = DampedPoint::new(target);
        } else {
            self.pelvis.follow(target, EASE_PELVIS, dt_secs);
        }
    }
}

impl Foot {
    /// Decides where it stands, over the ground.
    pub(super) fn stand(
        &mut self,
        is_new: bool,
        origin: DVec3,
        place: Vec3,
        (is_down, release, length): (bool, f32, f32),
        dt_secs: f32,
    ) {
        let animated = origin + place.as_dvec3();
        if is_new || animated.distance(self.last_place) > f64::from(length) {
            *self = Self { height: self.height, normal: self.normal, ground: self.ground, ..Self::default() };
        }
        self.last_place = animated;
        if is_down && !self.is_released {
            let lock = *self.lock.get_or_insert(animated + self.offset.as_dvec3());
            let offset = (lock - animated).as_vec3() * Vec3::new(1.0, 0.0, 1.0);
            if offset.length() <= release {
                self.offset = offset;
                return;
            }
            self.is_released = true;
        }
        if !is_down {
            self.is_released = false;
        }
        self.lock = None;
        self.offset *= math::exp(-std::f32::consts::LN_2 * dt_secs / EASE_BACK);
        if self.offset.length() < 1e-6 {
            self.offset = Vec3::ZERO;
        }
    }

    /// Feels the ground below it.
    pub(super) fn feel(
        &mut self,
        is_new: bool,
        ground: Option<Ground>,
        origin: f64,
        (contact, reach): (f32, f32),
        dt_secs: f32,
    ) {
        let ground = ground.filter(|ground| ground.height.is_finite() && ground.normal.is_finite());
        #[expect(clippy::cast_possible_truncation, reason = "it is clamped to the reach of a leg")]
        let height = ground.map_or(self.ground, |ground| (ground.height - origin).clamp(-1e6, 1e6) as f32);
        self.ground = height;
        let normal = ground.and_then(|ground| ground.normal.try_normalize()).filter(|normal| normal.y > 0.0);
        let height = Vec3::X * height.clamp(-reach, reach);
        let normal = Vec3::Y.lerp(normal.unwrap_or(Vec3::Y), contact);
        if is_new {
            self.height = DampedPoint::new(height);
            self.normal = DampedPoint::new(normal);
        } else {
            self.height.follow(height, EASE_FOOT, dt_secs);
            self.normal.follow(normal, EASE_FOOT, dt_secs);
        }
    }

    pub(super) fn is_level(&self) -> bool {
        self.normal.position == Vec3::Y
    }

    /// How the ground tilts it.
    pub(super) fn tilt(&self) -> Turn {
        match self.normal.position.try_normalize() {
            Some(normal) => Turn::arc(Vec3::Y, normal, Vec3::X).at_most(Limit::new(MAX_TILT)),
            None => Turn::IDENTITY,
        }
    }
}
