//! How far two clips are apart: at points around every joint, at keys and between them.

use canter::TrackTarget;
use canter::glam::DVec3;

use super::motion::{Affine, Motion};
use super::rig::{Morph, Rig};

/// The largest distance between two motions for each joint, and for each morph set behind them, in units of
/// the file.
pub(super) fn distances(rig: &Rig, a: &Motion, b: &Motion) -> Vec<f64> {
    let same: Vec<Option<usize>> = (0..rig.joints.len()).map(Some).collect();
    let mut distances = joint_distances(rig, a, rig, b, &same);
    distances.resize(rig.joints.len() + rig.morphs.len(), 0.0);
    for secs in quarter_times(a, b) {
        for (index, morph) in rig.morphs.iter().enumerate() {
            let [a, b] = [a, b].map(|motion| weights(motion, index, morph, secs));
            let apart = weights_apart(&a, &b, &morph.moves);
            let most = &mut distances[rig.joints.len() + index];
            *most = most.max(apart);
        }
    }
    distances
}

/// The largest distance for each joint of a rig that another one has, too.
pub(super) fn joint_distances(
    rig: &Rig,
    a: &Motion,
    other: &Rig,
    b: &Motion,
    other_joint: &[Option<usize>],
) -> Vec<f64> {
    let mut distances = vec![0.0_f64; rig.joints.len()];
    let (mut pose_a, mut pose_b) = (Vec::new(), Vec::new());
    for secs in quarter_times(a, b) {
        a.pose(rig, secs, &mut pose_a);
        b.pose(other, secs, &mut pose_b);
        for (index, joint) in rig.joints.iter().enumerate() {
            let Some(other) = other_joint[index] else { continue };
            let apart = apart(&pose_a[index], &pose_b[other], joint.reach);
            distances[index] = distances[index].max(apart);
        }
    }
    distances
}

/// All keys of both, and three times between any two of them.
fn quarter_times(a: &Motion, b: &Motion) -> Vec<f64> {
    let mut keys = [a.key_times(), b.key_times()].concat();
    keys.sort_by(f64::total_cmp);
    keys.dedup();
    let mut times = Vec::with_capacity(4 * keys.len());
    for pair in keys.windows(2) {
        let step = (pair[1] - pair[0]) / 4.0;
        times.extend([pair[0], pair[0] + step, pair[0] + 2.0 * step, pair[0] + 3.0 * step]);
    }
    times.extend(keys.last());
    times
}

/// The largest distance between points on the axes of a joint in two poses.
fn apart(a: &Affine, b: &Affine, reach: DVec3) -> f64 {
    let place = b.place - a.place;
    let mut most = 0.0_f64;
    for axis in 0..3 {
        let turned = (b.columns.col(axis) - a.columns.col(axis)) * reach[axis];
        for point in [place + turned, place - turned] {
            most = most.max(point.dot(point));
        }
    }
    most.sqrt()
}

/// The weights of a morph set; at rest if nothing drives it.
fn weights(motion: &Motion, index: usize, morph: &Morph, secs: f64) -> Vec<f64> {
    let is_it = |target| matches!(target, TrackTarget::Morph(id) if id.index() == index);
    let mut weights = morph.rest.clone();
    if let Some(track) = motion.tracks.iter().find(|track| is_it(track.target)) {
        track.sample_into(secs, &mut weights);
    }
    weights
}

/// How far vertices can be apart that two sets of weights move.
pub(super) fn weights_apart(a: &[f64], b: &[f64], moves: &[f64]) -> f64 {
    a.iter().zip(b).zip(moves).map(|((a, b), most)| (a - b).abs() * most).sum()
}
