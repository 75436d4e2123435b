//! How the joint `root` moves during a clip; poses are relative to it.

use glam::{DQuat, DVec3};

use crate::frame::Frame;
use crate::gait::Gait;
use crate::math::rot_y;

#[derive(Clone, Copy)]
pub(crate) enum RootMotion {
    /// Stays at the origin: who plays the clip moves the figure.
    Still,
    /// Goes with the velocity of the clip's gait.
    Steady,
    /// Turns on the spot, by radians about +Y over seconds.
    Turning(fn(f64) -> f64),
}

impl RootMotion {
    pub(super) fn at(self, gait: Option<&Gait>, time_secs: f64) -> Frame {
        let velocity = gait.map(Gait::velocity).unwrap_or_default();
        match self {
            Self::Still => Frame::IDENTITY,
            Self::Steady => Frame { rotation: DQuat::IDENTITY, translation: velocity * time_secs },
            Self::Turning(yaw) => Frame { rotation: rot_y(yaw(time_secs)), translation: DVec3::ZERO },
        }
    }
}
