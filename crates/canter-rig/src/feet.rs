//! Feet on stairs and slopes: the pelvis goes down or up, both legs follow, and feet that stand do not slide.
//!
//! ```
//! # use canter::glam::{DAffine3, DVec3, Vec3};
//! # use canter::{ModelPose, Pose, Skeleton, Transform};
//! # let mut joints = Skeleton::builder();
//! # joints.joint("hips", None, Transform::from_translation(Vec3::Y * 0.9));
//! # for (side, x) in [("L", 0.1), ("R", -0.1)] {
//! #     let hips = 0;
//! #     let hip = Transform::from_translation(Vec3::X * x);
//! #     let thigh = joints.joint(format!("thigh.{side}"), Some(hips), hip);
//! #     let knee = Transform::from_translation(Vec3::new(0.0, -0.4, 0.02));
//! #     let shin = joints.joint(format!("shin.{side}"), Some(thigh), knee);
//! #     let ankle = Transform::from_translation(Vec3::new(0.0, -0.4, -0.02));
//! #     joints.joint(format!("foot.{side}"), Some(shin), ankle);
//! # }
//! # let skeleton = joints.build()?;
//! # let joint = |name: &str| skeleton.joint(name).unwrap();
//! # let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
//! use canter_rig::{Feet, FeetState, FeetStep, Ground, Leg};
//!
//! let of = |side| ["thigh", "shin", "foot"].map(|name| joint(&format!("{name}.{side}")));
//! let legs = [Leg::new(of("L")), Leg::new(of("R"))];
//! let feet = Feet::new(&skeleton, joint("hips"), &legs)?;
//! let mut state = FeetState::default();
//! // A step of 20 cm under the left foot.
//! let ground = |place: DVec3| Some(Ground::flat(if place.x > 0.0 { 0.2 } else { 0.0 }));
//! let step = FeetStep::new(1.0 / 60.0, DAffine3::IDENTITY);
//! feet.apply(&mut state, &mut pose, &mut model, &step, ground);
//! assert!((model.joint(joint("foot.L")).w_axis.y - 0.3).abs() < 1e-3); // 10 cm above the ground, as at rest
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The animated pose is taken to walk on a plane at the height of the character's origin. What a foot is
//! above that plane it is above the ground, too. A foot that is down stands where it came down, in the world,
//! until it is lifted or the character has gone too far; then it goes back to where it is animated smoothly. With
//! a toe it is that which stands: when the heel is lifted, the ball of the foot is still where it was. A leg that
//! is too short for its toe to stay down draws the pelvis after it. On the edge of a step the higher one of heel and
//! toe counts: going up, a foot stands on its ball. The toe of a foot that is lifted feels the ground where it is a
//! tenth of a second later, so that it goes over the edge.
//!
//! Knees bend as they do at rest; those that are straight there bend forwards, along z.
//!
//! Degenerate cases, all finite:
//!
//! | case | answer |
//! |---|---|
//! | first frame, or after [`FeetState::reset`] | feet are on the ground at once, nothing is eased |
//! | no ground under a foot (an edge, `None`), or not a number | the last height goes on |
//! | ground deeper or higher than [`Feet::reach`] | the leg is stretched, or bent, as far as that |
//! | weight 0 or not a number | nothing changes |
//! | step of 0, negative or NaN | nothing is eased |
//! | a jump of more than a leg's length | feet come down anew |

mod foot;

use canter::glam::{DAffine3, DVec3, Vec3};
use canter::{JointId, ModelPose, Pose, Skeleton, Subtree};

use crate::end::turn_in_model;
use crate::error::{RigError, check_line, check_range};
use crate::reach::Reach;
use crate::space::{Axes, Space, invert, position};
use crate::turn::smooth_step;
use crate::two_bone::{LimbGoal, TwoBone};
use crate::vector::{Matrix3, Vector3};

pub use foot::FeetState;
use foot::{Below, Ease, Sense, Stance};

/// As many legs as a character has at most.
const MAX_LEGS: usize = 8;

/// Legs that stand on the ground; see the [module](self).
#[derive(Clone, Debug)]
pub struct Feet {
    pelvis: JointId,
    pelvis_parent: Option<JointId>,
    legs: Vec<(Leg, TwoBone)>,
    sizes: Vec<Size>,
    reach: f32,
    release: f32,
    subtree: Subtree,
}

/// What is measured of a leg at rest.
#[derive(Clone, Copy, Debug)]
struct Size {
    length: f32,
    /// How high the foot is, and the toe.
    foot: f32,
    toe: f32,
    /// What the toe hangs on.
    toe_parent: Option<JointId>,
}

/// One of the legs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// Thigh, shin and foot.
    pub joints: [JointId; 3],
    /// The ball of the foot, where the toes bend; `None` if there is none.
    pub toe: Option<JointId>,
}

impl Leg {
    /// Of thigh, shin and foot.
    #[must_use]
    pub const fn new(joints: [JointId; 3]) -> Self {
        Self { joints, toe: None }
    }

    /// With toes: they stay on the ground while the heel is lifted, and the foot is put onto a step that they
    /// are above already.
    #[must_use]
    pub const fn toe(self, toe: JointId) -> Self {
        Self { toe: Some(toe), ..self }
    }
}

/// The ground under a foot, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// How high it is.
    pub height: f64,
    /// Where it faces.
    pub normal: Vec3,
}

impl Ground {
    /// Level ground.
    #[must_use]
    pub const fn flat(height: f64) -> Self {
        Self { height, normal: Vec3::Y }
    }
}

/// Whether a foot is down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum FootContact {
    /// By how high the animated foot is.
    #[default]
    Detect,
    /// It is down, or not: as markers of the clip say.
    Known(bool),
}

/// What drives feet in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeetStep<'a> {
    /// How long it is.
    pub dt_secs: f32,
    /// Where the character is.
    pub world_from_model: DAffine3,
    /// For each leg whether its foot is down; those that are left out are detected.
    pub contacts: &'a [FootContact],
    /// 0 leaves the pose as it is.
    pub weight: f32,
}

impl FeetStep<'_> {
    /// With contacts that are detected, in full.
    #[must_use]
    pub const fn new(dt_secs: f32, world_from_model: DAffine3) -> Self {
        Self { dt_secs, world_from_model, contacts: &[], weight: 1.0 }
    }
}

impl Feet {
    /// For a pelvis and the legs that hang on it.
    ///
    /// # Errors
    /// If joints of a leg do not hang on each other, or the first one not on the pelvis; or if there are no
    /// legs or more than 8.
    pub fn new(skeleton: &Skeleton, pelvis: JointId, legs: &[Leg]) -> Result<Self, RigError> {
        if !(1..=MAX_LEGS).contains(&legs.len()) {
            return Err(RigError::JointCount { count: legs.len(), takes: (1, MAX_LEGS) });
        }
        let rest = ModelPose::rest(skeleton);
        let (mut solvers, mut sizes) = (Vec::with_capacity(legs.len()), Vec::with_capacity(legs.len()));
        for leg in legs {
            check_line(skeleton, &[pelvis, leg.joints[0]])?;
            // Clips have legs that are nearly straight: a foot that stands must not be drawn up by softness.
            let solver = TwoBone::new(skeleton, leg.joints)?.soften(0.995)?;
            solvers.push((*leg, solver.bends_towards(skeleton, Vec3::Z)?));
            let place = |joint: JointId| Vec3::from(position(&rest, joint));
            let [hip, knee, ankle] = leg.joints.map(place);
            if let Some(toe) = leg.toe {
                check_line(skeleton, &[leg.joints[2], toe])?;
            }
            sizes.push(Size {
                length: hip.distance(knee) + knee.distance(ankle),
                foot: ankle.y,
                toe: leg.toe.map_or(0.0, |toe| place(toe).y),
                toe_parent: leg.toe.and_then(|toe| skeleton.parent(toe)),
            });
        }
        Ok(Self {
            pelvis,
            pelvis_parent: skeleton.parent(pelvis),
            legs: solvers,
            sizes,
            reach: 0.6,
            release: 0.35,
            subtree: Subtree::new(skeleton, &[pelvis]),
        })
    }

    /// How far below and above the character's origin ground counts, as a part of a leg's length; 0.6 unless
    /// set.
    ///
    /// # Errors
    /// If it is not from 0 to 1.
    pub fn reach(self, part: f32) -> Result<Self, RigError> {
        Ok(Self { reach: check_range("reach", part, 0.0, 1.0)?, ..self })
    }

    /// How far a foot that is down may be from where it is animated before it is let go, as a part of the
    /// leg's length; 0.35 unless set, 0 lets feet slide.
    ///
    /// # Errors
    /// If it is not from 0 to 1.
    pub fn release(self, part: f32) -> Result<Self, RigError> {
        Ok(Self { release: check_range("release", part, 0.0, 1.0)?, ..self })
    }

    /// Puts feet onto the ground, which is asked for once per foot and once per toe, with a place in the
    /// world; composes again what hangs on the pelvis. What remains is the largest of all feet.
    ///
    /// # Panics
    /// If pose or model were made for another skeleton; `model` has to be composed of `pose`.
    pub fn apply(
        &self,
        state: &mut FeetState,
        pose: &mut Pose,
        model: &mut ModelPose,
        step: &FeetStep<'_>,
        ground: impl FnMut(DVec3) -> Option<Ground>,
    ) -> Reach {
        let Some(world) = World::new(&step.world_from_model) else { return Reach::NOTHING };
        let mut shown = [Vec3::ZERO; MAX_LEGS];
        self.stand(state, model, &world, step, ground, &mut shown);
        let weight = if step.weight > 0.0 { step.weight.min(1.0) } else { 0.0 };
        if weight > 0.0 && state.is_off(self.legs.len()) {
            self.write(state, pose, model, &world, &shown, weight);
            model.recompose(&self.subtree, pose);
        }
        self.remaining(model, &world, &shown)
    }

    /// Decides where feet and pelvis are: `shown` is where the feet are, along the axes of the world.
    fn stand(
        &self,
        state: &mut FeetState,
        model: &ModelPose,
        world: &World,
        step: &FeetStep<'_>,
        mut ground: impl FnMut(DVec3) -> Option<Ground>,
        shown: &mut [Vec3; MAX_LEGS],
    ) {
        let ease = Ease::new(if step.dt_secs > 0.0 { step.dt_secs.min(1e3) } else { 0.0 });
        let origin = world.origin;
        state.rise(origin.y, self.sizes[0].length * world.height);
        let (mut lowest, mut mean) = (f32::INFINITY, 0.0);
        let mut contacts = [0.0; MAX_LEGS];
        let mut hangs = [(0.0, 0.0); MAX_LEGS];
        for (index, ((leg, _), size)) in self.legs.iter().zip(&self.sizes).enumerate() {
            let length = size.length * world.height;
            let is_near = |place: Vec3, rest: f32| {
                1.0 - smooth_step(((place.y - rest * world.height) / length - 0.02) / 0.06)
            };
            let place_of = |joint: JointId| Vec3::from(world.linear * position(model, joint));
            let place = place_of(leg.joints[2]);
            let toe = leg.toe.map(place_of);
            let known = match step.contacts.get(index) {
                Some(FootContact::Known(is_down)) => Some(*is_down),
                _ => None,
            };
            let contact =
                known.map_or_else(|| is_near(place, size.foot), |is_down| f32::from(u8::from(is_down)));
            let toe_contact = toe.map_or(contact, |toe| contact.max(is_near(toe, size.toe)));
            let foot = &mut state.feet[index];
            let stance = Stance {
                place,
                // While the heel is lifted, and before it all comes down, the ball of the foot does not move.
                held: toe.unwrap_or(place),
                is_down: known.unwrap_or(toe.map_or(contact, |toe| is_near(toe, size.toe)) > 0.5),
                release: self.release * length,
                length,
            };
            foot.stand(state.is_new, origin, &stance, &ease);
            let mut at = |place: Vec3| ground(origin + (place + foot.offset).as_dvec3());
            let seen = toe.map(|toe| toe + foot.ahead);
            let below =
                Below { foot: at(place), toe: seen.and_then(&mut at), way: seen.map(|toe| toe - place) };
            let sense = Sense { contact, toe_contact, reach: self.reach * length };
            foot.feel(state.is_new, &below, origin.y, &sense, &ease);
            shown[index] = place + foot.offset + Vec3::Y * foot.height.position.x;
            contacts[index] = contact;
            let over_ground = place + Vec3::Y * foot.height.position.x;
            let short = short_by([place, over_ground].map(|place| place - place_of(leg.joints[0])), length);
            hangs[index] = (short, toe_contact);
            mean += foot.height.position.x;
        }
        #[expect(clippy::cast_precision_loss, reason = "there are at most 8 legs")]
        let count = self.legs.len() as f32;
        mean /= count;
        for (foot, contact) in state.feet.iter().zip(contacts).take(self.legs.len()) {
            lowest = lowest.min(mean + (foot.height.position.x - mean) * contact);
        }
        // A leg that is too short for its toe to stay down draws the pelvis after it.
        let mut lower = 0.0_f32;
        for (short, toe_contact) in hangs.into_iter().take(self.legs.len()) {
            lower = lower.max((short + lowest) * toe_contact);
        }
        lowest -= lower;
        state.sink(lowest, &ease);
        state.is_new = false;
    }

    fn write(
        &self,
        state: &FeetState,
        pose: &mut Pose,
        model: &mut ModelPose,
        world: &World,
        shown: &[Vec3; MAX_LEGS],
        weight: f32,
    ) {
        // The pelvis moves all of its legs by as much: they are solved as if it stood where it was, and their
        // targets had moved the other way. So everything is composed once only.
        let parent = Space::of(model, self.pelvis_parent);
        let sunk = world.inverse.y_axis * (state.pelvis.position.x * weight);
        let sunk = if parent.is_some() { sunk } else { Vector3::ZERO };
        for (index, ((leg, solver), size)) in self.legs.iter().zip(&self.sizes).enumerate() {
            let [foot, toe] = state.feet[index].tilts().map(|tilt| tilt.seen_from(&world.axes));
            let goal = LimbGoal::at((world.inverse * shown[index] - sunk).into()).weight(weight);
            if let Some(joint) = leg.toe.filter(|_| toe != foot) {
                turn_in_model(pose, model, (joint, size.toe_parent), (foot.inverse() * toe).part(weight));
            }
            solver.solve_turned(pose, model, &goal, Some(foot));
        }
        if let Some(space) = parent {
            pose.joint_mut(self.pelvis).translation += Vec3::from(space.inverse * sunk);
        }
    }

    fn remaining(&self, model: &ModelPose, world: &World, shown: &[Vec3; MAX_LEGS]) -> Reach {
        let mut reach = Reach { is_reached: true, remaining: 0.0 };
        for (index, ((leg, _), size)) in self.legs.iter().zip(&self.sizes).enumerate() {
            let off = position(model, leg.joints[2]).distance(world.inverse * shown[index]);
            let own = Reach::within(off, size.length);
            reach.is_reached &= own.is_reached;
            reach.remaining = reach.remaining.max(own.remaining);
        }
        reach
    }
}

/// How far a hip has to go down for the leg to get from there to the ground, stretched no further than it is
/// animated, or nearly straight. The ways are those from the hip to both. Below 0 if it may rise.
fn short_by([animated, shown]: [Vec3; 2], length: f32) -> f32 {
    const STRETCHED: f32 = 0.98;
    // Level ground takes nothing, not even a rounding.
    const SLACK: f32 = 1e-4;
    let most = animated.length_squared().max(STRETCHED * STRETCHED * length * length);
    let beside = shown.x * shown.x + shown.z * shown.z;
    -(shown.y + (most - beside).max(0.0).sqrt()) - SLACK * length
}

/// Where the character is.
struct World {
    origin: DVec3,
    /// Model to world, and back.
    linear: Matrix3,
    inverse: Matrix3,
    axes: Axes,
    /// How high a metre of the model is.
    height: f32,
}

impl World {
    /// `None` if it is flat, or nowhere.
    fn new(world_from_model: &DAffine3) -> Option<Self> {
        let DAffine3 { matrix3, translation: origin } = *world_from_model;
        let linear = Matrix3::from_double(&matrix3);
        let (inverse, _) = invert(&linear).filter(|_| origin.is_finite())?;
        Some(Self { origin, linear, inverse, axes: Axes::new(&linear)?, height: linear.y_axis.length() })
    }
}
