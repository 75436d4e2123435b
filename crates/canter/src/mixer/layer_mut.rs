//! The handle that plays clips on a layer and changes it.

use std::fmt;
use std::sync::Arc;

use super::action::is_weight;
use super::{ActionId, Fade, JointMask, Layer, LayerId, LayerMode, Mixer, Play};
use crate::clip::Clip;
use crate::float_text::FloatText;

/// A layer of a mixer, to play on and to change; see [`Mixer::layer_mut`].
#[derive(Debug)]
pub struct LayerMut<'a> {
    pub(super) mixer: &'a mut Mixer,
    pub(super) id: LayerId,
}

impl Mixer {
    /// The layer of an id, to play on and to change, or `None` if the id is stale. The base, by
    /// [`LayerId::BASE`], can be played on as well.
    #[must_use]
    pub fn layer_mut(&mut self, id: LayerId) -> Option<LayerMut<'_>> {
        self.actions_of(id)?;
        Some(LayerMut { mixer: self, id })
    }

    /// Whether a clip can be played on a layer that there is.
    pub(super) fn check_clip(&self, layer: LayerId, clip: &Clip) -> Result<(), PlayError> {
        let mode = self.layer(layer).map_or(LayerMode::Over, Layer::mode);
        let name = || clip.name().to_owned();
        if !clip.fits(&self.skeleton) {
            return Err(PlayError::OtherSkeleton { clip: name() });
        }
        match (clip.is_additive(), mode) {
            (true, LayerMode::Over) => Err(PlayError::Additive { clip: name() }),
            (false, LayerMode::Additive) => Err(PlayError::NotAdditive { clip: name() }),
            _ => Ok(()),
        }
    }
}

impl LayerMut<'_> {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> LayerId {
        self.id
    }

    /// Starts a clip as a new action of this layer; see [`Mixer::play`].
    ///
    /// # Errors
    /// If the clip, or the mask, cannot be played here.
    pub fn play(&mut self, clip: &Arc<Clip>, play: Play) -> Result<ActionId, PlayError> {
        self.check(clip, &play)?;
        Ok(self.mixer.play_on(self.id, clip, play))
    }

    pub(super) fn check(&self, clip: &Clip, play: &Play) -> Result<(), PlayError> {
        self.mixer.check_clip(self.id, clip)?;
        if play.mask.as_ref().is_some_and(|mask| !mask.fits(&self.mixer.skeleton)) {
            return Err(PlayError::Mask { clip: clip.name().to_owned() });
        }
        Ok(())
    }

    /// The action of a clip on this layer: the first there is, or a new one that does not play yet.
    ///
    /// # Errors
    /// If the clip cannot be played here.
    pub fn action(&mut self, clip: &Arc<Clip>) -> Result<ActionId, PlayError> {
        self.mixer.check_clip(self.id, clip)?;
        Ok(self.mixer.action_on(self.id, clip))
    }

    /// Fades a clip in and everything else on this layer out; see [`Mixer::crossfade_to`].
    ///
    /// # Errors
    /// If the clip, or the mask, cannot be played here.
    pub fn crossfade_to(&mut self, clip: &Arc<Clip>, play: impl Into<Play>) -> Result<ActionId, PlayError> {
        let play = play.into();
        self.check(clip, &play)?;
        Ok(self.mixer.crossfade_on(self.id, clip, play))
    }

    /// Fades everything on this layer out: the layer is gone, and comes back with the next clip that is
    /// played on it.
    pub fn fade_out(&mut self, fade: impl Into<Fade>) {
        self.mixer.fade(self.id, fade.into(), &|_, _| Some(false));
    }

    /// Ends all actions of this layer at once.
    pub fn stop_all(&mut self) {
        let id = self.id;
        self.mixer.leave_windows(|layer, _| layer == id);
        if let Some(actions) = self.mixer.actions_of_mut(self.id) {
            actions.stop_all();
        }
    }

    /// Sets how strong the layer is, from 0, at once. The base has no weight.
    ///
    /// # Errors
    /// If the weight is negative, above 10¹⁸, or NaN.
    pub fn set_weight(&mut self, weight: f32) -> Result<(), LayerError> {
        self.fade_weight(weight, 0.0)
    }

    /// Leads the layer's weight from what it is to another one. The curve of the fade counts, its kind does
    /// not.
    ///
    /// # Errors
    /// If the weight is negative, above 10¹⁸, or NaN.
    pub fn fade_weight(&mut self, weight: f32, fade: impl Into<Fade>) -> Result<(), LayerError> {
        let layer = self.mixer.layers.iter_mut().find(|layer| layer.id() == self.id);
        match layer.filter(|_| is_weight(weight)) {
            Some(layer) => {
                layer.weight.start(weight, fade.into());
                if layer.weight.tween.is_none() {
                    layer.cut();
                }
                Ok(())
            }
            None => Err(LayerError { layer: self.id, weight }),
        }
    }

    /// Sets which joints the layer moves; `None` for all. Nothing happens to the base, which moves all.
    ///
    /// # Panics
    /// If the mask was made for another skeleton.
    pub fn set_mask(&mut self, mask: Option<Arc<JointMask>>) {
        self.mixer.assert_mask_fits(mask.as_deref());
        if let Some(layer) = self.mixer.layers.iter_mut().find(|layer| layer.id() == self.id) {
            layer.mask = mask;
            layer.cut();
        }
    }
}

/// A clip cannot be played on a layer; nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlayError {
    /// The clip was built for another skeleton.
    OtherSkeleton {
        /// The clip's name.
        clip: String,
    },
    /// The clip is additive, and the layer is not.
    Additive {
        /// The clip's name.
        clip: String,
    },
    /// The layer is additive, and the clip is not.
    NotAdditive {
        /// The clip's name.
        clip: String,
    },
    /// The mask was made for another skeleton.
    Mask {
        /// The clip's name.
        clip: String,
    },
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherSkeleton { clip } => {
                write!(f, "clip \"{clip}\" was built for another skeleton; bind it to this one first")
            }
            Self::Additive { clip } => {
                write!(
                    f,
                    "clip \"{clip}\" is additive; expected an ordinary clip, or an additive layer to add it on"
                )
            }
            Self::NotAdditive { clip } => write!(
                f,
                "clip \"{clip}\" is a full pose, and the layer adds; expected an additive clip, as `Clip::additive` \
                 makes it"
            ),
            Self::Mask { clip } => {
                write!(f, "clip \"{clip}\" was given a mask of another skeleton; expected one of the mixer's")
            }
        }
    }
}

impl std::error::Error for PlayError {}

/// The weight of a layer was refused; the layer is as it was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerError {
    /// Whose weight.
    pub layer: LayerId,
    /// The weight that was refused.
    pub weight: f32,
}

impl fmt::Display for LayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weight = FloatText(self.weight.into());
        if self.layer == LayerId::BASE {
            return write!(f, "weight {weight} refused; the base has none, expected a layer above it");
        }
        write!(f, "layer {}: weight {weight} refused; expected a number from 0 to 1e18", self.layer.0)
    }
}

impl std::error::Error for LayerError {}
