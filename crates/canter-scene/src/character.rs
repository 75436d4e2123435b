//! One figure: what it plays, how it stands, and the palette that draws it.

mod layers;

use std::sync::Arc;

use canter::{ActionId, Mat3x4, Mixer, ModelPose, Play, Pose};
use canter_gltf::{ClipKey, ClipNotFound};

use crate::bounds::Bounds;
use crate::model::{Model, Part};
use crate::skinning::{MeshTransform, PosedVertices};

pub use layers::PlayOnError;

/// All stages of one figure in a bundle with public fields.
///
/// [`update`](Self::update) runs them in order and holds no logic of its own: to put a line of yours between
/// two stages, use [`update_with`](Self::update_with), or call them yourself. What figures of a kind have in
/// common, they share.
#[derive(Clone, Debug)]
pub struct Character {
    /// The file, shared by all figures of a kind.
    pub model: Arc<Model>,
    /// What plays, on the base and on layers above it.
    pub mixer: Mixer,
    /// Where every joint stands relative to its parent.
    pub pose: Pose,
    /// Where every joint stands relative to the character.
    pub model_pose: ModelPose,
    /// The matrices of all parts, see [`Part::palette`].
    pub palette: Vec<Mat3x4>,
    /// Whether a [`Scene`](crate::Scene) moves the node at which it stands by its root motion. Otherwise
    /// [`Mixer::root_motion`] is there for whoever moves it, such as physics.
    pub travels: bool,
}

impl Character {
    /// A figure in its rest pose.
    #[must_use]
    pub fn new(model: &Arc<Model>) -> Self {
        let skeleton = &model.asset.skeleton;
        let mut character = Self {
            model: Arc::clone(model),
            mixer: Mixer::new(skeleton),
            pose: Pose::rest(skeleton),
            model_pose: ModelPose::rest(skeleton),
            palette: vec![Mat3x4::IDENTITY; model.palette_len()],
            travels: false,
        };
        character.write_palette();
        character
    }

    /// Plays a clip beside what plays already, see [`Mixer::play`]. The clip is given by its name, its index
    /// in the file, or as it is.
    ///
    /// # Errors
    /// If there is no such clip; the error lists those that there are.
    ///
    /// # Panics
    /// If the mask was made for another skeleton, or the clip is additive: such a clip is played on a layer,
    /// see [`play_on`](Self::play_on).
    pub fn play<'a>(&mut self, clip: impl Into<ClipKey<'a>>, play: Play) -> Result<ActionId, ClipNotFound> {
        let key: ClipKey<'_> = clip.into();
        Ok(self.mixer.play(self.model.asset.clip(key)?, play))
    }

    /// Fades to a clip, and everything else on the base out. The fade is of any kind; a number of seconds is
    /// a crossfade, and 0 switches at once. A [`Play`] says more about a clip that does not play yet, see
    /// [`Mixer::crossfade_to`].
    ///
    /// # Errors
    /// If there is no such clip; the error lists those that there are.
    ///
    /// # Panics
    /// If the clip is additive.
    pub fn fade_to<'a>(
        &mut self,
        clip: impl Into<ClipKey<'a>>,
        play: impl Into<Play>,
    ) -> Result<ActionId, ClipNotFound> {
        let key: ClipKey<'_> = clip.into();
        Ok(self.mixer.crossfade_to(self.model.asset.clip(key)?, play))
    }

    /// Advances by a time and brings everything else up to date.
    pub fn update(&mut self, dt_secs: f32) {
        self.update_with(dt_secs, |_| {});
    }

    /// As [`update`](Self::update), with a stage of yours between sampling and composing: what it changes in
    /// the [`pose`](Self::pose) is drawn.
    pub fn update_with(&mut self, dt_secs: f32, edit: impl FnOnce(&mut Self)) {
        self.mixer.advance(dt_secs);
        self.mixer.sample(&mut self.pose);
        edit(self);
        self.model_pose.compose(&self.model.asset.skeleton, &self.pose);
        self.write_palette();
    }

    /// Writes the palette of the present model pose.
    pub fn write_palette(&mut self) {
        self.model.write_palette(&self.model_pose, &mut self.palette);
    }

    /// A box around the figure as it stands, relative to the character; empty if there is nothing to draw.
    ///
    /// It contains every vertex, for the present model pose, palette and morph weights, without looking at
    /// vertices: see [`Model::bounds`]. It is mostly a tenth larger than
    /// [`exact_bounds`](Self::exact_bounds), and up to twice as large.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.model.bounds(&self.pose, &self.model_pose, &self.palette)
    }

    /// The same for one of the model's [parts](Model::parts), given by its index.
    ///
    /// # Panics
    /// If the model has fewer parts.
    #[must_use]
    pub fn part_bounds(&self, part: usize) -> Bounds {
        self.model.part_bounds(part, &self.pose, &self.model_pose, &self.palette)
    }

    /// The smallest box around all vertices as they stand, relative to the character. This poses them all.
    #[must_use]
    pub fn exact_bounds(&self) -> Bounds {
        let positions = |part| self.posed(part).positions;
        Bounds::around(self.model.parts().iter().flat_map(positions))
    }

    /// The matrices of a part: `model_from_mesh` for every joint of its skin, or one alone.
    ///
    /// # Panics
    /// If the part is of another model.
    #[must_use]
    pub fn part_palette(&self, part: &Part) -> &[Mat3x4] {
        &self.palette[part.palette.clone()]
    }

    /// The vertices of a part as they stand, relative to the character: morphed and skinned on the CPU.
    ///
    /// # Panics
    /// If the part is of another model.
    #[must_use]
    pub fn posed(&self, part: &Part) -> PosedVertices {
        let transform = MeshTransform::Palette(self.part_palette(part));
        PosedVertices::new(self.model.primitive(part), self.morph_weights(part), transform)
    }

    /// The weights of a part's morph targets; empty if it has none.
    ///
    /// # Panics
    /// If the part is of another model.
    #[must_use]
    pub fn morph_weights(&self, part: &Part) -> &[f32] {
        part.morph.map_or(&[], |morph| self.pose.morph_weights(morph))
    }
}
