//! What swings by itself where springs are switched on: scarf and hair, as `VRMC_springBone` of VRM 1.0.
//!
//! The clips swing both already; programs that run springs put these joints to rest first. There are no nodes
//! where strands end: `extras.tail` says where, in the space of the last joint, whose Y is along its bone.

use glam::DVec3;
use serde::Serialize;

use super::rig::{Rig, SCARF_LONG, SCARF_SHORT, TUFTS};

pub(crate) const EXTENSION: &str = "VRMC_springBone";

#[derive(Serialize)]
pub(crate) struct Extensions {
    #[serde(rename = "VRMC_springBone")]
    spring_bone: SpringBone,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SpringBone {
    spec_version: &'static str,
    colliders: Vec<Collider>,
    collider_groups: Vec<ColliderGroup>,
    springs: Vec<Spring>,
}

#[derive(Serialize)]
struct Collider {
    node: usize,
    shape: Shape,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Shape {
    Sphere { offset: [f32; 3], radius: f32 },
    Capsule { offset: [f32; 3], radius: f32, tail: [f32; 3] },
}

#[derive(Serialize)]
struct ColliderGroup {
    name: &'static str,
    colliders: Vec<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Spring {
    name: &'static str,
    joints: Vec<SpringJoint>,
    collider_groups: Vec<usize>,
    extras: SpringExtras,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SpringJoint {
    node: usize,
    #[serde(flatten)]
    manner: Manner,
}

/// How a strand swings; set by eye, on films of all clips.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
struct Manner {
    hit_radius: f32,
    stiffness: f32,
    gravity_power: f32,
    drag_force: f32,
}

#[derive(Serialize)]
struct SpringExtras {
    tail: [f32; 3],
}

/// Light cloth: it trails behind a runner, and falls within half a second.
const CLOTH: Manner = Manner { hit_radius: 0.02, stiffness: 0.12, gravity_power: 0.22, drag_force: 0.28 };
/// Short and springy.
const HAIR: Manner = Manner { hit_radius: 0.01, stiffness: 1.6, gravity_power: 0.05, drag_force: 0.32 };

const BODY: usize = 0;
const SKULL: usize = 1;

/// For a file whose joints are nodes from `first_node` on, in rig order.
pub(crate) fn springs(rig: &Rig, first_node: usize) -> Extensions {
    let node = |joint: &str| first_node + rig.index(joint);
    let collider = |joint: &str, shape: Shape| Collider { node: node(joint), shape };
    let colliders = vec![
        collider(
            "chest",
            Shape::Capsule { offset: [0.0, -0.04, 0.0], radius: 0.105, tail: [0.0, 0.13, 0.0] },
        ),
        collider("hips", Shape::Capsule { offset: [0.0, -0.06, 0.0], radius: 0.12, tail: [0.0, 0.08, 0.0] }),
        collider("head", Shape::Sphere { offset: [0.0, 0.187, 0.0], radius: 0.14 }),
    ];
    let spring =
        |name: &'static str, joints: &[String], last: [DVec3; 2], manner: Manner, group: usize| Spring {
            name,
            joints: joints.iter().map(|joint| SpringJoint { node: node(joint), manner }).collect(),
            collider_groups: vec![group],
            extras: SpringExtras { tail: [0.0, last[0].distance(last[1]) as f32, 0.0] },
        };
    let scarf = |name: &'static str, points: &[DVec3]| {
        let joints: Vec<String> = (1..points.len()).map(|number| format!("{name}_{number}")).collect();
        let last = [points[points.len() - 2], points[points.len() - 1]];
        spring(name, &joints, last, CLOTH, BODY)
    };
    let mut springs = vec![scarf("scarf_long", &SCARF_LONG), scarf("scarf_short", &SCARF_SHORT)];
    for (name, root, tip) in TUFTS {
        springs.push(spring(name, &[name.to_owned()], [root, tip], HAIR, SKULL));
    }
    let collider_groups = vec![
        ColliderGroup { name: "body", colliders: vec![0, 1] },
        ColliderGroup { name: "skull", colliders: vec![2] },
    ];
    Extensions { spring_bone: SpringBone { spec_version: "1.0", colliders, collider_groups, springs } }
}
