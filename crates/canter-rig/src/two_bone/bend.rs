//! How the bones of a limb stand, and should stand, in the space of what it hangs on.

use canter::ModelPose;
use canter::glam::{Mat3, Vec3};

use super::{LimbGoal, TwoBone, knee};
use crate::soft::softened;
use crate::space::{Space, linear_of};
use crate::turn::{TINY, Turn, frame, perpendicular, smooth_step};

/// How bent a limb has to be for its plane to count: the sine of six degrees.
const BENT: f32 = 0.1;
/// Where the pole is nearer to the line to the target than this sine, the plane of the animated pose takes
/// over.
const IN_LINE: f32 = 0.1;

/// A limb before and after it is bent. Directions are of length one.
pub(super) struct Bend {
    old_upper: Vec3,
    old_lower: Vec3,
    new_upper: Vec3,
    new_lower: Vec3,
    /// Of the planes in which the limb is bent.
    old_normal: Vec3,
    normal: Vec3,
    /// Whether the limb is bent in that plane before, too, and is so by its angle alone.
    is_planar: bool,
    has_upper: bool,
    has_lower: bool,
    /// By how much bones become longer.
    pub(super) stretch: f32,
}

impl Bend {
    /// How the first joint turns.
    #[inline]
    pub(super) fn first(&self) -> Turn {
        if !self.has_upper {
            return Turn::IDENTITY;
        }
        let to = Mat3::from_cols(self.new_upper, self.normal, self.new_upper.cross(self.normal));
        Turn::between(frame(self.old_upper, self.old_normal), to)
    }

    /// How the middle joint turns, before the first one does.
    #[inline]
    pub(super) fn second(&self) -> Turn {
        if self.is_planar {
            let angle =
                |upper: Vec3, lower: Vec3, normal: Vec3| [upper.dot(lower), upper.cross(lower).dot(normal)];
            let old = angle(self.old_upper, self.old_lower, self.old_normal);
            let new = angle(self.new_upper, self.new_lower, self.normal);
            return Turn::from_angle_to_angle(self.old_normal, old, new);
        }
        self.lower_frames()
            .map_or(Turn::IDENTITY, |[old, new]| Turn::between(frame(old[0], old[1]), frame(new[0], new[1])))
    }

    /// The lower bone and what is beside it, before the first joint turns: as they are, and should be.
    pub(super) fn lower_frames(&self) -> Option<[[Vec3; 2]; 2]> {
        let back = self.first().inverse();
        let new = [back.rotate(self.new_lower), back.rotate(self.normal)];
        self.has_lower.then_some([[self.old_lower, self.old_normal], new])
    }
}

impl TwoBone {
    /// How the limb is bent to get to its goal; `None` if it cannot be moved.
    #[inline]
    pub(super) fn bend(
        &self,
        space: &Space,
        model: &ModelPose,
        goal: &LimbGoal,
        stretch_weight: f32,
    ) -> Option<Bend> {
        let [a, b, c] = self.joints.map(|joint| space.joint(model, joint));
        let (upper, lower) = (b - a, c - b);
        let (upper_length, lower_length) = (upper.length(), lower.length());
        let length = upper_length + lower_length;
        if !(length > 1e-12 && length < f32::MAX) {
            return None;
        }
        let along = |vector: Vec3, size: f32, otherwise: Vec3| {
            if size > TINY * length { vector * (1.0 / size) } else { otherwise }
        };
        let old_upper = along(upper, upper_length, along(lower, lower_length, Vec3::X));
        let old_lower = along(lower, lower_length, old_upper);
        let old_line = along(c - a, (c - a).length(), old_upper);
        let to_target = space.point(goal.position) - a;
        let distance = to_target.length();
        if distance.is_nan() || distance >= f32::MAX {
            return None;
        }
        let line = along(to_target, distance, old_line);
        let (old_normal, normal, is_bent) =
            self.normals(space, model, goal, a, [old_upper, old_lower, old_line, line]);

        let stretch = if self.max_stretch > 1.0 {
            let most = (distance / (self.soften * length)).clamp(1.0, self.max_stretch);
            1.0 + (most - 1.0) * stretch_weight
        } else {
            1.0
        };
        let (upper_length, lower_length) = (upper_length * stretch, lower_length * stretch);
        let (full, least) = (upper_length + lower_length, (upper_length - lower_length).abs());
        let distance = softened(distance, least, full, self.soften);
        let side = line.cross(normal);
        let (x, y) = knee(distance, upper_length, lower_length);
        let new_upper = along(line * x + side * y, upper_length, line);
        let new_lower = along(line * (distance - x) - side * y, lower_length, new_upper);
        let (has_upper, has_lower) = (upper_length > TINY * length, lower_length > TINY * length);
        Some(Bend {
            old_upper,
            old_lower,
            new_upper,
            new_lower,
            old_normal,
            normal,
            is_planar: is_bent && has_upper && has_lower,
            has_upper,
            has_lower,
            stretch,
        })
    }

    /// The normals of the planes in which the limb is bent: in the animated pose, and in what comes of it;
    /// and whether the animated one is just that.
    #[inline]
    fn normals(
        &self,
        space: &Space,
        model: &ModelPose,
        goal: &LimbGoal,
        start: Vec3,
        [upper, lower, old_line, line]: [Vec3; 4],
    ) -> (Vec3, Vec3, bool) {
        let pole = goal.pole.and_then(|pole| (space.point(pole) - start).try_normalize());
        let pole_normal = pole.map(|pole| {
            let across = pole.cross(line);
            let sine = across.length();
            let normal = if sine >= IN_LINE { across * (1.0 / sine) } else { near_line(pole, line) };
            (normal, sine)
        });
        let (old_normal, is_bent) = self.old_normal(space, model, [upper, lower, old_line], |from| {
            let (normal, _) = pole_normal?;
            Some(Turn::arc(line, from, normal).rotate(normal))
        });
        let carried = || Turn::arc(old_line, line, old_normal).rotate(old_normal);
        let normal = match pole_normal {
            None => perpendicular(carried(), line),
            Some((normal, sine)) if sine >= IN_LINE => normal,
            Some((normal, sine)) => perpendicular(carried().lerp(normal, smooth_step(sine / IN_LINE)), line),
        };
        let twisted = if goal.twist.is_finite() && goal.twist != 0.0 {
            Turn::about(line, if space.mirrors { -goal.twist } else { goal.twist }).rotate(normal)
        } else {
            normal
        };
        (old_normal, twisted, is_bent)
    }

    /// The normal of the plane in which the limb is bent in the animated pose, at right angles to the line
    /// from start to end; and whether the limb is so bent that nothing else counts. `from_pole` is what the
    /// pole would have it, for limbs about which nothing is known.
    #[inline]
    fn old_normal(
        &self,
        space: &Space,
        model: &ModelPose,
        [upper, lower, line]: [Vec3; 3],
        from_pole: impl FnOnce(Vec3) -> Option<Vec3>,
    ) -> (Vec3, bool) {
        let bend = upper.cross(lower);
        let carried = |axis: Vec3| space.inverse * (linear_of(model, self.joints[0]) * axis);
        let (hinge, bent) = match self.hinge {
            Some(axis) => {
                let hinge = perpendicular(carried(axis), line);
                (hinge, bend.dot(hinge))
            }
            None => {
                let hinge = from_pole(line).unwrap_or_else(|| carried(self.some_hinge));
                (perpendicular(hinge, line), bend.length())
            }
        };
        if bent <= 0.0 {
            return (hinge, false);
        }
        let bend = perpendicular(bend, line);
        if bent >= BENT {
            return (bend, true);
        }
        (perpendicular(hinge.lerp(bend, smooth_step(bent / BENT)), line), false)
    }
}

/// The normal towards a pole that is nearly in line.
#[cold]
fn near_line(pole: Vec3, line: Vec3) -> Vec3 {
    perpendicular(pole - line * pole.dot(line), line).cross(line)
}
