//! Random skeletons, kept as they were given to the builder.

use std::sync::Arc;

use canter::glam::{Mat4, Vec3};
use canter::{JointId, Skeleton, Skin, Transform};

use crate::random::Random;

/// A skeleton and what it was built from, in the order given.
pub struct Rig {
    pub skeleton: Arc<Skeleton>,
    pub parents: Vec<Option<usize>>,
    pub rest: Vec<Transform>,
    pub morph_rest: Vec<Vec<f32>>,
    pub skin: Skin,
    /// Of the skin: which joint, in the order given, and its matrix.
    pub bound: Vec<(usize, Mat4)>,
}

impl Rig {
    /// Joints in any order, a few roots, rests of all kinds, quaternions that are not of unit length, morph
    /// sets.
    pub fn random(random: &mut Random, joints: usize) -> Self {
        let parents = tree(random, joints);
        let rest: Vec<Transform> = (0..joints).map(|_| transform(random)).collect();
        let mut builder = Skeleton::builder();
        for (joint, (parent, rest)) in parents.iter().zip(&rest).enumerate() {
            builder.joint(format!("joint {joint}"), *parent, *rest);
        }
        let morph_rest: Vec<Vec<f32>> = (0..random.below(3))
            .map(|_| (0..random.below(5)).map(|_| random.between(-1.0, 1.0)).collect())
            .collect();
        for (set, rest) in morph_rest.iter().enumerate() {
            builder.morph_set(format!("set {set}"), rest.clone());
        }
        let skeleton = Arc::new(builder.build().unwrap());
        let bound: Vec<(usize, Mat4)> = (0..random.below(joints + 1))
            .map(|_| (random.below(joints), transform(random).to_mat4()))
            .collect();
        let joint = |&(source, _): &(usize, Mat4)| skeleton.joint_from_source(source).unwrap();
        let matrices: Vec<Mat4> = bound.iter().map(|(_, matrix)| *matrix).collect();
        let skin = Skin::new(&skeleton, bound.iter().map(joint).collect(), &matrices).unwrap();
        Self { skin, skeleton, parents, rest, morph_rest, bound }
    }

    pub fn joint(&self, source: usize) -> JointId {
        self.skeleton.joint_from_source(source).unwrap()
    }

    pub fn len(&self) -> usize {
        self.parents.len()
    }
}

fn tree(random: &mut Random, joints: usize) -> Vec<Option<usize>> {
    // Joint `place[i]` hangs on `place[j]` with j < i: a tree in any order.
    let mut place: Vec<usize> = (0..joints).collect();
    random.shuffle(&mut place);
    let mut parents = vec![None; joints];
    for i in 1..joints {
        if !random.chance(0.05) {
            let j = if random.chance(0.3) { i - 1 } else { random.below(i) };
            parents[place[i]] = Some(place[j]);
        }
    }
    parents
}

fn transform(random: &mut Random) -> Transform {
    Transform {
        translation: random.vector(1.0),
        rotation: random.turn(180.0) * random.between(0.5, 2.0),
        scale: if random.chance(0.3) {
            Vec3::new(random.between(0.7, 1.4), random.between(0.7, 1.4), random.between(-1.4, -0.7))
        } else {
            Vec3::ONE
        },
    }
}
