//! What a crowd costs of which four fifths are far away, beside one that is sampled in every frame.

use std::sync::Arc;

use canter::{Crowd, UpdateRate};

use crate::clock::nanos_per_call;
use crate::rig::Rig;
use crate::{DT_SECS, start};

const MEMBERS: usize = 10_000;
/// One of so many is near.
const NEAR: usize = 5;
/// Until samples are spread evenly over frames: then each frame costs the same.
const WARM_UP_FRAMES: usize = 16;

fn crowd(rig: &Rig, far: UpdateRate, blends_in_shader: bool) -> Crowd {
    let mut crowd: Crowd = Crowd::new(&rig.skeleton, vec![Arc::clone(&rig.skin)]);
    if blends_in_shader {
        crowd = crowd.blend_in_shader();
    }
    for member in 0..MEMBERS {
        start(crowd.spawn(), rig, member);
        if member % NEAR > 0 {
            crowd.set_rate(member, far);
        }
    }
    (0..WARM_UP_FRAMES).for_each(|_| crowd.update(DT_SECS));
    crowd
}

pub(crate) fn print(rig: &Rig) {
    let (lowest, quarter) = (UpdateRate::LOWEST, UpdateRate::every(4));
    let mut full = crowd(rig, UpdateRate::FULL, false);
    let mut palette = crowd(rig, lowest, false);
    let mut shader = crowd(rig, lowest, true);
    let mut quarter = crowd(rig, quarter, true);
    let mut hidden = crowd(rig, UpdateRate::HIDDEN, false);
    let mut jobs: [&mut dyn FnMut(); 5] = [
        &mut || full.update(DT_SECS),
        &mut || shader.update(DT_SECS),
        &mut || quarter.update(DT_SECS),
        &mut || palette.update(DT_SECS),
        &mut || hidden.update(DT_SECS),
    ];
    #[expect(clippy::cast_precision_loss, reason = "a small count")]
    let [full, shader, quarter, palette, hidden] =
        nanos_per_call(&mut jobs).map(|nanos| nanos / MEMBERS as f64);
    println!("    {MEMBERS} members at full rate: {full:.0}; of which four fifths are far, as part of that:");
    for (how, nanos) in [
        ("sampled in every eighth frame, blended in the shader", shader),
        ("sampled in every fourth frame, blended in the shader", quarter),
        ("sampled in every eighth frame, palettes moved on", palette),
        ("hidden", hidden),
    ] {
        println!("        {:.2} {how}", nanos / full);
    }
}
