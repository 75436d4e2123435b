//! A humanoid-like rig of 64 joints with two clips that move every joint.

use std::f32::consts::TAU;
use std::sync::Arc;

use canter::glam::{Mat4, Quat, Vec3};
use canter::{Clip, ModelPose, Skeleton, Skin, Track, Transform};

pub(crate) const JOINTS: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Full,
    Typical,
}

impl Kind {
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::Full => "translation, rotation and scale tracks on every joint",
            Self::Typical => "rotation tracks on every joint, a translation track on the first",
        }
    }
}

pub(crate) struct Rig {
    pub(crate) skeleton: Arc<Skeleton>,
    pub(crate) skin: Arc<Skin>,
    pub(crate) clips: [Arc<Clip>; 2],
    pub(crate) tracks: [Tracks; 2],
    pub(crate) parents: Vec<Option<usize>>,
    pub(crate) joint_from_mesh: Vec<Mat4>,
}

/// The keys of a clip as they are, for the plain implementation.
pub(crate) struct Tracks {
    pub(crate) secs: Vec<f32>,
    /// By joint, then by key. Empty where there is no track.
    pub(crate) translations: Vec<Vec<Vec3>>,
    pub(crate) rotations: Vec<Vec<Quat>>,
    pub(crate) scales: Vec<Vec<Vec3>>,
}

/// A small generator: the rig is the same in every run.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        #[expect(clippy::cast_precision_loss, reason = "24 random bits")]
        let unit = (self.0 >> 40) as f32 / (1 << 24) as f32;
        unit
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0))
    }
}

impl Rig {
    pub(crate) fn new(kind: Kind) -> Self {
        Self::with_nodes(kind, &[])
    }

    /// The same with more nodes, as that of a mesh, which nothing moves and no skin has.
    pub(crate) fn with_nodes(kind: Kind, nodes: &[&str]) -> Self {
        let mut random = Random(7);
        let parents = parents();
        let mut builder = Skeleton::builder();
        for (joint, parent) in parents.iter().enumerate() {
            let offset = random.vector() * 0.15 + Vec3::Y * 0.1;
            builder.joint(format!("joint_{joint:02}"), *parent, Transform::from_translation(offset));
        }
        for node in nodes {
            builder.joint(*node, None, Transform::IDENTITY);
        }
        let skeleton = Arc::new(builder.build().expect("a tree"));
        let model = ModelPose::rest(&skeleton);
        let joints: Vec<_> = (0..JOINTS).filter_map(|joint| skeleton.joint_from_source(joint)).collect();
        let joint_from_mesh: Vec<_> = joints.iter().map(|joint| model.joint(*joint).inverse()).collect();
        let skin = Skin::new(&skeleton, joints, &joint_from_mesh).expect("matching matrices");
        let tracks =
            [(1.0, 31), (0.7, 22)].map(|(secs, keys)| tracks(kind, &skeleton, secs, keys, &mut random));
        let clips = ["A", "B"].into_iter().zip(&tracks).map(|(name, tracks)| clip(name, &skeleton, tracks));
        let clips: Vec<_> = clips.collect();
        Self {
            clips: clips.try_into().expect("two clips"),
            skin: Arc::new(skin),
            skeleton,
            tracks,
            parents,
            joint_from_mesh,
        }
    }
}

/// A spine, four limbs on it, and fingers on the limbs.
fn parents() -> Vec<Option<usize>> {
    let mut parents: Vec<Option<usize>> = vec![None];
    parents.extend((0..7).map(Some));
    for base in [0, 0, 5, 5] {
        let first = parents.len();
        parents.push(Some(base));
        parents.extend((first..first + 6).map(Some));
    }
    while parents.len() < JOINTS {
        let next = parents.len();
        let parent = if next.is_multiple_of(3) { [14, 21, 28, 35][next % 4] } else { next - 1 };
        parents.push(Some(parent));
    }
    parents
}

fn tracks(kind: Kind, skeleton: &Skeleton, duration_secs: f32, keys: u16, random: &mut Random) -> Tracks {
    let secs: Vec<f32> = (0..keys).map(|key| duration_secs * f32::from(key) / f32::from(keys - 1)).collect();
    let mut tracks =
        Tracks { secs: secs.clone(), translations: Vec::new(), rotations: Vec::new(), scales: Vec::new() };
    for joint in 0..JOINTS {
        let rest = skeleton.rest(skeleton.joint_from_source(joint).expect("a joint"));
        let axis = random.vector().normalize();
        let (swing, phase) = (random.between(0.1, 0.6), random.between(0.0, TAU));
        let wave = |shift: f32| {
            secs.iter()
                .map(move |secs| (TAU * secs / duration_secs + phase + shift).sin())
                .collect::<Vec<_>>()
        };
        let (x, y, z) = (wave(0.0), wave(1.0), wave(2.0));
        let turn = |wave: &f32| Quat::from_axis_angle(axis, swing * wave);
        tracks.rotations.push(x.iter().map(turn).collect());
        let sway = |((x, y), z): ((&f32, &f32), &f32)| rest.translation + Vec3::new(*x, *y, *z) * 0.02;
        let translations = x.iter().zip(&y).zip(&z).map(sway).collect();
        let is_full = kind == Kind::Full;
        tracks.translations.push(if is_full || joint == 0 { translations } else { Vec::new() });
        let scales = x.iter().map(|wave| Vec3::splat(1.0 + 0.05 * wave)).collect();
        tracks.scales.push(if is_full { scales } else { Vec::new() });
    }
    tracks
}

fn clip(name: &str, skeleton: &Skeleton, tracks: &Tracks) -> Arc<Clip> {
    let mut builder = Clip::builder(name, skeleton);
    for index in 0..JOINTS {
        let joint = skeleton.joint_from_source(index).expect("a joint");
        if !tracks.translations[index].is_empty() {
            builder
                .translation(joint, Track::linear(tracks.secs.clone(), tracks.translations[index].clone()));
        }
        builder.rotation(joint, Track::linear(tracks.secs.clone(), tracks.rotations[index].clone()));
        if !tracks.scales[index].is_empty() {
            builder.scale(joint, Track::linear(tracks.secs.clone(), tracks.scales[index].clone()));
        }
    }
    Arc::new(builder.build().expect("good tracks"))
}

/// The slowly changing part of the first clip, never nothing and never all.
pub(crate) fn weight(phase: f32) -> f32 {
    0.1 + 0.8 * if phase < 0.5 { 2.0 * phase } else { 2.0 - 2.0 * phase }
}

pub(crate) fn next_phase(phase: f32) -> f32 {
    (phase + 0.003) % 1.0
}
