//! Clips from within; what they do for those who use them is in `tests/clip`.

mod fingerprints;
mod layouts;
mod packing;

use std::sync::Arc;

use super::{Clip, Track};
use crate::glam::Vec3;
use crate::skeleton::Skeleton;
use crate::transform::Transform;

#[test]
fn clips_that_are_compiled_together_are_those_that_are_compiled_one_by_one() {
    let mut builder = Skeleton::builder();
    builder.joint("root", None, Transform::IDENTITY);
    let skeleton = builder.build().expect("a tree");
    let root = skeleton.joint("root").expect("the only one");
    let clips: Vec<Arc<Clip>> = (1..9_u8)
        .map(|height| {
            let mut clip = Clip::builder("clip", &skeleton);
            let places = vec![Vec3::ZERO, Vec3::Y * f32::from(height)];
            clip.translation(root, Track::linear(vec![0.0, 1.0], places));
            Arc::new(clip.build().expect("a track"))
        })
        .collect();
    assert!(clips.iter().all(|clip| clip.rows.get().is_none()), "none is compiled before it is needed");
    let each: Vec<Clip> = clips.iter().map(|clip| Clip::clone(clip)).collect();
    Clip::compile_all(&clips);
    Clip::compile_all(&[]);
    for (clip, alone) in clips.iter().zip(&each) {
        alone.compile();
        assert!(clip.rows.get().is_some());
        let (mut a, mut b) = (crate::Pose::rest(&skeleton), crate::Pose::rest(&skeleton));
        clip.sample(0.3, &mut a);
        alone.sample(0.3, &mut b);
        assert_eq!(a, b);
    }
}
