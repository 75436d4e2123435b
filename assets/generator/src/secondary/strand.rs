//! A chain of points that hangs on a joint.

use glam::{DQuat, DVec3};

use crate::frame::Frame;
use crate::math::blend;
use crate::pose::Pose;
use crate::rig::Rig;

#[derive(Clone, Copy)]
pub(super) struct Manner {
    /// Share of gravity that the strand's own stiffness does not carry.
    gravity: f64,
    /// How fast a point takes on the air's velocity, 1/s.
    drag: f64,
    /// Pull toward the bind shape, 1/s^2.
    stiffness: f64,
    /// What lies behind the middle of the body and in the strand's way, metres along Z.
    back_z: Option<f64>,
}

impl Manner {
    pub(super) const CLOTH: Self = Self { gravity: 9.81, drag: 4.5, stiffness: 14.0, back_z: Some(-0.150) };
    /// Cloth that lies on other cloth.
    pub(super) const OUTER_CLOTH: Self = Self { back_z: Some(-0.175), ..Self::CLOTH };
    pub(super) const HAIR: Self = Self { gravity: 0.0, drag: 7.0, stiffness: 420.0, back_z: None };
}

pub(super) struct Strand {
    pub parent: usize,
    pub joints: Vec<usize>,
    /// In the bind pose, model space.
    bind_points: Vec<DVec3>,
    manner: Manner,
    /// Now, in model space; the first is fixed to the parent.
    pub points: Vec<DVec3>,
    velocities: Vec<DVec3>,
}

/// How the parent has moved since the bind pose.
#[derive(Clone, Copy)]
pub(super) struct Anchor {
    model_from_bind: Frame,
}

impl Anchor {
    /// As seen by one around whom all has turned.
    pub(super) fn turned(self, by: DQuat) -> Self {
        let Frame { rotation, translation } = self.model_from_bind;
        Self { model_from_bind: Frame { rotation: by * rotation, translation: by * translation } }
    }

    pub(super) fn blended(&self, next: &Self, t: f64) -> Self {
        let (a, b) = (self.model_from_bind, next.model_from_bind);
        Self {
            model_from_bind: Frame {
                rotation: blend(a.rotation, b.rotation, t),
                translation: a.translation.lerp(b.translation, t),
            },
        }
    }
}

impl Strand {
    pub(super) fn new(rig: &Rig, parent: &str, joints: Vec<usize>, points: &[DVec3], manner: Manner) -> Self {
        Self {
            parent: rig.index(parent),
            joints,
            bind_points: points.to_vec(),
            manner,
            points: points.to_vec(),
            velocities: vec![DVec3::ZERO; points.len()],
        }
    }

    pub(super) fn anchor(&self, rig: &Rig, pose: &Pose) -> Anchor {
        let bind_from_model = rig.joints[self.parent].model_from_joint.inverse();
        Anchor { model_from_bind: pose.model_from_joint(rig, self.parent) * bind_from_model }
    }

    /// Puts the strand into its bind shape, at rest.
    pub(super) fn rest(&mut self, anchor: &Anchor) {
        self.points = self.bind_points.iter().map(|&p| anchor.model_from_bind.point(p)).collect();
    }

    pub(super) fn advance(&mut self, anchor: &Anchor, wind: DVec3, secs: f64) {
        let Manner { gravity, drag, stiffness, back_z } = self.manner;
        self.points[0] = anchor.model_from_bind.point(self.bind_points[0]);
        for i in 1..self.points.len() {
            let bone = self.bind_points[i] - self.bind_points[i - 1];
            let at_rest = self.points[i - 1] + anchor.model_from_bind.rotation * bone;
            let before = self.points[i];
            let pull = (at_rest - before) * stiffness + (wind - self.velocities[i]) * drag;
            let velocity = self.velocities[i] + (pull - DVec3::Y * gravity) * secs;
            let mut point = before + velocity * secs;
            if let Some(back_z) = back_z {
                let bind_from_model = anchor.model_from_bind.inverse();
                let mut in_bind = bind_from_model.point(point);
                in_bind.z = in_bind.z.min(back_z - 0.01 * i as f64);
                point = anchor.model_from_bind.point(in_bind);
            }
            let from_last = (point - self.points[i - 1]).normalize();
            self.points[i] = self.points[i - 1] + from_last * bone.length();
            self.velocities[i] = (self.points[i] - before) / secs;
        }
    }
}
