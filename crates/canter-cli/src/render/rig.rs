//! `--ik JOINT:X,Y,Z` and `--look JOINT:X,Y,Z`: the figure reaches for a point, and looks at one. `--ground`: its feet
//! stand on what is below them. `--springs`: hair and scarf swing. `--mirror`: its clips are played left for right.

mod legs;

use std::path::Path;
use std::sync::Arc;

use canter::glam::{DAffine3, Vec3};
use canter::{JointId, ModelPose, Skeleton};
use canter_gltf::Asset;
use canter_rig::{
    Aim, AimGoal, AimJoint, Feet, FeetState, FeetStep, LimbGoal, SpringStep, Springs, SpringsState, TwoBone,
};
use canter_scene::Character;

use super::terrain::Terrain;
use crate::failure::Failure;
use crate::joint;
use crate::mirror;

/// What of the way the joint takes that looks, and the two above it.
const SHARES: [f32; 3] = [0.6, 0.25, 0.15];

/// No point is farther away, in metres along any axis.
const FARTHEST: f32 = 1e6;

/// What is corrected in every pose, points in metres in the space of the figure.
#[derive(Debug, Default)]
pub(crate) struct Corrections {
    limbs: Vec<(TwoBone, LimbGoal)>,
    looks: Vec<(Aim, AimGoal)>,
    feet: Option<(Feet, FeetState)>,
    springs: Option<(Springs, SpringsState)>,
    pub(crate) terrain: Option<Terrain>,
}

impl Corrections {
    pub(crate) fn new(skeleton: &Skeleton, ik: &[String], look: &[String]) -> Result<Self, Failure> {
        let mut corrections = Self::default();
        for text in ik {
            let (end, target) = joint_and_point("--ik", skeleton, text)?;
            let limb = above(skeleton, end, 3);
            let &[start, middle, end] = limb.as_slice() else {
                return Err(Failure::new(
                    format!("--ik {text}: fewer than two joints are above it"),
                    "name a hand or a foot",
                ));
            };
            let solver = TwoBone::new(skeleton, [start, middle, end])
                .and_then(|limb| limb.bends_towards(skeleton, bend(skeleton, start, end)))
                .map_err(|error| refused("--ik", text, &error))?;
            corrections.limbs.push((solver, LimbGoal::at(target)));
        }
        for text in look {
            let (head, target) = joint_and_point("--look", skeleton, text)?;
            let line = above(skeleton, head, SHARES.len());
            let mut joints: Vec<AimJoint> =
                line.iter().rev().zip(SHARES).map(|(&joint, share)| AimJoint::new(joint, share)).collect();
            // What is not there leaves its part to the one that looks.
            joints[0].share += SHARES[joints.len()..].iter().sum::<f32>();
            joints.reverse();
            let solver =
                Aim::new(skeleton, &joints, Vec3::Z).map_err(|error| refused("--look", text, &error))?;
            corrections.looks.push((solver, AimGoal::at(target)));
        }
        Ok(corrections)
    }

    /// Puts the feet onto a ground.
    pub(crate) fn stand_on(&mut self, skeleton: &Skeleton, terrain: Terrain) -> Result<(), Failure> {
        let feet = legs::find(skeleton).map(|(pelvis, legs)| Feet::new(skeleton, pelvis, &legs));
        let Some(Ok(feet)) = feet else {
            return Err(Failure::new(
                "--ground: the figure has no legs that are known by their names",
                "`canter inspect FILE --tree` lists the joints; feet are called foot or ankle",
            ));
        };
        self.feet = Some((feet, FeetState::default()));
        self.terrain = Some(terrain);
        Ok(())
    }

    /// Lets hair and cloth swing as the file says.
    pub(crate) fn swing(&mut self, asset: &Asset, path: &Path) -> Result<(), Failure> {
        let bones = &asset.springs;
        if bones.chains.is_empty() {
            return Err(Failure::new(
                format!("--springs: {} has no springs", path.display()),
                "they are read from VRM 1.0's VRMC_springBone; `canter check FILE` tells what is left out",
            ));
        }
        let springs = Springs::new(&asset.skeleton, &bones.chains, &bones.colliders)
            .map_err(|error| refused("--springs", "", &error))?;
        let state = SpringsState::new(&springs);
        self.springs = Some((springs, state));
        Ok(())
    }

    /// Whether a pose depends on those before it.
    pub(crate) fn has_memory(&self) -> bool {
        self.feet.is_some() || self.springs.is_some()
    }

    /// Forgets those before.
    pub(crate) fn forget(&mut self) {
        if let Some((_, state)) = &mut self.feet {
            state.reset();
        }
        if let Some((_, state)) = &mut self.springs {
            state.reset();
        }
    }

    /// Corrects a pose that was sampled, so many seconds after the last one.
    pub(crate) fn apply(&mut self, character: &mut Character, dt_secs: f32, world: DAffine3) {
        if self.limbs.is_empty() && self.looks.is_empty() && !self.has_memory() {
            return;
        }
        let Character { model, pose, model_pose, .. } = character;
        let skeleton = &model.asset.skeleton;
        if let Some((springs, _)) = &self.springs {
            // Clips may swing them already.
            springs.reset_joints(skeleton, pose);
        }
        model_pose.compose(skeleton, pose);
        if let (Some((feet, state)), Some(terrain)) = (&mut self.feet, &self.terrain) {
            let step = FeetStep::new(dt_secs, world);
            feet.apply(state, pose, model_pose, &step, |place| terrain.below(place));
        }
        for (solver, goal) in &self.looks {
            solver.apply(pose, model_pose, goal);
        }
        for (solver, goal) in &self.limbs {
            solver.apply(pose, model_pose, goal);
        }
        if let Some((springs, state)) = &mut self.springs {
            springs.apply(state, pose, model_pose, &SpringStep::new(dt_secs, world));
        }
    }
}

/// All clips of a file, left for right.
pub(crate) fn mirror_clips(asset: &mut Asset, path: &Path) -> Result<(), Failure> {
    for (index, clip) in mirror::mirrored(asset, path, |_| true)? {
        asset.clips[index] = Arc::new(clip);
    }
    Ok(())
}

/// A joint and what it hangs on, from the top: as many as there are, at most `count`.
fn above(skeleton: &Skeleton, joint: JointId, count: usize) -> Vec<JointId> {
    let mut line: Vec<JointId> =
        std::iter::successors(Some(joint), |&joint| skeleton.parent(joint)).take(count).collect();
    line.reverse();
    line
}

/// Where a limb bends that is straight at rest: knees forwards, elbows backwards.
fn bend(skeleton: &Skeleton, start: JointId, end: JointId) -> Vec3 {
    let rest = ModelPose::rest(skeleton);
    let place = |joint| rest.joint(joint).w_axis.truncate();
    let way = place(end) - place(start);
    if way.y < -way.x.abs() { Vec3::Z } else { Vec3::NEG_Z }
}

/// `JOINT:X,Y,Z`; the last colon counts, since joints have some in their names.
fn joint_and_point(option: &str, skeleton: &Skeleton, text: &str) -> Result<(JointId, Vec3), Failure> {
    let example = if option == "--look" { "head" } else { "hand_R" };
    let wrong = || {
        Failure::new(
            format!("{option} {text} is not a joint and a point"),
            format!(
                "write the joint, a colon and three numbers of up to {FARTHEST}: {option} {example}:0.3,1.2,0.4"
            ),
        )
    };
    let (name, point) = text.rsplit_once(':').ok_or_else(wrong)?;
    let numbers: Vec<f32> = point.split(',').filter_map(|number| number.trim().parse().ok()).collect();
    let &[x, y, z] = numbers.as_slice() else { return Err(wrong()) };
    let point = Vec3::new(x, y, z);
    if !point.is_finite() || point.abs().max_element() > FARTHEST {
        return Err(wrong());
    }
    Ok((joint::find(skeleton, name)?, point))
}

fn refused(option: &str, text: &str, error: &canter_rig::RigError) -> Failure {
    Failure::new(format!("{option} {text}: {error}"), "`canter inspect FILE --tree` lists the joints")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_joint_and_a_point_are_read() {
        let skeleton = canter_testing::chain(4);
        let read = |text: &str| {
            joint_and_point("--ik", &skeleton, text).ok().map(|(joint, point)| (joint.index(), point))
        };
        assert_eq!(read("joint_2:1,-0.5,2"), Some((2, Vec3::new(1.0, -0.5, 2.0))));
        for wrong in ["joint_2", "joint_2:1,2", "joint_2:1,2,x", "joint_2:1,2,NaN", "joint_9:1,2,3", ":1,2,3"]
        {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        assert!(Corrections::new(&skeleton, &["joint_1:0,0,0".to_owned()], &[]).is_err());
        let ok = Corrections::new(&skeleton, &["joint_2:0,1,0".to_owned()], &["joint_0:0,0,1".to_owned()]);
        assert!(ok.is_ok());
    }
}
