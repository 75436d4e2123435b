//! The five fingers of a hand: one table for the skeleton and for the glove around it.

use glam::{DVec3, dvec3};

use super::landmarks::{HAND_ALONG, HAND_PALM, WRIST};

pub(crate) struct Finger {
    pub name: &'static str,
    /// First knuckle and direction, in hand coordinates: toward the thumb, along the hand, out of the palm.
    root: DVec3,
    direction: DVec3,
    lengths: [f64; 3],
    /// At the first knuckle and at the tip.
    pub radii: (f64, f64),
    /// How far each joint bends in a closed fist, radians.
    pub fist: [f64; 3],
}

/// Slightly spread, so that a gap stays open between two gloved fingers when they are meshed.
pub(crate) const FINGERS: [Finger; 5] = [
    Finger {
        name: "thumb",
        root: dvec3(0.030, 0.026, 0.012),
        direction: dvec3(0.74, 0.62, 0.27),
        lengths: [0.034, 0.029, 0.020],
        radii: (0.0150, 0.0115),
        fist: [0.35, 0.75, 0.85],
    },
    Finger {
        name: "index",
        root: dvec3(0.0345, 0.078, 0.0),
        direction: dvec3(0.11, 1.0, 0.05),
        lengths: [0.036, 0.026, 0.018],
        radii: (0.0118, 0.0098),
        fist: [0.98, 1.35, 0.9],
    },
    Finger {
        name: "middle",
        root: dvec3(0.0115, 0.083, 0.0),
        direction: dvec3(0.03, 1.0, 0.05),
        lengths: [0.039, 0.028, 0.019],
        radii: (0.0120, 0.0100),
        fist: [1.02, 1.38, 0.9],
    },
    Finger {
        name: "ring",
        root: dvec3(-0.0115, 0.080, 0.0),
        direction: dvec3(-0.05, 1.0, 0.05),
        lengths: [0.036, 0.026, 0.018],
        radii: (0.0116, 0.0097),
        fist: [1.06, 1.40, 0.9],
    },
    Finger {
        name: "pinky",
        root: dvec3(-0.034, 0.072, 0.0),
        direction: dvec3(-0.14, 1.0, 0.05),
        lengths: [0.029, 0.021, 0.015],
        radii: (0.0106, 0.0090),
        fist: [1.12, 1.42, 0.9],
    },
];

impl Finger {
    /// The three joints and the tip, on the left hand in the bind pose.
    pub(crate) fn points(&self) -> [DVec3; 4] {
        let direction = self.direction.normalize();
        let mut along = 0.0;
        std::array::from_fn(|i| {
            let point = from_hand(self.root + direction * along);
            along += self.lengths.get(i).copied().unwrap_or(0.0);
            point
        })
    }

    /// Which way the finger curls, in the bind pose of the left hand.
    pub(crate) fn flex_toward(&self) -> DVec3 {
        // A thumb closes across the palm, toward the other fingers' tips.
        let hand = if self.name == "thumb" { dvec3(-0.75, 0.25, 0.6) } else { dvec3(0.0, 0.0, 1.0) };
        from_hand(hand) - WRIST
    }
}

/// From hand coordinates (toward the thumb, along, out of the palm) to the left hand's place in the bind
/// pose.
pub(crate) fn from_hand(p: DVec3) -> DVec3 {
    let along = HAND_ALONG.normalize();
    let pinkyward = along.cross(HAND_PALM).normalize();
    WRIST - pinkyward * p.x + along * p.y + pinkyward.cross(along) * p.z
}

/// The inverse of [`from_hand`].
pub(crate) fn to_hand(p: DVec3) -> DVec3 {
    let along = HAND_ALONG.normalize();
    let pinkyward = along.cross(HAND_PALM).normalize();
    let offset = p - WRIST;
    dvec3(-offset.dot(pinkyward), offset.dot(along), offset.dot(pinkyward.cross(along)))
}
