use std::sync::Arc;

use canter_testing::cases;
use canter_testing::random::Random;
use canter_testing::spec::KINDS;
use proptest::prelude::*;

use super::super::layout::PaletteLayout;
use super::super::output::{Output, Shape};
use super::*;
use crate::glam::{Mat4, Vec3};
use crate::testing::{Rig, Spec, chain, levels};
use crate::{Clip, ModelPose, Play, Skin, Skins, Track};

/// Eight members, which are not the first ones and not all neighbours.
const MEMBERS: [usize; LANES] = [1, 2, 3, 5, 6, 9, 10, 11];

/// What a batch writes of these mixers, and which of them it could.
fn written<M: PaletteMatrix>(level: Level, kind: Kind<'_>, mixers: &mut [Mixer]) -> (Output<M>, Shape, u8) {
    let morph_weights = Pose::rest(kind.skeleton).morph_weights.len();
    let layout = PaletteLayout::in_rows(kind.skins.matrix_count(), 2 * kind.skins.matrix_count() + 1);
    let shape = Shape { layout, joints: kind.kept_joints.len(), morph_weights };
    let mut output = Output::<M>::new();
    output.resize(&shape, 12);
    let mut batch = Batch::new(kind.skeleton);
    for (lane, mixer) in mixers.iter_mut().enumerate() {
        assert_eq!(batch.full(), None);
        assert_eq!(batch.sample(mixer, MEMBERS[lane]), lane == LANES - 1);
    }
    assert_eq!(batch.full(), Some(MEMBERS));
    let are_small = batch.write_at(level, kind, output.as_mut().lanes(&shape, &MEMBERS));
    let members: Vec<_> = batch.take().map(|(member, _)| member).collect();
    assert_eq!(members, MEMBERS);
    assert_eq!(batch.take().count(), 0);
    (output, shape, are_small)
}

fn bits<M: PaletteMatrix>(matrices: &[M]) -> Vec<u32> {
    matrices.iter().flat_map(|matrix| matrix.numbers().iter().map(|number| number.to_bits())).collect()
}

/// Each member is written as it is by itself, and nothing else is.
fn is_written_as_alone<M: PaletteMatrix>(seed: u64, joints: usize) {
    let mut random = Random(seed);
    let rig = Rig::random(&mut random, joints);
    let clips = KINDS.map(|kind| Arc::new(Spec::random(&mut random, &rig, kind).build(&rig, "clip")));
    let mut mixers: Vec<_> = (0..LANES)
        .map(|_| {
            let mut mixer = Mixer::new(&rig.skeleton);
            for _ in 0..2 {
                let start_secs = Some(random.between(0.0, 1.0));
                mixer.play(
                    &clips[random.pick(&[0, 1, 2, 3]) % clips.len()],
                    Play { start_secs, ..Play::default() },
                );
            }
            mixer
        })
        .collect();
    let some: Vec<_> = rig.skeleton.joints().step_by(2).collect();
    let matrices = vec![Mat4::from_translation(Vec3::X); some.len()];
    let other = Skin::new(&rig.skeleton, some.clone(), &matrices).unwrap();
    let skins = Skins::from([Arc::new(rig.skin.clone()), Arc::new(other)]);
    let kind = Kind { skeleton: &rig.skeleton, skins: &skins, kept_joints: &some };
    for (name, level) in levels("batches") {
        let (mut output, shape, are_small) = written::<M>(level, kind, &mut mixers.clone());
        assert_eq!(are_small, 0xFF, "{name}");
        let mut expected = Output::<M>::new();
        expected.resize(&shape, 12);
        for (mixer, member) in mixers.iter_mut().zip(MEMBERS) {
            let (mut pose, mut model) = (Pose::rest(&rig.skeleton), ModelPose::rest(&rig.skeleton));
            mixer.sample(&mut pose);
            model.compose(&rig.skeleton, &pose);
            expected.as_mut().member(&shape, member).write(&skins, &some, &pose, &model);
        }
        assert_eq!(bits(&output.palette), bits(&expected.palette), "{name}");
        assert_eq!(bits(&output.joints), bits(&expected.joints), "{name}");
        let weights = |output: &mut Output<M>| std::mem::take(&mut output.morph_weights);
        assert_eq!(weights(&mut output), weights(&mut expected), "{name}");
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn members_are_written_as_they_are_alone_at_every_level(seed in any::<u64>(), joints in 1_usize..50) {
        is_written_as_alone::<Mat3x4>(seed, joints);
        is_written_as_alone::<Mat4>(seed, joints);
    }
}

#[test]
fn those_whose_numbers_have_to_be_cut_off_are_left_out() {
    let skeleton = chain(5);
    let grown = |scale: f32| {
        let mut clip = Clip::builder("clip", &skeleton);
        for joint in skeleton.joints() {
            clip.scale(joint, Track::linear(vec![0.0], vec![Vec3::splat(scale)]));
        }
        Arc::new(clip.build().unwrap())
    };
    let skins = Skins::default();
    let kind = Kind { skeleton: &skeleton, skins: &skins, kept_joints: &[] };
    for (name, level) in levels("batches") {
        let mut mixers: Vec<_> = (0..LANES)
            .map(|lane| {
                let mut mixer = Mixer::new(&skeleton);
                mixer.play(&grown(if lane == 3 { 1e12 } else { 1.5 }), Play::default());
                mixer
            })
            .collect();
        assert_eq!(written::<Mat3x4>(level, kind, &mut mixers).2, !(1 << 3), "{name}");
    }
}
