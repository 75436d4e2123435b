//! The joints of a file in double precision, and the points around them by which errors are measured.

use canter::glam::{DQuat, DVec3};

use super::motion::{Affine, Motion};
use crate::asset::Asset;

/// How far from a joint its skin is taken to be, in metres.
const SKIN_METRES: f64 = 0.03;

/// All joints, parents first.
#[derive(Debug)]
pub(super) struct Rig {
    pub(super) joints: Vec<Joint>,
    pub(super) morphs: Vec<Morph>,
}

/// A morph set.
#[derive(Debug)]
pub(super) struct Morph {
    pub(super) rest: Vec<f64>,
    /// How far a weight of 1 moves a vertex at most, for each target.
    pub(super) moves: Vec<f64>,
}

#[derive(Debug)]
pub(super) struct Joint {
    pub(super) parent: Option<usize>,
    pub(super) translation: DVec3,
    pub(super) rotation: DQuat,
    pub(super) scale: DVec3,
    /// Where points lie on each of its axes, on both sides.
    pub(super) reach: DVec3,
}

impl Rig {
    /// The joints of a file whose unit is `metres_per_unit`.
    pub(super) fn new(asset: &Asset, metres_per_unit: f64) -> Self {
        let skeleton = &asset.skeleton;
        let joints = skeleton.joints().map(|joint| {
            let rest = skeleton.rest(joint);
            Joint {
                parent: skeleton.parent(joint).map(canter::JointId::index),
                translation: rest.translation.as_dvec3(),
                rotation: rest.rotation.as_dquat().normalize(),
                scale: rest.scale.as_dvec3(),
                reach: DVec3::ZERO,
            }
        });
        let morphs = skeleton.morphs().map(|morph| {
            let rest: Vec<f64> = skeleton.morph_rest(morph).iter().map(|&weight| weight.into()).collect();
            Morph { moves: vec![SMALLEST_MOVE; rest.len()], rest }
        });
        let mut rig = Self { joints: joints.collect(), morphs: morphs.collect() };
        rig.set_reaches(SKIN_METRES / metres_per_unit);
        rig.add_meshes(asset);
        rig
    }

    /// Where the joints are at rest.
    pub(super) fn rest(&self) -> Vec<Affine> {
        let mut rest = Vec::new();
        Motion::new(Vec::new(), self.joints.len()).pose(self, 0.0, &mut rest);
        rest
    }

    /// From one end to the other of all joints at rest, along the longest axis.
    pub(super) fn height(&self) -> f64 {
        let (mut least, mut most) = (DVec3::splat(f64::MAX), DVec3::splat(f64::MIN));
        for joint in self.rest() {
            (least, most) = (least.min(joint.place), most.max(joint.place));
        }
        if self.joints.is_empty() { 0.0 } else { (most - least).max_element() }
    }

    /// Points at a distance in space, whatever the scale of the joint is.
    fn set_reaches(&mut self, distance: f64) {
        let rest = self.rest();
        for (joint, rest) in self.joints.iter_mut().zip(rest) {
            let lengths = [rest.columns.x_axis, rest.columns.y_axis, rest.columns.z_axis];
            let reach = lengths.map(|axis| {
                let length = axis.dot(axis).sqrt();
                // A joint that has shrunk to nothing shows nothing.
                if length > 1e-6 { distance / length } else { 0.0 }
            });
            joint.reach = DVec3::from_array(reach);
        }
    }

    /// A mesh that hangs on a node reaches further than the skin of a joint. And what morph targets move.
    fn add_meshes(&mut self, asset: &Asset) {
        for node in &asset.nodes {
            let Some(mesh) = node.mesh.and_then(|mesh| asset.meshes.get(mesh)) else { continue };
            let joint = &mut self.joints[node.joint.index()];
            for primitive in &mesh.primitives {
                if node.skin.is_none() {
                    let farthest =
                        primitive.positions.iter().fold(0.0, |far: f32, point| far.max(point.length()));
                    joint.reach = joint.reach.max(DVec3::splat(farthest.into()));
                }
                let Some(morph) = node.morph else { continue };
                let moves = &mut self.morphs[morph.index()].moves;
                for (most, target) in moves.iter_mut().zip(&primitive.targets) {
                    let lengths = target.positions.iter().map(|offset| f64::from(offset.length()));
                    *most = lengths.fold(*most, f64::max);
                }
            }
        }
    }
}

/// What a target moves at least: it may change no more than the shading.
const SMALLEST_MOVE: f64 = 0.01;
