//! How the bones of a limb stand, and should stand.

use canter::glam::{Mat3, Vec3};

use super::seen::Seen;
use super::{TwoBone, knee};
use crate::soft::softened;
use crate::turn::{TINY, Turn, frame, perpendicular, smooth_step};

/// How bent a limb has to be for its plane to count: the sine of six degrees.
const BENT: f32 = 0.1;
/// Where the pole is nearer to the line to the target than this sine, the plane of the animated pose takes
/// over.
const IN_LINE: f32 = 0.1;

/// A limb before and after it is bent. Directions are of length one.
pub(super) struct Bend {
    old_upper: Vec3,
    old_lower: Vec3,
    new_upper: Vec3,
    new_lower: Vec3,
    /// Of the planes in which the limb is bent.
    old_normal: Vec3,
    normal: Vec3,
    has_upper: bool,
    has_lower: bool,
    /// By how much bones become longer.
    pub(super) stretch: f32,
}

impl Bend {
    /// How the upper bone is turned.
    #[inline]
    pub(super) fn upper_turn(&self) -> Turn {
        if !self.has_upper {
            return Turn::IDENTITY;
        }
        Turn::between(frame(self.old_upper, self.old_normal), self.new_frame(self.new_upper))
    }

    /// How the lower bone is turned; with the upper one, if it has no length.
    #[inline]
    pub(super) fn lower_turn(&self, upper: Turn) -> Turn {
        if !self.has_lower {
            return upper;
        }
        Turn::between(frame(self.old_lower, self.old_normal), self.new_frame(self.new_lower))
    }

    /// Axes of a bone after it is bent. It lies in the plane of the limb already.
    #[inline]
    fn new_frame(&self, bone: Vec3) -> Mat3 {
        Mat3::from_cols(bone, self.normal, bone.cross(self.normal))
    }

    /// The lower bone and what is beside it, before the first joint turns: as they are, and should be.
    pub(super) fn lower_frames(&self) -> Option<[[Vec3; 2]; 2]> {
        let back = self.upper_turn().inverse();
        let new = [back.rotate(self.new_lower), back.rotate(self.normal)];
        self.has_lower.then_some([[self.old_lower, self.old_normal], new])
    }
}

impl TwoBone {
    /// How the limb is bent to get to its goal; `None` if it cannot be moved.
    #[inline]
    pub(super) fn bend(&self, seen: &Seen, stretch_weight: f32) -> Option<Bend> {
        let [a, b, c] = seen.joints;
        let (upper, lower, to_target) = (b - a, c - b, seen.target - a);
        let (upper_length, lower_length, distance) = (upper.length(), lower.length(), to_target.length());
        let length = upper_length + lower_length;
        if !(length > 1e-12 && length < f32::MAX && distance < f32::MAX) {
            return None;
        }
        let tiny = TINY * length;
        let (has_upper, has_lower) = (upper_length > tiny, lower_length > tiny);
        let (per_upper, per_lower) = (1.0 / upper_length, 1.0 / lower_length);
        let along = |vector: Vec3, size: f32, otherwise: Vec3| {
            if size > tiny { vector * (1.0 / size) } else { otherwise }
        };
        let old_upper = if has_upper { upper * per_upper } else { along(lower, lower_length, Vec3::X) };
        let old_lower = if has_lower { lower * per_lower } else { old_upper };
        let old_line = || along(c - a, (c - a).length(), old_upper);
        let line = if distance > tiny { to_target * (1.0 / distance) } else { old_line() };
        let [old_normal, normal] = self.normals(seen, [old_upper, old_lower, line], old_line);

        let stretch = if self.max_stretch > 1.0 {
            let most = (distance / (self.soften * length)).clamp(1.0, self.max_stretch);
            1.0 + (most - 1.0) * stretch_weight
        } else {
            1.0
        };
        // In lengths of bones that are not stretched.
        let distance = distance / stretch;
        let distance = softened(distance, (upper_length - lower_length).abs(), length, self.soften);
        let side = line.cross(normal);
        let (x, y) = knee(distance, upper_length, lower_length);
        let rest = distance - x;
        let new_upper = if has_upper { (line * x + side * y) * per_upper } else { line };
        let new_lower = if has_lower { (line * rest - side * y) * per_lower } else { new_upper };
        Some(Bend {
            old_upper,
            old_lower,
            new_upper,
            new_lower,
            old_normal,
            normal,
            has_upper,
            has_lower,
            stretch,
        })
    }

    /// The normals of the planes in which the limb is bent: in the animated pose, and in what comes of it.
    #[inline]
    fn normals(
        &self,
        seen: &Seen,
        [upper, lower, line]: [Vec3; 3],
        old_line: impl Fn() -> Vec3,
    ) -> [Vec3; 2] {
        let [a, _, c] = seen.joints;
        let pole = seen.pole.and_then(|pole| pole_normal(pole - a, line));
        let bend = upper.cross(lower);
        let old_normal = self
            .bent_normal(bend, seen.hinge, c - a)
            .unwrap_or_else(|| self.straight_normal(seen.hinge, bend, [old_line(), line], pole));
        let carried = || carry(old_normal, old_line(), line);
        let normal = match pole {
            None => perpendicular(carried(), line),
            Some((normal, sine)) if sine >= IN_LINE => normal,
            Some((normal, sine)) => perpendicular(carried().lerp(normal, smooth_step(sine / IN_LINE)), line),
        };
        let normal = if seen.twist.is_finite() && seen.twist != 0.0 {
            Turn::about(line, seen.twist).rotate(normal)
        } else {
            normal
        };
        [old_normal, normal]
    }

    /// The normal of the plane of a limb that is bent so much about its hinge that nothing else counts. `bend`
    /// is the product of its bones' directions, `way` leads from start to end.
    #[inline]
    fn bent_normal(&self, bend: Vec3, hinge: Vec3, way: Vec3) -> Option<Vec3> {
        let sine = bend.length();
        let is_bent = if self.hinge.is_some() {
            // Measured against what of the hinge is at right angles to the limb.
            let (along, size) = (hinge.dot(way), hinge.length_squared());
            let beside = size - along * along / way.length_squared();
            let bent = bend.dot(hinge);
            bent > 0.0 && bent * bent >= BENT * BENT * beside && beside > 0.01 * size && sine >= BENT
        } else {
            sine >= BENT
        };
        is_bent.then(|| bend * (1.0 / sine))
    }

    /// The normal of the plane in which a limb would be bent that is straight, or bent the wrong way: at
    /// right angles to the line from start to end, of which there are the old and the new one.
    fn straight_normal(
        &self,
        hinge: Vec3,
        bend: Vec3,
        [old_line, line]: [Vec3; 2],
        pole: Option<(Vec3, f32)>,
    ) -> Vec3 {
        let (hinge, bent) = if self.hinge.is_some() {
            let hinge = perpendicular(hinge, old_line);
            (hinge, bend.dot(hinge))
        } else {
            // About which nothing is known but what the pole would have it.
            let hinge = pole.map_or(hinge, |(normal, _)| Turn::arc(line, old_line, normal).rotate(normal));
            (perpendicular(hinge, old_line), bend.length())
        };
        if bent <= 0.0 {
            return hinge;
        }
        let bend = perpendicular(bend, old_line);
        perpendicular(hinge.lerp(bend, smooth_step(bent / BENT)), old_line)
    }
}

/// A direction at right angles to one line, carried the shortest way to another.
#[inline]
fn carry(normal: Vec3, from: Vec3, to: Vec3) -> Vec3 {
    let more = 1.0 + from.dot(to);
    if more < 1e-3 {
        return Turn::arc(from, to, normal).rotate(normal);
    }
    normal - (from + to) * (normal.dot(to) / more)
}

/// The normal of the plane through a line and a pole, and the sine of the angle between them, which counts
/// below [`IN_LINE`] only; `None` if the pole has no direction.
#[inline]
fn pole_normal(pole: Vec3, line: Vec3) -> Option<(Vec3, f32)> {
    let across = pole.cross(line);
    let (squared, size) = (across.length_squared(), pole.length_squared());
    if squared >= IN_LINE * IN_LINE * size && size > 1e-20 && size < 1e20 {
        return Some((across * (1.0 / squared.sqrt()), IN_LINE));
    }
    near_line(pole, line)
}

/// The same for a pole that is nearly in line, or at an odd distance.
#[cold]
fn near_line(pole: Vec3, line: Vec3) -> Option<(Vec3, f32)> {
    let pole = pole.try_normalize()?;
    let across = perpendicular(pole - line * pole.dot(line), line).cross(line);
    Some((across, pole.cross(line).length()))
}
