//! Where the figure's joints are, in metres: Y up, facing +Z, the left side (+X) of an A-pose.
//!
//! About four and a half heads tall, with large hands and boots: a grown hero would be seven to
//! eight heads, but a big head carries the face at the sizes at which games show their figures.

use glam::{DVec3, dvec3};

pub(crate) const HIPS: DVec3 = dvec3(0.0, 0.86, 0.0);
pub(crate) const SPINE: DVec3 = dvec3(0.0, 0.95, 0.0);
pub(crate) const CHEST: DVec3 = dvec3(0.0, 1.08, -0.005);
pub(crate) const NECK: DVec3 = dvec3(0.0, 1.285, -0.015);
pub(crate) const HEAD: DVec3 = dvec3(0.0, 1.365, -0.01);
pub(crate) const CROWN: DVec3 = dvec3(0.0, 1.71, -0.01);
pub(crate) const EYE: DVec3 = dvec3(0.059, 1.512, 0.15);

pub(crate) const CLAVICLE: DVec3 = dvec3(0.035, 1.24, -0.01);
pub(crate) const SHOULDER: DVec3 = dvec3(0.16, 1.228, -0.012);
pub(crate) const ELBOW: DVec3 = dvec3(0.302, 1.068, -0.016);
pub(crate) const WRIST: DVec3 = dvec3(0.436, 0.918, -0.002);
/// From the wrist to the middle of the knuckles, and the way the palm looks.
pub(crate) const HAND_ALONG: DVec3 = dvec3(0.668, -0.744, 0.03);
pub(crate) const HAND_PALM: DVec3 = dvec3(-0.744, -0.668, 0.0);

pub(crate) const HIP: DVec3 = dvec3(0.084, 0.80, 0.0);
pub(crate) const KNEE: DVec3 = dvec3(0.092, 0.45, 0.008);
pub(crate) const ANKLE: DVec3 = dvec3(0.098, 0.105, -0.022);
pub(crate) const BALL: DVec3 = dvec3(0.104, 0.028, 0.092);
pub(crate) const TOE_TIP: DVec3 = dvec3(0.108, 0.028, 0.18);
/// Where the sole first touches the ground in a step.
pub(crate) const HEEL: DVec3 = dvec3(0.098, 0.0, -0.078);
