//! Marks on the ground where feet came down while the figure travelled.

mod roll;

use canter::glam::{DAffine3, DVec3};
use canter::{JointId, MarkerEvent, MarkerKind, Mixer, ModelPose, Skeleton};

use super::Session;
use super::travel::{affine, on_ground};
pub(super) use roll::Roll;

/// So many are kept, for so long.
const MOST: usize = 64;
const LIFE_SECS: f64 = 12.0;
/// Of clips that are less than this part of the pose there are none: feet of two clips that fade would leave
/// two marks for one step.
const LEAST_WEIGHT: f32 = 0.3;
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
    foot: Option<Foot>,
}

/// A figure before a step.
pub(super) struct Before {
    mixer: Mixer,
    world: DAffine3,
    dt_secs: f32,
}

/// The joints of a foot: they may be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Foot {
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
    pub(super) fn before_step(&mut self, dt_secs: f32) -> Option<Before> {
        let leaves = self.travel.travels && dt_secs > 0.0;
        if leaves && std::mem::take(&mut self.travel.is_disturbed) {
            self.look_again();
        }
        let mixer = || self.figure().mixer.clone();
        leaves.then(|| Before { mixer: mixer(), world: self.world_from_figure(), dt_secs })
    }

    /// Feet that came down just now stand elsewhere if something else is played since then.
    fn look_again(&mut self) {
        let (now, world) = (self.travel.now_secs, self.world_from_figure());
        let mut rolls = std::mem::take(&mut self.travel.rolls);
        rolls.retain(|roll| roll.goes_on(now));
        for roll in &mut rolls {
            roll.look_again(&self.figure().mixer, world, self.skeleton(), now);
            let stand = self.on_stairs(roll.stand());
            let is_it = |print: &&mut Footprint| {
                print.made_secs.to_bits() == roll.made_secs.to_bits() && print.foot == Some(roll.foot)
            };
            if let Some(print) = self.travel.footprints.iter_mut().find(is_it) {
                *print = stand;
            }
        }
        self.travel.rolls = rolls;
    }

    fn on_stairs(&self, mut print: Footprint) -> Footprint {
        (print.toes.y, print.ankle.y) = (self.ground_height(print.toes), self.ground_height(print.ankle));
        print
    }

    /// Leaves a mark for each foot that has come down.
    pub(super) fn leave_footprints(&mut self, before: Option<Before>, crossed: Vec<MarkerEvent>) {
        let now = self.travel.now_secs;
        self.travel.footprints.retain(|print| now - print.made_secs < LIFE_SECS);
        let Some(before) = before else { return };
        let mut last = std::collections::VecDeque::new();
        for event in crossed.into_iter().filter(|event| event.weight >= LEAST_WEIGHT) {
            if event.kind == MarkerKind::At && f64::from(event.secs_ago) < LIFE_SECS {
                if last.len() >= MOST {
                    last.pop_front();
                }
                last.push_back(event);
            }
        }
        for event in last {
            let Some(foot) = Foot::of(self.skeleton(), &event.name) else { continue };
            let mut roll = before.roll(self.skeleton(), &event, foot);
            roll.made_secs = now - f64::from(event.secs_ago);
            self.travel.footprints.push_back(self.on_stairs(roll.stand()));
            self.travel.rolls.retain(|roll| roll.goes_on(now));
            if !event.is_backward && self.travel.rolls.len() < MOST {
                self.travel.rolls.push(roll);
            }
            if self.travel.footprints.len() > MOST {
                self.travel.footprints.pop_front();
            }
        }
    }
}

impl Before {
    /// How a foot rolls that came down in the step. Its marker may be told a long step later: so the figure goes
    /// through that time once more.
    fn roll(&self, skeleton: &Skeleton, event: &MarkerEvent, foot: Foot) -> Roll {
        let mut mixer = self.mixer.clone();
        mixer.advance((self.dt_secs - event.secs_ago).max(0.0));
        let world = self.world * affine(mixer.root_motion().transform);
        let speed = mixer.get(event.action).map_or(1.0, |action| action.speed().abs()).max(0.05);
        if event.is_backward {
            // The foot leaves the ground there, and stood before: back, time runs forward.
            let ids: Vec<_> = mixer.actions().map(|(id, action)| (id, -action.speed())).collect();
            for (id, speed) in ids {
                mixer.get_mut(id).map(|mut action| action.set_speed(speed));
            }
        }
        Roll::new(mixer, world, skeleton, foot, speed)
    }
}

/// Where a foot is.
fn look(model: &ModelPose, world: &DAffine3, foot: Foot) -> Footprint {
    let place = |joint| world.transform_point3(model.joint(joint).w_axis.truncate().as_dvec3());
    let forward = on_ground(world.transform_vector3(DVec3::Z)).normalize_or(DVec3::Z);
    Footprint { toes: place(foot.toes), ankle: place(foot.ankle), forward, made_secs: 0.0, foot: None }
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
