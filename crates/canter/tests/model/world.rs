//! A small rig with clips whose times are exact and whose rotations lie near each other.

use std::sync::Arc;

use canter::glam::Vec3;
use canter::{Clip, Interpolation, JointMask, Skeleton, Skin, Transform};

use canter_testing::random::Random;
use canter_testing::rig::Rig;
use canter_testing::spec::{Keys, Spec};

const JOINTS: usize = 11;
const CLIPS: usize = 5;
/// Two rotations differ by no more than twice this: then there is no doubt about the shorter way.
const DEGREES: f32 = 40.0;

pub(crate) struct World {
    pub(crate) rig: Rig,
    pub(crate) specs: Vec<Spec>,
    pub(crate) clips: Vec<Arc<Clip>>,
    pub(crate) masks: Vec<Arc<JointMask>>,
    /// The weight of the morph set in each mask, which a mask does not tell.
    morph_parts: Vec<f32>,
}

impl World {
    pub(crate) fn random(random: &mut Random) -> Self {
        let rig = rig(random);
        let specs: Vec<Spec> = (0..CLIPS).map(|_| spec(random)).collect();
        let clips = specs.iter().enumerate();
        let clips = clips.map(|(index, spec)| Arc::new(spec.build(&rig, &format!("clip {index}")))).collect();
        let morph_parts = vec![0.0, 0.5, 1.0];
        let masks = morph_parts.iter().map(|part| {
            let mut mask = JointMask::none(&rig.skeleton);
            for joint in rig.skeleton.joints() {
                mask.set(joint, random.pick(&[0.0, 0.0, 0.25, 1.0]));
            }
            rig.skeleton.morphs().for_each(|morph| mask.set_morph(morph, *part));
            Arc::new(mask)
        });
        Self { masks: masks.collect(), rig, specs, clips, morph_parts }
    }

    pub(crate) fn morph_part(&self, mask: &Arc<JointMask>) -> f64 {
        let index = self.masks.iter().position(|other| other == mask).expect("a mask of this world");
        f64::from(self.morph_parts[index])
    }
}

fn rig(random: &mut Random) -> Rig {
    let parents: Vec<Option<usize>> =
        (0..JOINTS).map(|joint| (joint > 0).then(|| random.below(joint))).collect();
    let rest: Vec<Transform> = (0..JOINTS)
        .map(|_| Transform {
            translation: random.vector(0.5),
            rotation: random.turn(DEGREES),
            scale: Vec3::ONE,
        })
        .collect();
    let mut builder = Skeleton::builder();
    for (joint, (parent, rest)) in parents.iter().zip(&rest).enumerate() {
        builder.joint(format!("joint {joint}"), *parent, *rest);
    }
    let morph_rest = vec![vec![0.0, 0.25]];
    builder.morph_set("face", morph_rest[0].clone());
    let skeleton = Arc::new(builder.build().unwrap());
    let skin = Skin::new(&skeleton, Vec::new(), &[]).unwrap();
    Rig { skeleton, parents, rest, morph_rest, skin, bound: Vec::new() }
}

/// Straight lines from key to key, not steeper than 4 metres a second.
fn spec(random: &mut Random) -> Spec {
    let secs = f32::from(2 + u16::try_from(random.below(7)).unwrap()) / 4.0;
    let keys = |random: &mut Random, value: &mut dyn FnMut(&mut Random) -> Vec<f32>| {
        random.chance(0.7).then(|| {
            let times = vec![0.0, secs / 2.0, secs];
            let values = times.iter().map(|_| value(random)).collect();
            Keys { interpolation: Interpolation::Linear, times, values }
        })
    };
    let joints = (0..JOINTS)
        .map(|_| {
            [
                keys(random, &mut |random| random.vector(0.5).to_array().to_vec()),
                keys(random, &mut |random| random.turn(DEGREES).to_array().to_vec()),
                keys(random, &mut |random| (Vec3::ONE + random.vector(0.2)).to_array().to_vec()),
            ]
        })
        .collect();
    let face = Keys {
        interpolation: Interpolation::Linear,
        times: vec![0.0, secs],
        values: vec![vec![random.unit(), 0.0], vec![0.0, random.unit()]],
    };
    Spec { joints, morphs: vec![Some(face)] }
}
