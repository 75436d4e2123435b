//! Members in succession, which one thread updates; and how all cores get some.

use super::output::{OutputMut, Shape};
use super::rate::Pacing;
use super::worker::Worker;
use crate::mixer::Mixer;
use crate::palette::PaletteMatrix;

pub(super) struct Part<'a, M> {
    /// The number of the first.
    pub(super) first: usize,
    pub(super) mixers: &'a mut [Mixer],
    pub(super) pacings: &'a mut [Pacing],
    /// What is shown.
    pub(super) shown: OutputMut<'a, M>,
    /// Where those are on their way to that are not sampled in every frame; empty if there are none.
    pub(super) target: OutputMut<'a, M>,
    pub(super) blends: &'a mut [f32],
}

/// How much of everything a member has, and how much of that of targets.
pub(super) type Shapes = [Shape; 2];

impl<'a, M: PaletteMatrix> Part<'a, M> {
    /// In halves, at the start of a block; the second one may be empty.
    fn halves(self, shapes: &Shapes) -> (Self, Self) {
        let block = shapes[0].layout.members_per_block;
        let middle = (self.mixers.len().div_ceil(2).div_ceil(block) * block).min(self.mixers.len());
        let mixers = self.mixers.split_at_mut(middle);
        let pacings = self.pacings.split_at_mut(middle);
        let shown = self.shown.split_at(&shapes[0], middle);
        let target = self.target.split_at(&shapes[1], middle);
        let blends = self.blends.split_at_mut(middle);
        let part = |first, mixers, pacings, shown, target, blends| Part {
            first,
            mixers,
            pacings,
            shown,
            target,
            blends,
        };
        (
            part(self.first, mixers.0, pacings.0, shown.0, target.0, blends.0),
            part(self.first + middle, mixers.1, pacings.1, shown.1, target.1, blends.1),
        )
    }

    /// Gives each worker its part of the members. Whoever gets a member does the same to it.
    pub(super) fn share_out(
        self,
        shapes: &Shapes,
        workers: &mut [Worker],
        work: &(impl Fn(Part<'_, M>, &mut Worker) + Sync),
    ) {
        if let [worker] = workers {
            return work(self, worker);
        }
        let workers = workers.split_at_mut(workers.len() / 2);
        let (first, second) = self.halves(shapes);
        join(|| first.share_out(shapes, workers.0, work), || second.share_out(shapes, workers.1, work));
    }
}

/// More parts than threads, so that a thread that is done early can help out.
#[cfg(feature = "rayon")]
pub(super) fn worker_count() -> usize {
    4 * rayon::current_num_threads()
}

#[cfg(not(feature = "rayon"))]
pub(super) fn worker_count() -> usize {
    1
}

#[cfg(feature = "rayon")]
fn join(first: impl FnOnce() + Send, second: impl FnOnce() + Send) {
    rayon::join(first, second);
}

#[cfg(not(feature = "rayon"))]
fn join(first: impl FnOnce(), second: impl FnOnce()) {
    first();
    second();
}
