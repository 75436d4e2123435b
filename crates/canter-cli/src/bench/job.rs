//! The work that is measured: characters in the middle of a crossfade.

use std::sync::Arc;

use canter::{ActionId, Clip, Crowd, Fade, Mat3x4, Mixer, ModelPose, Play, Pose, Skeleton, Skins};
use canter_gltf::Asset;

/// A frame.
pub(super) const DT_SECS: f32 = 1.0 / 60.0;
/// The crossfade is under way for longer than anybody measures, and 40 % of it are over.
const FADE_SECS: f32 = 1e6;
const FADED_SECS: f32 = 4e5;

/// What every character does.
pub(super) struct Job {
    pub(super) skeleton: Arc<Skeleton>,
    pub(super) skins: Skins,
    pub(super) clips: [Arc<Clip>; 2],
}

/// Where the actions of the job are in a mixer.
pub(super) type Actions = [ActionId; 2];

impl Job {
    pub(super) fn new(asset: &Asset, clips: [Arc<Clip>; 2]) -> Self {
        Self { skeleton: Arc::clone(&asset.skeleton), skins: asset.skins.clone(), clips }
    }

    /// Lets a mixer do the job, each character at another place in the clips.
    pub(super) fn start(&self, mixer: &mut Mixer, index: usize) -> Actions {
        #[expect(clippy::cast_precision_loss, reason = "any place will do")]
        let start_secs = Some(index as f32 * 0.037);
        let from = mixer.play(&self.clips[0], Play { start_secs, ..Play::default() });
        let fade = Fade::from(FADE_SECS);
        let to = mixer.play(&self.clips[1], Play { fade, ..Play::default() });
        mixer.fade_out(from, fade);
        mixer.advance(FADED_SECS);
        [from, to]
    }

    pub(super) fn crowd(&self, characters: usize) -> (Crowd, Actions) {
        let mut crowd = Crowd::new(&self.skeleton, self.skins.clone());
        let first = self.start(crowd.spawn(), 0);
        for index in 1..characters {
            // The same operations on a new mixer give the same ids.
            self.start(crowd.spawn(), index);
        }
        (crowd, first)
    }

    /// Matrices that a character's skins have together.
    pub(super) fn palette_len(&self) -> usize {
        self.skins.matrix_count()
    }

    /// Bytes that each further character takes: its mixer and its palette.
    pub(super) fn character_bytes(&self) -> usize {
        let mut mixer = Mixer::new(&self.skeleton);
        self.start(&mut mixer, 0);
        mixer.memory_bytes() + self.palette_len() * size_of::<Mat3x4>()
    }
}

/// A character that goes through the stages one by one.
pub(super) struct Staged {
    pub(super) mixer: Mixer,
    pub(super) actions: Actions,
    pub(super) pose: Pose,
    pub(super) model: ModelPose,
    pub(super) palettes: Vec<Mat3x4>,
}

impl Staged {
    pub(super) fn new(job: &Job, index: usize) -> Self {
        let mut mixer = Mixer::new(&job.skeleton);
        let actions = job.start(&mut mixer, index);
        Self {
            mixer,
            actions,
            pose: Pose::rest(&job.skeleton),
            model: ModelPose::rest(&job.skeleton),
            palettes: vec![Mat3x4::IDENTITY; job.skins.matrix_count()],
        }
    }
}

/// Times all over a clip, the same in every run.
#[derive(Clone)]
pub(super) struct Times(pub(super) u32);

impl Times {
    pub(super) fn next_secs(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        #[expect(clippy::cast_precision_loss, reason = "a random number")]
        let secs = (self.0 >> 8) as f32 / 8_388_608.0;
        secs
    }
}
