//! What all implementations have in common.

use glam::Mat4;

pub(crate) const DT_SECS: f32 = 1.0 / 60.0;

/// The crossfade job for a number of characters.
pub(crate) trait Job {
    fn name(&self) -> &'static str;

    /// One frame of all characters.
    fn frame(&mut self);

    /// The palette of a character, in the order in which the rig counts its joints.
    fn palette(&self, character: usize) -> Vec<Mat4>;
}

/// Where a character starts in both clips.
pub(crate) fn start_secs(character: usize) -> f32 {
    (character % 1_000) as f32 * 0.037
}

/// The slowly changing part of the first clip, never nothing and never all.
#[derive(Clone, Copy, Default)]
pub(crate) struct Weight {
    phase: f32,
}

impl Weight {
    pub(crate) fn next(&mut self) -> f32 {
        self.phase = (self.phase + 0.003) % 1.0;
        let triangle = if self.phase < 0.5 { 2.0 * self.phase } else { 2.0 - 2.0 * self.phase };
        0.1 + 0.8 * triangle
    }
}
