//! Spring bones of VRM 1.0: `VRMC_springBone`, with the colliders of `VRMC_springBone_extended_collider`.
//!
//! What is wrong with a spring leaves that one out, with a warning: hair that does not swing is no reason not
//! to show a figure. A spring may say where the bone of its last joint ends, in that joint's space, where
//! there is no node for it: `"extras": { "tail": [0, 0.1, 0] }`.

use canter::glam::Vec3;
use canter::{JointId, Skeleton};
use canter_rig::{Collider, ColliderShape, SpringCenter, SpringChain, SpringJoint, Springs};

use crate::json::{Index, List, Reader, object};
use crate::place::Place;
use crate::schema::Document;
use crate::warning::{Report, WarningCode};

const EXTENSION: &str = "VRMC_springBone";

/// More are left out: no figure has as many. Fewer in a file of very many nodes, all of which are looked at for
/// each spring.
const MOST_SPRINGS: usize = 4096;
const MOST_LOOKS: usize = 100_000_000;

/// The spring bones of a file, as [`canter_rig::Springs`] takes them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpringBones {
    /// The chains, what one hangs on before it.
    pub chains: Vec<SpringChain>,
    /// What they do not go through.
    pub colliders: Vec<Collider>,
}

#[derive(Debug, Default)]
struct Root {
    colliders: List<ColliderJson>,
    groups: List<GroupJson>,
    springs: List<SpringJson>,
}

object!('a, Root { ; "colliders" => colliders, "colliderGroups" => groups, "springs" => springs });

#[derive(Debug, Default)]
struct ColliderJson {
    node: Index,
    shape: ShapeJson,
    extensions: ColliderExtensions,
}

object!('a, ColliderJson { "node" => node; "shape" => shape, "extensions" => extensions });

#[derive(Debug, Default)]
struct ColliderExtensions {
    extended: Option<ExtendedJson>,
}

object!('a, ColliderExtensions { ; "VRMC_springBone_extended_collider" => extended });

#[derive(Debug, Default)]
struct ExtendedJson {
    shape: ShapeJson,
}

object!('a, ExtendedJson { ; "shape" => shape });

#[derive(Debug, Default)]
struct ShapeJson {
    sphere: Option<RoundJson>,
    capsule: Option<RoundJson>,
    plane: Option<PlaneJson>,
}

object!('a, ShapeJson { ; "sphere" => sphere, "capsule" => capsule, "plane" => plane });

#[derive(Debug, Default)]
struct RoundJson {
    offset: Option<[f32; 3]>,
    radius: Option<f32>,
    tail: Option<[f32; 3]>,
    inside: Option<bool>,
}

object!('a, RoundJson { ; "offset" => offset, "radius" => radius, "tail" => tail, "inside" => inside });

#[derive(Debug, Default)]
struct PlaneJson {
    offset: Option<[f32; 3]>,
    normal: Option<[f32; 3]>,
}

object!('a, PlaneJson { ; "offset" => offset, "normal" => normal });

#[derive(Debug, Default)]
struct GroupJson {
    colliders: Vec<Index>,
}

object!('a, GroupJson { ; "colliders" => colliders });

#[derive(Debug, Default)]
struct SpringJson {
    joints: List<JointJson>,
    groups: Vec<Index>,
    center: Option<Index>,
    extras: Option<SpringExtras>,
}

object!('a, SpringJson {
    ;
    "joints" => joints, "colliderGroups" => groups, "center" => center, "extras" => extras
});

#[derive(Debug, Default)]
struct SpringExtras {
    tail: Option<[f32; 3]>,
}

object!('a, SpringExtras { ; "tail" => tail });

#[derive(Debug, Default)]
struct JointJson {
    node: Index,
    hit_radius: Option<f32>,
    stiffness: Option<f32>,
    gravity_power: Option<f32>,
    gravity_dir: Option<[f32; 3]>,
    drag_force: Option<f32>,
}

object!('a, JointJson {
    "node" => node;
    "hitRadius" => hit_radius, "stiffness" => stiffness, "gravityPower" => gravity_power,
    "gravityDir" => gravity_dir, "dragForce" => drag_force
});

/// Reads the spring bones of a file.
pub(crate) fn springs(document: &Document<'_>, skeleton: &Skeleton, report: &Report) -> SpringBones {
    let Some(json) = document.extensions.spring_bone.raw() else { return SpringBones::default() };
    let extensions = Place::list("extensions");
    let place = extensions.field(EXTENSION);
    let mut root = Root::default();
    if let Err(error) = Reader::new(json).document(&mut root) {
        report.warn(&place, WarningCode::Springs, format_args!("springs are left out: {error}"));
        return SpringBones::default();
    }
    let mut bones = SpringBones::default();
    // Where each collider of the file is in the list; those that are left out are nowhere.
    let mut places = Vec::with_capacity(root.colliders.len());
    for (index, collider) in root.colliders.iter().enumerate() {
        let found = collider.read(skeleton);
        if found.is_none() {
            let place = place.field("colliders");
            report.warn(
                &place.item(index),
                WarningCode::Springs,
                "the collider is left out: it has no shape",
            );
        }
        places.push(found.map(|collider| {
            bones.colliders.push(collider);
            bones.colliders.len() - 1
        }));
    }
    let list = place.field("springs");
    let mut taken = vec![false; skeleton.joint_count()];
    let most = MOST_SPRINGS.min(MOST_LOOKS / skeleton.joint_count().max(1));
    for (index, spring) in root.springs.iter().enumerate().take(most) {
        let read = spring.read(skeleton, &root.groups, &places).and_then(|chain| {
            if chain.joints.iter().any(|(joint, _)| taken[joint.index()]) {
                return Err("a joint of it swings already".to_owned());
            }
            let all = Springs::new(skeleton, std::slice::from_ref(&chain), &bones.colliders);
            all.map(|_| chain).map_err(|error| error.to_string())
        });
        match read {
            Ok(chain) => {
                chain.joints.iter().for_each(|(joint, _)| taken[joint.index()] = true);
                bones.chains.push(chain);
            }
            Err(why) => {
                let message = format_args!("the spring is left out: {why}");
                report.warn(&list.item(index), WarningCode::Springs, message);
            }
        }
    }
    // Joints are in an order in which parents come first.
    bones.chains.sort_by_key(|chain| chain.joints[0].0.index());
    bones
}

fn vector(numbers: Option<[f32; 3]>, otherwise: Vec3) -> Vec3 {
    numbers.map_or(otherwise, Vec3::from_array)
}

impl ColliderJson {
    fn read(&self, skeleton: &Skeleton) -> Option<Collider> {
        let extended = self.extensions.extended.as_ref().and_then(|extended| extended.shape.read());
        let shape = extended.or_else(|| self.shape.read())?;
        Some(Collider { joint: skeleton.joint_from_source(self.node.get())?, shape })
    }
}

/// Points further away, and larger radii, are none.
const LARGEST: f32 = 1e9;

impl ShapeJson {
    fn read(&self) -> Option<ColliderShape> {
        self.read_any().filter(|shape| {
            let (points, radius) = match *shape {
                ColliderShape::Sphere { offset, radius } | ColliderShape::InsideSphere { offset, radius } => {
                    ([offset, offset], radius)
                }
                ColliderShape::Capsule { offset, tail, radius }
                | ColliderShape::InsideCapsule { offset, tail, radius } => ([offset, tail], radius),
                ColliderShape::Plane { offset, normal } => {
                    ([offset, normal], if normal.try_normalize().is_some() { 0.0 } else { f32::INFINITY })
                }
            };
            radius <= LARGEST && points.iter().all(|point| point.abs().max_element() <= LARGEST)
        })
    }

    fn read_any(&self) -> Option<ColliderShape> {
        let round = |shape: &RoundJson| {
            let radius = shape.radius.unwrap_or(0.0).max(0.0);
            (vector(shape.offset, Vec3::ZERO), radius, shape.inside.unwrap_or(false))
        };
        if let Some(sphere) = &self.sphere {
            let (offset, radius, inside) = round(sphere);
            return Some(if inside {
                ColliderShape::InsideSphere { offset, radius }
            } else {
                ColliderShape::Sphere { offset, radius }
            });
        }
        if let Some(capsule) = &self.capsule {
            let ((offset, radius, inside), tail) = (round(capsule), vector(capsule.tail, Vec3::ZERO));
            return Some(if inside {
                ColliderShape::InsideCapsule { offset, tail, radius }
            } else {
                ColliderShape::Capsule { offset, tail, radius }
            });
        }
        let plane = self.plane.as_ref()?;
        let (offset, normal) = (vector(plane.offset, Vec3::ZERO), vector(plane.normal, Vec3::Z));
        Some(ColliderShape::Plane { offset, normal })
    }
}

impl SpringJson {
    fn read(
        &self,
        skeleton: &Skeleton,
        groups: &[GroupJson],
        places: &[Option<usize>],
    ) -> Result<SpringChain, String> {
        let joint = |node: Index| -> Result<JointId, String> {
            let node = node.get();
            skeleton.joint_from_source(node).ok_or_else(|| format!("there is no node {node}"))
        };
        let mut joints = Vec::with_capacity(self.joints.len());
        for entry in self.joints.iter() {
            joints.push((joint(entry.node)?, entry.swing()));
        }
        let mut colliders = Vec::new();
        for group in &self.groups {
            let group =
                groups.get(group.get()).ok_or_else(|| format!("no collider group {}", group.get()))?;
            for collider in &group.colliders {
                let place = places.get(collider.get());
                let place = place.ok_or_else(|| format!("there is no collider {}", collider.get()))?;
                colliders.extend(place);
            }
        }
        colliders.sort_unstable();
        colliders.dedup();
        Ok(SpringChain {
            joints,
            tail: self.extras.as_ref().and_then(|extras| extras.tail).map(Vec3::from_array),
            center: match self.center {
                Some(node) => SpringCenter::Joint(joint(node)?),
                None => SpringCenter::World,
            },
            colliders,
        })
    }
}

impl JointJson {
    /// What is out of range counts as the nearest that is not.
    fn swing(&self) -> SpringJoint {
        let number =
            |number: Option<f32>, otherwise: f32, most: f32| number.unwrap_or(otherwise).clamp(0.0, most);
        let direction = vector(self.gravity_dir, Vec3::NEG_Y);
        let power = self.gravity_power.unwrap_or(0.0);
        SpringJoint {
            stiffness: number(self.stiffness, 1.0, 1e6),
            drag: number(self.drag_force, 0.5, 1.0),
            gravity: direction * power,
            hit_radius: number(self.hit_radius, 0.0, 1e6),
            ..SpringJoint::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Asset, load_bytes};

    /// A head with a strand of three joints, and these springs.
    fn load(springs: &str) -> Asset {
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"extensionsUsed":["VRMC_springBone"],
            "nodes":[{{"name":"head","children":[1]}},{{"name":"a","children":[2],"translation":[0,0.1,0]}},
            {{"name":"b","children":[3],"translation":[0,0.1,0]}},{{"name":"c","translation":[0,0.1,0]}}],
            "extensions":{{"VRMC_springBone":{springs}}}}}"#
        );
        load_bytes(json.as_bytes()).unwrap()
    }

    fn joint(asset: &Asset, name: &str) -> JointId {
        asset.skeleton.joint(name).unwrap()
    }

    #[test]
    fn springs_are_read_with_the_defaults_of_the_specification() {
        let asset = load(
            r#"{"specVersion":"1.0",
            "colliders":[{"node":0,"shape":{"sphere":{"radius":0.2}}},
                {"node":0,"shape":{"capsule":{"offset":[1,0,0],"radius":0.1,"tail":[2,0,0]}}},
                {"node":0,"shape":{"sphere":{"offset":[0,-1000,0]}},"extensions":
                    {"VRMC_springBone_extended_collider":{"specVersion":"1.0","shape":{"plane":{"offset":[0,1,0]}}}}}],
            "colliderGroups":[{"name":"all","colliders":[2,0]}],
            "springs":[{"name":"hair","center":0,"colliderGroups":[0],"joints":[
                {"node":1,"stiffness":2,"gravityPower":0.5,"gravityDir":[0,0,1],"dragForce":0.25,"hitRadius":0.03},
                {"node":2},{"node":3,"unheardOf":[1]}]}]}"#,
        );
        assert!(asset.warnings.is_empty(), "{:?}", asset.warnings);
        let [chain] = asset.springs.chains.as_slice() else { panic!("one chain") };
        let names: Vec<&str> = chain.joints.iter().map(|(joint, _)| asset.skeleton.name(*joint)).collect();
        assert_eq!(names, ["a", "b", "c"]);
        let first =
            SpringJoint { stiffness: 2.0, drag: 0.25, gravity: Vec3::Z * 0.5, wind: 1.0, hit_radius: 0.03 };
        assert_eq!(chain.joints[0].1, first);
        assert_eq!(chain.joints[1].1, SpringJoint::default());
        assert_eq!((chain.center, chain.tail), (SpringCenter::Joint(joint(&asset, "head")), None));
        assert_eq!(chain.colliders, [0, 2]);
        let shapes: Vec<ColliderShape> =
            asset.springs.colliders.iter().map(|collider| collider.shape).collect();
        assert_eq!(shapes[2], ColliderShape::Plane { offset: Vec3::Y, normal: Vec3::Z });
        assert!(matches!(shapes[1], ColliderShape::Capsule { tail, .. } if tail == Vec3::X * 2.0));
    }

    #[test]
    fn what_is_wrong_is_left_out_with_a_warning() {
        for (springs, why) in [
            (r#"{"springs":[{"joints":[{"node":1},{"node":9}]}]}"#, "there is no node 9"),
            (r#"{"springs":[{"joints":[{"node":2},{"node":1}]}]}"#, "does not hang on"),
            (r#"{"springs":[{"joints":[{"node":1}]}]}"#, "1 joints where 2 to 64 are needed"),
            (r#"{"springs":[{"joints":[]}]}"#, "0 joints"),
            (
                r#"{"springs":[{"joints":[{"node":1},{"node":2}],"colliderGroups":[4]}]}"#,
                "no collider group 4",
            ),
            (r#"{"springs":[{"joints":[{"node":1},{"node":2}],"center":7}]}"#, "there is no node 7"),
            (r#"{"springs":[{"joints":[{"node":-1}]}]}"#, "springs are left out"),
            ("7", "springs are left out"),
            (r#"{"colliders":[{"node":0,"shape":{"cube":{}}}]}"#, "the collider is left out"),
            (
                r#"{"colliders":[{"node":0,"shape":{"plane":{"normal":[0,0,0]}}}]}"#,
                "the collider is left out",
            ),
            (r#"{"colliders":[{"node":0,"shape":{"sphere":{"radius":1e30}}}]}"#, "the collider is left out"),
        ] {
            let asset = load(springs);
            assert!(asset.springs.chains.is_empty() && asset.springs.colliders.is_empty(), "{springs}");
            let told: Vec<String> = asset.warnings.iter().map(ToString::to_string).collect();
            assert!(told.iter().any(|message| message.contains(why)), "{springs}: {told:?}");
        }
        let twice =
            load(r#"{"springs":[{"joints":[{"node":1},{"node":2}]},{"joints":[{"node":2},{"node":3}]}]}"#);
        assert_eq!(twice.springs.chains.len(), 1);
        assert!(twice.warnings[0].message.contains("swings already"), "{:?}", twice.warnings);
    }

    #[test]
    fn a_tail_takes_the_place_of_a_node() {
        let asset = load(r#"{"springs":[{"joints":[{"node":3}],"extras":{"tail":[0,0.2,0]}}]}"#);
        assert_eq!(asset.springs.chains[0].tail, Some(Vec3::Y * 0.2));
        assert!(load("{}").springs.chains.is_empty());
    }
}
