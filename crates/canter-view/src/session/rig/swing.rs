//! Springs: joints that swing, as the file says; those of which it says nothing are found by their names.

use std::fmt;

use canter::glam::DAffine3;
use canter::{JointId, ModelPose, Pose, Skeleton};
use canter_gltf::SpringBones;
use canter_rig::{SpringChain, SpringJoint, SpringStep, Springs, SpringsState};

use crate::session::Session;

/// The longest line of joints that swings.
const LONGEST: usize = 32;

/// Springs of the figure, and how they move.
#[derive(Default)]
pub(super) struct Swing {
    springs: Option<(Springs, SpringsState)>,
    /// The joints at which lines begin that were made to swing by hand.
    tops: Vec<JointId>,
    is_off: bool,
}

impl fmt::Debug for Swing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Swing")
            .field("tops", &self.tops)
            .field("is_off", &self.is_off)
            .finish_non_exhaustive()
    }
}

impl Swing {
    pub(super) fn is_on(&self) -> bool {
        self.springs.is_some() && !self.is_off
    }

    pub(super) fn apply(&mut self, pose: &mut Pose, model: &mut ModelPose, world: DAffine3, dt_secs: f32) {
        if let (Some((springs, state)), false) = (&mut self.springs, self.is_off) {
            springs.apply(state, pose, model, &SpringStep::new(dt_secs, world));
        }
    }

    /// What begins where a chain of the file does swings as that one.
    fn build(&mut self, skeleton: &Skeleton, bones: &SpringBones) -> Result<(), String> {
        let spring = |&top: &JointId| {
            if let Some(chain) = bones.chains.iter().find(|chain| first(chain) == Some(top)) {
                return chain.clone();
            }
            let line = chain(skeleton, top);
            let mut chain = SpringChain::new(&line, SpringJoint::default());
            if line.len() == 1 {
                // A joint alone goes on as far as it is from what it hangs on.
                let rest = skeleton.rest(top);
                chain.tail = Some(rest.rotation.inverse() * rest.translation);
            }
            chain
        };
        let chains: Vec<SpringChain> = self.tops.iter().map(spring).collect();
        self.springs = None;
        if !chains.is_empty() {
            let springs =
                Springs::new(skeleton, &chains, &bones.colliders).map_err(|error| error.to_string())?;
            let state = SpringsState::new(&springs);
            self.springs = Some((springs, state));
        }
        Ok(())
    }
}

fn first(chain: &SpringChain) -> Option<JointId> {
    chain.joints.first().map(|&(joint, _)| joint)
}

/// Words in the names of joints that hang loose.
const LOOSE: [&str; 9] = ["hair", "scarf", "cape", "cloak", "skirt", "tail", "ribbon", "braid", "strap"];

/// A joint and the line of joints that hangs on it: of several the first that has one itself.
fn chain(skeleton: &Skeleton, top: JointId) -> Vec<JointId> {
    let next = |&joint: &JointId| skeleton.joints().find(|&child| skeleton.parent(child) == Some(joint));
    std::iter::successors(Some(top), next).take(LONGEST).collect()
}

impl Session {
    /// How many lines of joints swing, or would if springs were on.
    #[must_use]
    pub fn springs(&self) -> usize {
        self.rig.swing.tops.len()
    }

    /// Where hair, scarfs, capes and the like begin: as the file says, or else by their names.
    #[must_use]
    pub fn loose_ends(&self) -> Vec<JointId> {
        let mut ends: Vec<JointId> = self.spring_bones().chains.iter().filter_map(first).collect();
        if ends.is_empty() {
            ends = LOOSE.into_iter().flat_map(|word| super::joints::named(self.skeleton(), word)).collect();
        }
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// The springs of the file.
    fn spring_bones(&self) -> &SpringBones {
        &self.figure().model.asset.springs
    }

    /// Whether springs are on.
    #[must_use]
    pub fn swings(&self) -> bool {
        !self.rig.swing.is_off
    }

    /// Switches all springs on or off.
    pub fn set_swings(&mut self, swings: bool) {
        self.rig.swing.is_off = !swings;
        if let Some((_, state)) = &mut self.rig.swing.springs {
            state.reset();
        }
        self.update(0.0);
    }

    /// Whether a joint begins a line that swings.
    #[must_use]
    pub fn is_spring(&self, joint: JointId) -> bool {
        self.rig.swing.tops.contains(&joint)
    }

    /// Lets a joint swing with the line of joints that hangs on it, or not any more. If that cannot be,
    /// [`error`](Self::error) says why.
    pub fn set_spring(&mut self, joint: JointId, swings: bool) -> bool {
        let (skeleton, bones) = (self.skeleton().clone(), self.spring_bones().clone());
        let swing = &mut self.rig.swing;
        let before = swing.tops.clone();
        swing.tops.retain(|&top| top != joint);
        if swings {
            swing.tops.push(joint);
        }
        if let Err(error) = swing.build(&skeleton, &bones) {
            swing.tops = before;
            // It was built before.
            swing.build(&skeleton, &bones).ok();
            self.error = Some(error);
            return false;
        }
        self.update(0.0);
        true
    }
}
