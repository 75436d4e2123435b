//! Keys are in memory once: a clip that was compiled reads its tracks back.

use canter::glam::{Quat, Vec3};
use canter::{Clip, ClipTrack, Track};
use canter_testing::random::Random;
use canter_testing::rig::Rig;
use canter_testing::spec::{KINDS, Spec};
use canter_testing::{chain, one_joint, root};

/// All of it, bit by bit.
fn text(tracks: impl Iterator<Item = ClipTrack>) -> String {
    let bits = |numbers: &[f32]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<u32>>();
    let line = |track: ClipTrack| {
        let curve = &track.curve;
        let (times, numbers) = (bits(curve.times()), bits(curve.numbers()));
        format!("{:?} {:?} {} {times:?} {numbers:?}\n", track.target, curve.interpolation(), curve.width())
    };
    tracks.map(line).collect()
}

#[test]
fn tracks_of_a_compiled_clip_have_the_bits_that_were_given() {
    for seed in 0..40 {
        let mut random = Random(seed);
        let joints = 1 + random.below(40);
        let rig = Rig::random(&mut random, joints);
        for kind in KINDS {
            let spec = Spec::random(&mut random, &rig, kind);
            let clip = spec.build(&rig, "clip");
            let (before, data) = (text(clip.tracks()), clip.data(&rig.skeleton));
            clip.compile();
            assert_eq!(text(clip.tracks()), before, "seed {seed}");
            assert_eq!(text(clip.clone().tracks()), before, "seed {seed}: a copy");
            assert_eq!(clip.data(&rig.skeleton), data, "seed {seed}");
            assert!(clip.targets().eq(clip.tracks().map(|track| track.target)));
        }
    }
}

/// What no row has: lengths that are not one, signs that change, zeros that differ, keys that hide others.
#[test]
fn what_rows_do_not_have_is_kept() {
    let skeleton = one_joint();
    let joint = root(&skeleton);
    let turn = |x: f32| Quat::from_rotation_x(x);
    let times = vec![0.0, 1.0, 2.0, 3.0];
    let rotations = [
        vec![turn(0.0), -turn(0.1), -turn(0.2), turn(0.3)],
        vec![turn(0.0) * 3.0, turn(0.1), -turn(0.2), turn(0.3)],
        vec![turn(0.0), turn(0.0), -turn(0.0), turn(0.0)],
    ];
    let places = [
        vec![Vec3::ZERO, -Vec3::ZERO, Vec3::ZERO, Vec3::ZERO],
        vec![Vec3::ZERO, -Vec3::ZERO, Vec3::ONE, Vec3::X],
    ];
    for rotations in rotations {
        for places in &places {
            for place_times in [&times, &vec![0.0, 1.0, 1.0, 1.0], &vec![0.5, 1.5, 1.75, 9.0]] {
                let mut clip = Clip::builder("clip", &skeleton);
                clip.rotation(joint, Track::linear(times.clone(), rotations.clone()));
                clip.translation(joint, Track::linear(place_times.clone(), places.clone()));
                let clip = clip.build().unwrap();
                let before = text(clip.tracks());
                clip.compile();
                assert_eq!(text(clip.tracks()), before);
            }
        }
    }
}

/// Rows have a number more for each rotation; beside that a clip takes what its keys take.
#[test]
fn keys_are_not_there_twice() {
    let skeleton = chain(64);
    let mut clip = Clip::builder("clip", &skeleton);
    let times: Vec<f32> = (0..31_u8).map(|key| f32::from(key) / 30.0).collect();
    for joint in skeleton.joints() {
        let turns = times.iter().map(|secs| Quat::from_rotation_z(secs.sin())).collect();
        clip.translation(joint, Track::linear(times.clone(), times.iter().map(|x| Vec3::Y * *x).collect()));
        clip.rotation(joint, Track::linear(times.clone(), turns));
        clip.scale(joint, Track::linear(times.clone(), times.iter().map(|x| Vec3::ONE + *x).collect()));
    }
    let clip = clip.build().unwrap();
    let floats = (64 * 10 + 1) * 31 * 4;
    assert!(clip.memory_bytes() * 100 < floats * 120, "{} bytes for {floats}", clip.memory_bytes());
}
