//! What the job costs as it grows: joints, keys, actions, characters.

use serde::Serialize;

use crate::canter_core::{Characters, OneCrowd};
use crate::clock::nanos_per_call;
use crate::job::Job;
use crate::rig::{Rig, Spec};

#[derive(Serialize)]
pub(crate) struct Plot {
    name: &'static str,
    /// What the figures are of.
    unit: &'static str,
    points: Vec<(usize, f64)>,
}

pub(crate) fn measure() -> Vec<Plot> {
    let frame = "ns per character-frame";
    vec![
        plot("joints", frame, &[16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096], |joints| {
            one(&Spec { joints, ..Spec::default() })
        }),
        plot("keys", frame, &[2, 10, 30, 100, 300, 1_000, 3_000, 10_000], |keys| {
            // As long as it has keys at 30 per second, so that each frame meets other keys.
            one(&Spec { clips: vec![(keys as f32 / 30.0, keys); 2], ..Spec::default() })
        }),
        plot("actions", frame, &[1, 2, 4, 8, 16, 32], |actions| {
            one(&Spec {
                clips: (0..actions).map(|index| (1.0 + index as f32 * 0.03, 31)).collect(),
                ..Spec::default()
            })
        }),
        plot("characters", frame, &[1, 10, 100, 1_000, 10_000, 100_000], |characters| {
            let rig = Rig::new(&Spec::default());
            let mut crowd = OneCrowd::new(&rig, characters);
            nanos_per_call(&mut [Box::new(|| crowd.frame())])[0] / characters as f64
        }),
    ]
}

fn one(spec: &Spec) -> f64 {
    let rig = Rig::new(spec);
    let mut character = Characters::new(&rig, 1);
    nanos_per_call(&mut [Box::new(|| character.frame())])[0]
}

fn plot(name: &'static str, unit: &'static str, sizes: &[usize], cost: impl Fn(usize) -> f64) -> Plot {
    let point = |&size: &usize| {
        let nanos = cost(size);
        eprintln!("{name} {size}: {nanos:.0} {unit}");
        (size, nanos)
    };
    Plot { name, unit, points: sizes.iter().map(point).collect() }
}
