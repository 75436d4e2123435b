//! What several tests need.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use canter::glam::DAffine3;
use canter_scene::{Model, NodeId, Parent, Scene};

fn model(name: &str) -> Arc<Model> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name);
    Model::load(path).unwrap()
}

pub(crate) fn hero() -> Arc<Model> {
    static HERO: OnceLock<Arc<Model>> = OnceLock::new();
    Arc::clone(HERO.get_or_init(|| model("hero.glb")))
}

#[allow(dead_code, reason = "not every test has a sword")]
pub(crate) fn sword() -> Arc<Model> {
    static SWORD: OnceLock<Arc<Model>> = OnceLock::new();
    Arc::clone(SWORD.get_or_init(|| model("sword.glb")))
}

/// The place of a node worked out from scratch.
#[allow(dead_code, reason = "not every test looks at places")]
pub(crate) fn naive_world(scene: &Scene, id: NodeId) -> DAffine3 {
    let local = scene.local(id).unwrap();
    match scene.parent(id).unwrap() {
        Parent::World => local,
        Parent::Node(above) => naive_world(scene, above) * local,
        Parent::JointWithoutScale(..) => panic!("not worked out here"),
        Parent::Joint(above, joint) => {
            let model_from_joint = scene.character(above).unwrap().model_pose.joint(joint).as_dmat4();
            naive_world(scene, above) * DAffine3::from_mat4(model_from_joint) * local
        }
    }
}
