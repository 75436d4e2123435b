//! Hands and feet that are dragged somewhere.

use canter::glam::{DVec3, Vec3};
use canter::{JointId, ModelPose, Pose, Skeleton};
use canter_rig::{LimbEnd, LimbGoal, Reach, TwoBone};

use super::joints;
use crate::session::Session;

/// An arm or a leg, and where its end should be.
#[derive(Clone, Debug)]
pub struct Limb {
    name: String,
    end: JointId,
    solver: TwoBone,
    /// In the space of the figure: it goes where the figure goes.
    pub(super) target: Option<Vec3>,
    pub(super) reach: Option<Reach>,
}

impl Limb {
    /// What its end is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The hand or the foot.
    #[must_use]
    pub fn end(&self) -> JointId {
        self.end
    }

    fn new(skeleton: &Skeleton, end: JointId) -> Option<Self> {
        let line = joints::line(skeleton, end, 3);
        let &[start, middle, end] = line.as_slice() else { return None };
        let solver = TwoBone::new(skeleton, [start, middle, end]).ok()?;
        let solver = solver.bends_towards(skeleton, bend(skeleton, start, end)).ok()?;
        let name = skeleton.name(end).to_owned();
        Some(Self { name, end, solver, target: None, reach: None })
    }

    pub(super) fn apply(&mut self, pose: &mut Pose, model: &mut ModelPose) {
        self.reach = self.target.map(|target| {
            // A hand keeps the direction in which it is animated, and so does a sole.
            self.solver.apply(pose, model, &LimbGoal::at(target).end(LimbEnd::Keep))
        });
    }
}

/// All hands and feet that have two bones above them.
pub(super) fn find(skeleton: &Skeleton) -> Vec<Limb> {
    let ends = ["hand", "foot"].into_iter().flat_map(|word| joints::named(skeleton, word));
    ends.filter_map(|end| Limb::new(skeleton, end)).collect()
}

/// Where a limb bends that is straight at rest: knees forwards, elbows backwards.
fn bend(skeleton: &Skeleton, start: JointId, end: JointId) -> Vec3 {
    let rest = ModelPose::rest(skeleton);
    let way = (rest.joint(end).w_axis - rest.joint(start).w_axis).truncate();
    if way.y < -way.x.abs() { Vec3::Z } else { Vec3::NEG_Z }
}

impl Session {
    /// Where a limb should end, in the world.
    #[must_use]
    pub fn limb_target(&self, index: usize) -> Option<DVec3> {
        let target = self.rig.limbs.get(index)?.target?;
        Some(self.world_from_figure().transform_point3(target.as_dvec3()))
    }

    /// Brings a limb to a place in the world, from where it goes along with the figure; or lets go of it. A
    /// place that is not finite is refused.
    pub fn set_limb_target(&mut self, index: usize, place: Option<DVec3>) {
        let figure_from_world = self.world_from_figure().inverse();
        let Some(limb) = self.rig.limbs.get_mut(index) else { return };
        match place.map(|place| figure_from_world.transform_point3(place).as_vec3()) {
            Some(target) if !target.is_finite() => {}
            target => {
                limb.target = target;
                self.update(0.0);
            }
        }
    }
}
