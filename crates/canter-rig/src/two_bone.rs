//! Arms and legs: two bones that bring a hand or a foot to a target.
//!
//! ```
//! # use canter::glam::Vec3;
//! # use canter::{ModelPose, Pose, Skeleton, Transform};
//! # let mut joints = Skeleton::builder();
//! # joints.joint("hips", None, Transform::from_translation(Vec3::Y));
//! # joints.joint("thigh", Some(0), Transform::IDENTITY);
//! # joints.joint("shin", Some(1), Transform::from_translation(Vec3::new(0.0, -0.5, 0.05)));
//! # joints.joint("foot", Some(2), Transform::from_translation(Vec3::new(0.0, -0.5, -0.05)));
//! # let skeleton = joints.build()?;
//! # let [thigh, shin, foot] = ["thigh", "shin", "foot"].map(|name| skeleton.joint(name).unwrap());
//! # let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
//! use canter_rig::{LimbGoal, TwoBone};
//!
//! let leg = TwoBone::new(&skeleton, [thigh, shin, foot])?;
//! // After sampling and composing: the foot onto a step, the knee forwards.
//! let step = Vec3::new(0.0, 0.3, 0.2);
//! let reach = leg.apply(&mut pose, &mut model, &LimbGoal::at(step).pole(Vec3::Z * 5.0));
//! assert!(reach.is_reached && model.joint(foot).transform_point3(Vec3::ZERO).abs_diff_eq(step, 1e-5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The middle joint bends to one side only, about its *hinge*: the axis about which it is bent at rest, or
//! one that is given. Where the limb is bent in the animated pose, the plane in which it is bent counts
//! instead; only a limb that is straight, or bent the wrong way, is bent about its hinge.
//!
//! Degenerate cases, all finite:
//!
//! | case | answer |
//! |---|---|
//! | target or weight not a number, weight 0 | nothing changes |
//! | target at the start | the limb folds as far as it can, in the direction that it has |
//! | target out of reach | the limb points there, nearly straight |
//! | a bone without length | the other one points at the target |
//! | both without length, or flat: scaled to nothing above | nothing changes |
//! | straight at rest, and no hinge given | bent towards the pole, or else always in the same plane |
//! | pole in line with the target | the plane of the animated pose, and a smooth change to it nearby |
//! | target opposite to where the limb points | turned about the hinge, within the plane of the limb |
//! | uneven scale within the limb | lengths change as bones turn: several rounds; what is left is told |

use canter::glam::{Mat3, Vec3};
use canter::{JointId, ModelPose, Pose, Skeleton, Subtree, Transform};

use crate::end::{LimbEnd, turn_joint};
use crate::error::{RigError, check_direction, check_line, check_range};
use crate::reach::Reach;
use crate::soft::softened;
use crate::space::{Space, invert, linear_of, orientation, position};
use crate::turn::{TINY, Turn, frame, perpendicular, smooth_step};

/// How bent a limb has to be for its plane to count: the sine of six degrees.
const BENT: f32 = 0.1;
/// Where the pole is nearer to the line to the target than this sine, the plane of the animated pose takes
/// over.
const IN_LINE: f32 = 0.1;
/// Rounds for limbs whose bones change their length as they turn.
const ROUNDS_UNEVEN: usize = 8;

/// Two bones that bring an end to a target; see the [module](self).
#[derive(Clone, Debug)]
pub struct TwoBone {
    joints: [JointId; 3],
    parents: [Option<JointId>; 3],
    /// The axis of the middle joint in the space of the first, if it is known.
    hinge: Option<Vec3>,
    /// What to bend about if nothing is known.
    some_hinge: Vec3,
    soften: f32,
    max_stretch: f32,
    /// All joints between the first, which does not count, and the last, which does.
    path: Vec<JointId>,
    subtree: Subtree,
    end_subtree: Subtree,
}

/// Where a limb should get to. All of it is in the space of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbGoal {
    /// Where its end should be.
    pub position: Vec3,
    /// A point towards which the middle joint bends; `None` for the plane of the animated pose.
    pub pole: Option<Vec3>,
    /// Turns the middle joint about the line from start to end, in radians.
    pub twist: f32,
    /// How the end is turned.
    pub end: LimbEnd,
    /// 0 leaves the pose as it is, 1 gets there.
    pub weight: f32,
}

impl LimbGoal {
    /// At a point, with full weight.
    #[must_use]
    pub const fn at(position: Vec3) -> Self {
        Self { position, pole: None, twist: 0.0, end: LimbEnd::Follow, weight: 1.0 }
    }

    /// On something that another joint carries, such as the second hand on a weapon in the first: where on
    /// it, in the space of that joint, and how the end is turned there. Its scale is not used.
    ///
    /// # Panics
    /// If the joint belongs to a larger skeleton.
    #[must_use]
    pub fn on(model: &ModelPose, joint: JointId, place: Transform) -> Self {
        let linear = linear_of(model, joint);
        let goal = Self::at(position(model, joint) + linear * place.translation);
        let turned = |axes| Turn::between(Mat3::IDENTITY, axes) * Turn::from_quat(place.rotation);
        goal.end(orientation(&linear).map_or(LimbEnd::Follow, |axes| LimbEnd::Turn(turned(axes).to_quat())))
    }

    /// Bent towards a point.
    #[must_use]
    pub const fn pole(self, pole: Vec3) -> Self {
        Self { pole: Some(pole), ..self }
    }

    /// With the end turned so.
    #[must_use]
    pub const fn end(self, end: LimbEnd) -> Self {
        Self { end, ..self }
    }

    /// Only so much of it.
    #[must_use]
    pub const fn weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

impl TwoBone {
    /// For a thigh, a shin and a foot, or an upper arm, a forearm and a hand. Other joints may lie between
    /// them.
    ///
    /// # Errors
    /// If they do not hang on each other.
    pub fn new(skeleton: &Skeleton, joints: [JointId; 3]) -> Result<Self, RigError> {
        check_line(skeleton, &joints)?;
        let [start, _, end] = joints;
        let mut path = Vec::new();
        let mut joint = end;
        while joint != start {
            path.push(joint);
            joint = skeleton.parent(joint).expect("they hang on each other");
        }
        let rest = ModelPose::rest(skeleton);
        let (hinge, some_hinge) = rest_hinge(&rest, joints);
        Ok(Self {
            joints,
            parents: joints.map(|joint| skeleton.parent(joint)),
            hinge,
            some_hinge,
            soften: 0.97,
            max_stretch: 1.0,
            path,
            subtree: Subtree::new(skeleton, &[start]),
            end_subtree: Subtree::new(skeleton, &[end]),
        })
    }

    /// Bends the middle joint about this axis, given in the space of the first joint: counterclockwise, if it
    /// points at you, from the first bone to the second.
    ///
    /// # Errors
    /// If it has no length.
    pub fn hinge(self, axis: Vec3) -> Result<Self, RigError> {
        Ok(Self { hinge: Some(check_direction("hinge", axis)?), ..self })
    }

    /// A limb that is straight at rest bends towards this direction of the model there: knees forwards,
    /// elbows backwards. One that is bent at rest, or has a hinge already, is left as it is.
    ///
    /// # Errors
    /// If the direction has no length.
    pub fn bends_towards(self, skeleton: &Skeleton, direction: Vec3) -> Result<Self, RigError> {
        let direction = check_direction("direction", direction)?;
        if self.hinge.is_some() {
            return Ok(self);
        }
        let rest = ModelPose::rest(skeleton);
        let [start, _, end] = self.joints.map(|joint| position(&rest, joint));
        let line = (end - start).try_normalize();
        let hinge = line.zip(invert(&linear_of(&rest, self.joints[0]))).and_then(|(line, (inverse, _))| {
            (inverse * perpendicular(direction, line).cross(line)).try_normalize()
        });
        Ok(Self { hinge, ..self })
    }

    /// From which part of its length on the limb falls behind a target that moves away; 0.97 unless set. 1
    /// lets it snap straight.
    ///
    /// # Errors
    /// If it is not from 0.5 to 1.
    pub fn soften(self, part: f32) -> Result<Self, RigError> {
        Ok(Self { soften: check_range("soften", part, 0.5, 1.0)?, ..self })
    }

    /// Up to which factor bones become longer for targets that are too far away; 1 unless set.
    ///
    /// # Errors
    /// If it is not from 1 to 10.
    pub fn max_stretch(self, factor: f32) -> Result<Self, RigError> {
        Ok(Self { max_stretch: check_range("max_stretch", factor, 1.0, 10.0)?, ..self })
    }

    /// The joints: start, middle, end.
    #[must_use]
    pub fn joints(&self) -> [JointId; 3] {
        self.joints
    }

    /// Turns the joints so that the end gets to its goal, as far as it can, and composes again what hangs on
    /// them.
    ///
    /// # Panics
    /// If pose or model were made for another skeleton; `model` has to be composed of `pose`.
    pub fn apply(&self, pose: &mut Pose, model: &mut ModelPose, goal: &LimbGoal) -> Reach {
        let end = self.joints[2];
        if !goal.position.is_finite() {
            return Reach::NOTHING;
        }
        let weight = if goal.weight > 0.0 { goal.weight.min(1.0) } else { 0.0 };
        if weight > 0.0 {
            let rotation = |joint| Turn::from_quat(pose.joint(joint).rotation);
            let before = (weight < 1.0).then(|| self.joints.map(rotation));
            let is_solved = self.solve(pose, model, goal, weight).is_some();
            if let Some(before) = before.filter(|_| is_solved) {
                for (joint, before) in self.joints.into_iter().zip(before) {
                    let mut local = pose.joint_mut(joint);
                    local.rotation = before.toward(Turn::from_quat(local.rotation), weight).to_quat();
                }
                model.recompose(&self.subtree, pose);
            }
        }
        let [a, b, c] = self.joints.map(|joint| position(model, joint));
        let length = a.distance(b) + b.distance(c);
        Reach::within(position(model, end).distance(goal.position), length)
    }

    /// In full, but for the stretch; `None` if the limb cannot be moved.
    fn solve(&self, pose: &mut Pose, model: &mut ModelPose, goal: &LimbGoal, weight: f32) -> Option<()> {
        let orientation_before = linear_of(model, self.joints[2]);
        let is_even = self.path.iter().chain([&self.joints[0]]).all(|&joint| {
            let scale = pose.joint(joint).scale;
            let even = scale.x.abs();
            joint == self.joints[2] || (scale.abs() - Vec3::splat(even)).abs().max_element() <= 1e-4 * even
        });
        let rounds = if is_even { 1 } else { ROUNDS_UNEVEN };
        for round in 0..rounds {
            let bent = self.bend(pose, model, goal, if round == 0 { weight } else { 0.0 });
            if bent.is_none() {
                return if round == 0 { None } else { Some(()) };
            }
            model.recompose(&self.subtree, pose);
        }
        let end = (self.joints[2], self.parents[2], &self.end_subtree);
        goal.end.apply(pose, model, end, &orientation_before);
        Some(())
    }

    /// One round: turns the first two joints.
    fn bend(&self, pose: &mut Pose, model: &ModelPose, goal: &LimbGoal, stretch_weight: f32) -> Option<()> {
        let [start, middle, _] = self.joints;
        let space = Space::of(model, self.parents[0])?;
        let [a, b, c] = self.joints.map(|joint| space.joint(model, joint));
        let (upper, lower) = (b - a, c - b);
        let (upper_length, lower_length) = (upper.length(), lower.length());
        let length = upper_length + lower_length;
        if !(length > 1e-12 && length.is_finite()) {
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
        if !distance.is_finite() {
            return None;
        }
        let line = along(to_target, distance, old_line);
        let (old_normal, normal) =
            self.normals(&space, model, goal, a, [old_upper, old_lower, old_line, line]);

        let stretch = 1.0 + (self.stretch(distance, length) - 1.0) * stretch_weight;
        let (upper_length, lower_length) = (upper_length * stretch, lower_length * stretch);
        let (full, least) = (upper_length + lower_length, (upper_length - lower_length).abs());
        let distance = softened(distance, least, full, self.soften);
        let side = line.cross(normal);
        let (x, y) = knee(distance, upper_length, lower_length);
        let new_upper = along(line * x + side * y, upper_length, line);
        let new_lower = along(line * (distance - x) - side * y, lower_length, new_upper);

        let mut first = Turn::IDENTITY;
        if upper_length > TINY * length {
            let new_upper = new_upper.normalize_or(line);
            first = Turn::between(frame(old_upper, old_normal), frame(new_upper, normal));
            turn_joint(pose, start, first);
        }
        if lower_length > TINY * length {
            let back = first.inverse();
            let frames = [[old_lower, old_normal], [back.rotate(new_lower), back.rotate(normal)]];
            if let Some([old, new]) = self.seen_from_middle(&space, model, frames) {
                turn_joint(pose, middle, Turn::between(old, new));
            }
        }
        if stretch > 1.0 {
            for &joint in &self.path {
                pose.joint_mut(joint).translation *= stretch;
            }
        }
        Some(())
    }

    /// Frames, each by a direction and one beside it, in the space of what the middle joint hangs on; `None`
    /// if that is flat.
    fn seen_from_middle(
        &self,
        space: &Space,
        model: &ModelPose,
        frames: [[Vec3; 2]; 2],
    ) -> Option<[Mat3; 2]> {
        let (inverse, _) = invert(&linear_of(model, self.parents[1]?))?;
        let seen = inverse * space.linear;
        let seen_frame = |[along, beside]: [Vec3; 2]| {
            (seen * along).try_normalize().map(|along| frame(along, seen * beside))
        };
        Some([seen_frame(frames[0])?, seen_frame(frames[1])?])
    }

    /// The normals of the planes in which the limb is bent: in the animated pose, and in what comes of it.
    fn normals(
        &self,
        space: &Space,
        model: &ModelPose,
        goal: &LimbGoal,
        start: Vec3,
        [upper, lower, old_line, line]: [Vec3; 4],
    ) -> (Vec3, Vec3) {
        let pole = goal.pole.and_then(|pole| (space.point(pole) - start).try_normalize());
        let pole_normal = pole.map(|pole| {
            let beside = pole - line * pole.dot(line);
            (perpendicular(beside, line).cross(line), beside.length())
        });
        let old_normal = self.old_normal(space, model, [upper, lower, old_line], |from| {
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
        (old_normal, twisted)
    }

    /// The normal of the plane in which the limb is bent in the animated pose, at right angles to the line
    /// from start to end. `from_pole` is what the pole would have it, for limbs about which nothing is known.
    fn old_normal(
        &self,
        space: &Space,
        model: &ModelPose,
        [upper, lower, line]: [Vec3; 3],
        from_pole: impl FnOnce(Vec3) -> Option<Vec3>,
    ) -> Vec3 {
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
            return hinge;
        }
        let bend = perpendicular(bend, line);
        if bent >= BENT { bend } else { perpendicular(hinge.lerp(bend, smooth_step(bent / BENT)), line) }
    }

    /// By how much bones become longer.
    fn stretch(&self, distance: f32, length: f32) -> f32 {
        (distance / (self.soften * length)).clamp(1.0, self.max_stretch)
    }
}

/// Where the middle joint is: along the line from start to end, and beside it.
pub(crate) fn knee(distance: f32, upper: f32, lower: f32) -> (f32, f32) {
    if distance <= TINY * (upper + lower) {
        return (0.0, upper);
    }
    let along = (distance * distance + (upper - lower) * (upper + lower)) / (2.0 * distance);
    let along = along.clamp(-upper, upper);
    (along, ((upper - along) * (upper + along)).max(0.0).sqrt())
}

/// The axis about which a limb is bent at rest, in the space of its first joint; and some axis across it.
fn rest_hinge(rest: &ModelPose, joints: [JointId; 3]) -> (Option<Vec3>, Vec3) {
    let some = (None, Vec3::X);
    let Some(space) = Space::of(rest, Some(joints[0])) else { return some };
    let [a, b, c] = joints.map(|joint| space.joint(rest, joint));
    let Some(upper) = (b - a).try_normalize() else { return some };
    let across = upper.any_orthonormal_vector();
    let Some(lower) = (c - b).try_normalize() else { return (None, across) };
    let bend = upper.cross(lower);
    // Half a degree: less is what exporters leave of a straight limb.
    (bend.try_normalize().filter(|_| bend.length() > 0.0087), across)
}
