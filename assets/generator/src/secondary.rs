//! Scarf and hair: strands that gravity, wind and the body's motion swing.

mod strand;

use std::f64::consts::TAU;

use glam::{DVec3, dvec3};

use super::clips::Keys;
use super::math::{bone_frame, ramp, sin};
use super::pose::Pose;
use super::rig::{Rig, SCARF_LONG, SCARF_SHORT, TUFTS};
use strand::{Anchor, Manner, Strand};

/// What the air around a clip is like.
pub(crate) struct Air {
    /// Between two poses.
    pub key_secs: f64,
    /// Metres per second at which the figure goes through it, relative to the root.
    pub velocity: DVec3,
    /// Whether the clip is played round and round, or starts from rest and comes to rest.
    pub looping: bool,
}

/// A clip (or its first pose, if it starts from rest) is played this often before its strands are
/// recorded: by then they have forgotten how they began.
const WARM_UP_ROUNDS: usize = 5;

/// Steps of the simulation between two keys.
const STEPS_PER_KEY: usize = 8;

/// From this share of the clip on, a strand moves over to its path of the round before, which runs
/// into the recorded round's beginning: so loops close even where the strand's motion never repeats.
const CLOSING_SHARE: f64 = 0.6;

/// Turns the joints of all strands in a sequence of poses that ends as it begins.
///
/// Strands swing in a space that goes with the root but does not turn with it.
pub(crate) fn swing(rig: &Rig, keys: &mut Keys, air: &Air) {
    let last = keys.poses.len() - 1;
    for mut strand in strands(rig) {
        let posed = keys.poses.iter().zip(&keys.roots);
        let anchors: Vec<_> =
            posed.map(|(pose, root)| strand.anchor(rig, pose).turned(root.rotation)).collect();
        let standing = vec![anchors[0]; anchors.len()];
        let before = if air.looping { &anchors } else { &standing };
        strand.rest(&anchors[0]);
        for _ in 0..WARM_UP_ROUNDS {
            play(&mut strand, before, air);
        }
        let round_before = play(&mut strand, before, air);
        let recorded = play(&mut strand, &anchors, air);
        for (key, pose) in keys.poses.iter_mut().enumerate() {
            let root_from_space = keys.roots[key].rotation.conjugate();
            let closing = ramp(key as f64 / last as f64, CLOSING_SHARE, 1.0);
            let points = recorded[key].iter().zip(&round_before[key]);
            let points: Vec<_> = points.map(|(a, b)| (root_from_space * *a).lerp(*b, closing)).collect();
            follow(rig, pose, &strand, &points);
        }
    }
}

/// One round of the clip: the strand's points at every key.
fn play(strand: &mut Strand, anchors: &[Anchor], air: &Air) -> Vec<Vec<DVec3>> {
    let last = anchors.len() - 1;
    let mut points = vec![strand.points.clone()];
    for key in 0..last {
        for step in 1..=STEPS_PER_KEY {
            let t = step as f64 / STEPS_PER_KEY as f64;
            let wind = wind((key as f64 + t) / last as f64, air.velocity);
            let anchor = anchors[key].blended(&anchors[key + 1], t);
            strand.advance(&anchor, wind, air.key_secs / STEPS_PER_KEY as f64);
        }
        points.push(strand.points.clone());
    }
    points
}

/// What the figure feels: the air it goes through, and a light breeze, metres per second.
fn wind(cycle: f64, velocity: DVec3) -> DVec3 {
    let gust = sin(cycle * TAU);
    dvec3(0.22 * gust - velocity.x, 0.0, -velocity.z - 0.45 - 0.25 * sin(cycle * TAU + 1.3))
}

fn strands(rig: &Rig) -> Vec<Strand> {
    let scarf = |stem: &str, points: &[DVec3], manner: Manner| {
        let names = (1..points.len()).map(|number| rig.index(&format!("{stem}_{number}")));
        Strand::new(rig, "chest", names.collect(), points, manner)
    };
    let mut strands = vec![
        scarf("scarf_long", &SCARF_LONG, Manner::CLOTH),
        scarf("scarf_short", &SCARF_SHORT, Manner::OUTER_CLOTH),
    ];
    for (name, root, tip) in TUFTS {
        strands.push(Strand::new(rig, "head", vec![rig.index(name)], &[root, tip], Manner::HAIR));
    }
    strands
}

/// Points each bone at the next point; its width stays level with the body's, so that cloth does not twist.
fn follow(rig: &Rig, pose: &mut Pose, strand: &Strand, points: &[DVec3]) {
    let turned = pose.turned_since_bind(rig, strand.parent);
    for (&joint, ends) in strand.joints.iter().zip(points.windows(2)) {
        let toward = ends[1] - ends[0];
        let across = turned * rig.joints[joint].model_from_joint.rotation * DVec3::X;
        pose.set_model_rotation(rig, joint, bone_frame(toward, across.cross(toward)));
    }
}
