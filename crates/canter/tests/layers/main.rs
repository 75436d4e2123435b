//! Layers, additive clips, and fades that start from what is on screen: their laws, over random rigs and
//! clips.

mod additive;
mod edges;
mod over;
mod replace;
#[cfg(feature = "serde")]
mod stored;
mod transitions;

use std::sync::Arc;

use canter::{AdditiveReference, Clip, JointMask, Layer, LayerId, LayerMode, Mixer, Play, Pose, Skeleton};
use canter_testing::random::Random;
use canter_testing::rig::Rig;
use canter_testing::spec::{KINDS, Spec};

/// A rig with clips of all kinds.
struct World {
    random: Random,
    rig: Rig,
    clips: Vec<Arc<Clip>>,
    /// The same as differences.
    deltas: Vec<Arc<Clip>>,
}

impl World {
    fn new(seed: u64, joints: usize) -> Self {
        let mut random = Random(seed);
        let rig = Rig::random(&mut random, joints);
        let clip = |index: usize, random: &mut Random| {
            let kind = random.pick(&KINDS);
            Arc::new(Spec::random(random, &rig, kind).build(&rig, &format!("clip {index}")))
        };
        let clips: Vec<_> = (0..4).map(|index| clip(index, &mut random)).collect();
        let delta = |clip: &Arc<Clip>| Arc::new(clip.additive(AdditiveReference::Rest).unwrap());
        let deltas = clips.iter().map(delta).collect();
        Self { random, rig, clips, deltas }
    }

    fn clip(&mut self) -> Arc<Clip> {
        let index = self.random.below(self.clips.len());
        Arc::clone(&self.clips[index])
    }

    fn delta(&mut self) -> Arc<Clip> {
        let index = self.random.below(self.deltas.len());
        Arc::clone(&self.deltas[index])
    }

    fn play(&mut self) -> Play {
        Play {
            start_secs: Some(self.random.between(0.0, 2.0)),
            weight: self.random.between(0.2, 1.5),
            speed: self.random.pick(&[1.0, -0.5, 2.0]),
            mask: if self.random.chance(0.3) { Some(Arc::new(self.mask())) } else { None },
            ..Play::default()
        }
    }

    fn mask(&mut self) -> JointMask {
        let mut mask = JointMask::none(&self.rig.skeleton);
        for joint in self.rig.skeleton.joints() {
            mask.set(joint, self.random.pick(&[0.0, 0.0, 0.3, 1.0, 1.0]));
        }
        for morph in self.rig.skeleton.morphs() {
            mask.set_morph(morph, self.random.pick(&[0.0, 0.5, 1.0]));
        }
        mask
    }

    /// A mixer with something on its base.
    fn mixer(&mut self) -> Mixer {
        let mut mixer = Mixer::new(&self.rig.skeleton);
        for _ in 0..self.random.below(3) {
            let (clip, play) = (self.clip(), self.play());
            mixer.play(&clip, play);
        }
        mixer
    }

    fn layer(&mut self) -> Layer {
        let mode = self.random.pick(&[LayerMode::Over, LayerMode::Additive]);
        let layer = Layer::new(mode).with_weight(self.random.pick(&[0.4, 1.0, 1.0]));
        if self.random.chance(0.6) { layer.with_mask(self.mask()) } else { layer }
    }

    /// Plays something on a layer.
    fn start(&mut self, mixer: &mut Mixer, layer: LayerId) {
        let is_additive = mixer.layer(layer).is_some_and(|layer| layer.mode() == LayerMode::Additive);
        let clip = if is_additive { self.delta() } else { self.clip() };
        let play = self.play();
        mixer.layer_mut(layer).unwrap().play(&clip, play).unwrap();
    }
}

fn sampled(mixer: &mut Mixer) -> Pose {
    let mut pose = Pose::rest(mixer.skeleton());
    mixer.sample(&mut pose);
    pose
}

/// The largest difference of two poses' numbers, relative to their size where that is above one.
fn apart(skeleton: &Skeleton, a: &Pose, b: &Pose) -> f32 {
    let pairs = skeleton.joints().map(|joint| (a.joint(joint), b.joint(joint)));
    let joints = pairs.flat_map(|(a, b)| {
        // The opposite quaternion is the same rotation.
        let side = if a.rotation.dot(b.rotation) < 0.0 { -1.0 } else { 1.0 };
        let [a, b] = [(a, 1.0), (b, side)].map(|(joint, side)| {
            let rotation = (joint.rotation * side).to_array();
            joint.translation.to_array().into_iter().chain(rotation).chain(joint.scale.to_array())
        });
        a.zip(b)
    });
    let morphs = skeleton.morphs().flat_map(|morph| {
        let weights = a.morph_weights(morph).iter().zip(b.morph_weights(morph));
        weights.map(|(a, b)| (*a, *b)).collect::<Vec<_>>()
    });
    joints.chain(morphs).map(|(a, b)| (a - b).abs() / a.abs().max(1.0)).fold(0.0, f32::max)
}
