//! How a foot rolls onto its sole after it came down, and where it stands then.

use canter::glam::DAffine3;
use canter::{Mixer, ModelPose, Pose, Skeleton};

use super::{Foot, Footprint, look};
use crate::session::travel::{affine, on_ground};

/// A foot comes down heel first, and then rolls onto its sole: it stands within this time of the clip after
/// its marker, which is looked through in such steps.
const ROLL_SECS: f32 = 0.3;
const LOOK_SECS: f32 = 1.0 / 120.0;

/// Where a foot is from when it comes down to when it stands: as it was, and as it will be if nothing comes
/// between.
#[derive(Clone, Debug)]
pub(in crate::session) struct Roll {
    pub(super) foot: Foot,
    pub(super) made_secs: f64,
    /// From one place to the next, at the speed of its clip.
    step_secs: f64,
    places: Vec<Footprint>,
}

impl Roll {
    /// Of a foot that comes down now.
    pub(super) fn new(
        mut mixer: Mixer,
        world: DAffine3,
        skeleton: &Skeleton,
        foot: Foot,
        speed: f32,
    ) -> Self {
        let step_secs = f64::from(LOOK_SECS / speed);
        let mut roll = Self { foot, made_secs: 0.0, step_secs, places: Vec::new() };
        roll.look_ahead(&mut mixer, world, skeleton);
        roll
    }

    /// Looks again from now on, because something else is played.
    pub(super) fn look_again(&mut self, mixer: &Mixer, world: DAffine3, skeleton: &Skeleton, now_secs: f64) {
        let passed = (now_secs - self.made_secs).max(0.0) / self.step_secs;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some dozens")]
        let kept = passed.floor().min(1e6) as usize + 1;
        if kept >= self.places.len() {
            return;
        }
        self.places.truncate(kept);
        let mut mixer = mixer.clone();
        #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "within a step")]
        let to_next_secs = ((kept as f64 - passed) * self.step_secs) as f32;
        mixer.advance(to_next_secs.max(0.0));
        let world = world * affine(mixer.root_motion().transform);
        self.look_ahead(&mut mixer, world, skeleton);
    }

    /// Whether the foot may stand later than now.
    pub(super) fn goes_on(&self, now_secs: f64) -> bool {
        #[expect(clippy::cast_precision_loss, reason = "some dozens")]
        let count = self.places.len() as f64;
        now_secs - self.made_secs < count * self.step_secs
    }

    fn look_ahead(&mut self, mixer: &mut Mixer, mut world: DAffine3, skeleton: &Skeleton) {
        let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::rest(skeleton));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some dozens")]
        let (count, step_secs) = ((ROLL_SECS / LOOK_SECS) as usize, self.step_secs as f32);
        while self.places.len() < count {
            mixer.sample(&mut pose);
            model.compose(skeleton, &pose);
            self.places.push(look(&model, &world, self.foot));
            mixer.advance(step_secs);
            world *= affine(mixer.root_motion().transform);
        }
    }

    /// Where the foot moves least: there it stands.
    pub(super) fn stand(&self) -> Footprint {
        let moved =
            |pair: &&[Footprint]| pair[0].toes.distance(pair[1].toes) + pair[0].ankle.distance(pair[1].ankle);
        let least = self.places.windows(2).min_by(|a, b| moved(a).total_cmp(&moved(b)));
        let stand = least.map_or(self.places[0], |pair| pair[1]);
        let (toes, ankle) = (on_ground(stand.toes), on_ground(stand.ankle));
        Footprint { toes, ankle, made_secs: self.made_secs, foot: Some(self.foot), ..stand }
    }
}
