//! Many characters of one kind, updated in one call into one palette.

mod batch;
mod layout;
mod output;
mod part;
mod rate;
mod worker;

use std::ops::Range;
use std::sync::Arc;

use crate::mat3x4::Mat3x4;
use crate::mixer::Mixer;
use crate::palette::PaletteMatrix;
use crate::skeleton::{JointId, MorphId, Skeleton};
use crate::skins::Skins;

pub use rate::UpdateRate;

use layout::PaletteLayout;
use output::{Output, Shape};
use part::{Part, worker_count};
use rate::{Pacing, group_size};
use worker::{Frame, Kind, Worker};

/// Many characters that share a skeleton and skins, each with a mixer of its own.
///
/// [`update`](Self::update) advances, samples and composes all of them and writes their palettes one after
/// another: one array to upload. Poses are working memory that the members take turns with, so a member
/// costs no more memory than its mixer, its palette, its morph weights and the joints that are
/// [kept](Self::keep_joint). With the feature `rayon` all cores take part; the result is the same, bit for bit.
///
/// Members are counted in the order in which they came; when one is [removed](Self::remove), the last one takes
/// its place.
///
/// # Members that are far away
/// A member need not be sampled in every frame: [`set_rate`](Self::set_rate) says how often it is. A far one is
/// sampled ahead of time, as its mixer will be when it is sampled next if nothing is asked of it until then, and goes
/// there in equal steps of its matrices. So it is where it should be whenever it is sampled, never moves faster than
/// its clips do, and never jumps: a new rate counts from its next sample on. What is played meanwhile shows from then
/// on, too, eight frames later at most. Who is hidden is not sampled at all, and is as it should be as soon as it is
/// shown again. Time, events, markers and root motion are exact for all, in every frame, or in those of their samples
/// if that is enough ([`step_when_sampled`](Self::step_when_sampled)). Samples are spread evenly over frames.
///
/// Moving palettes of far members on takes about as much time as writing them. [`blend_in_shader`](Self::blend_in_shader)
/// leaves that to the GPU.
///
/// ```
/// # use canter::{Clip, Crowd, Play, Skeleton, Skin, Track, Transform, UpdateRate, glam::{Mat4, Vec3}};
/// # use std::sync::Arc;
/// # let mut joints = Skeleton::builder();
/// # joints.joint("hips", None, Transform::IDENTITY);
/// # let skeleton = Arc::new(joints.build()?);
/// # let hips = skeleton.joint("hips").unwrap();
/// # let mut clip = Clip::builder("Run", &skeleton);
/// # clip.translation(hips, Track::linear(vec![0.0, 1.0], vec![Vec3::ZERO, Vec3::Y]));
/// # let run = Arc::new(clip.build()?);
/// # let skin = Arc::new(Skin::new(&skeleton, vec![hips], &[Mat4::IDENTITY])?);
/// let mut crowd: Crowd = Crowd::new(&skeleton, [skin]);
/// for _ in 0..100 {
///     crowd.spawn().play(&run, Play::default());
/// }
/// for _ in 0..45 {
///     for member in 0..crowd.len() {
///         let distance = 0.5 * member as f32;
///         crowd.set_rate(member, UpdateRate::at_distance(distance, 10.0));
///     }
///     crowd.update(1.0 / 60.0);
/// }
/// // The nearest and the farthest are in the same place.
/// let heights = [0, 99].map(|member| crowd.palette()[crowd.palette_range(member)][0].rows[1][3]);
/// assert!((heights[0] - heights[1]).abs() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Palettes in a texture
/// With [`in_rows`](Self::in_rows) the palette is the content of a texture of that width, whose last row is filled
/// up. As many members share a row as fit into it as a whole; one that is wider takes as many rows as it needs.
/// [`palette_range`](Self::palette_range) says where the matrices of a member are; matrix `m` of the palette is at
/// row `m / width`, and at place `m % width` in it, counted in matrices: three texels of RGBA32F for a [`Mat3x4`],
/// four for a [`glam::Mat4`].
#[derive(Clone, Debug)]
pub struct Crowd<M: PaletteMatrix = Mat3x4> {
    mixers: Vec<Mixer>,
    skeleton: Arc<Skeleton>,
    skins: Skins,
    shape: Shape,
    kept_joints: Vec<JointId>,
    pacings: Vec<Pacing>,
    shown: Output<M>,
    /// Where those go that are far; empty if nobody ever was.
    target: Output<M>,
    has_far: bool,
    blends_in_shader: bool,
    steps_when_sampled: bool,
    /// How much of the second palette each member shows.
    blends: Vec<f32>,
    workers: Vec<Worker>,
    frame: u32,
    last_dt_secs: f32,
}

impl<M: PaletteMatrix> Crowd<M> {
    /// A crowd of nobody.
    #[must_use]
    pub fn new(skeleton: &Arc<Skeleton>, skins: impl Into<Skins>) -> Self {
        let worker = Worker::new(skeleton);
        let skins = skins.into();
        let layout = PaletteLayout::new(skins.matrix_count());
        Self {
            mixers: Vec::new(),
            skeleton: Arc::clone(skeleton),
            shape: Shape { layout, joints: 0, morph_weights: worker.pose.morph_weights.len() },
            skins,
            kept_joints: Vec::new(),
            pacings: Vec::new(),
            shown: Output::new(),
            target: Output::new(),
            has_far: false,
            blends_in_shader: false,
            steps_when_sampled: false,
            blends: Vec::new(),
            workers: vec![worker; worker_count()],
            frame: 0,
            last_dt_secs: f32::INFINITY,
        }
    }

    /// Leaves it to the shader to move far members on between samples: what is shown of a member is its part of
    /// [`palette`](Self::palette) mixed with that of [`second_palette`](Self::second_palette) by its number in
    /// [`blends`](Self::blends), `mix(first, second, blend)` matrix by matrix. Members that are
    /// not sampled then cost only their time. Kept joints and morph weights are as they are shown, all the same.
    #[must_use]
    pub fn blend_in_shader(mut self) -> Self {
        self.blends_in_shader = true;
        self.start_anew();
        self
    }

    /// Lets members that are far or hidden step only in frames in which they are sampled, by all the time that has
    /// passed until then: those that rest cost next to nothing. Poses are the same.
    ///
    /// [`mixer_mut`](Self::mixer_mut) and [`mixers_mut`](Self::mixers_mut) step members to the present before they hand
    /// them out: who asks one of them in every frame gets every event, marker and way in its frame. Until a member steps
    /// again, [`mixers`](Self::mixers) shows it as it was at its last step, and what it told then.
    #[must_use]
    pub fn step_when_sampled(mut self) -> Self {
        self.steps_when_sampled = true;
        self
    }

    /// Lets the palette lie in rows of `width` matrices, as a texture wants it; at least one.
    #[must_use]
    pub fn in_rows(mut self, width: usize) -> Self {
        self.shape.layout = PaletteLayout::in_rows(self.skins.matrix_count(), width);
        (self.shown, self.target) = (Output::new(), Output::new());
        self.start_anew();
        self
    }

    /// Adds a member that plays nothing yet, and gives its mixer.
    pub fn spawn(&mut self) -> &mut Mixer {
        let member = self.mixers.len();
        self.mixers.push(Mixer::new(&self.skeleton));
        self.pacings.push(Pacing::new());
        self.write_from(member);
        &mut self.mixers[member]
    }

    /// Takes a member out; the last one takes its place, what was written of it included. Returns its mixer.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn remove(&mut self, member: usize) -> Mixer {
        let mut mixer = self.mixers.swap_remove(member);
        self.pacings.swap_remove(member).pay(&mut mixer);
        self.blends.swap_remove(member);
        let [shown, target] = self.shapes();
        self.shown.swap_remove(&shown, member, self.mixers.len());
        self.target.swap_remove(&target, member, self.mixers.len());
        mixer
    }

    /// How many members there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.mixers.len()
    }

    /// Whether there is nobody.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.mixers.is_empty()
    }

    /// The mixers of all members, as they were at their last steps; see
    /// [`step_when_sampled`](Self::step_when_sampled).
    #[must_use]
    pub fn mixers(&self) -> &[Mixer] {
        &self.mixers
    }

    /// The mixers of all members: play, crossfade and seek here.
    pub fn mixers_mut(&mut self) -> &mut [Mixer] {
        if self.steps_when_sampled {
            self.mixers.iter_mut().zip(&mut self.pacings).for_each(|(mixer, pacing)| pacing.pay(mixer));
        }
        &mut self.mixers
    }

    /// The mixer of a member.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn mixer_mut(&mut self, member: usize) -> &mut Mixer {
        let mixer = &mut self.mixers[member];
        self.pacings[member].pay(mixer);
        mixer
    }

    /// How often a member is sampled; in every frame unless set.
    ///
    /// # Panics
    /// If there is no such member.
    #[must_use]
    pub fn rate(&self, member: usize) -> UpdateRate {
        self.pacings[member].rate
    }

    /// Sets how often a member is sampled, from its next sample on.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn set_rate(&mut self, member: usize, rate: UpdateRate) {
        self.pacings[member].rate = rate;
        if rate.is_far() && !self.has_far {
            self.has_far = true;
            self.target.resize(&self.shape, self.mixers.len());
        }
    }

    /// Lets a member be sampled in the next frame whatever its rate is, without a way there: for one that was put
    /// somewhere else, or whose action was sought.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn resample(&mut self, member: usize) {
        self.pacings[member].start_anew();
    }

    /// How many matrices a member has in the palette: those of all skins.
    #[must_use]
    pub fn matrices_per_member(&self) -> usize {
        self.shape.layout.matrices
    }

    /// Where the matrices of a member are in the [`palette`](Self::palette), skin by skin.
    #[must_use]
    pub fn palette_range(&self, member: usize) -> Range<usize> {
        self.shape.layout.range(member)
    }

    /// The palettes of all members in their order, each with its skins in order. As of the last
    /// [`update`](Self::update), and at rest before.
    ///
    /// If interpolation is [left to the shader](Self::blend_in_shader), the first of two.
    #[must_use]
    pub fn palette(&self) -> &[M] {
        &self.shown.palette
    }

    /// What the palette is mixed with, if that is [left to the shader](Self::blend_in_shader); as long as it, or empty
    /// as long as every member is sampled in every frame.
    #[must_use]
    pub fn second_palette(&self) -> &[M] {
        if self.blends_in_shader { &self.target.palette } else { &[] }
    }

    /// How much of the second palette each member shows, from 0 to 1, if that is [left to the
    /// shader](Self::blend_in_shader); else all 0.
    #[must_use]
    pub fn blends(&self) -> &[f32] {
        &self.blends
    }

    /// How many morph weights a member has: those of all sets.
    #[must_use]
    pub fn morph_weights_per_member(&self) -> usize {
        self.shape.morph_weights
    }

    /// The morph weights of all members, one after another, each with its sets in order. As of the last
    /// [`update`](Self::update).
    #[must_use]
    pub fn morph_weights(&self) -> &[f32] {
        &self.shown.morph_weights
    }

    /// The weights of a morph set of a member; `None` if there is no such member or set.
    #[must_use]
    pub fn morph_weights_of(&self, member: usize, morph: MorphId) -> Option<&[f32]> {
        if morph.index() >= self.skeleton.morph_count() {
            return None;
        }
        let range = self.workers[0].pose.morph_range(morph);
        let first = member.checked_mul(self.shape.morph_weights)?;
        self.shown.morph_weights.get(first + range.start..first + range.end)
    }

    /// Keeps where a joint of all members is, for what is attached there. A joint that is kept already stays where
    /// it is in the list.
    ///
    /// # Panics
    /// If the joint belongs to a larger skeleton.
    pub fn keep_joint(&mut self, joint: JointId) {
        assert!(joint.index() < self.skeleton.joint_count(), "a joint of a larger skeleton than the crowd's");
        if self.kept_joints.contains(&joint) {
            return;
        }
        self.kept_joints.push(joint);
        self.shape.joints = self.kept_joints.len();
        self.start_anew();
    }

    /// What is written of members has another shape now.
    fn start_anew(&mut self) {
        self.pacings.iter_mut().for_each(Pacing::start_anew);
        self.write_from(0);
    }

    /// Writes the poses of members as they are, from one on.
    fn write_from(&mut self, first: usize) {
        let (members, [shown, target]) = (self.mixers.len(), self.shapes());
        self.shown.resize(&shown, members);
        self.target.resize(&target, members);
        self.blends.resize(members, 0.0);
        self.blends[first..].fill(0.0);
        let kind = Kind { skeleton: &self.skeleton, skins: &self.skins, kept_joints: &self.kept_joints };
        let (worker, mut output) = (&mut self.workers[0], self.shown.as_mut());
        for (member, mixer) in self.mixers.iter_mut().enumerate().skip(first) {
            worker.write(kind, mixer, output.member(&shown, member));
        }
    }

    /// Of what is shown, and of where it goes.
    fn shapes(&self) -> [Shape; 2] {
        [self.shape, if self.has_far { self.shape } else { Shape::EMPTY }]
    }

    /// The joints that are kept, in the order in which this was asked for.
    #[must_use]
    pub fn kept_joints(&self) -> &[JointId] {
        &self.kept_joints
    }

    /// `model_from_joint` of all kept joints, member by member. As of the last [`update`](Self::update).
    #[must_use]
    pub fn joint_matrices(&self) -> &[M] {
        &self.shown.joints
    }

    /// `model_from_joint` of a kept joint of a member; `None` if there is no such member, or the joint is not kept.
    #[must_use]
    pub fn joint(&self, member: usize, joint: JointId) -> Option<&M> {
        let place = self.kept_joints.iter().position(|kept| *kept == joint)?;
        self.shown.joints.get(member.checked_mul(self.shape.joints)? + place)
    }

    /// Advances all members by a time and writes their palettes, morph weights and kept joints, or moves them on if
    /// they are [far](Self#members-that-are-far-away). Allocates nothing, but for a far member that plays more at once
    /// than it ever did.
    ///
    /// # Panics
    /// If a mixer of another skeleton was put among the mixers.
    pub fn update(&mut self, dt_secs: f32) {
        // A single frame that took long is no reason to look far ahead.
        let ahead_secs = dt_secs.min(self.last_dt_secs);
        let moves = dt_secs > 0.0 && dt_secs.is_finite();
        if moves {
            (self.last_dt_secs, self.frame) = (dt_secs, self.frame.wrapping_add(1));
        }
        let shapes = self.shapes();
        let frame = Frame {
            kind: Kind { skeleton: &self.skeleton, skins: &self.skins, kept_joints: &self.kept_joints },
            shapes: &shapes,
            number: self.frame,
            group_size: group_size(self.mixers.len()),
            dt_secs,
            ahead_secs: if moves { ahead_secs } else { 0.0 },
            blends_in_shader: self.blends_in_shader,
            steps_when_sampled: self.steps_when_sampled,
        };
        let all = Part {
            first: 0,
            mixers: &mut self.mixers,
            pacings: &mut self.pacings,
            shown: self.shown.as_mut(),
            target: self.target.as_mut(),
            blends: &mut self.blends,
        };
        let work = |part: Part<'_, M>, worker: &mut Worker| worker.update(frame, part);
        all.share_out(&shapes, &mut self.workers, &work);
    }
}
