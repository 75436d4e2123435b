//! A place and a direction: rotation, then translation.

use std::ops::Mul;

use glam::{DQuat, DVec3};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub rotation: DQuat,
    pub translation: DVec3,
}

impl Frame {
    pub(crate) const IDENTITY: Self = Self { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };

    pub(crate) fn inverse(self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { rotation, translation: rotation * -self.translation }
    }

    pub(crate) fn point(self, p: DVec3) -> DVec3 {
        self.rotation * p + self.translation
    }
}

impl Mul for Frame {
    type Output = Self;

    fn mul(self, inner: Self) -> Self {
        let rotation = (self.rotation * inner.rotation).normalize();
        Self { rotation, translation: self.point(inner.translation) }
    }
}
