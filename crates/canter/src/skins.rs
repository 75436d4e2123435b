//! All skins of a character, and their palettes one after another.

use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::model_pose::ModelPose;
use crate::palette::PaletteMatrix;
use crate::skeleton::Skeleton;
use crate::skin::Skin;

/// The skins of a character, in the file's order. Copies share them.
///
/// The palettes of all of them lie one after another, in one list: skin by skin, joint by joint. It is read
/// as a slice of skins: `skins[0]`, `skins.len()`, `for skin in &skins`.
#[derive(Clone, Debug, Default)]
pub struct Skins {
    skins: Arc<[Arc<Skin>]>,
    matrix_count: usize,
}

impl Skins {
    /// How many matrices the palettes have together.
    #[must_use]
    pub fn matrix_count(&self) -> usize {
        self.matrix_count
    }

    /// Where the palette of each skin lies among all matrices.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let mut end = 0;
        self.skins.iter().map(move |skin| {
            let start = end;
            end += skin.len();
            start..end
        })
    }

    /// Whether all of them can be used with poses of this skeleton, see [`Skin::fits`].
    #[must_use]
    pub fn fits(&self, skeleton: &Skeleton) -> bool {
        self.skins.iter().all(|skin| skin.fits(skeleton))
    }

    /// Writes the palettes of all skins, see [`Skin::write_palette`].
    ///
    /// # Panics
    /// If `palettes` is not [`matrix_count`](Self::matrix_count) long, or `model` is of a skeleton of another
    /// size.
    pub fn write_palettes<M: PaletteMatrix>(&self, model: &ModelPose, palettes: &mut [M]) {
        let (found, expected) = (palettes.len(), self.matrix_count);
        assert!(found == expected, "palettes of {found} matrices for skins of {expected}");
        let mut rest = palettes;
        for skin in &*self.skins {
            let (palette, others) = rest.split_at_mut(skin.len());
            skin.write_palette(model, palette);
            rest = others;
        }
    }
}

impl Deref for Skins {
    type Target = [Arc<Skin>];

    fn deref(&self) -> &[Arc<Skin>] {
        &self.skins
    }
}

impl<'a> IntoIterator for &'a Skins {
    type Item = &'a Arc<Skin>;
    type IntoIter = std::slice::Iter<'a, Arc<Skin>>;

    fn into_iter(self) -> Self::IntoIter {
        self.skins.iter()
    }
}

impl From<Arc<[Arc<Skin>]>> for Skins {
    fn from(skins: Arc<[Arc<Skin>]>) -> Self {
        let matrix_count = skins.iter().map(|skin| skin.len()).sum();
        Self { skins, matrix_count }
    }
}

impl From<Vec<Arc<Skin>>> for Skins {
    fn from(skins: Vec<Arc<Skin>>) -> Self {
        Self::from(Arc::<[_]>::from(skins))
    }
}

impl<const N: usize> From<[Arc<Skin>; N]> for Skins {
    fn from(skins: [Arc<Skin>; N]) -> Self {
        Self::from(Arc::<[_]>::from(skins))
    }
}

impl FromIterator<Arc<Skin>> for Skins {
    fn from_iter<I: IntoIterator<Item = Arc<Skin>>>(skins: I) -> Self {
        Self::from(skins.into_iter().collect::<Arc<[_]>>())
    }
}

#[cfg(test)]
mod tests {
    use glam::{Mat4, Vec3};

    use super::*;
    use crate::{Mat3x4, Pose, Transform};

    /// A chain of three joints, and skins of two, none and one of them.
    fn skins() -> (Arc<Skeleton>, Skins) {
        let mut builder = Skeleton::builder();
        for parent in [None, Some(0), Some(1)] {
            builder.joint("joint", parent, Transform::from_translation(Vec3::Y));
        }
        let skeleton = builder.build().unwrap();
        let joints: Vec<_> = skeleton.joints().collect();
        let skin = |joints: &[crate::JointId], x: f32| {
            let matrices = vec![Mat4::from_translation(Vec3::X * x); joints.len()];
            Arc::new(Skin::new(&skeleton, joints.to_vec(), &matrices).unwrap())
        };
        let skins = Skins::from([skin(&joints[..2], 1.0), skin(&[], 0.0), skin(&joints[2..], 2.0)]);
        (Arc::new(skeleton), skins)
    }

    #[test]
    fn palettes_lie_one_after_another() {
        let (skeleton, skins) = skins();
        assert!(skins.fits(&skeleton));
        assert_eq!((skins.len(), skins.matrix_count()), (3, 3));
        assert_eq!(skins.ranges().collect::<Vec<_>>(), [0..2, 2..2, 2..3]);
        let mut model = ModelPose::rest(&skeleton);
        model.compose(&skeleton, &Pose::rest(&skeleton));
        let mut palettes = [Mat3x4::IDENTITY; 3];
        skins.write_palettes(&model, &mut palettes);
        let mut expected = [Mat3x4::IDENTITY; 3];
        for (skin, range) in skins.iter().zip(skins.ranges()) {
            skin.write_palette(&model, &mut expected[range]);
        }
        assert_eq!(palettes, expected);
        assert_eq!(palettes.map(|matrix| matrix.to_mat4().w_axis.x), [1.0, 1.0, 2.0]);
    }

    #[test]
    #[should_panic(expected = "palettes of 2 matrices for skins of 3")]
    fn palettes_of_another_size_are_refused() {
        let (skeleton, skins) = skins();
        skins.write_palettes(&ModelPose::rest(&skeleton), &mut [Mat4::IDENTITY; 2]);
    }
}
