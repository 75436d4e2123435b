//! Copies of the figure, each at a time of its own.

use std::sync::Arc;

use canter::Fade;
use canter::glam::{DAffine3, DVec3, Vec3};
use canter_scene::{Children, Parent};

use super::{Session, place};

impl Session {
    /// So many can be drawn on the CPU with some patience.
    pub const LARGEST_CROWD: usize = 200;

    /// How many figures there are.
    #[must_use]
    pub fn crowd(&self) -> usize {
        1 + self.crowd.len()
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
        let clip = self.action().map(|action| Arc::clone(action.clip()));
        while self.crowd.len() < copies {
            let number = self.crowd.len() + 1;
            let place_in_crowd = DAffine3::from_translation(spot(number) * size);
            let model = Arc::clone(&self.model);
            let copy = place(&mut self.scene, &model, Parent::World, place_in_crowd);
            self.crowd.push(copy);
            if let (Some(clip), Some(character)) = (&clip, self.scene.character_mut(copy)) {
                let id = character.mixer.crossfade_to(clip, Fade::from(0.0));
                // The golden ratio: no two of them walk in step.
                #[expect(clippy::cast_precision_loss, reason = "a few hundred at most")]
                let part = (number as f32 * 0.618_034).fract();
                character.mixer.seek(id, part * clip.duration_secs());
                character.mixer.set_speed(id, self.speed);
                character.mixer.set_loop_mode(id, self.loop_mode);
            }
        }
        self.scene.update(0.0);
        self.touch();
    }

    /// How much room a figure needs, by where its joints are.
    fn width(&self) -> f64 {
        let places = self.figure().model_pose.joints().iter().map(|joint| joint.to_mat4().w_axis.truncate());
        let bounds = places.fold(None, |bounds, at| match bounds {
            None => Some((at, at)),
            Some((least, most)) => Some((at.min(least), at.max(most))),
        });
        let size = bounds.map_or(Vec3::ONE, |(least, most): (Vec3, Vec3)| most - least);
        f64::from(size.x.max(size.z).max(size.y * 0.4).max(1e-3)) * 1.3
    }
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
