//! Takes the root motion out of a clip.
//!
//! At every instant `model_from_joint = way · rest of the pose`. Without turns both parts are linear maps of
//! the translation's keys, and the split is exact as it stands. With turns a rotated key between two others
//! is not where the line between those is, so keys are added until both parts together lead where the clip
//! led, within a thousandth of a millimetre: most of them to what is left, which makes up for a way that is straight
//! where it nearly is.

use std::sync::{Arc, OnceLock};

use glam::{BVec3, DQuat, DVec3, Quat, Vec3};

use super::travel::turned;
use super::{RootCurve, RootMotion, RootMotionError, RootMotionFault};
use crate::clip::keys::Keys;
use crate::clip::prepare::{same_side, unit};
use crate::clip::reader::CurveReader;
use crate::clip::slerp::slerp_f64;
use crate::clip::{Clip, ClipTrack, Curve, Interpolation, Property, TrackTarget};
use crate::math::atan2_f64;
use crate::skeleton::{JointId, Skeleton};

/// Metres, and radians: how far both parts together may be from the clip,
const TOLERANCE: f64 = 1e-6;
/// and the way, which is straight between its keys, from that of the clip: what is left makes up for it.
const WAY_TOLERANCE: f64 = 1e-4;
/// Where that is looked at between two keys.
const PARTS: [f32; 3] = [0.5, 0.25, 0.75];
/// What is less is not a jump from one key to another at the same time.
const JUMP: f64 = 1e-3;
/// How often the time between two keys is halved at most.
const MOST_HALVINGS: u32 = 9;
/// What moves less than this stands still.
const STILL: f64 = 1e-7;

impl Clip {
    /// The same clip without the way of its root, which becomes the [`root_motion`](Self::root_motion) that a
    /// [`Mixer`](crate::Mixer) hands out step by step: on the axes that were chosen the joint stays where it is
    /// at rest (if it turns, within 0.1 mm between keys). If the joint does not move there, the clip is as it was.
    ///
    /// ```
    /// use canter::{Clip, Mixer, Play, RootMotion, Skeleton, Track, Transform, glam::Vec3};
    /// # use std::sync::Arc;
    ///
    /// let mut joints = Skeleton::builder();
    /// joints.joint("hips", None, Transform::from_translation(Vec3::Y));
    /// let skeleton = Arc::new(joints.build()?);
    /// let hips = skeleton.joint("hips").unwrap();
    /// let mut walk = Clip::builder("Walk", &skeleton);
    /// walk.translation(hips, Track::linear(vec![0.0, 1.0], vec![Vec3::Y, Vec3::new(0.0, 1.0, 1.4)]));
    /// let walk = walk.build()?.with_root_motion(&skeleton, RootMotion::over_ground(hips))?;
    /// assert_eq!(walk.ground_speed(), Some(1.4));
    ///
    /// let mut mixer = Mixer::new(&skeleton);
    /// mixer.play(&Arc::new(walk), Play::default());
    /// mixer.advance(2.5); // two loops and a half
    /// assert!((mixer.root_motion().transform.translation.z - 3.5).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the clip is of another skeleton, additive or split already, or if a joint above moves or is scaled
    /// unevenly.
    pub fn with_root_motion(&self, skeleton: &Skeleton, root: RootMotion) -> Result<Self, RootMotionError> {
        let error = |fault| RootMotionError { clip: self.name.clone(), fault };
        let above = self.above(skeleton, root.joint).map_err(error)?;
        let joint = JointMotion::new(self, skeleton, root.joint, above);
        let turns = root.yaw && joint.turns();
        let split = if turns { Some(joint.split_with_turns(root.axes)) } else { joint.split(root.axes) };
        Ok(split.map_or_else(|| self.clone(), |split| self.with_split(root.joint, split)))
    }

    /// The transform of what is above a joint, which does not move.
    fn above(&self, skeleton: &Skeleton, joint: JointId) -> Result<Above, RootMotionFault> {
        if !self.fits(skeleton) {
            return Err(RootMotionFault::OtherSkeleton);
        }
        if joint.index() >= skeleton.joint_count() {
            return Err(RootMotionFault::NoSuchJoint { joints: skeleton.joint_count() });
        }
        if self.is_additive {
            return Err(RootMotionFault::Additive);
        }
        if self.root.is_some() {
            return Err(RootMotionFault::AlreadySplit);
        }
        let mut above = Above { scale: 1.0, rotation: DQuat::IDENTITY, translation: DVec3::ZERO };
        let mut next = skeleton.parent(joint);
        while let Some(parent) = next {
            let is_moved = self.tracks().any(|track| {
                matches!(track.target, TrackTarget::Joint(joint, _) if joint == parent)
                    && !is_still(&track.curve)
            });
            if is_moved {
                return Err(RootMotionFault::ParentMoves { parent: skeleton.name(parent).to_owned() });
            }
            let local = self.first_key(skeleton, parent);
            let [x, y, z] = local.scale.to_array().map(f64::from);
            let is_even = x > 0.0 && (x - y).abs() <= 1e-5 * x && (x - z).abs() <= 1e-5 * x;
            if !is_even {
                return Err(RootMotionFault::ParentIsUneven { joint: skeleton.name(joint).to_owned() });
            }
            let rotation = local.rotation.as_dquat().normalize();
            above = Above {
                scale: x * above.scale,
                rotation: rotation * above.rotation,
                translation: local.translation.as_dvec3() + rotation * (above.translation * x),
            };
            next = skeleton.parent(parent);
        }
        Ok(above)
    }

    /// Where a joint stands that does not move: at its only key, or at rest.
    fn first_key(&self, skeleton: &Skeleton, joint: JointId) -> crate::Transform {
        let mut local = skeleton.rest(joint);
        for ClipTrack { target, curve } in self.tracks() {
            match target {
                TrackTarget::Joint(of, Property::Translation) if of == joint => {
                    local.translation = Vec3::from_slice(curve.value(0));
                }
                TrackTarget::Joint(of, Property::Rotation) if of == joint => {
                    local.rotation = Quat::from_slice(curve.value(0));
                }
                TrackTarget::Joint(of, Property::Scale) if of == joint => {
                    local.scale = Vec3::from_slice(curve.value(0));
                }
                _ => {}
            }
        }
        local
    }

    fn with_split(&self, joint: JointId, split: Split) -> Self {
        let mut tracks: Vec<ClipTrack> = self.tracks().collect();
        let kept = [(Property::Translation, split.translation), (Property::Rotation, split.rotation)];
        for (property, curve) in kept {
            let Some(curve) = curve else { continue };
            let target = TrackTarget::Joint(joint, property);
            match tracks.iter_mut().find(|track| track.target == target) {
                Some(track) => track.curve = curve,
                // Those of joints come first.
                None => tracks.insert(0, ClipTrack { target, curve }),
            }
        }
        Self {
            name: self.name.clone(),
            keys: Keys::new(tracks),
            rest_pose: Arc::clone(&self.rest_pose),
            markers: self.markers.clone(),
            root: Some(Arc::new(RootCurve::new(joint, split.way))),
            rows: OnceLock::new(),
            fingerprint: OnceLock::new(),
            ..*self
        }
    }
}

fn is_still(curve: &Curve) -> bool {
    let first = curve.value(0);
    let same = |key| curve.value(key).iter().zip(first).all(|(a, b)| f64::from((a - b).abs()) <= STILL);
    (1..curve.times().len()).all(same)
}

/// The transform of what a joint hangs on.
#[derive(Clone, Copy)]
struct Above {
    scale: f64,
    rotation: DQuat,
    translation: DVec3,
}

impl Above {
    fn point(&self, local: DVec3) -> DVec3 {
        self.translation + self.vector(local)
    }

    fn vector(&self, local: DVec3) -> DVec3 {
        self.rotation * (local * self.scale)
    }

    fn local_vector(&self, vector: DVec3) -> DVec3 {
        self.rotation.inverse() * vector / self.scale
    }

    fn local_point(&self, point: DVec3) -> DVec3 {
        self.local_vector(point - self.translation)
    }
}

/// A clip's way, and what is left of its joint's tracks.
struct Split {
    way: Curve,
    translation: Option<Curve>,
    rotation: Option<Curve>,
}

/// A joint in the space of the model at any instant.
struct JointMotion {
    above: Above,
    translation: Option<CurveReader>,
    rotation: Option<CurveReader>,
    /// Local, at rest.
    rest: (DVec3, DQuat),
    clip_secs: f32,
}

impl JointMotion {
    fn new(clip: &Clip, skeleton: &Skeleton, joint: JointId, above: Above) -> Self {
        let reader = |property| {
            let target = TrackTarget::Joint(joint, property);
            let track = clip.tracks().find(|track| track.target == target);
            track.map(|track| CurveReader::new(track.curve))
        };
        let rest = skeleton.rest(joint);
        Self {
            above,
            translation: reader(Property::Translation),
            rotation: reader(Property::Rotation),
            rest: (rest.translation.as_dvec3(), rest.rotation.as_dquat().normalize()),
            clip_secs: clip.duration_secs,
        }
    }

    fn rest_point(&self) -> DVec3 {
        self.above.point(self.rest.0)
    }

    fn at(&self, secs: f32) -> (DVec3, DQuat) {
        let mut local = self.rest.0;
        if let Some(reader) = &self.translation {
            let mut numbers = [0.0; 3];
            reader.each(secs, &mut numbers, |out, number| *out = number);
            local = Vec3::from_array(numbers).as_dvec3();
        }
        let turn = self.rotation.as_ref().map_or(self.rest.1, |reader| reader.rotation(secs));
        (self.above.point(local), self.above.rotation * turn)
    }

    /// The turn about the vertical since rest; that of before where it is upside down and has none.
    fn yaw(&self, turn: DQuat, before: f64) -> f64 {
        let since_rest = turn * (self.above.rotation * self.rest.1).inverse();
        if since_rest.y * since_rest.y + since_rest.w * since_rest.w < 1e-12 {
            return before;
        }
        let angle = 2.0 * atan2_f64(since_rest.y, since_rest.w);
        // The same angle, at most half a turn from the one before.
        let tau = std::f64::consts::TAU;
        angle - ((angle - before) / tau + 0.5).floor() * tau
    }

    /// All times at which a key of either track lies, and the ends of the clip.
    fn key_times(&self) -> Vec<f32> {
        let mut times = vec![0.0, self.clip_secs];
        for reader in [&self.translation, &self.rotation].into_iter().flatten() {
            times.extend(reader.curve().times());
        }
        times.sort_unstable_by(f32::total_cmp);
        times.dedup();
        times
    }

    fn turns(&self) -> bool {
        let Some(reader) = &self.rotation else { return false };
        let times = reader.curve().times();
        let halves = times.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
        times.iter().copied().chain(halves).any(|secs| self.yaw(self.at(secs).1, 0.0).abs() > TOLERANCE)
    }

    /// Without turns: linear maps of the keys. `None` if nothing moves.
    fn split(&self, axes: BVec3) -> Option<Split> {
        let curve = self.translation.as_ref()?.curve();
        let (mut way, mut kept) = (Vec::new(), Vec::new());
        let mut put = |value: &[f32], from: DVec3| {
            let local = Vec3::from_slice(value).as_dvec3();
            let chosen = chosen(self.above.vector(local - from), axes);
            way.extend(chosen.as_vec3().to_array());
            kept.extend((local - self.above.local_vector(chosen)).as_vec3().to_array());
        };
        for key in 0..curve.times().len() {
            // A slope has no place: only differences count.
            if let Some(tangent) = curve.in_tangent(key) {
                put(tangent, DVec3::ZERO);
            }
            put(curve.value(key), self.rest.0);
            if let Some(tangent) = curve.out_tangent(key) {
                put(tangent, DVec3::ZERO);
            }
        }
        if way.iter().all(|number| f64::from(number.abs()) <= STILL) {
            return None;
        }
        let way = Curve { values: way.into(), ..curve.clone() };
        Some(Split { way, translation: Some(Curve { values: kept.into(), ..curve.clone() }), rotation: None })
    }

    fn split_with_turns(&self, axes: BVec3) -> Split {
        let times = self.key_times();
        let mut keys = SplitKeys::default();
        for pair in times.windows(2) {
            // What jumps at a key holds until just before it.
            let (start, end) = (pair[0], pair[1].next_down().max(pair[0]));
            let before = keys.way.last().map_or(0.0, |key| key.yaw);
            let first = self.key(start, before, axes);
            if keys.way.last().is_none_or(|last| !last.is_near(&first)) {
                keys.push(first);
            }
            let before_end = Key { secs: pair[1], ..self.key(end, first.yaw, axes) };
            let at_end = self.key(pair[1], before_end.yaw, axes);
            let last = if before_end.is_near(&at_end) { at_end } else { before_end };
            self.refine(&first, &last, axes, MOST_HALVINGS, &mut keys);
            keys.push(last);
        }
        if keys.way.is_empty() {
            keys.push(self.key(0.0, 0.0, axes));
        }
        let mut before = None;
        let mut rotation = |key: &Key, numbers: &mut Vec<f32>| {
            let rotation = key.kept_rotation();
            let rotation = before.map_or(rotation, |before| same_side(before, rotation, 0.0));
            before = Some(rotation);
            numbers.extend(rotation);
        };
        let translation =
            curve(&keys.kept, 3, &mut |key, numbers| numbers.extend(key.kept.as_vec3().to_array()));
        let times = Arc::clone(&translation.times);
        Split {
            way: curve(&keys.way, 4, &mut |key, numbers| {
                numbers.extend(key.way.extend(key.yaw).as_vec4().to_array());
            }),
            translation: Some(translation),
            rotation: Some(Curve { times, ..curve(&keys.kept, 4, &mut rotation) }),
        }
    }

    fn key(&self, secs: f32, yaw_before: f64, axes: BVec3) -> Key {
        let (point, turn) = self.at(secs);
        let yaw = self.yaw(turn, yaw_before);
        let way = chosen(point - turned(self.rest_point(), yaw), axes);
        self.key_beside(secs, way, yaw)
    }

    /// What is left where the way is as given.
    fn key_beside(&self, secs: f32, way: DVec3, yaw: f64) -> Key {
        let (point, turn) = self.at(secs);
        let kept_turn = yaw_rotation(-yaw) * turn;
        Key {
            secs,
            way,
            yaw,
            kept: self.above.local_point(turned(point - way, -yaw)),
            kept_turn: self.above.rotation.inverse() * kept_turn,
        }
    }

    /// Adds keys between two others: to the way until it is nearly that of the clip, and to what is left until both
    /// parts together are the clip.
    fn refine(&self, left: &Key, right: &Key, axes: BVec3, halvings: u32, keys: &mut SplitKeys) {
        let tolerance = WAY_TOLERANCE * left.way.length().max(1.0);
        let is_off = |part: f32| {
            let secs = left.secs_to(right, part);
            let (exact, (way, yaw)) = (self.key(secs, left.yaw, axes), left.way_to(right, secs));
            exact.way.distance(way) > tolerance || (exact.yaw - yaw).abs() > WAY_TOLERANCE
        };
        let middle = self.key(left.secs_to(right, 0.5), left.yaw, axes);
        if halvings == 0 || !middle.is_between(left, right) || !PARTS.into_iter().any(is_off) {
            return self.refine_kept(left, right, halvings, &mut keys.kept);
        }
        self.refine(left, &middle, axes, halvings - 1, keys);
        keys.push(middle);
        self.refine(&middle, right, axes, halvings - 1, keys);
    }

    /// Adds keys to what is left, where the way runs straight.
    fn refine_kept(&self, left: &Key, right: &Key, halvings: u32, keys: &mut Vec<Key>) {
        let tolerance = TOLERANCE * left.way.length().max(1.0);
        let is_off = |part: f32| self.error_between(left, right, left.secs_to(right, part)) > tolerance;
        let secs = left.secs_to(right, 0.5);
        let (way, yaw) = left.way_to(right, secs);
        let middle = self.key_beside(secs, way, yaw);
        if halvings == 0 || !middle.is_between(left, right) || !PARTS.into_iter().any(is_off) {
            return;
        }
        self.refine_kept(left, &middle, halvings - 1, keys);
        keys.push(middle);
        self.refine_kept(&middle, right, halvings - 1, keys);
    }

    /// How far both parts together are from the clip at a time between two keys.
    fn error_between(&self, left: &Key, right: &Key, secs: f32) -> f64 {
        let (point, turn) = self.at(secs);
        let ((way, yaw), part) = (left.way_to(right, secs), left.part_to(right, secs));
        let kept = self.above.point(left.kept.lerp(right.kept, part));
        let (a, b) = (left.kept_rotation(), right.kept_rotation());
        let kept_turn = slerp_f64(a, same_side(a, b, 0.0), part);
        let kept_turn = self.above.rotation * DQuat::from_array(kept_turn.map(f64::from));
        let off = way + turned(kept, yaw) - point;
        let off_turn = yaw_rotation(yaw) * kept_turn * turn.inverse();
        let sine = off_turn.xyz().length();
        off.length().max(2.0 * sine)
    }
}

/// A curve of straight lines.
// By address: the npm package, which is to be small, has it once.
fn curve(keys: &[Key], width: usize, push: &mut dyn FnMut(&Key, &mut Vec<f32>)) -> Curve {
    let mut values = Vec::with_capacity(keys.len() * width);
    for key in keys {
        push(key, &mut values);
    }
    let times = keys.iter().map(|key| key.secs).collect();
    Curve { interpolation: Interpolation::Linear, times, values: values.into(), width }
}

fn chosen(vector: DVec3, axes: BVec3) -> DVec3 {
    DVec3::select(axes, vector, DVec3::ZERO)
}

fn yaw_rotation(yaw: f64) -> DQuat {
    let (sin, cos) = crate::math::sin_cos_f64(yaw / 2.0);
    DQuat::from_xyzw(0.0, sin, 0.0, cos)
}

/// The keys of both parts: those of the way are few, since a mixer looks for them in every frame.
#[derive(Default)]
struct SplitKeys {
    way: Vec<Key>,
    kept: Vec<Key>,
}

impl SplitKeys {
    fn push(&mut self, key: Key) {
        self.way.push(key);
        self.kept.push(key);
    }
}

/// Both parts at an instant.
#[derive(Clone, Copy)]
struct Key {
    secs: f32,
    way: DVec3,
    yaw: f64,
    /// What is left of the joint's local transform.
    kept: DVec3,
    kept_turn: DQuat,
}

impl Key {
    fn secs_to(&self, next: &Self, part: f32) -> f32 {
        self.secs + (next.secs - self.secs) * part
    }

    /// What part of the time to the next key has passed.
    fn part_to(&self, next: &Self, secs: f32) -> f64 {
        let length = f64::from(next.secs) - f64::from(self.secs);
        if length > 0.0 { (f64::from(secs) - f64::from(self.secs)) / length } else { 0.0 }
    }

    /// The way, and the yaw, on a straight line to the next key.
    fn way_to(&self, next: &Self, secs: f32) -> (DVec3, f64) {
        let part = self.part_to(next, secs);
        (self.way.lerp(next.way, part), self.yaw + (next.yaw - self.yaw) * part)
    }

    fn is_between(&self, left: &Self, right: &Self) -> bool {
        left.secs < self.secs && self.secs < right.secs
    }

    fn kept_rotation(&self) -> [f32; 4] {
        unit(self.kept_turn.normalize().as_quat().to_array())
    }

    /// Whether nothing jumps from one to the other: a rounding of time is no jump.
    fn is_near(&self, other: &Self) -> bool {
        let turn = (self.kept_turn * other.kept_turn.inverse()).xyz().length();
        self.way.distance(other.way) < JUMP
            && (self.yaw - other.yaw).abs() < JUMP
            && self.kept.distance(other.kept) < JUMP
            && turn < JUMP
    }
}
