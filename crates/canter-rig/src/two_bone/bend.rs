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
    /// Whether the bones are in the old plane: then the middle joint turns about its normal only, by an angle
    /// with this cosine and sine.
    is_bent: bool,
    cos: f32,
    sin: f32,
    has_upper: bool,
    has_lower: bool,
    /// By how much bones become longer.
    pub(super) stretch: f32,
}

/// Of the planes in which a limb is bent: in the animated pose, and in what comes of it.
struct Normals {
    old: Vec3,
    new: Vec3,
    /// Of the angle between the bones, if they are bent so much that the old plane is theirs.
    old_sine: Option<f32>,
}

impl Bend {
    /// How the upper bone is turned.
    #[inline]
    pub(super) fn upper_turn(&self) -> Turn {
        if !self.has_upper {
            return Turn::IDENTITY;
        }
        let old = if self.is_bent {
            plane_frame(self.old_upper, self.old_normal)
        } else {
            frame(self.old_upper, self.old_normal)
        };
        Turn::between(old, plane_frame(self.new_upper, self.normal))
    }

    /// How the middle joint turns beyond what the first one turns it by, as the animated pose has it; not at
    /// all if the lower bone has no length.
    #[inline]
    pub(super) fn middle_turn(&self, upper: Turn) -> Turn {
        if !self.has_lower {
            return Turn::IDENTITY;
        }
        if self.is_bent {
            return Turn::by_cos_sin(self.old_normal, self.cos, self.sin);
        }
        let old = frame(self.old_lower, self.old_normal);
        upper.inverse() * Turn::between(old, plane_frame(self.new_lower, self.normal))
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
        let Normals { old: old_normal, new: normal, old_sine } =
            self.normals(seen, [old_upper, old_lower, line], old_line);

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
        // How the limb is bent now, and will be: the difference is the turn of the middle joint.
        let per_bones = per_upper * per_lower;
        let (cos, sin) = ((x * rest - y * y) * per_bones, (y * distance) * per_bones);
        let old_cos = old_upper.dot(old_lower);
        let (is_bent, old_sin) = (old_sine.is_some(), old_sine.unwrap_or(0.0));
        Some(Bend {
            is_bent,
            cos: cos * old_cos + sin * old_sin,
            sin: sin * old_cos - cos * old_sin,
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
    fn normals(&self, seen: &Seen, [upper, lower, line]: [Vec3; 3], old_line: impl Fn() -> Vec3) -> Normals {
        let [a, _, c] = seen.joints;
        let pole = seen.pole.and_then(|pole| pole_normal(pole - a, line));
        let bend = upper.cross(lower);
        let old_sine = self.bent_sine(bend, seen.hinge, c - a);
        let old_normal = match old_sine {
            Some(sine) => bend * (1.0 / sine),
            None => self.straight_normal(seen.hinge, bend, [old_line(), line], pole),
        };
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
        Normals { old: old_normal, new: normal, old_sine }
    }

    /// The sine of the angle of a limb that is bent so much about its hinge that nothing else counts. `bend`
    /// is the product of its bones' directions, `way` leads from start to end.
    #[inline]
    fn bent_sine(&self, bend: Vec3, hinge: Vec3, way: Vec3) -> Option<f32> {
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
        is_bent.then_some(sine)
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
        // It is at right angles to both bones, and so to the line.
        let bend = bend * (1.0 / bend.length());
        perpendicular(hinge.lerp(bend, smooth_step(bent / BENT)), old_line)
    }
}

/// Axes of a bone that lies in the plane of a limb, all of length one.
#[inline]
fn plane_frame(bone: Vec3, normal: Vec3) -> Mat3 {
    Mat3::from_cols(bone, normal, bone.cross(normal))
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
