//! placeholder
use super::pose::Pose;
use super::rig::Rig;
pub(crate) fn swing(_rig: &Rig, _poses: &mut [Pose], _dt: f64, _speed: f64) {}
