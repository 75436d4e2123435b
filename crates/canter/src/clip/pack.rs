//! Makes a clip small: fewer bits and fewer rows, within an error that is measured.

mod channel;
mod encode;
mod error;
mod hinge;
mod reference;
mod set;
mod spline;
mod store;

use std::sync::{Arc, OnceLock};

use super::compile::{self, Layout};
use super::keys::Keys;
use super::merge;
use super::morph::MorphRows;
use super::packed::Still;
use super::prepare::Prepared;
use super::rows::Rows;
use super::{Clip, ClipTrack, Curve, Interpolation, Property, TrackTarget};
use crate::pose::{LANES, Pose};
use crate::skeleton::Skeleton;
use reference::{Lever, Reference, key_times, spread_times};
use set::{Set, constant};

pub use super::packed::bytes::PackedBytesError;
pub use error::PackError;

/// How a clip is packed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PackOptions {
    /// By how many millimetres points 3 cm around any joint may be off at most, at any time.
    pub error_mm: f32,
    /// What counts more.
    pub mode: PackMode,
    /// How long the skeleton's unit is.
    pub metres_per_unit: f32,
}

impl Default for PackOptions {
    fn default() -> Self {
        Self { error_mm: 0.1, mode: PackMode::default(), metres_per_unit: 1.0 }
    }
}

/// What counts more when a clip is packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PackMode {
    /// Memory: numbers of 8, 12 or 16 bits, rotations of three numbers or, about an axis, of one.
    #[default]
    Small,
    /// Speed: numbers of 16 bits, rotations of four numbers or, about an axis, of one.
    Fast,
}

/// A packed clip, and how far it is from the one that was packed.
#[derive(Clone, Debug)]
pub struct Packed {
    /// A clip like any other, but for the keys, which are those that it plays.
    pub clip: Clip,
    /// The largest error of points 3 cm around all joints in millimetres, as measured at all keys, at fifteen times
    /// between any two of them, and at two thousand spread over the clip.
    pub error_mm: f32,
}

/// By how much tracks may be off, in their own numbers.
pub(super) struct Tolerances<'a> {
    levers: &'a [Lever],
    /// In units of the skeleton.
    error: f64,
    /// What part of the error a joint may cause.
    shares: Vec<f64>,
}

impl Tolerances<'_> {
    fn of(&self, track: &Prepared) -> f64 {
        let Lever { reach, parent_scale } = self.levers[track.joint];
        let error = self.error * self.shares[track.joint];
        match track.property {
            Property::Translation => error / parent_scale.max(1e-9),
            // A quaternion has half the angle.
            Property::Rotation => 0.5 * error / reach,
            Property::Scale => {
                let sizes =
                    track.values.iter().flat_map(|value| value[..3].iter().map(|x| f64::from(x.abs())));
                error / reach * sizes.fold(f64::INFINITY, f64::min).clamp(1e-3, 1.0)
            }
        }
    }
}

impl Clip {
    /// The clip in less memory, at most `error_mm` away from this one: at points 3 cm around every joint, at
    /// any time, between keys, too. That is measured, not estimated.
    ///
    /// What comes out is a clip like any other, and is played, blended and stored like any other. Its bytes are
    /// the same on every machine. Tracks that jump or run on splines, morph weights and root motion stay as they
    /// are; a clip that would not get smaller stays as it is.
    ///
    /// ```
    /// use canter::{Clip, PackOptions, Skeleton, Track, Transform, glam::Quat};
    ///
    /// let mut joints = Skeleton::builder();
    /// joints.joint("hip", None, Transform::IDENTITY);
    /// let skeleton = joints.build()?;
    /// let hip = skeleton.joint("hip").unwrap();
    /// let times: Vec<f32> = (0..100_u8).map(|key| f32::from(key) / 30.0).collect();
    /// let turns = times.iter().map(|secs| Quat::from_rotation_y(*secs)).collect();
    /// let mut clip = Clip::builder("Turn", &skeleton);
    /// clip.rotation(hip, Track::linear(times, turns));
    /// let clip = clip.build()?;
    ///
    /// let packed = clip.pack(&skeleton, PackOptions { error_mm: 0.1, ..PackOptions::default() })?;
    /// assert!(packed.error_mm <= 0.1 && packed.clip.memory_bytes() < clip.memory_bytes());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the clip is of another skeleton, or if an option is not a positive number.
    pub fn pack(&self, skeleton: &Skeleton, options: PackOptions) -> Result<Packed, PackError> {
        if !self.fits(skeleton) {
            return Err(PackError::OtherSkeleton { clip: self.name.clone() });
        }
        let is_sound = |number: f32| number > 0.0 && number.is_finite();
        if !is_sound(options.error_mm) {
            return Err(PackError::BadError { error_mm: options.error_mm });
        }
        if !is_sound(options.metres_per_unit) {
            return Err(PackError::BadUnit { metres_per_unit: options.metres_per_unit });
        }
        let as_it_is = || Packed { clip: self.clone(), error_mm: 0.0 };
        if self.keys.are_packed() {
            // Errors would add up.
            return Ok(as_it_is());
        }
        if skeleton.joint_count() > MOST_JOINTS {
            return Ok(as_it_is());
        }
        let packed = Packer::new(self, skeleton, options).pack();
        let smaller = packed.filter(|packed| packed.clip.memory_bytes() < self.memory_bytes());
        Ok(smaller.unwrap_or_else(as_it_is))
    }
}

/// Joints are counted in 16 bits.
const MOST_JOINTS: usize = 1 << 16;

struct Packer<'a> {
    clip: &'a Clip,
    skeleton: &'a Skeleton,
    options: PackOptions,
    /// At all keys, and between them.
    reference: Reference,
    levers: Vec<Lever>,
    /// Of all joints.
    tracks: Vec<Prepared>,
    sets: Vec<Set>,
    /// What is not packed: tracks that jump, or run on splines.
    kept: Vec<Prepared>,
    /// Constants.
    still: Vec<Prepared>,
    opposite_ends: Vec<u8>,
    morphs: Vec<Option<Curve>>,
    /// What may be off, in units of the skeleton.
    error: f64,
}

impl<'a> Packer<'a> {
    fn new(clip: &'a Clip, skeleton: &'a Skeleton, options: PackOptions) -> Self {
        let metres_per_unit = f64::from(options.metres_per_unit);
        let error = f64::from(options.error_mm) * 1e-3 / metres_per_unit;
        let (mut still, mut moving, mut kept) = (Vec::new(), Vec::new(), Vec::new());
        let mut morphs = vec![None; skeleton.morph_count()];
        let mut opposite_ends = Vec::new();
        for ClipTrack { target, curve } in clip.tracks() {
            let track = match target {
                TrackTarget::Joint(joint, property) => {
                    Prepared::new(joint, property, &curve, clip.sign_slack())
                }
                TrackTarget::Morph(morph) => {
                    morphs[morph.index()] = Some(curve);
                    continue;
                }
            };
            if track.has_opposite_ends() {
                opposite_ends.resize(clip.rest_pose.groups.len(), 0_u8);
                opposite_ends[track.joint / LANES] |= 1 << (track.joint % LANES);
            }
            let jumps = track.secs.windows(2).any(|pair| pair[0] >= pair[1]);
            if track.constant().is_some() {
                still.push(track);
            } else if track.interpolation == Interpolation::Linear && !jumps {
                moving.push(track);
            } else {
                kept.push(track);
            }
        }
        let tracks: Vec<Prepared> = still.iter().chain(&moving).chain(&kept).cloned().collect();
        let times = key_times(&tracks);
        let reference = Reference::new(skeleton, &tracks, times, clip.is_additive, metres_per_unit);
        let levers = reference.levers();
        let sets = merge::share(moving).into_iter().map(|shared| Set::new(shared, options.mode)).collect();
        Self {
            clip,
            skeleton,
            options,
            reference,
            levers,
            tracks,
            sets,
            kept,
            still,
            opposite_ends,
            morphs,
            error,
        }
    }

    /// By how much points around each joint are off at most. At times that are spread over the clip only if they are near
    /// enough at keys and between them.
    fn errors(&self, clip: &Clip, enough: f64, pose: &mut Pose) -> Vec<f64> {
        let mut measure =
            |reference: &Reference| reference.errors(|secs, pose| clip.sample(secs, pose), pose);
        let mut errors = measure(&self.reference);
        let metres_per_unit = f64::from(self.options.metres_per_unit);
        for times in spread_times(&self.tracks) {
            if errors.iter().any(|error| *error > enough) {
                break;
            }
            let (skeleton, is_additive) = (self.skeleton, self.clip.is_additive);
            let reference = Reference::new(skeleton, &self.tracks, times, is_additive, metres_per_unit);
            for (most, error) in errors.iter_mut().zip(measure(&reference)) {
                *most = most.max(error);
            }
        }
        errors
    }

    /// Packs with less and less tolerance where points are too far off, until none is.
    fn pack(&self) -> Option<Packed> {
        const ROUNDS: usize = 60;
        const LESS: f64 = 0.87;
        // At other times than those that are looked at, weights are rounded otherwise.
        const CERTAIN: f64 = 0.92;
        let joints = self.skeleton.joint_count();
        let mut tolerances =
            Tolerances { levers: &self.levers, error: self.error, shares: vec![1.0; joints] };
        let mut pose = Pose::rest(self.skeleton);
        if self.still.is_empty() && self.sets.is_empty() {
            return None;
        }
        for _ in 0..ROUNDS {
            let clip = self.encoded(&tolerances);
            let enough = self.error * CERTAIN;
            let errors = self.errors(&clip, enough, &mut pose);
            let worst = errors.iter().copied().fold(0.0, f64::max);
            if worst <= enough {
                let mm = worst * 1e3 * f64::from(self.options.metres_per_unit);
                #[expect(clippy::cast_possible_truncation, reason = "a report; not above what was asked for")]
                let error_mm = (mm as f32).min(self.options.error_mm);
                clip.fingerprint();
                return Some(Packed { clip, error_mm });
            }
            let mut is_blamed = vec![false; joints];
            for (joint, _) in errors.iter().enumerate().filter(|(_, error)| **error > enough) {
                self.reference.chain(joint).for_each(|above| is_blamed[above] = true);
            }
            for (share, _) in tolerances.shares.iter_mut().zip(&is_blamed).filter(|(_, blamed)| **blamed) {
                *share *= LESS;
            }
        }
        None
    }

    fn encoded(&self, tolerances: &Tolerances<'_>) -> Clip {
        let rest = &self.clip.rest_pose;
        let mut still = Vec::new();
        // Whether a track does not move, or hardly so. What is as the rest pose has it needs not be told.
        let mut is_still = |track: &Prepared| {
            let own = self.rest_of(track);
            let value = constant(track, own, tolerances.of(track)).or_else(|| track.constant());
            let Some(value) = value else { return false };
            if value != own {
                #[expect(clippy::cast_possible_truncation, reason = "no more than `MOST_JOINTS`")]
                still.push(Still { joint: track.joint as u16, property: track.property, value });
            }
            true
        };
        self.still.iter().for_each(|track| {
            is_still(track);
        });
        let mut timelines = Vec::new();
        for set in &self.sets {
            let moving: Vec<usize> =
                (0..set.tracks.len()).filter(|&track| !is_still(&set.tracks[track])).collect();
            if !moving.is_empty() {
                timelines.push(encode::encode(set, &set.plan(&moving, tolerances, self.options.mode)));
            }
        }
        let mut layout = Layout::new(&rest.groups);
        (layout.is_packed, layout.timelines) = (true, timelines);
        // Deltas are laid over other poses than that of rest.
        layout.rest = (!self.clip.is_additive).then_some(&rest.groups[..]);
        for shared in merge::share(self.kept.clone()) {
            layout.add_timeline(shared);
        }
        let mut rows = layout.finish();
        if self.kept.is_empty() {
            (rows.groups, rows.constants) = (Box::default(), Box::default());
        }
        (rows.is_additive, rows.still) = (self.clip.is_additive, still.into());
        rows.find_undriven(rest.groups.len());
        let morphs = self.morphs.iter().enumerate().map(|(set, curve)| {
            let weights = rest.morph_range(set);
            MorphRows::new(weights.clone(), &rest.morph_weights[weights], curve.as_ref())
        });
        (rows.morphs, rows.opposite_ends) = (morphs.collect(), self.opposite_ends.clone().into());
        self.clip.with_rows(rows)
    }

    /// What the rest pose has where a track is.
    fn rest_of(&self, track: &Prepared) -> [f32; 4] {
        let lanes = compile::lanes(&self.clip.rest_pose.groups[track.joint / LANES], track.property);
        std::array::from_fn(|part| lanes.get(part).map_or(0.0, |lanes| lanes.0[track.joint % LANES]))
    }
}

impl Clip {
    /// The same clip with rows of which its keys are read.
    fn with_rows(&self, rows: Rows) -> Self {
        Self {
            name: self.name.clone(),
            keys: Keys::packed(self.targets(), self.rest_pose.joint_count),
            rest_pose: Arc::clone(&self.rest_pose),
            markers: Arc::clone(&self.markers),
            root: self.root.clone(),
            rows: OnceLock::from(rows),
            fingerprint: OnceLock::new(),
            ..*self
        }
    }
}
