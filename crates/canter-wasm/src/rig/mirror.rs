//! Left for right.

use canter::{Mirror, Pose, Skeleton};
use canter_rig::mirror;

use super::Solver;
use crate::host::Host;

/// A mirror, and room for what it shows.
pub(crate) struct MirrorRun {
    mirror: Mirror,
    seen: Pose,
}

impl MirrorRun {
    pub(super) fn new(skeleton: &Skeleton) -> Result<Self, String> {
        let mirror = mirror::find(skeleton).map_err(|error| error.to_string())?;
        Ok(Self { mirror, seen: Pose::rest(skeleton) })
    }

    pub(super) fn apply(&mut self, pose: &mut Pose) {
        self.mirror.pose(pose, &mut self.seen);
        pose.clone_from(&self.seen);
    }
}

impl Host {
    /// One more than the place of the joint that a joint changes places with; 0 if it has none.
    pub(crate) fn mirror_partner(&self, solver: u32, asset: u32, joint: u32) -> u32 {
        let (Some(Solver::Mirror(run)), Some(asset)) = (self.solvers.get(solver), self.assets.get(asset))
        else {
            return 0;
        };
        let joint = asset.gltf.skeleton.joint_at(joint as usize);
        let partner = joint.and_then(|joint| run.mirror.partner(joint));
        partner.map_or(0, |partner| crate::host::word(partner.index()) + 1)
    }

    /// Whether a clip as the mirror shows it was added as a further one, under the name in the input; if not, the
    /// output says why.
    pub(crate) fn mirror_clip(&mut self, solver: u32, asset: u32, clip: u32) -> bool {
        let input = self.take_input();
        let (Some(Solver::Mirror(run)), Some(asset)) = (self.solvers.get(solver), self.assets.get(asset))
        else {
            return false;
        };
        let Some(clip) = asset.clip(clip) else { return false };
        let mirrored = mirror::clip(&run.mirror, &clip).map_err(|error| error.to_string());
        let name = String::from_utf8_lossy(&input);
        let added = mirrored.map(|clip| asset.clips.borrow_mut().push(clip.with_name(&*name).into()));
        self.tell(added)
    }
}
