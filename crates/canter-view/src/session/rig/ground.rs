//! Feet on stairs and on a slope.

use canter::glam::{DAffine3, DVec3};
use canter::{JointId, ModelPose, Pose, Skeleton};
use canter_rig::{Feet, FeetState, FeetStep, Leg};
use canter_scene::{Children, NodeId, Parent};

use super::joints;
use super::terrain::{self, PERIOD, Terrain};
use crate::session::{Session, place};

/// Legs on uneven ground.
#[derive(Debug)]
pub(super) struct Walk {
    feet: Feet,
    state: FeetState,
    pub(super) is_on: bool,
    /// What is seen of the ground.
    node: Option<NodeId>,
}

impl Walk {
    pub(super) fn find(skeleton: &Skeleton) -> Option<Self> {
        let legs: Vec<Leg> = (joints::named(skeleton, "foot").into_iter())
            .filter_map(|foot| <[JointId; 3]>::try_from(joints::line(skeleton, foot, 3)).ok())
            .map(|bones| Leg { toe: joints::toe(skeleton, bones[2]), ..Leg::new(bones) })
            .collect();
        let pelvis = legs.first().and_then(|leg| skeleton.parent(leg.joints[0]))?;
        let feet = Feet::new(skeleton, pelvis, &legs).ok()?;
        Some(Self { feet, state: FeetState::default(), is_on: false, node: None })
    }

    pub(super) fn apply(&mut self, pose: &mut Pose, model: &mut ModelPose, world: DAffine3, dt_secs: f32) {
        if self.is_on {
            let step = FeetStep::new(dt_secs, world);
            self.feet.apply(&mut self.state, pose, model, &step, |place| Some(Terrain.ground(place)));
        }
    }
}

impl Session {
    /// Whether the figure has legs that can stand on uneven ground.
    #[must_use]
    pub fn can_climb(&self) -> bool {
        self.rig.walk.is_some()
    }

    /// Whether the ground has stairs and a slope.
    #[must_use]
    pub fn has_stairs(&self) -> bool {
        self.ground().is_some()
    }

    pub(in crate::session) fn ground(&self) -> Option<Terrain> {
        self.rig.walk.as_ref().filter(|walk| walk.is_on).map(|_| Terrain)
    }

    /// How high the ground is at a place.
    #[must_use]
    pub fn ground_height(&self, place: DVec3) -> f64 {
        self.ground().map_or(0.0, |ground| ground.ground(place).height)
    }

    /// Puts stairs and a slope in the figure's way, and its feet on them; or makes the ground level again.
    pub fn set_stairs(&mut self, are_there: bool) {
        let Some(walk) = &mut self.rig.walk else { return };
        if walk.is_on == are_there {
            return;
        }
        walk.is_on = are_there;
        walk.state.reset();
        if let Some(node) = walk.node.take() {
            // It was there as long as the stairs.
            let _ = self.scene.remove(node, Children::Remove);
        }
        if let (true, Some(model)) = (are_there, terrain::model()) {
            walk.node = Some(place(&mut self.scene, &model, Parent::World, DAffine3::IDENTITY));
        }
        if let (false, Some(mut local)) = (are_there, self.scene.local(self.figure)) {
            local.translation.y = 0.0;
            self.scene.set_local(self.figure, local);
        }
        self.move_stairs();
        self.update(0.0);
    }

    /// What is seen of the stairs goes along with the figure: they have no end.
    pub(in crate::session) fn move_stairs(&mut self) {
        let Some(node) = self.rig.walk.as_ref().and_then(|walk| walk.node) else { return };
        let z = (self.place().z.div_euclid(PERIOD) - 1.0) * PERIOD;
        let local = DAffine3::from_translation(DVec3::Z * z);
        if self.scene.local(node) != Some(local) {
            self.scene.set_local(node, local);
            self.scene.update_transforms();
        }
    }

    /// Whether a node is what is seen of the ground.
    pub(in crate::session) fn is_ground(&self, id: NodeId) -> bool {
        self.rig.walk.as_ref().is_some_and(|walk| walk.node == Some(id))
    }
}
