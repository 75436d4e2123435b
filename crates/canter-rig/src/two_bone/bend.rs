//! How the bones of a limb stand, and should stand.

use super::seen::Seen;
use super::{TwoBone, knee};
use crate::soft::softened;
use crate::turn::{TINY, Turn, frame, perpendicular, smooth_step};
use crate::vector::{Matrix3, Vector3};

/// How bent a limb has to be for its plane to count: the sine of six degrees.
const BENT: f32 = 0.1;
/// Where the pole is nearer to the line to the target than this sine, the plane of the animated pose takes
/// over.
const IN_LINE: f32 = 0.1;

/// How a limb is bent to get to its goal.
pub(super) struct Bend {
    /// How the upper bone is turned.
    pub(super) upper: Turn,
    /// How the middle joint turns beyond that, as the animated pose has it.
    pub(super) middle: Turn,
    /// By how much bones become longer.
    pub(super) stretch: f32,
    /// The lower bone and what is beside it, before the first joint turns: as they are, and should be. `None`
    /// if it has no length.
    pub(super) lower: Option<[[Vector3; 2]; 2]>,
}

/// The bones of a limb as they are.
struct Bones {
    /// The upper one, at length one.
    upper: Vector3,
    /// The product of both as they are, and its length: at right angles to the plane in which they are bent.
    across: Vector3,
    across_length: f32,
    /// What makes that the sine of the angle between them; 0 if one of them has no length.
    per_lengths: f32,
    /// From start to end; of any length. Shorter than `tiny` it has no direction.
    way: Vector3,
    tiny: f32,
}

/// Of the planes in which a limb is bent: in the animated pose, and in what comes of it.
struct Normals {
    /// At right angles to the line from start to end. If the limb is bent so much that nothing but its plane
    /// counts, it is of length one, and at right angles to both bones.
    old: Vector3,
    is_bent: bool,
    /// Of length one, and at right angles to the line to the target.
    new: Vector3,
}

impl TwoBone {
    /// How the limb is bent to get to its goal; `None` if it cannot be moved.
    // What takes long are roots and quotients that wait for each other: as few as possible do.
    #[inline]
    pub(super) fn bend(&self, seen: &Seen, stretch_weight: f32) -> Option<Bend> {
        let [a, b, c] = seen.joints;
        let (upper, lower, to_target) = (b - a, c - b, seen.target - a);
        let (upper_length, lower_length, distance) = (upper.length(), lower.length(), to_target.length());
        let length = upper_length + lower_length;
        if !(length > 1e-8 && length < 1e8 && distance < f32::MAX) {
            return None;
        }
        let tiny = TINY * length;
        let (has_upper, has_lower) = (upper_length > tiny, lower_length > tiny);
        let has_both = has_upper && has_lower;
        let (per_upper, per_lower) = (1.0 / upper_length, 1.0 / lower_length);
        let per_lengths = if has_both { per_upper * per_lower } else { 0.0 };
        let old_upper = if has_upper { upper * per_upper } else { lower * per_lower };
        let old_lower = if has_lower { lower * per_lower } else { old_upper };
        let across = upper.cross(lower);
        let bones =
            Bones { upper: old_upper, across, across_length: across.length(), per_lengths, way: c - a, tiny };
        let (way, line) = if distance > tiny {
            (to_target, to_target * (1.0 / distance))
        } else {
            (bones.line(), bones.line())
        };
        let Normals { old: old_normal, is_bent, new: normal } = self.normals(seen, &bones, way, line);

        let (stretch, distance) = self.stretched(distance, length, stretch_weight);
        let distance = softened(distance, (upper_length - lower_length).abs(), length, self.soften);
        let (x, y) = knee(distance, upper_length, lower_length);
        let new_upper = if has_upper { (line * x + line.cross(normal) * y) * per_upper } else { line };
        // Of the angle between the bones.
        let (cos, sin) = if has_both {
            ((x * (distance - x) - y * y) * per_lengths, (y * distance) * per_lengths)
        } else {
            (1.0, 0.0)
        };
        let new = plane_frame(new_upper, normal);
        let old = if is_bent { plane_frame(old_upper, old_normal) } else { frame(old_upper, old_normal) };
        let (turn, old) = if has_upper { (Turn::between(old, new), old) } else { (Turn::IDENTITY, new) };
        // The lower bone as it should be, before the first joint turns.
        let bent = Matrix3::from_cols(
            old.x_axis * cos - old.z_axis * sin,
            old.y_axis,
            old.x_axis * sin + old.z_axis * cos,
        );
        let middle = if !has_lower {
            Turn::IDENTITY
        } else if is_bent {
            // It turns about the normal only, by what the angle changes.
            let (old_cos, old_sin) = (old_upper.dot(old_lower), bones.sine());
            Turn::by_cos_sin(old_normal, cos * old_cos + sin * old_sin, sin * old_cos - cos * old_sin)
        } else {
            Turn::between(frame(old_lower, old_normal), bent)
        };
        let lower = [[old_lower, old_normal], [bent.x_axis, bent.y_axis]];
        Some(Bend { upper: turn, middle, stretch, lower: has_lower.then_some(lower) })
    }

    /// By how much bones become longer, and the distance of the target in lengths of bones that are not.
    #[inline]
    fn stretched(&self, distance: f32, length: f32, weight: f32) -> (f32, f32) {
        if self.max_stretch <= 1.0 {
            return (1.0, distance);
        }
        let most = (distance / (self.soften * length)).clamp(1.0, self.max_stretch);
        let stretch = 1.0 + (most - 1.0) * weight;
        (stretch, distance / stretch)
    }

    /// The normals of the planes in which the limb is bent, and should be. `way` leads to the target, and
    /// `line` does at length one.
    #[inline]
    fn normals(&self, seen: &Seen, bones: &Bones, way: Vector3, line: Vector3) -> Normals {
        let pole = seen.pole.and_then(|pole| pole_normal(pole - seen.joints[0], way, line));
        let (old, is_bent) = if self.hinge.is_some() {
            bones.normal_by_hinge(seen.hinge)
        } else {
            bones.normal_by_pole(seen.hinge, line, pole)
        };
        let carried = || perpendicular(carry(old, bones.line(), line), line);
        let new = match pole {
            None => carried(),
            Some((normal, sine)) if sine >= IN_LINE => normal,
            Some((normal, sine)) => perpendicular(carried().lerp(normal, smooth_step(sine / IN_LINE)), line),
        };
        let new = if seen.twist.is_finite() && seen.twist != 0.0 {
            Turn::about(line, seen.twist).rotate(new)
        } else {
            new
        };
        Normals { old, is_bent, new }
    }
}

impl Bones {
    /// From start to end, at length one.
    #[inline]
    fn line(&self) -> Vector3 {
        let length = self.way.length();
        if length > self.tiny { self.way * (1.0 / length) } else { self.upper }
    }

    /// Of the angle between them.
    #[inline]
    fn sine(&self) -> f32 {
        self.across_length * self.per_lengths
    }

    /// The normal of a limb with a hinge, and whether its plane alone counts.
    #[inline]
    fn normal_by_hinge(&self, hinge: Vector3) -> (Vector3, bool) {
        let beside = hinge - self.way * (hinge.dot(self.way) / self.way.length_squared());
        let (squared, size) = (beside.length_squared(), hinge.length_squared());
        let hinge = if squared > 0.01 * size && size > 1e-30 && size < 1e30 {
            beside * (1.0 / squared.sqrt())
        } else {
            perpendicular(hinge, self.line())
        };
        self.normal(hinge, self.across.dot(hinge) * self.per_lengths)
    }

    /// The same about whose hinge nothing is known but what the pole would have it.
    fn normal_by_pole(&self, hinge: Vector3, line: Vector3, pole: Option<(Vector3, f32)>) -> (Vector3, bool) {
        let old_line = self.line();
        let hinge = pole.map_or(hinge, |(normal, _)| Turn::arc(line, old_line, normal).rotate(normal));
        self.normal(perpendicular(hinge, old_line), self.sine())
    }

    /// The normal of a limb that is bent about its hinge by this sine: that of its plane, and nearer and
    /// nearer to the hinge for one that is nearly straight, or bent the wrong way. And whether the plane alone
    /// counts.
    #[inline]
    fn normal(&self, hinge: Vector3, bent: f32) -> (Vector3, bool) {
        if !(bent > 0.0 && self.across_length > 0.0) {
            return (hinge, false);
        }
        let own = self.across * (1.0 / self.across_length);
        if bent >= BENT { (own, true) } else { (hinge.lerp(own, smooth_step(bent / BENT)), false) }
    }
}

/// Axes of a bone that lies in the plane of a limb, all of length one.
#[inline]
fn plane_frame(bone: Vector3, normal: Vector3) -> Matrix3 {
    Matrix3::from_cols(bone, normal, bone.cross(normal))
}

/// A direction at right angles to one line, carried the shortest way to another.
#[inline]
fn carry(normal: Vector3, from: Vector3, to: Vector3) -> Vector3 {
    let more = 1.0 + from.dot(to);
    if more < 1e-3 {
        return Turn::arc(from, to, normal).rotate(normal);
    }
    normal - (from + to) * (normal.dot(to) / more)
}

/// The normal of the plane through a pole and the way to the target, and the sine of the angle between them,
/// which counts below [`IN_LINE`] only; `None` if the pole has no direction. `line` is the way at length one.
#[inline]
fn pole_normal(pole: Vector3, way: Vector3, line: Vector3) -> Option<(Vector3, f32)> {
    let across = pole.cross(way);
    let (squared, size) = (across.length_squared(), pole.length_squared() * way.length_squared());
    if squared >= IN_LINE * IN_LINE * size && size > 1e-30 && size < 1e30 {
        return Some((across * (1.0 / squared.sqrt()), IN_LINE));
    }
    near_line(pole, line)
}

/// The same for a pole that is nearly in line, or at an odd distance.
#[cold]
fn near_line(pole: Vector3, line: Vector3) -> Option<(Vector3, f32)> {
    let pole = pole.try_normalize()?;
    let across = perpendicular(pole - line * pole.dot(line), line).cross(line);
    Some((across, pole.cross(line).length()))
}
