//! Many characters of one kind, updated in one call into one palette.

use std::sync::Arc;

use crate::mat3x4::Mat3x4;
use crate::mixer::Mixer;
use crate::model_pose::ModelPose;
use crate::palette::PaletteMatrix;
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::skins::Skins;

/// Many characters that share a skeleton and skins, each with a mixer of its own.
///
/// [`update`](Self::update) advances, samples and composes all of them and writes their palettes one behind
/// another: one array to upload. Poses are working memory that the characters take turns with, so a character
/// costs no more memory than its mixer and its palette. With the feature `rayon` all cores take part; the
/// result is the same, bit for bit.
#[derive(Clone, Debug)]
pub struct Crowd<M: PaletteMatrix = Mat3x4> {
    /// One per character: play, crossfade and seek here.
    pub mixers: Vec<Mixer>,
    skeleton: Arc<Skeleton>,
    skins: Skins,
    palette: Vec<M>,
    workers: Vec<Worker>,
}

/// What one thread works with.
#[derive(Clone, Debug)]
struct Worker {
    pose: Pose,
    model: ModelPose,
}

impl<M: PaletteMatrix> Crowd<M> {
    /// A crowd of nobody.
    #[must_use]
    pub fn new(skeleton: &Arc<Skeleton>, skins: impl Into<Skins>) -> Self {
        let worker = Worker { pose: Pose::rest(skeleton), model: ModelPose::rest(skeleton) };
        Self {
            mixers: Vec::new(),
            skeleton: Arc::clone(skeleton),
            skins: skins.into(),
            palette: Vec::new(),
            workers: vec![worker; worker_count()],
        }
    }

    /// Adds a character that plays nothing yet, and gives its mixer.
    pub fn spawn(&mut self) -> &mut Mixer {
        self.mixers.push(Mixer::new(&self.skeleton));
        let last = self.mixers.len() - 1;
        &mut self.mixers[last]
    }

    /// How many matrices a character has in the palette: those of all skins.
    #[must_use]
    pub fn matrices_per_character(&self) -> usize {
        self.skins.matrix_count()
    }

    /// The palettes of all characters in the order of `mixers`, each with its skins in order. As of the last
    /// [`update`](Self::update).
    #[must_use]
    pub fn palette(&self) -> &[M] {
        &self.palette
    }

    /// Advances all characters by a time and writes their palettes. Allocates only when characters were
    /// added.
    ///
    /// # Panics
    /// If a mixer of another skeleton was put among the mixers.
    pub fn update(&mut self, dt_secs: f32) {
        let stride = self.matrices_per_character();
        self.palette.resize(self.mixers.len() * stride, M::IDENTITY);
        if stride == 0 {
            for mixer in &mut self.mixers {
                mixer.advance(dt_secs);
            }
            return;
        }
        let chunk = self.mixers.len().div_ceil(self.workers.len()).max(1);
        let (skeleton, skins) = (&*self.skeleton, &self.skins);
        let mixers = self.mixers.as_mut_slice();
        each_chunk(mixers, &mut self.palette, &mut self.workers, chunk, stride, |mixers, palette, worker| {
            for (mixer, palette) in mixers.iter_mut().zip(palette.chunks_exact_mut(stride)) {
                mixer.advance(dt_secs);
                worker.write(skeleton, skins, mixer, palette);
            }
        });
    }
}

impl Worker {
    fn write<M: PaletteMatrix>(
        &mut self,
        skeleton: &Skeleton,
        skins: &Skins,
        mixer: &mut Mixer,
        palette: &mut [M],
    ) {
        assert!(
            mixer.skeleton().fingerprint() == skeleton.fingerprint(),
            "a mixer of another skeleton among those of a crowd"
        );
        mixer.sample(&mut self.pose);
        self.model.compose(skeleton, &self.pose);
        skins.write_palettes(&self.model, palette);
    }
}

/// More parts than threads, so that a thread that is done early can help out.
#[cfg(feature = "rayon")]
fn worker_count() -> usize {
    4 * rayon::current_num_threads()
}

#[cfg(not(feature = "rayon"))]
fn worker_count() -> usize {
    1
}

#[cfg(feature = "rayon")]
fn each_chunk<M: PaletteMatrix>(
    mixers: &mut [Mixer],
    palette: &mut [M],
    workers: &mut [Worker],
    chunk: usize,
    stride: usize,
    work: impl Fn(&mut [Mixer], &mut [M], &mut Worker) + Sync,
) {
    use rayon::prelude::*;

    let parts = mixers.par_chunks_mut(chunk).zip(palette.par_chunks_mut(chunk * stride));
    parts.zip(workers).for_each(|((mixers, palette), worker)| work(mixers, palette, worker));
}

#[cfg(not(feature = "rayon"))]
fn each_chunk<M: PaletteMatrix>(
    mixers: &mut [Mixer],
    palette: &mut [M],
    workers: &mut [Worker],
    chunk: usize,
    stride: usize,
    work: impl Fn(&mut [Mixer], &mut [M], &mut Worker),
) {
    let parts = mixers.chunks_mut(chunk).zip(palette.chunks_mut(chunk * stride));
    for ((mixers, palette), worker) in parts.zip(workers) {
        work(mixers, palette, worker);
    }
}
