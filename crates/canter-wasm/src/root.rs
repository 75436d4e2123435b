//! Root motion: taking it out of the clips of a file, and the way that mixers make.

use canter::glam::{BVec3, Mat4};
use canter::{JointId, RootMotion, RootStep};
use canter_gltf::{Asset, RootJoint, Severity, Warning, WarningCode};

use crate::asset::LoadedAsset;
use crate::host::Host;

impl LoadedAsset {
    /// Takes the root motion of a joint out of all clips; that of the joint that is found if none is given.
    fn split_root_motion(&mut self, joint: Option<u32>, axes: u32, yaw: bool) {
        let gltf = &mut self.gltf;
        let joint = match joint {
            Some(index) => gltf.skeleton.joint_at(index as usize),
            None => find_root(gltf),
        };
        let Some(joint) = joint else { return };
        let axes = BVec3::new(axes & 1 != 0, axes & 2 != 0, axes & 4 != 0);
        gltf.split_root_motion(RootMotion { joint, axes, yaw });
        self.root = Some(joint);
        self.clips.borrow_mut().clone_from(&gltf.clips);
    }
}

fn find_root(gltf: &mut Asset) -> Option<JointId> {
    let RootJoint { joint, others } = gltf.root_joint()?;
    if let Some(other) = others.first() {
        let [root, other] = [joint, *other].map(|joint| gltf.skeleton.name(joint));
        let message = [
            "bone \"",
            root,
            "\" is taken for the root, but \"",
            other,
            "\" moves as far; \
             say which one leads: { rootMotion: '",
            root,
            "' }",
        ];
        let warning = Warning {
            severity: Severity::Warning,
            code: WarningCode::RootMotion,
            place: "animations".to_owned(),
            message: message.concat(),
        };
        gltf.warnings.push(warning);
    }
    Some(joint)
}

impl Host {
    /// Takes the root motion out of the clips of an asset that nothing uses yet. The bits of the axes are x,
    /// y and z.
    pub(crate) fn split_root_motion(&mut self, asset: u32, joint: Option<u32>, axes: u32, yaw: bool) {
        if let Some(asset) = self.assets.get_mut(asset).and_then(std::rc::Rc::get_mut) {
            asset.split_root_motion(joint, axes, yaw);
        }
    }

    /// Writes to the answer the way that a mixer made in the last step: a matrix, the velocity and how fast it
    /// turns.
    pub(crate) fn root_motion(&mut self, mixers: u32, member: u32) {
        let mixers = self.mixers.get_mut(mixers);
        let Some(mixer) = mixers.and_then(|mixers| mixers.get_mut(member)) else { return };
        let step = mixer.root_motion();
        self.put_root(&step);
    }

    pub(crate) fn put_root(&mut self, step: &RootStep) {
        let (matrix, turns) = self.answer.split_at_mut(16);
        matrix.copy_from_slice(&step.transform.to_mat4().to_cols_array().map(f32::to_bits));
        turns.copy_from_slice(&step.velocity.extend(step.yaw_rate).to_array().map(f32::to_bits));
    }

    /// Where the ways of all mixers are: a matrix for each.
    pub(crate) fn root_motions(&mut self, mixers: u32) {
        let Some(mixers) = self.mixers.get_mut(mixers) else { return };
        let mut roots = std::mem::take(&mut mixers.roots);
        roots.clear();
        roots.extend(mixers.all_mut().iter().map(|mixer| mixer.root_motion().transform.to_mat4()));
        let (address, len) = (roots.as_ptr().addr(), roots.len() * Mat4::IDENTITY.to_cols_array().len());
        mixers.roots = roots;
        self.put_place(address, len);
    }
}
