//! Joints that are picked, by name or by pointing at them.

use canter::glam::{DAffine3, DVec3};
use canter::{JointId, Transform};
use canter_scene::Ray;

use super::Session;

impl Session {
    /// The joint that was picked.
    #[must_use]
    pub fn picked(&self) -> Option<JointId> {
        self.picked
    }

    /// Picks a joint, or none.
    pub fn pick(&mut self, joint: Option<JointId>) {
        if self.picked != joint {
            self.picked = joint;
            self.color_by_weight();
            self.touch();
        }
    }

    /// The joint that moves most what a ray meets first: on the figure or on one of its copies. What hangs on
    /// a joint stands for that joint.
    #[must_use]
    pub fn joint_on_ray(&self, ray: &Ray) -> Option<JointId> {
        let hit = self.scene.pick(ray).filter(|hit| !self.is_ground(hit.node))?;
        match self.held.iter().find(|held| held.node() == hit.node) {
            Some(held) => Some(held.joint),
            None => Some(hit.joint),
        }
    }

    /// Where a joint of the figure is in the world.
    #[must_use]
    pub fn joint_place(&self, joint: JointId) -> DVec3 {
        let world_from_figure = self.scene.world(self.figure).unwrap_or(DAffine3::IDENTITY);
        world_from_figure.transform_point3(self.figure().model_pose.joint(joint).w_axis.truncate().as_dvec3())
    }

    /// The joint that is nearest to a place, where `distance` says how far a joint is from it; `None` if all
    /// are too far.
    #[must_use]
    pub fn nearest_joint(&self, distance: impl Fn(DVec3) -> Option<f32>) -> Option<JointId> {
        let joints = self.skeleton().joints();
        let near = joints.filter_map(|joint| Some((distance(self.joint_place(joint))?, joint)));
        near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, joint)| joint)
    }

    /// How a joint stands relative to its parent, and relative to the figure.
    #[must_use]
    pub fn transforms(&self, joint: JointId) -> [Transform; 2] {
        let figure = self.figure();
        [figure.pose.joint(joint), Transform::from_mat4(figure.model_pose.joint(joint))]
    }
}
