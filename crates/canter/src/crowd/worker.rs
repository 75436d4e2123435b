//! What one thread does to the members that it gets.

use super::batch::{self, Batch};
use super::output::{OutputMut, approach, approach_matrices};
use super::part::{Part, Shapes};
use super::rate::{Pacing, Plan};
use crate::mixer::Mixer;
use crate::mixer::ahead::Before;
use crate::model_pose::ModelPose;
use crate::palette::PaletteMatrix;
use crate::pose::Pose;
use crate::prefetch;
use crate::skeleton::{JointId, Skeleton};
use crate::skins::Skins;

/// What one thread works with.
#[derive(Clone, Debug)]
pub(super) struct Worker {
    pub(super) pose: Pose,
    model: ModelPose,
    before: Before,
    batch: Batch,
}

/// What is the same for all members.
#[derive(Clone, Copy)]
pub(super) struct Kind<'a> {
    pub(super) skeleton: &'a Skeleton,
    pub(super) skins: &'a Skins,
    pub(super) kept_joints: &'a [JointId],
}

impl Kind<'_> {
    fn assert_fits(&self, mixer: &Mixer) {
        assert!(
            mixer.skeleton().fingerprint() == self.skeleton.fingerprint(),
            "a mixer of another skeleton among those of a crowd"
        );
    }
}

/// A frame of all members.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a> {
    pub(super) kind: Kind<'a>,
    pub(super) shapes: &'a Shapes,
    pub(super) number: u32,
    /// How many members in succession are sampled in one frame.
    pub(super) group_size: usize,
    pub(super) dt_secs: f32,
    /// How long the next frames are thought to be; 0 if time stands still.
    pub(super) ahead_secs: f32,
    pub(super) blends_in_shader: bool,
    pub(super) steps_when_sampled: bool,
}

impl Frame<'_> {
    fn moves(&self) -> bool {
        self.ahead_secs > 0.0
    }

    /// Whether nothing is written of members between two samples.
    fn is_blended_elsewhere(&self) -> bool {
        self.blends_in_shader && self.shapes[0].joints + self.shapes[0].morph_weights == 0
    }
}

impl Worker {
    pub(super) fn new(skeleton: &Skeleton) -> Self {
        Self {
            pose: Pose::rest(skeleton),
            model: ModelPose::rest(skeleton),
            before: Before::default(),
            batch: Batch::new(skeleton),
        }
    }

    /// Writes a member as its mixer is.
    pub(super) fn write<M: PaletteMatrix>(
        &mut self,
        kind: Kind<'_>,
        mixer: &mut Mixer,
        output: OutputMut<'_, M>,
    ) {
        kind.assert_fits(mixer);
        mixer.sample(&mut self.pose);
        self.write_pose(kind, output);
    }

    fn write_pose<M: PaletteMatrix>(&mut self, kind: Kind<'_>, output: OutputMut<'_, M>) {
        self.model.compose(kind.skeleton, &self.pose);
        output.write(kind.skins, kind.kept_joints, &self.pose, &self.model);
    }

    pub(super) fn update<M: PaletteMatrix>(&mut self, frame: Frame<'_>, mut part: Part<'_, M>) {
        let is_seen = frame.shapes[0].is_seen();
        let mut mixers = &mut *part.mixers;
        for (member, (pacing, blend)) in part.pacings.iter_mut().zip(&mut *part.blends).enumerate() {
            let Some((mixer, others)) = mixers.split_first_mut() else { break };
            Mixer::prefetch(others);
            mixers = others;
            let group = || (part.first + member) / frame.group_size;
            let plan = pacing.plan(frame.number, group, frame.moves());
            advance(frame, plan, mixer, pacing);
            match plan {
                Plan::Sample if is_seen && !batch::IS_USED => {
                    *blend = 0.0;
                    self.write(frame.kind, mixer, part.shown.member(&frame.shapes[0], member));
                }
                Plan::Sample if is_seen => {
                    *blend = 0.0;
                    frame.kind.assert_fits(mixer);
                    // It is written when all of a batch have been sampled: just in time.
                    prefetch::for_writing(part.shown.member(&frame.shapes[0], member).palette);
                    if self.batch.sample(mixer, member) {
                        self.write_batch(frame, &mut part.shown);
                    }
                }
                Plan::Rest | Plan::Sample => {}
                // The shader does the rest.
                Plan::GoOn if frame.is_blended_elsewhere() => *blend = pacing.go().1,
                plan => {
                    let shown = part.shown.member(&frame.shapes[0], member);
                    let target = part.target.member(&frame.shapes[1], member);
                    *blend = self.go(frame, plan, mixer, pacing, shown, target);
                }
            }
        }
        if batch::IS_USED {
            self.write_batch(frame, &mut part.shown);
        }
    }

    /// Writes the members that were sampled.
    fn write_batch<M: PaletteMatrix>(&mut self, frame: Frame<'_>, shown: &mut OutputMut<'_, M>) {
        let (kind, shape) = (frame.kind, &frame.shapes[0]);
        let mut is_written = 0;
        if let Some(members) = self.batch.full() {
            is_written = self.batch.write(kind, shown.lanes(shape, &members));
        }
        for (lane, (member, pose)) in self.batch.take().enumerate() {
            if is_written & 1 << lane == 0 {
                self.model.compose(kind.skeleton, pose);
                shown.member(shape, member).write(kind.skins, kind.kept_joints, pose, &self.model);
            }
        }
    }

    /// Moves what is shown of a member on towards a target. Returns how much of the second palette is shown then.
    fn go<M: PaletteMatrix>(
        &mut self,
        frame: Frame<'_>,
        plan: Plan,
        mixer: &mut Mixer,
        pacing: &mut Pacing,
        shown: OutputMut<'_, M>,
        target: OutputMut<'_, M>,
    ) -> f32 {
        let OutputMut { palette, joints, morph_weights } = target;
        if let Plan::SampleAhead { frames } = plan {
            // The palette that is not shown any more takes the next sample.
            let palette =
                if frame.blends_in_shader && pacing.is_second { &mut *shown.palette } else { &mut *palette };
            let ahead_secs = f64::from(frames - 1) * f64::from(frame.ahead_secs);
            let output = OutputMut { palette, joints: &mut *joints, morph_weights: &mut *morph_weights };
            frame.kind.assert_fits(mixer);
            pacing.sample_ahead(mixer, ahead_secs, &mut self.pose, &mut self.before);
            self.write_pose(frame.kind, output);
        }
        let (part, blend) = pacing.go();
        approach_matrices(shown.joints, joints, part);
        approach(shown.morph_weights, morph_weights, part);
        if frame.blends_in_shader {
            return blend;
        }
        approach_matrices(shown.palette, palette, part);
        0.0
    }
}

/// Moves the time of a member on, or keeps it for the frame in which it is sampled.
#[inline]
fn advance(frame: Frame<'_>, plan: Plan, mixer: &mut Mixer, pacing: &mut Pacing) {
    let is_sampled = matches!(plan, Plan::Sample | Plan::SampleAhead { .. });
    if !frame.steps_when_sampled {
        mixer.advance(frame.dt_secs);
        return;
    }
    if frame.moves() {
        pacing.owe(frame.dt_secs);
    } else if !pacing.owes() {
        // So that nothing is told twice.
        mixer.advance(frame.dt_secs);
    }
    if is_sampled {
        pacing.pay(mixer);
    }
}
