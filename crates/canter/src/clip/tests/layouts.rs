//! Every layout of compiled rows is reached by the random clips, and gives the same bits at every level.

use std::cell::RefCell;
use std::collections::BTreeSet;

use canter_testing::cases;
use canter_testing::random::Random;
use canter_testing::spec::KINDS;
use proptest::prelude::*;

use crate::clip::rows::{Layers, Rows, StripKind};
use crate::pose::{LANES, Pose};
use crate::testing::{Rig, Spec, bits, levels};

#[test]
fn sampling_is_the_same_at_every_level_in_every_layout() {
    let seen = RefCell::new(BTreeSet::new());
    proptest!(cases(150), |(seed in any::<u64>(), joints in 1_usize..60, kind in 0..KINDS.len())| {
        let mut random = Random(seed);
        let rig = Rig::random(&mut random, joints);
        let spec = Spec::random(&mut random, &rig, KINDS[kind]);
        let clip = spec.build(&rig, "clip");
        note(clip.rows(), joints, &mut seen.borrow_mut());
        for secs in spec.interesting_times(&mut random) {
            let mut first = None;
            for (name, level) in levels("sample") {
                let mut pose = Pose::rest(&rig.skeleton);
                clip.sample_at(level, secs, &mut pose);
                let bits = bits(&rig.skeleton, &pose);
                prop_assert!(*first.get_or_insert_with(|| bits.clone()) == bits, "{} at {} s", name, secs);
            }
        }
    });
    let expected = [
        "constant",
        "cubic",
        "lerp",
        "many timelines",
        "partial group",
        "patches",
        "patches of rotations",
        "plain",
        "plain but for a few groups",
        "slerp Far",
        "slerp Mid",
        "slerp Near",
        "slerp Wide",
        "step",
    ];
    assert_eq!(Vec::from_iter(seen.into_inner()), expected, "layouts that the random clips reach");
}

fn note(rows: &Rows, joints: usize, seen: &mut BTreeSet<String>) {
    let mut see = |what: &str| _ = seen.insert(what.to_owned());
    let kind = |layers: &Layers| match layers.strip.kind {
        StripKind::Constant => "constant".to_owned(),
        StripKind::Step => "step".to_owned(),
        StripKind::Lerp => "lerp".to_owned(),
        StripKind::Slerp(reach) => format!("slerp {reach:?}"),
        StripKind::Cubic => "cubic".to_owned(),
        StripKind::Rest => "rest".to_owned(),
    };
    for group in &rows.groups {
        for layers in [&group.translation, &group.rotation, &group.scale] {
            see(&kind(layers));
            if layers.patches.0 < layers.patches.1 {
                see("patches");
            }
        }
        if group.rotation.patches.0 < group.rotation.patches.1 {
            see("patches of rotations");
        }
    }
    if !joints.is_multiple_of(LANES) {
        see("partial group");
    }
    if rows.is_plain && !rows.timelines.is_empty() {
        see(if rows.patched.is_empty() { "plain" } else { "plain but for a few groups" });
    }
    if rows.timelines.len() > 2 {
        see("many timelines");
    }
}
