//! Hair, capes, tails and ears that swing: the spring bones of VRM 1.0, the same at any frame rate.
//!
//! ```
//! # use canter::glam::{DAffine3, Vec3};
//! # use canter::{ModelPose, Pose, Skeleton, Transform};
//! # let mut joints = Skeleton::builder();
//! # joints.joint("head", None, Transform::IDENTITY);
//! # joints.joint("hair 0", Some(0), Transform::from_translation(Vec3::Y * 0.1));
//! # joints.joint("hair 1", Some(1), Transform::from_translation(Vec3::Z * -0.2));
//! # joints.joint("hair 2", Some(2), Transform::from_translation(Vec3::Z * -0.2));
//! # let skeleton = joints.build()?;
//! # let joint = |name: &str| skeleton.joint(name).unwrap();
//! # let (head, hair0, hair1, hair2) = (joint("head"), joint("hair 0"), joint("hair 1"), joint("hair 2"));
//! # let (mut pose, mut model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
//! use canter_rig::{Collider, ColliderShape, SpringChain, SpringJoint, SpringStep, Springs, SpringsState};
//!
//! let strand = SpringJoint { stiffness: 0.5, gravity: Vec3::NEG_Y, ..SpringJoint::default() };
//! let hair = SpringChain { colliders: vec![0], ..SpringChain::new(&[hair0, hair1, hair2], strand) };
//! let skull = Collider { joint: head, shape: ColliderShape::Sphere { offset: Vec3::ZERO, radius: 0.09 } };
//! let springs = Springs::new(&skeleton, &[hair], &[skull])?;
//! let mut state = SpringsState::new(&springs);
//! for _ in 0..60 {
//!     // After sampling and composing, with where the character is in the world.
//!     # pose.reset(&skeleton);
//!     # model.compose(&skeleton, &pose);
//!     let step = SpringStep::new(1.0 / 60.0, DAffine3::IDENTITY);
//!     springs.apply(&mut state, &mut pose, &mut model, &step);
//! }
//! assert!(model.joint(hair2).w_axis.y < 0.1); // it hangs
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Each bone is a mass at its end, its *tail*, on a rod. In a step of 1/60 s it goes on as it moved, less its
//! drag, and is drawn to where the animated pose has it (the rest pose, where no clip moves it) and by
//! gravity and wind; then it is put back onto its rod, and out of colliders. Steps are always 1/60 s, however
//! long a frame is: what drives them is interpolated between the frames, and what is shown is a step of the
//! part of 1/60 s that is left, which is not kept. So at 60 frames a second it is what the specification of
//! VRM says, and the same at every other rate.
//!
//! Degenerate cases, all finite:
//!
//! | case | answer |
//! |---|---|
//! | first frame, or after [`SpringsState::reset`] | at rest as the animated pose has it |
//! | step of 0, negative or NaN (a pause) | nothing goes on; what is shown follows the character |
//! | a step above 8/60 s | the rest of it is left out |
//! | a jump of more than [`Springs::teleport_distance`] | everything moves along |
//! | bone without length | not turned |
//! | tail at the centre of a collider | pushed along its bone |
//! | flat joints: scaled to nothing above | not turned |

mod collider;
mod joints;
mod state;
mod step;
mod sweep;
mod worlds;

use canter::glam::{DAffine3, Vec3};
use canter::{JointId, Skeleton, Subtree};

use crate::error::{RigError, check_line, check_range};
use crate::turn_batch::Link;

pub use collider::{Collider, ColliderShape};
pub use state::{SpringsGroup, SpringsState};
pub use step::SpringsMember;

/// As many joints as a chain has at most.
pub(crate) const MAX_JOINTS: usize = 64;

/// The spring bones of a skeleton; see the [module](self).
#[derive(Clone, Debug)]
pub struct Springs {
    chains: Vec<Spring>,
    colliders: Vec<Collider>,
    teleport_distance: f32,
    /// How many points all chains have.
    point_count: usize,
}

/// A chain as it is used.
#[derive(Clone, Debug)]
struct Spring {
    /// Its joints, with what they hang on, and how they swing.
    links: Vec<Link>,
    swings: Vec<SpringJoint>,
    /// Where the last bone ends, in the space of the last joint; `None` if it is the last joint.
    tail: Option<Vec3>,
    center: SpringCenter,
    colliders: Vec<usize>,
    /// Where its points begin among those of all.
    first: usize,
    subtree: Subtree,
}

/// A strand of hair, a tail, an edge of a cape.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringChain {
    /// Joints that hang on each other, others may lie between; with how they swing. The last one is only
    /// where the last bone ends, unless there is a tail.
    pub joints: Vec<(JointId, SpringJoint)>,
    /// Where a bone of the last joint ends, in that joint's space; `None` if the last joint is itself the
    /// end.
    pub tail: Option<Vec3>,
    /// Relative to what it keeps its momentum.
    pub center: SpringCenter,
    /// What it does not go through: places in the list of colliders.
    pub colliders: Vec<usize>,
}

impl SpringChain {
    /// Joints that all swing alike.
    #[must_use]
    pub fn new(joints: &[JointId], swing: SpringJoint) -> Self {
        Self {
            joints: joints.iter().map(|&joint| (joint, swing)).collect(),
            tail: None,
            center: SpringCenter::World,
            colliders: Vec::new(),
        }
    }
}

/// Relative to what a chain keeps its momentum. Gravity and wind are those of the world in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SpringCenter {
    /// It is left behind when the character walks.
    #[default]
    World,
    /// The character can walk and turn without swinging it.
    Model,
    /// A joint: its motion does not swing the chain.
    Joint(JointId),
}

/// How a bone swings. Defaults are those of VRM 1.0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringJoint {
    /// How strongly it is drawn to the animated pose, 0 or more: metres per second.
    pub stiffness: f32,
    /// What part of its speed a step of 1/60 s takes, from 0 to 1.
    pub drag: f32,
    /// Direction of gravity in the world times its power: metres per second.
    pub gravity: Vec3,
    /// How much of the wind it takes.
    pub wind: f32,
    /// The radius of its tail for colliders.
    pub hit_radius: f32,
}

impl Default for SpringJoint {
    fn default() -> Self {
        Self { stiffness: 1.0, drag: 0.5, gravity: Vec3::ZERO, wind: 1.0, hit_radius: 0.0 }
    }
}

/// What drives springs in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringStep {
    /// How long it is.
    pub dt_secs: f32,
    /// Where the character is.
    pub world_from_model: DAffine3,
    /// In the world, of the kind of gravity.
    pub wind: Vec3,
    /// What part of the swing is shown; 0 is the animated pose.
    pub weight: f32,
}

impl SpringStep {
    /// Without wind, shown in full.
    #[must_use]
    pub const fn new(dt_secs: f32, world_from_model: DAffine3) -> Self {
        Self { dt_secs, world_from_model, wind: Vec3::ZERO, weight: 1.0 }
    }
}

impl Springs {
    /// For chains, in the order in which they are solved: what a chain hangs on comes before it.
    ///
    /// # Errors
    /// If joints of a chain do not hang on each other, a chain has no bone or more than 64 joints, a joint is
    /// in two chains, a chain names a collider that is not there, or a number is out of range.
    pub fn new(
        skeleton: &Skeleton,
        chains: &[SpringChain],
        colliders: &[Collider],
    ) -> Result<Self, RigError> {
        let mut taken = vec![false; skeleton.joint_count()];
        let mut point_count = 0;
        let mut springs = Vec::with_capacity(chains.len());
        for chain in chains {
            let ids: Vec<JointId> = chain.joints.iter().map(|&(joint, _)| joint).collect();
            let count = ids.len() + usize::from(chain.tail.is_some());
            if !(2..=MAX_JOINTS).contains(&count) {
                return Err(RigError::JointCount { count, takes: (2, MAX_JOINTS) });
            }
            check_line(skeleton, &ids)?;
            for &joint in &ids {
                if std::mem::replace(&mut taken[joint.index()], true) {
                    return Err(RigError::Twice { joint: skeleton.name(joint).to_owned() });
                }
            }
            for (_, swing) in &chain.joints {
                swing.check()?;
            }
            if chain.tail.is_some_and(|tail| !tail.is_finite()) {
                return Err(RigError::Number { setting: "tail" });
            }
            if let Some(&index) = chain.colliders.iter().find(|&&index| index >= colliders.len()) {
                return Err(RigError::Missing { what: "collider", index });
            }
            springs.push(Spring {
                links: ids.iter().map(|&joint| (joint, skeleton.parent(joint))).collect(),
                swings: chain.joints.iter().map(|&(_, swing)| swing).collect(),
                tail: chain.tail,
                center: chain.center,
                colliders: chain.colliders.clone(),
                first: point_count,
                subtree: Subtree::new(skeleton, &ids[..1]),
            });
            point_count += count;
        }
        for collider in colliders {
            collider.check()?;
        }
        Ok(Self { chains: springs, colliders: colliders.to_vec(), teleport_distance: 2.0, point_count })
    }

    /// How far a character moves in a frame before that counts as a jump, which swings nothing; 2 m unless
    /// set.
    ///
    /// # Errors
    /// If it is not above 0.
    pub fn teleport_distance(self, metres: f32) -> Result<Self, RigError> {
        Ok(Self { teleport_distance: check_range("teleport_distance", metres, 1e-6, f32::MAX)?, ..self })
    }

    /// Puts the joints that swing to rest in a pose, for clips that swing them already; before
    /// [`apply`](Self::apply), and before the pose is composed.
    ///
    /// # Panics
    /// If the pose was made for another skeleton.
    pub fn reset_joints(&self, skeleton: &Skeleton, pose: &mut canter::Pose) {
        for &(joint, _) in self.chains.iter().flat_map(|chain| &chain.links) {
            pose.set_joint(joint, skeleton.rest(joint));
        }
    }

    /// How many bones swing.
    #[must_use]
    pub fn bone_count(&self) -> usize {
        self.point_count - self.chains.len()
    }
}

impl Spring {
    fn point_count(&self) -> usize {
        self.links.len() + usize::from(self.tail.is_some())
    }

    fn bone_count(&self) -> usize {
        self.point_count() - 1
    }
}

impl SpringJoint {
    fn check(&self) -> Result<(), RigError> {
        check_range("stiffness", self.stiffness, 0.0, 1e6)?;
        check_range("drag", self.drag, 0.0, 1.0)?;
        check_range("wind", self.wind, -1e6, 1e6)?;
        check_range("hit_radius", self.hit_radius, 0.0, 1e6)?;
        check_range("gravity", self.gravity.abs().max_element(), 0.0, 1e6)?;
        Ok(())
    }
}
