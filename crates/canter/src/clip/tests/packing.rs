//! Packed clips of every kind: the same bits at every level, and the error that was stated.

use std::cell::RefCell;
use std::collections::BTreeSet;

use canter_testing::cases;
use canter_testing::random::Random;
use canter_testing::spec::{KINDS, Kind};
use proptest::prelude::*;

use crate::clip::packed::{Basis, Bits, Form, Run};
use crate::clip::{Clip, PackMode, PackOptions};
use crate::pose::Pose;
use crate::testing::{Rig, Spec, bits, levels};

/// Often keys that follow each other closely, as packing is for; and all other kinds.
fn kind(index: usize) -> Kind {
    let fine = Kind { keys: 40, degrees: 4.0, density: 0.9, ..KINDS[0] };
    let sparse = Kind { density: 0.2, ..fine };
    match index {
        0..=3 => fine,
        4 | 5 => sparse,
        other => KINDS[other - 6],
    }
}

#[test]
fn packed_clips_are_the_same_at_every_level_and_after_storing() {
    let seen = RefCell::new(BTreeSet::new());
    proptest!(cases(100), |(seed in any::<u64>(), joints in 1_usize..24, index in 0..KINDS.len() + 6)| {
        let mut random = Random(seed);
        let rig = Rig::random(&mut random, joints);
        let mut spec = Spec::random(&mut random, &rig, kind(index));
        if random.chance(0.3) {
            spec.even_scales();
        }
        if random.chance(0.5) {
            spec.swing_translations();
        }
        let clip = spec.build(&rig, "clip");
        let mode = random.pick(&[PackMode::Small, PackMode::Fast]);
        let error_mm = random.pick(&[0.1, 1.0, 30.0]);
        let options = PackOptions { error_mm, mode, ..PackOptions::default() };
        let packed = clip.pack(&rig.skeleton, options).unwrap();
        prop_assert!(packed.error_mm <= error_mm);
        note(&packed.clip, &mut seen.borrow_mut());
        let stored = packed.clip.to_packed_bytes();
        // Packing takes most of the time.
        if random.chance(0.2) {
            let again = clip.pack(&rig.skeleton, options).unwrap();
            prop_assert_eq!(&stored, &again.clip.to_packed_bytes());
        }
        let read = stored.map(|bytes| Clip::from_packed_bytes(&rig.skeleton, &bytes).unwrap());
        for secs in spec.interesting_times(&mut random) {
            let mut first = None;
            for (name, level) in levels("packed rows") {
                let mut pose = Pose::rest(&rig.skeleton);
                packed.clip.sample_at(level, secs, &mut pose);
                let bits = bits(&rig.skeleton, &pose);
                prop_assert!(*first.get_or_insert_with(|| bits.clone()) == bits, "{} at {} s", name, secs);
            }
            if let Some(read) = &read {
                let mut pose = Pose::rest(&rig.skeleton);
                read.sample(secs, &mut pose);
                prop_assert!(first == Some(bits(&rig.skeleton, &pose)), "read back, at {} s", secs);
            }
        }
    });
    let layouts =
        ["keys", "spline", "8", "12", "16", "float", "sum", "uniform", "hinge", "quaternions", "turns"];
    for layout in layouts {
        assert!(seen.borrow().contains(layout), "{layout} is not reached: {:?}", seen.borrow());
    }
}

fn note(clip: &Clip, seen: &mut BTreeSet<&'static str>) {
    let packed = clip.rows().timelines.iter().filter_map(|timeline| timeline.packed.as_ref());
    for Run { kind, .. } in packed.flat_map(|packed| &packed.runs) {
        seen.insert(match kind.basis {
            Basis::Keys => "keys",
            Basis::Spline => "spline",
        });
        seen.insert(match kind.bits {
            Bits::Eight => "8",
            Bits::Twelve => "12",
            Bits::Sixteen => "16",
            Bits::Float => "float",
        });
        seen.insert(match kind.form {
            Form::Sum => "sum",
            Form::Uniform => "uniform",
            Form::Hinge => "hinge",
            Form::Quaternions => "quaternions",
            Form::Turns => "turns",
        });
    }
}
