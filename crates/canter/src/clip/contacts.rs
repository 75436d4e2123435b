//! When feet stand on the ground, found by looking at a clip.
//!
//! A clip on the spot has no ground: its standing feet slide backwards, all at one velocity. That velocity is
//! the median of the low points' velocities; a point stands while it is low and moves with the ground.

mod feet;

use glam::Vec3;

use super::{Clip, Marker};
use crate::model_pose::ModelPose;
use crate::pose::Pose;
use crate::skeleton::{JointId, Skeleton};

/// Looks per second, and at most.
const RATE: f32 = 120.0;
const MOST_LOOKS: usize = 4096;
/// Parts of the range of a point's height, and of the range of its speed over the ground, below which it comes
/// to stand, and above which it leaves. Standing feet of clips that were made by hand are far from even.
const COMES: (f32, f32) = (0.18, 0.30);
const LEAVES: (f32, f32) = (0.25, 0.45);
/// Within so long after that, the instant counts at which it is below these parts.
const TIGHT: (f32, f32) = (0.10, 0.15);
const TIGHT_SECS: f32 = 0.1;
/// The median of what is as low as this is the velocity of the ground.
const GROUND: f32 = 0.10;
/// A foot that has left was lifted at least to this part of its range before it comes down again,
const LIFTED: f32 = 0.35;
/// and its range is at least this part of the figure's height.
const LEAST_LIFT: f32 = 0.03;
/// What is shorter is no step.
const SHORTEST_SECS: f32 = 0.04;

/// A foot stands on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Which foot.
    pub foot: JointId,
    /// When it comes down.
    pub from_secs: f32,
    /// When it leaves; before `from_secs` if the clip ends while it stands.
    pub to_secs: f32,
}

/// When the feet of a clip stand on the ground; see [`Clip::contacts`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contacts {
    list: Vec<Contact>,
    ground_speed: Option<f32>,
}

impl Clip {
    /// Finds out when feet come down and leave the ground. A foot is a joint with all that hangs on it; where
    /// none are given they are found, by where they are at rest and by their names. A foot that stands all the
    /// time never comes down.
    ///
    /// The clip is taken as one that repeats. This looks at every pose of it: for loading, not for frames.
    ///
    /// # Panics
    /// If the clip was built for another skeleton, or a joint belongs to a larger one.
    #[must_use]
    pub fn contacts(&self, skeleton: &Skeleton, feet: &[JointId]) -> Contacts {
        assert!(self.fits(skeleton), "clip \"{}\" is of another skeleton", self.name);
        let looks = Looks::new(self, skeleton);
        if self.duration_secs <= 0.0 || looks.count < 4 {
            return Contacts::default();
        }
        let found;
        let feet = if feet.is_empty() {
            found = looks.feet(skeleton);
            &found
        } else {
            feet
        };
        let feet: Vec<Foot> = feet.iter().map(|&joint| Foot::new(&looks, skeleton, joint)).collect();
        let ground = ground_velocity(&looks, &feet);
        let mut list: Vec<Contact> = feet.iter().flat_map(|foot| foot.contacts(&looks, ground)).collect();
        list.sort_by(|a, b| a.from_secs.total_cmp(&b.from_secs).then(a.foot.cmp(&b.foot)));
        // What the root motion covers is not slid.
        let by_root = self.root_motion().and_then(|_| self.ground_speed());
        let ground_speed = by_root.or((!list.is_empty()).then_some(ground.length()));
        Contacts { list, ground_speed }
    }
}

impl Contacts {
    /// All of them, in the order in which feet come down.
    #[must_use]
    pub fn as_slice(&self) -> &[Contact] {
        &self.list
    }

    /// A marker wherever a foot comes down, of the foot's name.
    ///
    /// # Panics
    /// If they were found on a larger skeleton.
    #[must_use]
    pub fn markers(&self, skeleton: &Skeleton) -> Vec<Marker> {
        let marker = |contact: &Contact| Marker::new(skeleton.name(contact.foot), contact.from_secs);
        self.list.iter().map(marker).collect()
    }

    /// How fast the clip walks, in metres per second: by its root motion, else by how fast standing feet
    /// slide. `None` if no foot ever comes down.
    #[must_use]
    pub fn ground_speed(&self) -> Option<f32> {
        self.ground_speed
    }
}

/// All joints of a clip in the space of the world, many times.
struct Looks {
    /// One less than the poses: the last one is that of the end.
    count: usize,
    joints: usize,
    interval_secs: f32,
    places: Vec<Vec3>,
    /// Of the figure at rest.
    height: f32,
}

impl Looks {
    fn new(clip: &Clip, skeleton: &Skeleton) -> Self {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
        let count = ((clip.duration_secs() * RATE) as usize).clamp(1, MOST_LOOKS);
        #[expect(clippy::cast_precision_loss, reason = "some thousands")]
        let interval_secs = clip.duration_secs() / count as f32;
        let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::rest(skeleton));
        let mut places = Vec::with_capacity((count + 1) * skeleton.joint_count());
        for look in 0..=count {
            #[expect(clippy::cast_precision_loss, reason = "some thousands")]
            let secs = interval_secs * look as f32;
            clip.sample(secs, &mut pose);
            model.compose(skeleton, &pose);
            let way = clip.root_motion().map(|root| root.at(secs)).unwrap_or_default();
            for joint in skeleton.joints() {
                let place = model.joints()[joint.index()].transform_point(Vec3::ZERO);
                places.push(way.translation + way.rotation * place);
            }
        }
        Self { count, joints: skeleton.joint_count(), interval_secs, places, height: height(skeleton) }
    }

    fn place(&self, joint: JointId, look: usize) -> Vec3 {
        self.places[look * self.joints + joint.index()]
    }

    fn lowest(&self, joint: JointId) -> f32 {
        (0..=self.count).map(|look| self.place(joint, look).y).fold(f32::INFINITY, f32::min)
    }

    fn highest(&self, joint: JointId) -> f32 {
        (0..=self.count).map(|look| self.place(joint, look).y).fold(f32::NEG_INFINITY, f32::max)
    }

    /// Metres per second from one look to the next.
    fn velocity(&self, joint: JointId, look: usize) -> Vec3 {
        let look = look % self.count;
        (self.place(joint, look + 1) - self.place(joint, look)) / self.interval_secs
    }

    fn range(&self, joint: JointId) -> f32 {
        self.highest(joint) - self.lowest(joint)
    }

    fn least_lift(&self) -> f32 {
        LEAST_LIFT * self.height
    }
}

/// A joint and what hangs on it: heel and toes stand at different times.
struct Foot {
    joint: JointId,
    points: Vec<Point>,
}

struct Point {
    joint: JointId,
    lowest: f32,
    range: f32,
}

impl Foot {
    fn new(looks: &Looks, skeleton: &Skeleton, joint: JointId) -> Self {
        let point = |joint| {
            let lowest = looks.lowest(joint);
            Point { joint, lowest, range: looks.range(joint) }
        };
        Self { joint, points: skeleton.subtree(joint).into_iter().map(point).collect() }
    }

    fn contacts(&self, looks: &Looks, ground: Vec3) -> Vec<Contact> {
        let lifts = |point: &Point| point.range >= looks.least_lift();
        if !self.points.iter().any(lifts) {
            return Vec::new();
        }
        let mut stands = self.any_point(looks, |point| point.stands(looks, ground));
        let tight = self.any_point(looks, |point| point.is_tight(looks, ground));
        fill_runs(&mut stands, false, |gap| !gap.iter().any(|&look| self.is_lifted(looks, look)));
        fill_runs(&mut stands, true, |run| {
            #[expect(clippy::cast_precision_loss, reason = "some thousands")]
            let secs = looks.interval_secs * run.len() as f32;
            secs < SHORTEST_SECS
        });
        #[expect(clippy::cast_precision_loss, reason = "some thousands")]
        let secs = |look: usize| looks.interval_secs * look as f32;
        let after = |look: usize, more: usize| (look + more) % looks.count;
        let comes = (0..looks.count).filter(|&look| stands[look] && !stands[after(look, looks.count - 1)]);
        let leaves = |from: usize| (1..looks.count).map(|more| after(from, more)).find(|&look| !stands[look]);
        let settles = |from: usize| {
            let soon = (0..looks.count).take_while(|&more| secs(more) <= TIGHT_SECS);
            let standing = soon.map(|more| after(from, more)).take_while(|&look| stands[look]);
            standing.into_iter().find(|&look| tight[look]).unwrap_or(from)
        };
        comes
            .filter_map(|from| {
                let to_secs = secs(leaves(from)?);
                Some(Contact { foot: self.joint, from_secs: secs(settles(from)), to_secs })
            })
            .collect()
    }

    fn any_point(&self, looks: &Looks, each: impl Fn(&Point) -> Vec<bool>) -> Vec<bool> {
        let points: Vec<Vec<bool>> = self.points.iter().map(each).collect();
        (0..looks.count).map(|look| points.iter().any(|point| point[look])).collect()
    }

    /// Whether it is well above the ground, in the mean of its points.
    fn is_lifted(&self, looks: &Looks, look: usize) -> bool {
        let (height, range) = self.points.iter().fold((0.0, 0.0), |(height, range), point| {
            (height + looks.place(point.joint, look).y - point.lowest, range + point.range)
        });
        height > LIFTED * range
    }
}

impl Point {
    /// Whether it is down at each look, going round the loop twice, since the end decides on the start.
    fn stands(&self, looks: &Looks, ground: Vec3) -> Vec<bool> {
        let fastest = self.fastest(looks, ground);
        let mut stands = vec![false; looks.count];
        let mut is_down = false;
        for look in (0..looks.count).chain(0..looks.count) {
            is_down = self.is_below(looks, ground, look, if is_down { LEAVES } else { COMES }, fastest);
            stands[look] = is_down;
        }
        stands
    }

    fn is_tight(&self, looks: &Looks, ground: Vec3) -> Vec<bool> {
        let fastest = self.fastest(looks, ground);
        (0..looks.count).map(|look| self.is_below(looks, ground, look, TIGHT, fastest)).collect()
    }

    fn is_below(&self, looks: &Looks, ground: Vec3, look: usize, parts: (f32, f32), fastest: f32) -> bool {
        let height = looks.place(self.joint, look).y - self.lowest;
        height <= parts.0 * self.range && self.over_ground(looks, ground, look) <= parts.1 * fastest
    }

    fn fastest(&self, looks: &Looks, ground: Vec3) -> f32 {
        (0..looks.count).map(|look| self.over_ground(looks, ground, look)).fold(0.0, f32::max)
    }

    fn over_ground(&self, looks: &Looks, ground: Vec3, look: usize) -> f32 {
        (looks.velocity(self.joint, look) - ground).length()
    }
}

/// From the lowest joint to the highest, at rest.
fn height(skeleton: &Skeleton) -> f32 {
    let rest = ModelPose::rest(skeleton);
    let heights = rest.joints().iter().map(|joint| joint.transform_point(Vec3::ZERO).y);
    let (low, high) =
        heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
    high - low
}

/// How standing points move: level, the median of all low ones along both axes.
fn ground_velocity(looks: &Looks, feet: &[Foot]) -> Vec3 {
    let (mut along_x, mut along_z) = (Vec::new(), Vec::new());
    for point in feet.iter().flat_map(|foot| &foot.points) {
        for look in 0..looks.count {
            if looks.place(point.joint, look).y - point.lowest <= GROUND * point.range {
                let velocity = looks.velocity(point.joint, look);
                along_x.push(velocity.x);
                along_z.push(velocity.z);
            }
        }
    }
    let median = |numbers: &mut Vec<f32>| {
        let middle = numbers.len() / 2;
        if numbers.is_empty() { 0.0 } else { *numbers.select_nth_unstable_by(middle, f32::total_cmp).1 }
    };
    Vec3::new(median(&mut along_x), 0.0, median(&mut along_z))
}

/// Turns those runs of one kind round the loop into the other kind that a function says.
fn fill_runs(stands: &mut [bool], kind: bool, fills: impl Fn(&[usize]) -> bool) {
    let count = stands.len();
    // From the end of a run, so that none is cut in two.
    let Some(end) = (0..count).find(|&look| stands[look] == kind && stands[(look + 1) % count] != kind)
    else {
        return;
    };
    let mut run = Vec::new();
    for look in (1..=count).map(|after| (end + after) % count) {
        if stands[look] == kind {
            run.push(look);
        }
        if (stands[look] != kind || look == end) && !run.is_empty() {
            if fills(&run) {
                run.iter().for_each(|&look| stands[look] = !kind);
            }
            run.clear();
        }
    }
}
