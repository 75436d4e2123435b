//! One figure: what it plays, how it stands, and the palette that draws it.

use std::sync::Arc;

use canter::{ActionId, Fade, Mat3x4, Mixer, ModelPose, Pose};
use canter_gltf::{Asset, ClipNotFound};

/// All stages of one figure in a bundle with public fields.
///
/// [`update`](Self::update) runs them in order and holds no logic of its own: to put a line of yours between two
/// stages, call them yourself. What figures of a kind have in common, they share.
#[derive(Clone, Debug)]
pub struct Character {
    /// The file, shared by all figures of a kind.
    pub asset: Arc<Asset>,
    /// What plays.
    pub mixer: Mixer,
    /// Where every joint stands relative to its parent.
    pub pose: Pose,
    /// Where every joint stands relative to the character.
    pub model: ModelPose,
    /// The matrices of all skins of the file, one skin behind another.
    pub palette: Vec<Mat3x4>,
}

impl Character {
    /// A figure in its rest pose.
    #[must_use]
    pub fn new(asset: &Arc<Asset>) -> Self {
        let skeleton = &asset.skeleton;
        let palette_len = asset.skins.iter().map(|skin| skin.len()).sum();
        let mut character = Self {
            asset: Arc::clone(asset),
            mixer: Mixer::new(skeleton),
            pose: Pose::rest(skeleton),
            model: ModelPose::rest(skeleton),
            palette: vec![Mat3x4::IDENTITY; palette_len],
        };
        character.write_palette();
        character
    }

    /// Fades to a clip, and everything else out. A fade of 0 switches at once.
    ///
    /// # Errors
    /// If the file has no clip of that name; the error lists those that there are.
    pub fn play(&mut self, clip: &str, fade: impl Into<Fade>) -> Result<ActionId, ClipNotFound> {
        Ok(self.mixer.crossfade_to(self.asset.clip(clip)?, fade))
    }

    /// Advances by a time and brings everything else up to date.
    pub fn update(&mut self, dt_secs: f32) {
        self.mixer.advance(dt_secs);
        self.mixer.sample(&mut self.pose);
        self.model.compose(&self.asset.skeleton, &self.pose);
        self.write_palette();
    }

    /// Writes the palette of the present model pose.
    pub fn write_palette(&mut self) {
        let mut rest = self.palette.as_mut_slice();
        for skin in &self.asset.skins {
            let (own, others) = rest.split_at_mut(skin.len());
            skin.write_palette(&self.model, own);
            rest = others;
        }
    }

    /// The palette of one skin of the file; `None` if there is no such skin.
    #[must_use]
    pub fn skin_palette(&self, skin: usize) -> Option<&[Mat3x4]> {
        let len = self.asset.skins.get(skin)?.len();
        let start: usize = self.asset.skins[..skin].iter().map(|skin| skin.len()).sum();
        self.palette.get(start..start + len)
    }
}
