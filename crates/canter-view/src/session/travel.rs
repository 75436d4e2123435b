//! The way over the ground: in place or travelling, how fast, and what is left of it.

use std::collections::VecDeque;
use std::sync::Arc;

use canter::glam::{DAffine3, DVec3};
use canter::{Clip, JointId, ModelPose, RootCurve, RootMotion, RootStep, Transform};
use canter_scene::Model;

use super::Session;
use super::footprints::{Footprint, Roll};

/// A clip travels if it ends this part of the figure's height from where it began, or turned by this angle.
/// What comes back to where it was, such as hips that sway, belongs to the pose.
const TRAVELS: f32 = 0.02;
const TURNS: f32 = 0.035;
/// How long the trail is.
const TRAIL_SECS: f64 = 8.0;
/// Places on the trail are so far apart at least, in metres; there are at most so many.
const TRAIL_STEP: f64 = 0.01;
const MOST_PLACES: usize = 1000;
/// Of the way of one loop.
const WAY_PLACES: u8 = 96;

/// Whether the figure travels, and what it has left behind.
#[derive(Debug, Default)]
pub(super) struct Travel {
    pub(super) travels: bool,
    /// Seconds that were played.
    pub(super) now_secs: f64,
    /// When the figure was where.
    trail: VecDeque<(f64, DVec3)>,
    pub(super) footprints: VecDeque<Footprint>,
    /// Of feet that came down just now.
    pub(super) rolls: Vec<Roll>,
    /// Whether something else is played than in the last step.
    pub(super) is_disturbed: bool,
}

/// The clips of a model without their ways, which become their root motion.
pub(super) fn split(model: &Model) -> Vec<Arc<Clip>> {
    let asset = &model.asset;
    let Some(root) = asset.root_joint() else { return asset.clips.clone() };
    let rest = ModelPose::rest(&asset.skeleton);
    let heights = || asset.skeleton.joints().map(|joint| rest.joint(joint).w_axis.y);
    let height = heights().fold(0.0, f32::max) - heights().fold(0.0, f32::min);
    let split = |clip: &Arc<Clip>| {
        let split = clip.with_root_motion(&asset.skeleton, RootMotion::over_ground(root.joint)).ok()?;
        let way = relative(split.root_motion()?, 0.0, clip.duration_secs());
        let angle = way.matrix3.x_axis.dot(DVec3::X).clamp(-1.0, 1.0).acos();
        let is_way = way.translation.length() > f64::from(TRAVELS * height) || angle > f64::from(TURNS);
        is_way.then(|| Arc::new(split))
    };
    // What cannot be split, or is already, plays as it is.
    asset.clips.iter().map(|clip| split(clip).unwrap_or_else(|| Arc::clone(clip))).collect()
}

impl Session {
    /// Whether the figure travels by its clips' root motion; else it stays in its place.
    #[must_use]
    pub fn travels(&self) -> bool {
        self.travel.travels
    }

    /// Lets the figure and its copies travel, or stay where they are.
    pub fn set_travels(&mut self, travels: bool) {
        self.travel.travels = travels;
        self.each_character(|character, _| character.travels = travels);
        self.touch();
    }

    /// Puts the figure back to the middle and its copies behind it, and wipes what they left on the ground.
    pub fn reset_place(&mut self) {
        self.scene.set_local(self.figure, DAffine3::IDENTITY);
        self.place_crowd();
        self.travel.trail.clear();
        self.travel.footprints.clear();
        self.travel.rolls.clear();
        self.scene.update_transforms();
        self.touch();
    }

    /// Where the figure is.
    #[must_use]
    pub fn place(&self) -> DVec3 {
        self.world_from_figure().translation
    }

    pub(super) fn world_from_figure(&self) -> DAffine3 {
        self.scene.world(self.figure).unwrap_or(DAffine3::IDENTITY)
    }

    /// The joint whose way was taken out of clips; `None` if no clip travels.
    #[must_use]
    pub fn root_joint(&self) -> Option<JointId> {
        self.clips.iter().find_map(|clip| clip.root_motion()).map(RootCurve::joint)
    }

    /// How the figure moves, or would if it travelled.
    #[must_use]
    pub fn root_motion(&self) -> RootStep {
        self.figure().mixer.root_motion()
    }

    /// Metres per second that the shown clip walks at its own speed, if that is known.
    #[must_use]
    pub fn ground_speed(&self) -> Option<f32> {
        self.action()?.clip().ground_speed()
    }

    /// Sets the speed of all clips so that the shown one covers so many metres per second, within the limits
    /// of [`set_speed`](Self::set_speed); `false` if it does not walk.
    pub fn set_ground_speed(&mut self, metres_per_sec: f32) -> bool {
        let speed = self.action().and_then(|action| action.clip().speed_over_ground(metres_per_sec));
        speed.map(|speed| self.set_speed(speed)).is_some()
    }

    /// The way of one loop of the shown clip on the ground, through where the figure is now; of a figure in
    /// its place, from there.
    #[must_use]
    pub fn way(&self) -> Vec<DVec3> {
        // What a graph plays leads no way of its own.
        let Some(action) = self.action().filter(|_| !self.runs_graph()) else { return Vec::new() };
        let Some(root) = action.clip().root_motion() else { return Vec::new() };
        let (start, end) = action.clock().range_secs();
        let from = if self.travel.travels { action.time_secs() } else { start };
        let world = self.world_from_figure();
        let secs = |index: u8| start + (end - start) * f32::from(index) / f32::from(WAY_PLACES);
        (0..=WAY_PLACES).map(|index| (world * relative(root, from, secs(index))).translation).collect()
    }

    /// Where on its [`way`](Self::way) the shown clip is.
    #[must_use]
    pub fn place_on_way(&self) -> Option<DVec3> {
        let action = self.action()?;
        let root = action.clip().root_motion()?;
        if self.travel.travels {
            return Some(self.place());
        }
        let start = action.clock().range_secs().0;
        Some((self.world_from_figure() * relative(root, start, action.time_secs())).translation)
    }

    /// Where the figure was in the last seconds, the oldest first, each with what part of that time has
    /// passed since then, from 0 to 1.
    pub fn trail(&self) -> impl Iterator<Item = (DVec3, f32)> {
        let now = self.travel.now_secs;
        #[expect(clippy::cast_possible_truncation, reason = "from 0 to 1")]
        let age = move |secs: f64| ((now - secs) / TRAIL_SECS).clamp(0.0, 1.0) as f32;
        self.travel.trail.iter().map(move |&(secs, place)| (place, age(secs)))
    }

    /// Notes where the figure is.
    pub(super) fn leave_trail(&mut self, dt_secs: f32) {
        self.travel.now_secs += f64::from(dt_secs);
        let (now, place) = (self.travel.now_secs, self.place());
        let travels = self.travel.travels;
        let trail = &mut self.travel.trail;
        if travels && trail.back().is_none_or(|(_, last)| last.distance(place) >= TRAIL_STEP) {
            trail.push_back((now, place));
        }
        while trail.front().is_some_and(|(secs, _)| now - secs > TRAIL_SECS) || trail.len() > MOST_PLACES {
            trail.pop_front();
        }
    }

    /// Moves the figure as its clip does from one time to another: under a hand on the timeline.
    pub(super) fn travel_between(&mut self, root: &Clip, from_secs: f32, to_secs: f32) {
        if let (true, Some(root)) = (self.travel.travels, root.root_motion()) {
            let world = self.world_from_figure() * relative(root, from_secs, to_secs);
            self.scene.set_local(self.figure, world);
        }
    }
}

/// The way from one time of a clip to another, as seen from where it began.
fn relative(root: &RootCurve, from_secs: f32, to_secs: f32) -> DAffine3 {
    affine(root.at(from_secs)).inverse() * affine(root.at(to_secs))
}

/// A transform without scale.
pub(super) fn affine(transform: Transform) -> DAffine3 {
    let Transform { translation, rotation, .. } = transform;
    DAffine3::from_rotation_translation(rotation.as_dquat().normalize(), translation.as_dvec3())
}

/// The place of a point above or below the ground.
pub(super) fn on_ground(place: DVec3) -> DVec3 {
    DVec3::new(place.x, 0.0, place.z)
}

#[cfg(test)]
mod tests;
