//! Marks on the ground where feet came down while the figure travelled.

use canter::glam::{DAffine3, DVec3};
use canter::{JointId, MarkerEvent, MarkerKind, Mixer, ModelPose, Pose, Skeleton};

use super::Session;
use super::travel::{affine, on_ground};

/// So many are kept, for so long.
const MOST: usize = 64;
const LIFE_SECS: f64 = 12.0;
/// Of clips that are less than this part of the pose there are none: feet of two clips that fade would leave
/// two marks for one step.
const LEAST_WEIGHT: f32 = 0.3;
/// A foot comes down heel first, and then rolls onto its sole: it stands within this time of the clip after
/// its marker, which is looked through in such steps.
const ROLL_SECS: f32 = 0.3;
const LOOK_SECS: f32 = 1.0 / 120.0;
/// Joints at rest that are no higher than this part of the figure are near the ground.
const LOW: f32 = 0.2;

/// A mark on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// Below the toes, or below the foot if it has none.
    pub toes: DVec3,
    /// Below the ankle; the same as `toes` if the foot has none.
    pub ankle: DVec3,
    /// Where the figure looked.
    pub forward: DVec3,
    made_secs: f64,
}

/// A figure before a step.
pub(super) struct Before {
    mixer: Mixer,
    world: DAffine3,
    dt_secs: f32,
}

/// The joints of a foot: they may be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Foot {
    ankle: JointId,
    toes: JointId,
}

impl Session {
    /// The marks on the ground, the oldest first, each with what part of its life has passed, from 0 to 1.
    pub fn footprints(&self) -> impl Iterator<Item = (&Footprint, f32)> {
        let now = self.travel.now_secs;
        #[expect(clippy::cast_possible_truncation, reason = "from 0 to 1")]
        let age = move |print: &Footprint| ((now - print.made_secs) / LIFE_SECS).clamp(0.0, 1.0) as f32;
        self.travel.footprints.iter().map(move |print| (print, age(print)))
    }

    /// What has to be known of the figure before a step, to say afterwards where its feet were on the way.
    pub(super) fn before_step(&self, dt_secs: f32) -> Option<Before> {
        let leaves = self.travel.travels && dt_secs > 0.0;
        let mixer = || self.figure().mixer.clone();
        leaves.then(|| Before { mixer: mixer(), world: self.world_from_figure(), dt_secs })
    }

    /// Leaves a mark for each foot that has come down.
    pub(super) fn leave_footprints(&mut self, before: Option<Before>) {
        let now = self.travel.now_secs;
        self.travel.footprints.retain(|print| now - print.made_secs < LIFE_SECS);
        let Some(before) = before else { return };
        let mut last = std::collections::VecDeque::new();
        for event in self.figure().mixer.markers().above(LEAST_WEIGHT) {
            if event.kind == MarkerKind::At && f64::from(event.secs_ago) < LIFE_SECS {
                if last.len() >= MOST {
                    last.pop_front();
                }
                last.push_back(event);
            }
        }
        for event in last {
            let Some(foot) = Foot::of(self.skeleton(), &event.name) else { continue };
            let stand = before.stand(self.skeleton(), &event, foot);
            let made_secs = now - f64::from(event.secs_ago);
            self.travel.footprints.push_back(Footprint { made_secs, ..stand });
            if self.travel.footprints.len() > MOST {
                self.travel.footprints.pop_front();
            }
        }
    }
}

impl Before {
    /// Where a foot stands that came down in the step. Its marker may be told a long step later, and while
    /// it rolls onto its sole it moves: so the figure goes through that time once more, and the foot stands
    /// where it moves least.
    fn stand(&self, skeleton: &Skeleton, event: &MarkerEvent, foot: Foot) -> Footprint {
        let mut mixer = self.mixer.clone();
        mixer.advance((self.dt_secs - event.secs_ago).max(0.0));
        let mut world = self.world * affine(mixer.root_motion().transform);
        let speed = mixer.get(event.action).map_or(1.0, |action| action.speed().abs()).max(0.05);
        if event.is_backward {
            // The foot leaves the ground there, and stood before: back, time runs forward.
            let ids: Vec<_> = mixer.actions().map(|(id, action)| (id, -action.speed())).collect();
            for (id, speed) in ids {
                mixer.get_mut(id).map(|mut action| action.set_speed(speed));
            }
        }
        let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::rest(skeleton));
        let mut least = f64::INFINITY;
        let mut stand = None;
        let mut last: Option<Footprint> = None;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some dozens")]
        for _ in 0..(ROLL_SECS / LOOK_SECS) as u16 {
            mixer.sample(&mut pose);
            model.compose(skeleton, &pose);
            let look = look(&model, &world, foot);
            if let Some(last) = last {
                let moved = last.toes.distance(look.toes) + last.ankle.distance(look.ankle);
                if moved < least {
                    (least, stand) = (moved, Some(look));
                }
            }
            last = Some(look);
            mixer.advance(LOOK_SECS / speed);
            world *= affine(mixer.root_motion().transform);
        }
        let stand = stand.or(last).unwrap_or_else(|| look(&model, &world, foot));
        Footprint { toes: on_ground(stand.toes), ankle: on_ground(stand.ankle), ..stand }
    }
}

/// Where a foot is.
fn look(model: &ModelPose, world: &DAffine3, foot: Foot) -> Footprint {
    let place = |joint| world.transform_point3(model.joint(joint).w_axis.truncate().as_dvec3());
    let forward = on_ground(world.transform_vector3(DVec3::Z)).normalize_or(DVec3::Z);
    Footprint { toes: place(foot.toes), ankle: place(foot.ankle), forward, made_secs: 0.0 }
}

impl Foot {
    /// The foot that a marker is about: the joint near the ground whose name is the marker's, or the longest
    /// that is a part of it.
    fn of(skeleton: &Skeleton, marker: &str) -> Option<Self> {
        let marker = marker.to_lowercase();
        let rest = ModelPose::rest(skeleton);
        let height = |joint: JointId| rest.joint(joint).w_axis.y;
        let (low, high) = skeleton
            .joints()
            .map(height)
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
        let is_low = |joint: &JointId| height(*joint) <= low + LOW * (high - low);
        let name = |joint: JointId| skeleton.name(joint).to_lowercase();
        let is_named = |joint: &JointId| !name(*joint).is_empty() && marker.contains(&name(*joint));
        let ankle = skeleton.joints().filter(is_low).filter(is_named).max_by_key(|it| name(*it).len())?;
        let is_own_toe = |joint: &JointId| skeleton.parent(*joint) == Some(ankle) && is_toe(&name(*joint));
        Some(Self { ankle, toes: skeleton.joints().find(is_own_toe).unwrap_or(ankle) })
    }
}

/// Whether a joint is called as the front of a foot is.
pub(super) fn is_toe(name: &str) -> bool {
    let name = name.to_lowercase();
    name.contains("toe") || name.contains("ball")
}

#[cfg(test)]
mod tests {
    use canter::Transform;
    use canter::glam::Vec3;

    use super::*;

    #[test]
    fn a_marker_is_about_the_joint_near_the_ground_that_it_names() {
        let mut joints = Skeleton::builder();
        let at = |y| Transform::from_translation(Vec3::Y * y);
        let hips = joints.joint("hips", None, at(1.0));
        let foot = joints.joint("Foot_L", Some(hips), at(-0.9));
        joints.joint("BigToe_L", Some(foot), at(-0.1));
        joints.joint("Foot", Some(hips), at(-0.9));
        joints.joint("", Some(hips), at(-1.0));
        let skeleton = joints.build().unwrap();
        let found = |marker| {
            let foot = Foot::of(&skeleton, marker)?;
            Some((skeleton.name(foot.ankle), skeleton.name(foot.toes)))
        };
        assert_eq!(found("foot_l"), Some(("Foot_L", "BigToe_L")));
        assert_eq!(found("step foot_L hard"), Some(("Foot_L", "BigToe_L")));
        assert_eq!(found("foot_R"), Some(("Foot", "Foot")));
        assert_eq!((found("hips"), found("blade"), found("")), (None, None, None));
    }
}
