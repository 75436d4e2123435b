//! Random numbers that are the same in every run.

use canter::glam::{Quat, Vec3};

/// A small generator, known as `SplitMix64`.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    #[expect(clippy::should_implement_trait, reason = "it has no end, and no use for adapters")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 to below 1.
    pub fn unit(&mut self) -> f32 {
        #[expect(clippy::cast_precision_loss, reason = "24 bits fit")]
        let unit = (self.next() >> 40) as f32 / 16_777_216.0;
        unit
    }

    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// From 0 to below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() >> 33).unwrap() % end
    }

    pub fn chance(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    pub fn vector(&mut self, size: f32) -> Vec3 {
        Vec3::new(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }

    /// A direction, all of them alike.
    pub fn axis(&mut self) -> Vec3 {
        loop {
            let vector = self.vector(1.0);
            if (0.01..1.0).contains(&vector.length_squared()) {
                return vector.normalize();
            }
        }
    }

    /// A turn about some axis by up to so many degrees.
    pub fn turn(&mut self, degrees: f32) -> Quat {
        Quat::from_axis_angle(self.axis(), self.between(-degrees, degrees).to_radians())
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
