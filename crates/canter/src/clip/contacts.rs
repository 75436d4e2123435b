//! When feet stand on the ground, found by looking at a clip.
//!
//! A clip on the spot has no ground: its standing feet slide backwards, all at one velocity. That velocity is
//! the median of the low points' velocities; a point stands while it is low and moves with the ground.

use glam::Vec3;

use super::{Clip, Marker};
use crate::model_pose::ModelPose;
use crate::pose::Pose;
use crate::skeleton::{JointId, Skeleton};

/// Looks per second, and at most.
const RATE: f32 = 120.0;
const MOST_LOOKS: usize = 4096;
/// Parts of the range of a point's height, and of the range of its speed over the ground, below which it comes
/// to stand, and above which it leaves.
const COMES: (f32, f32) = (0.10, 0.15);
const LEAVES: (f32, f32) = (0.18, 0.30);
/// What is shorter is neither a step nor a gap between two.
const SHORTEST_SECS: f32 = 0.04;
/// Feet are at most so high at their lowest, as a part of the figure's height, and nothing that hangs on them
/// is higher at rest than the other part.
const LOW: f32 = 0.06;
const FOOT: f32 = 0.35;

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
    /// Finds out when feet come down and leave the ground. A foot is a joint with all that hangs on it; none
    /// are given for all joints that come near the ground. A foot that stands all the time never comes down.
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
        Self { count, joints: skeleton.joint_count(), interval_secs, places }
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

    /// Joints that come near the ground, with nothing high above hanging on them.
    fn feet(&self, skeleton: &Skeleton) -> Vec<JointId> {
        let ground = skeleton.joints().map(|joint| self.lowest(joint)).fold(f32::INFINITY, f32::min);
        let top = skeleton.joints().map(|joint| self.place(joint, 0).y).fold(f32::NEG_INFINITY, f32::max);
        let height = top - ground;
        let mut reach: Vec<f32> = skeleton.joints().map(|joint| self.place(joint, 0).y).collect();
        for joint in skeleton.joints().rev() {
            if let Some(parent) = skeleton.parent(joint) {
                reach[parent.index()] = reach[parent.index()].max(reach[joint.index()]);
            }
        }
        let is_foot = |joint: JointId| {
            self.lowest(joint) <= ground + LOW * height && reach[joint.index()] <= ground + FOOT * height
        };
        let is_top = |joint: &JointId| skeleton.parent(*joint).is_none_or(|parent| !is_foot(parent));
        skeleton.joints().filter(|joint| is_foot(*joint)).filter(is_top).collect()
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
            Point { joint, lowest, range: looks.highest(joint) - lowest }
        };
        Self { joint, points: skeleton.subtree(joint).into_iter().map(point).collect() }
    }

    fn contacts(&self, looks: &Looks, ground: Vec3) -> Vec<Contact> {
        let stands: Vec<Vec<bool>> = self.points.iter().map(|point| point.stands(looks, ground)).collect();
        let mut stands: Vec<bool> =
            (0..looks.count).map(|look| stands.iter().any(|point| point[look])).collect();
        fill_short_runs(&mut stands, looks, false);
        fill_short_runs(&mut stands, looks, true);
        #[expect(clippy::cast_precision_loss, reason = "some thousands")]
        let secs = |look: usize| looks.interval_secs * look as f32;
        let before = |look: usize| stands[(look + looks.count - 1) % looks.count];
        let comes = (0..looks.count).filter(|&look| stands[look] && !before(look));
        let leaves =
            |from: usize| (1..looks.count).map(|after| (from + after) % looks.count).find(|&l| !stands[l]);
        comes
            .filter_map(|from| {
                Some(Contact { foot: self.joint, from_secs: secs(from), to_secs: secs(leaves(from)?) })
            })
            .collect()
    }
}

impl Point {
    /// Whether it is down at each look, going round the loop twice, since the end decides on the start.
    fn stands(&self, looks: &Looks, ground: Vec3) -> Vec<bool> {
        let over_ground = |look: usize| (looks.velocity(self.joint, look) - ground).length();
        let fastest = (0..looks.count).map(over_ground).fold(0.0, f32::max);
        let mut stands = vec![false; looks.count];
        let mut is_down = false;
        for look in 0..2 * looks.count {
            let look = look % looks.count;
            let height = looks.place(self.joint, look).y - self.lowest;
            let (most_height, most_speed) = if is_down { LEAVES } else { COMES };
            is_down = height <= most_height * self.range && over_ground(look) <= most_speed * fastest;
            stands[look] = is_down;
        }
        stands
    }
}

/// How standing points move: level, the median of all low ones along both axes.
fn ground_velocity(looks: &Looks, feet: &[Foot]) -> Vec3 {
    let (mut along_x, mut along_z) = (Vec::new(), Vec::new());
    for point in feet.iter().flat_map(|foot| &foot.points) {
        for look in 0..looks.count {
            if looks.place(point.joint, look).y - point.lowest <= COMES.0 * point.range {
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

/// Turns runs of one kind round the loop that are too short into the other kind.
fn fill_short_runs(stands: &mut [bool], looks: &Looks, kind: bool) {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
    let shortest = (SHORTEST_SECS / looks.interval_secs) as usize;
    let count = stands.len();
    // From the end of a run, so that none is cut in two.
    let Some(start) = (0..count).find(|&look| stands[look] == kind && stands[(look + 1) % count] != kind)
    else {
        return;
    };
    let mut run = 0;
    for look in (1..=count).map(|after| (start + after) % count) {
        if stands[look] == kind {
            run += 1;
            continue;
        }
        if run > 0 && run < shortest {
            (1..=run).for_each(|back| stands[(look + count - back) % count] = !kind);
        }
        run = 0;
    }
    if run > 0 && run < shortest {
        (0..run).for_each(|back| stands[(start + count - back) % count] = !kind);
    }
}
