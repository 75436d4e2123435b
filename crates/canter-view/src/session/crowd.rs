//! Copies of the figure, each at a time of its own.

use std::sync::Arc;

use canter::glam::{DAffine3, DVec3, Vec3};
use canter_scene::{Children, Parent};

use super::playback::move_ahead;
use super::{Session, place};

impl Session {
    /// So many figures can be asked for.
    pub const LARGEST_CROWD: usize = 10_000;

    /// How many figures there are.
    #[must_use]
    pub fn crowd(&self) -> usize {
        1 + self.crowd.len()
    }

    /// How many bytes the palettes of all figures take.
    #[must_use]
    pub fn palette_bytes(&self) -> usize {
        size_of_val(&self.figure().palette[..]) * self.crowd()
    }

    /// The corners of the boxes around the first figures, in the world.
    pub fn corners(&self, figures: usize) -> impl Iterator<Item = DVec3> {
        let nodes = [self.figure].into_iter().chain(self.crowd.iter().copied()).take(figures);
        nodes.filter_map(|id| Some((self.scene.character(id)?.bounds(), self.scene.world(id)?))).flat_map(
            |(bounds, world)| {
                let ends = [bounds.min.as_dvec3(), bounds.max.as_dvec3()];
                (0..8).map(move |corner| {
                    let [x, y, z] = [0, 1, 2].map(|axis| ends[corner >> axis & 1][axis]);
                    world.transform_point3(DVec3::new(x, y, z))
                })
            },
        )
    }

    /// Sets how many figures there are, at least one. They stand in rows behind the first.
    pub fn set_crowd(&mut self, figures: usize) {
        let copies = figures.clamp(1, Self::LARGEST_CROWD) - 1;
        while self.crowd.len() > copies {
            if let Some(copy) = self.crowd.pop() {
                let _ = self.scene.remove(copy, Children::Remove);
            }
        }
        let size = self.width();
        let model = Arc::clone(&self.model);
        while self.crowd.len() < copies {
            let number = self.crowd.len() + 1;
            let place_in_crowd = DAffine3::from_translation(self.place() + spot(number) * size);
            let copy = place(&mut self.scene, &model, Parent::World, place_in_crowd);
            self.crowd.push(copy);
            let (mixer, travels) = (self.figure().mixer.clone(), self.travels());
            if let Some(character) = self.scene.character_mut(copy) {
                (character.mixer, character.travels) = (mixer, travels);
                let ids: Vec<_> = character.mixer.actions().map(|(id, _)| id).collect();
                for id in ids {
                    if let Some(mut action) = character.mixer.get_mut(id) {
                        move_ahead(&mut action, phase(number));
                    }
                }
            }
        }
        self.update(0.0);
    }

    /// Puts all copies where they stand behind the figure.
    pub(super) fn place_crowd(&mut self) {
        let (size, place) = (self.width(), self.scene.local(self.figure).unwrap_or_default().translation);
        for (index, &copy) in self.crowd.iter().enumerate() {
            self.scene.set_local(copy, DAffine3::from_translation(place + spot(index + 1) * size));
        }
    }

    /// How much room a figure needs, by where its joints are.
    fn width(&self) -> f64 {
        let places = self.figure().model_pose.joints().iter().map(|joint| joint.to_mat4().w_axis.truncate());
        let bounds = places.fold(None, |bounds, at| match bounds {
            None => Some((at, at)),
            Some((min, max)) => Some((at.min(min), at.max(max))),
        });
        let size = bounds.map_or(Vec3::ONE, |(min, max): (Vec3, Vec3)| max - min);
        f64::from(size.x.max(size.z).max(size.y * 0.4).max(1e-3)) * 1.3
    }
}

/// Which part of a clip a figure is ahead of the first: by the golden ratio, so that no two of them walk in
/// step.
pub(super) fn phase(number: usize) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "ten thousand at most")]
    let steps = number as f32;
    (steps * 0.618_034).fract()
}

/// Rows of growing length behind the first figure, as many to its left as to its right.
fn spot(number: usize) -> DVec3 {
    let mut row = 0_u32;
    let mut left = number;
    while left > 2 * row as usize {
        left -= 2 * row as usize + 1;
        row += 1;
    }
    let across = f64::from(u32::try_from(left).unwrap_or(0)) - f64::from(row);
    DVec3::new(across, 0.0, -f64::from(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_stand_in_the_same_place() {
        let spots: Vec<DVec3> = (0..60).map(spot).collect();
        assert_eq!(spots[0], DVec3::ZERO);
        assert_eq!(
            spots[1..4],
            [DVec3::new(-1.0, 0.0, -1.0), DVec3::new(0.0, 0.0, -1.0), DVec3::new(1.0, 0.0, -1.0)]
        );
        for (index, spot) in spots.iter().enumerate() {
            assert!(!spots[..index].contains(spot), "{index}");
        }
    }
}
