//! What the figure hides of the ground: its bones, as thick as limbs.
//!
//! Lines over the picture know no depth. A footprint that shines through the boot upon it does not lie on the
//! ground, so that what is behind a bone is left out.

use canter::JointId;
use canter::glam::DVec3;
use egui::{Pos2, Vec2};

use super::lens::Lens;
use crate::window::view::View;

/// How thick limbs are, as a part of the figure's height.
const THICKNESS: f64 = 0.05;

/// The bones of the figure in the window.
pub(super) struct Silhouette(Vec<Bone>);

struct Bone {
    from: End,
    to: End,
}

#[derive(Clone, Copy)]
struct End {
    point: Pos2,
    /// Metres from the camera.
    depth: f32,
    /// Points in the window.
    radius: f32,
}

impl Silhouette {
    pub(super) fn new(view: &View, lens: &Lens<'_>) -> Self {
        let skeleton = &view.session.model().asset.skeleton;
        let thickness = THICKNESS * f64::from(view.session.height());
        let place = |joint| view.session.joint_place(joint);
        let end = |place| End::new(lens, place, thickness);
        let mut bones = Vec::new();
        for joint in skeleton.joints() {
            // From a root on the ground to the hips there is nothing to see.
            let is_root =
                |above: JointId| skeleton.parent(above).is_none() || Some(above) == view.session.root_joint();
            let Some(above) = skeleton.parent(joint).filter(|above| !is_root(*above)) else { continue };
            let (from, to) = (place(above), place(joint));
            bones.extend(end(from).zip(end(to)).map(|(from, to)| Bone { from, to }));
            // The tips of toes and fingers have no joints.
            let is_last = skeleton.joints().all(|other| skeleton.parent(other) != Some(joint));
            let mut tip = to + (to - from) * 0.7;
            tip.y = tip.y.max(to.y);
            if is_last {
                bones.extend(end(to).zip(end(tip)).map(|(from, to)| Bone { from, to }));
            }
        }
        Self(bones)
    }

    /// Whether a place is behind the figure.
    pub(super) fn hides(&self, lens: &Lens<'_>, place: DVec3) -> bool {
        let Some(at) = End::new(lens, place, 0.0) else { return false };
        self.0.iter().any(|bone| bone.hides(at))
    }
}

impl End {
    fn new(lens: &Lens<'_>, place: DVec3, thickness: f64) -> Option<Self> {
        let (depth, radius) = lens.depth(place, thickness);
        Some(Self { point: lens.point(place)?, depth, radius })
    }
}

impl Bone {
    fn hides(&self, at: End) -> bool {
        let (along, to): (Vec2, Vec2) = (self.to.point - self.from.point, at.point - self.from.point);
        let part = (to.dot(along) / along.length_sq().max(1e-6)).clamp(0.0, 1.0);
        let mix = |from: f32, to: f32| from + (to - from) * part;
        let is_near = (to - along * part).length() < mix(self.from.radius, self.to.radius);
        is_near && mix(self.from.depth, self.to.depth) < at.depth
    }
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    #[test]
    fn what_is_behind_a_bone_is_hidden_and_what_is_beside_or_before_it_is_not() {
        let end = |x, y, depth| End { point: pos2(x, y), depth, radius: 10.0 };
        let bone = Bone { from: end(100.0, 100.0, 4.0), to: end(100.0, 200.0, 6.0) };
        for (x, y, depth, is_hidden) in [
            (105.0, 150.0, 5.5, true),
            (105.0, 150.0, 4.5, false),
            (115.0, 150.0, 9.0, false),
            (100.0, 209.0, 9.0, true),
            (100.0, 212.0, 9.0, false),
        ] {
            assert_eq!(bone.hides(end(x, y, depth)), is_hidden, "{x} {y} {depth}");
        }
    }
}
