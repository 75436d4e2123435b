//! All must calculate the same before they are compared.

use serde::Serialize;

use crate::job::Job;
use crate::plain::{self, Mix};
use crate::rig::Rig;
use crate::{bevy, canter_core, canter_ecs_world, fyrox};

const CHARACTERS: usize = 7;
const FRAMES: usize = 200;
/// Of numbers around 1, in `f32`, down a chain of joints.
const TOLERANCE: f32 = 2e-4;

/// How far an implementation is from the plain one that interpolates as it does, at most.
#[derive(Serialize)]
pub(crate) struct Check {
    tracks: &'static str,
    name: &'static str,
    largest_difference: f32,
}

pub(crate) fn check(rig: &Rig) -> Vec<Check> {
    let jobs: [(Box<dyn Job + '_>, Mix); 5] = [
        (Box::new(canter_core::Characters::new(rig, CHARACTERS)), Mix::LIKE_CANTER),
        (Box::new(canter_core::OneCrowd::new(rig, CHARACTERS)), Mix::LIKE_CANTER),
        (Box::new(canter_ecs_world::Entities::new(rig, CHARACTERS)), Mix::LIKE_CANTER),
        (Box::new(bevy::Entities::new(rig, CHARACTERS)), Mix::LIKE_BEVY),
        (Box::new(fyrox::Characters::new(rig, CHARACTERS)), Mix::LIKE_FYROX),
    ];
    jobs.into_iter().map(|(job, mix)| compare(rig, job, mix)).collect()
}

fn compare(rig: &Rig, mut job: Box<dyn Job + '_>, mix: Mix) -> Check {
    let mut plain = plain::Characters::new(rig, CHARACTERS, mix);
    let mut largest_difference = 0.0_f32;
    for _ in 0..FRAMES {
        job.frame();
        plain.frame();
        for character in 0..CHARACTERS {
            let (ours, theirs) = (job.palette(character), plain.palette(character));
            for (a, b) in
                ours.iter().flat_map(|m| m.to_cols_array()).zip(theirs.iter().flat_map(|m| m.to_cols_array()))
            {
                largest_difference = largest_difference.max((a - b).abs());
            }
        }
    }
    let name = job.name();
    eprintln!("{} tracks: {name} differs by {largest_difference:.1e} at most", rig.kind.name());
    assert!(largest_difference < TOLERANCE, "{name} calculates something else: {largest_difference}");
    Check { tracks: rig.kind.name(), name, largest_difference }
}
