//! What compiling may cost: no clip grows without bound, and none takes long.

use canter::glam::Vec3;
use canter::{Clip, Pose, Track};
use canter_testing::chain;

/// Tracks whose times have nothing in common: joined, they would be a thousand times as large.
#[test]
fn tracks_with_nothing_in_common_are_not_joined_at_any_price() {
    let skeleton = chain(2_000);
    let mut clip = Clip::builder("clip", &skeleton);
    let mut numbers = 0;
    for (joint, index) in skeleton.joints().zip(0_u16..) {
        let offset = f32::from(index) * 1e-4;
        let times: Vec<f32> = (0..10_u8).map(|key| offset + f32::from(key)).collect();
        let values: Vec<Vec3> = times.iter().map(|secs| Vec3::Y * *secs).collect();
        numbers += values.len() * 3;
        clip.translation(joint, Track::linear(times, values));
    }
    let clip = clip.build().unwrap();
    let started = std::time::Instant::now();
    clip.compile();
    // No measure of speed: what grows with the square of the number of tracks would take minutes.
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    // Eight lanes of a group, twice the keys.
    let bytes = clip.memory_bytes();
    assert!(bytes < numbers * 4 * 8 * 3, "{bytes} bytes for {numbers} numbers");
    let mut pose = Pose::rest(&skeleton);
    clip.sample(4.5, &mut pose);
    for joint in skeleton.joints() {
        assert!((pose.joint(joint).translation.y - 4.5).abs() < 1e-5);
    }
}

#[test]
fn compiling_keeps_a_clip_with_common_times_small() {
    let skeleton = chain(64);
    let mut clip = Clip::builder("clip", &skeleton);
    let times: Vec<f32> = (0..100_u8).map(|key| f32::from(key) / 30.0).collect();
    for joint in skeleton.joints() {
        let values = times.iter().map(|secs| Vec3::Y * *secs).collect();
        clip.translation(joint, Track::linear(times.clone(), values));
    }
    let clip = clip.build().unwrap();
    let numbers = 64 * 100 * 3;
    assert!(clip.memory_bytes() < numbers * 4 * 5 / 2, "{} bytes", clip.memory_bytes());
}

#[test]
fn it_says_which_skeletons_it_was_built_for() {
    let clip = Clip::builder("clip", &chain(2)).build().unwrap();
    assert!(clip.fits(&chain(2)) && !clip.fits(&chain(3)));
}

/// Events and actions have their clip with them: who prints one wants to know which, not all of its numbers.
#[test]
fn debug_text_is_as_short_as_the_name() {
    let skeleton = chain(64);
    let mut clip = Clip::builder("Walk", &skeleton);
    for joint in skeleton.joints() {
        clip.translation(joint, Track::linear(vec![0.0, 1.0], vec![Vec3::ZERO, Vec3::Y]));
    }
    let clip = clip.build().unwrap();
    clip.compile();
    assert_eq!(format!("{clip:?}"), "Clip { name: \"Walk\", duration_secs: 1.0, .. }");
}
