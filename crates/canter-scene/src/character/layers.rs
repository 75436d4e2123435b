//! Clips on the layers of a character's mixer.

use std::fmt;

use canter::{ActionId, LayerId, Play, PlayError};
use canter_gltf::{ClipKey, ClipNotFound};

use super::Character;

impl Character {
    /// Plays a clip on a layer of the [`mixer`](Self::mixer), see [`LayerMut::play`](canter::LayerMut::play).
    /// The clip is given as in [`play`](Self::play).
    ///
    /// ```
    /// use canter_scene::canter::{Fade, JointMask, Layer, Play};
    /// use canter_scene::{Character, Model};
    ///
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    /// let mut hero = Character::new(&Model::load("assets/hero.glb")?);
    /// hero.play("Run", Play::default())?;
    ///
    /// let skeleton = &hero.model.asset.skeleton;
    /// let chest = skeleton.joint("chest").ok_or("the hero has no chest")?;
    /// let upper_body = JointMask::subtree(skeleton, chest).feathered(skeleton, 2);
    /// let upper_body = hero.mixer.add_layer(Layer::over(upper_body));
    /// hero.play_on(upper_body, "Attack", Play { fade: Fade::dead(0.1), ..Play::once() })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such clip or no such layer, or the clip or the mask does not fit the layer.
    pub fn play_on<'a>(
        &mut self,
        layer: LayerId,
        clip: impl Into<ClipKey<'a>>,
        play: Play,
    ) -> Result<ActionId, PlayOnError> {
        let key: ClipKey<'_> = clip.into();
        let clip = self.model.asset.clip(key).map_err(PlayOnError::Clip)?;
        let mut layer = self.mixer.layer_mut(layer).ok_or(PlayOnError::Layer(layer))?;
        layer.play(clip, play).map_err(PlayOnError::Play)
    }
}

/// A clip cannot be played on a layer of a character; nothing was changed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PlayOnError {
    /// There is no such clip; the error lists those that there are.
    Clip(ClipNotFound),
    /// There is no such layer, or not any more.
    Layer(LayerId),
    /// The clip or the mask does not fit the layer.
    Play(PlayError),
}

impl fmt::Display for PlayOnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clip(error) => error.fmt(f),
            Self::Layer(_) => f.write_str("the layer is not there; expected one that was not removed"),
            Self::Play(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PlayOnError {}
