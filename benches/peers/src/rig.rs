//! A rig of any size with clips that move every joint, for all implementations.

use std::f32::consts::TAU;
use std::sync::Arc;

use canter::{Clip, ModelPose, Skeleton, Skin, Track, Transform};
use glam::{Mat4, Quat, Vec3};

use crate::random::Random;

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// Translation, rotation and scale tracks on every joint.
    Full,
    /// Rotation tracks on every joint, a translation track on the first.
    Typical,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Typical => "typical",
        }
    }
}

/// How large a rig is. By default that of the crossfade job.
pub(crate) struct Spec {
    pub(crate) kind: Kind,
    pub(crate) joints: usize,
    /// The length of each clip, and how many keys a track has.
    pub(crate) clips: Vec<(f32, usize)>,
}

impl Default for Spec {
    fn default() -> Self {
        Self { kind: Kind::Full, joints: 64, clips: vec![(1.0, 31), (0.7, 22)] }
    }
}

pub(crate) struct Rig {
    pub(crate) kind: Kind,
    pub(crate) parents: Vec<Option<usize>>,
    pub(crate) rest: Vec<Transform>,
    pub(crate) joint_from_mesh: Vec<Mat4>,
    /// The keys as they are, for the peers.
    pub(crate) keys: Vec<Keys>,
    pub(crate) skeleton: Arc<Skeleton>,
    pub(crate) skin: Arc<Skin>,
    pub(crate) clips: Vec<Arc<Clip>>,
}

/// The keys of a clip: by joint, then by key. Empty where there is no track.
pub(crate) struct Keys {
    pub(crate) secs: Vec<f32>,
    pub(crate) translations: Vec<Vec<Vec3>>,
    pub(crate) rotations: Vec<Vec<Quat>>,
    pub(crate) scales: Vec<Vec<Vec3>>,
}

impl Rig {
    pub(crate) fn new(spec: &Spec) -> Self {
        let mut random = Random(7);
        let parents = parents(spec.joints);
        let offset = |random: &mut Random| random.vector() * 0.15 + Vec3::Y * 0.1;
        let rest: Vec<_> = parents.iter().map(|_| Transform::from_translation(offset(&mut random))).collect();
        let mut builder = Skeleton::builder();
        for (joint, (parent, rest)) in parents.iter().zip(&rest).enumerate() {
            builder.joint(format!("joint_{joint:02}"), *parent, *rest);
        }
        let skeleton = Arc::new(builder.build().expect("a tree"));
        let model = ModelPose::rest(&skeleton);
        let joints: Vec<_> = (0..spec.joints).filter_map(|joint| skeleton.joint_from_source(joint)).collect();
        let joint_from_mesh: Vec<_> = joints.iter().map(|joint| model.joint(*joint).inverse()).collect();
        let skin = Arc::new(Skin::new(&skeleton, joints, &joint_from_mesh).expect("matching matrices"));
        let keys: Vec<_> = spec
            .clips
            .iter()
            .map(|&(secs, count)| Keys::new(spec.kind, &rest, secs, count, &mut random))
            .collect();
        let clips = keys.iter().map(|keys| clip(&skeleton, keys)).collect();
        Self { kind: spec.kind, parents, rest, joint_from_mesh, keys, skeleton, skin, clips }
    }

    pub(crate) fn joints(&self) -> usize {
        self.parents.len()
    }
}

/// A spine, limbs on it, and fingers on the limbs.
fn parents(joints: usize) -> Vec<Option<usize>> {
    let mut parents: Vec<Option<usize>> = vec![None];
    parents.extend((0..7).map(Some));
    while parents.len() < joints {
        let next = parents.len();
        // A new limb every seven joints, from somewhere in the middle of what there is.
        parents.push(Some(if next.is_multiple_of(7) { next / 3 } else { next - 1 }));
    }
    parents
}

impl Keys {
    fn new(kind: Kind, rest: &[Transform], length_secs: f32, count: usize, random: &mut Random) -> Self {
        let secs: Vec<f32> = (0..count).map(|key| length_secs * key as f32 / (count - 1) as f32).collect();
        let mut keys = Self { secs, translations: Vec::new(), rotations: Vec::new(), scales: Vec::new() };
        for (joint, rest) in rest.iter().enumerate() {
            let axis = random.vector().normalize();
            let (swing, phase) = (random.between(0.1, 0.6), random.between(0.0, TAU));
            let wave = |secs: f32, shift: f32| (TAU * secs / length_secs + phase + shift).sin();
            let turn = |&secs: &f32| Quat::from_axis_angle(axis, swing * wave(secs, 0.0));
            let sway = |&secs: &f32| {
                rest.translation + Vec3::new(wave(secs, 0.0), wave(secs, 1.0), wave(secs, 2.0)) * 0.02
            };
            let breathe = |&secs: &f32| Vec3::splat(1.0 + 0.05 * wave(secs, 0.0));
            let is_full = kind == Kind::Full;
            keys.rotations.push(keys.secs.iter().map(turn).collect());
            let translations = keys.secs.iter().map(sway).collect();
            keys.translations.push(if is_full || joint == 0 { translations } else { Vec::new() });
            let scales = keys.secs.iter().map(breathe).collect();
            keys.scales.push(if is_full { scales } else { Vec::new() });
        }
        keys
    }

    pub(crate) fn length_secs(&self) -> f32 {
        self.secs[self.secs.len() - 1]
    }
}

fn clip(skeleton: &Skeleton, keys: &Keys) -> Arc<Clip> {
    let mut builder = Clip::builder("clip", skeleton);
    for index in 0..skeleton.joint_count() {
        let joint = skeleton.joint_from_source(index).expect("a joint");
        if !keys.translations[index].is_empty() {
            builder.translation(joint, Track::linear(keys.secs.clone(), keys.translations[index].clone()));
        }
        builder.rotation(joint, Track::linear(keys.secs.clone(), keys.rotations[index].clone()));
        if !keys.scales[index].is_empty() {
            builder.scale(joint, Track::linear(keys.secs.clone(), keys.scales[index].clone()));
        }
    }
    Arc::new(builder.build().expect("good tracks"))
}
