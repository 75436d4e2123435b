//! Which joints are bones.

use canter::JointId;
use canter_gltf::Asset;

use super::Model;

/// The joints that move skins. Other nodes (lights, cameras, armatures) are joints of the skeleton, but
/// nothing that a person calls a bone.
#[derive(Debug)]
pub(super) struct Bones {
    /// For every joint of the skeleton.
    is_bone: Vec<bool>,
}

impl Bones {
    /// The joints of all skins; in a file without skins all joints, since what is made of rigid parts moves
    /// by them.
    pub(super) fn new(asset: &Asset) -> Self {
        let mut is_bone = vec![asset.skins.is_empty(); asset.skeleton.joint_count()];
        for joint in asset.skins.iter().flat_map(|skin| skin.joints()) {
            is_bone[joint.index()] = true;
        }
        Self { is_bone }
    }
}

impl Model {
    /// Whether a joint is a bone: one that a skin uses, or any in a file without skins. `false` for a joint
    /// of another skeleton that this one does not have.
    #[must_use]
    pub fn is_bone(&self, joint: JointId) -> bool {
        self.bones.is_bone.get(joint.index()).copied().unwrap_or(false)
    }

    /// All [bones](Self::is_bone), parents before children.
    pub fn bones(&self) -> impl Iterator<Item = JointId> {
        self.asset.skeleton.joints().filter(|&joint| self.is_bone(joint))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bones_are_the_joints_of_skins_or_all_where_there_are_no_skins() {
        let model = |name: &str| {
            Model::load(format!("{}/../../assets/{name}.glb", env!("CARGO_MANIFEST_DIR"))).unwrap()
        };
        let hero = model("hero");
        let mut joints: Vec<_> = hero.asset.skins.iter().flat_map(|skin| skin.joints()).copied().collect();
        joints.sort_unstable();
        joints.dedup();
        assert!(hero.bones().eq(joints.iter().copied()) && joints.len() < hero.asset.skeleton.joint_count());
        assert!(hero.asset.skeleton.joints().all(|joint| hero.is_bone(joint) == joints.contains(&joint)));
        let sword = model("sword");
        assert!(sword.asset.skins.is_empty());
        assert!(sword.bones().eq(sword.asset.skeleton.joints()));
        assert!(!sword.is_bone(joints[joints.len() - 1]));
    }
}
