//! Marks on the ground where feet come down.

use std::collections::HashSet;

use canter::JointId;
use canter::glam::{DAffine3, DVec2, DVec3, Vec2};
use canter_scene::{Character, Part};
use canter_soft::Footprint;

/// How long a footprint is seen, in seconds.
const SEEN_SECS: f64 = 3.0;
/// A foot without any vertices leaves a mark of this size, in metres.
const SMALLEST: f64 = 0.03;

/// A footprint of a film.
#[derive(Clone, Copy, Debug)]
pub(super) struct Print {
    /// When the foot came down.
    pub(super) secs: f64,
    pub(super) print: Footprint,
}

impl Print {
    /// As it is seen at a moment, on a ground that has moved so far since the film began; `None` before it is
    /// made, and when it has faded.
    pub(super) fn at(&self, secs: f64, moved: DVec2) -> Option<Footprint> {
        let age = (secs - self.secs) / SEEN_SECS;
        #[expect(clippy::cast_possible_truncation, reason = "from 0 to 1")]
        let strength = (1.0 - age) as f32;
        // A frame that is drawn when the foot comes down may miss that by rounding.
        (-1e-6..1.0).contains(&age).then_some(Footprint {
            middle: self.print.middle - moved,
            strength,
            ..self.print
        })
    }

    /// The one that was made a film ago, if the film has led on from there.
    pub(super) fn of_film_before(&self, film_secs: f64, way: DAffine3) -> Self {
        let back = way.inverse();
        let Footprint { middle, heading, .. } = self.print;
        let middle = back.transform_point3(DVec3::new(middle.x, 0.0, middle.y));
        let heading = back.transform_vector3(DVec3::new(heading.x.into(), 0.0, heading.y.into())).as_vec3();
        let print = Footprint {
            middle: DVec2::new(middle.x, middle.z),
            heading: Vec2::new(heading.x, heading.z),
            ..self.print
        };
        Self { secs: self.secs - film_secs, print }
    }
}

/// How many films before one can still be seen on its ground.
pub(super) fn films_before(film_secs: f64) -> u32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let films = (SEEN_SECS / film_secs).ceil().clamp(0.0, 16.0) as u32;
    films
}

/// An ellipse below all vertices that follow a foot or what hangs on it: along the direction in which they are
/// spread most.
pub(super) fn measure(
    character: &Character,
    world_from_figure: DAffine3,
    foot: JointId,
) -> Option<Footprint> {
    let skeleton = &character.model.asset.skeleton;
    let joints: HashSet<JointId> = skeleton.subtree(foot).into_iter().collect();
    let mut points: Vec<DVec3> = Vec::new();
    for part in character.model.parts() {
        let follows = followers(character, part, &joints);
        if follows.iter().any(|follows| *follows) {
            let posed = character.posed(part).positions.into_iter().zip(follows);
            points.extend(posed.filter(|(_, follows)| *follows).map(|(at, _)| at.as_dvec3()));
        }
    }
    if points.is_empty() {
        let place = |joint: &JointId| character.model_pose.joint(*joint).w_axis.truncate().as_dvec3();
        points.extend(joints.iter().map(place));
    }
    let flat = |at: &DVec3| {
        let at = world_from_figure.transform_point3(*at);
        DVec2::new(at.x, at.z)
    };
    ellipse(&points.iter().map(flat).collect::<Vec<_>>())
}

/// Which vertices of a part follow one of the joints more than any other.
fn followers(character: &Character, part: &Part, joints: &HashSet<JointId>) -> Vec<bool> {
    let primitive = character.model.primitive(part);
    let vertices = primitive.positions.len();
    let Some(skin) = part.skin else { return vec![joints.contains(&part.joint); vertices] };
    let skin = &character.model.asset.skins[skin];
    let strongest = |vertex: usize| {
        let influences = primitive
            .influences
            .iter()
            .flat_map(|set| set.joints[vertex].into_iter().zip(set.weights[vertex].to_array()));
        influences.max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(joint, _)| usize::from(joint))
    };
    let joint = |vertex| strongest(vertex).and_then(|place| skin.joints().get(place));
    (0..vertices).map(|vertex| joint(vertex).is_some_and(|joint| joints.contains(joint))).collect()
}

fn ellipse(points: &[DVec2]) -> Option<Footprint> {
    #[expect(clippy::cast_precision_loss, reason = "some thousands")]
    let count = points.len() as f64;
    let mean = points.iter().sum::<DVec2>() / count;
    let (mut xx, mut xz, mut zz) = (0.0, 0.0, 0.0);
    for away in points.iter().map(|point| *point - mean) {
        (xx, xz, zz) = (xx + away.x * away.x, xz + away.x * away.y, zz + away.y * away.y);
    }
    // The direction of the larger eigenvector of the covariance.
    let along = DVec2::from_angle(0.5 * (2.0 * xz).atan2(xx - zz));
    let across = along.perp();
    let reach = |axis: DVec2| {
        let range = |(min, max): (f64, f64), at: f64| (min.min(at), max.max(at));
        points.iter().map(|point| (*point - mean).dot(axis)).fold((f64::INFINITY, f64::NEG_INFINITY), range)
    };
    let ((back, front), (left, right)) = (reach(along), reach(across));
    let middle = mean + along * (front + back) / 2.0 + across * (left + right) / 2.0;
    let half_size = DVec2::new(front - back, right - left).max(DVec2::splat(2.0 * SMALLEST)) / 2.0;
    middle.is_finite().then_some(Footprint {
        middle,
        heading: along.as_vec2(),
        half_size: half_size.as_vec2(),
        strength: 1.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ellipse_lies_along_its_points() {
        for degrees in [0.0_f64, 30.0, 90.0, 170.0] {
            let turn = DVec2::from_angle(degrees.to_radians());
            let points: Vec<DVec2> = [(0.2, 0.05), (0.2, -0.05), (-0.2, 0.05), (-0.2, -0.05)]
                .map(|(x, z)| turn.rotate(DVec2::new(x, z)) + DVec2::new(3.0, 4.0))
                .to_vec();
            let print = ellipse(&points).unwrap();
            assert!(print.middle.distance(DVec2::new(3.0, 4.0)) < 1e-9);
            assert!((print.half_size - Vec2::new(0.2, 0.05)).length() < 1e-6, "{print:?}");
            assert!(print.heading.as_dvec2().perp_dot(turn).abs() < 1e-6, "{degrees}: {print:?}");
        }
        assert!(ellipse(&[]).is_none());
    }

    #[test]
    fn a_print_fades_and_goes() {
        let print = Print { secs: 1.0, print: ellipse(&[DVec2::ONE]).unwrap() };
        let strength = |secs| print.at(secs, DVec2::ZERO).map(|print| print.strength);
        assert_eq!(
            (strength(0.9), strength(1.0), strength(2.5), strength(4.0)),
            (None, Some(1.0), Some(0.5), None)
        );
        let moved = print.at(1.0, DVec2::Y).unwrap();
        assert_eq!(moved.middle, DVec2::new(1.0, 0.0));
    }
}
