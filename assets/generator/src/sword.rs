//! A sword for the hero's right hand.
//!
//! Drawn upright around the middle of its grip, then laid into the frame of `hand_R`: attached to
//! that joint without any offset, it sits in the fist. The file's origin is hence the wrist, the
//! grip crosses the palm at [`GRIP_IN_HAND`], and the blade leaves on the thumb's side, along +X
//! and a little toward the fingers ([`BLADE_IN_HAND`]).

mod blade;

use anyhow::Result;
use glam::{DVec2, DVec3, dvec2, dvec3};

use super::frame::Frame;
use super::glb::Glb;
use super::gltf::{MeshJson, Node};
use super::math::{bone_frame, sin};
use super::part::{Detail, Material, Part, region};
use super::sdf::{ellipsoid, join, meet, sphere, tube};
use super::surface::{Surface, surfaces};
use super::weights::Binding;

/// Direction of the blade in the frame of `hand_R`; a unit vector. A fist holds a bar not square
/// to the forearm, but leaning some 20 degrees toward the knuckles.
pub(crate) const BLADE_IN_HAND: DVec3 = dvec3(0.938, 0.346_640_447_726_69, 0.0);
/// Middle of the grip in the same frame, metres: in the crook of the closed fingers.
const GRIP_IN_HAND: DVec3 = dvec3(0.0, 0.075, 0.030);

const GRIP_RADIUS: f64 = 0.0128;
const GRIP_HALF: f64 = 0.066;
const GUARD_Y: f64 = 0.074;

const GOLD: u32 = 0xe6b852;
const WRAP: u32 = 0x6a3422;
const GEM: u32 = 0x2aa6b8;

pub(crate) fn build() -> Result<Vec<u8>> {
    let mut surfaces = surfaces(&parts(), None);
    let metal = surfaces.iter_mut().find(|surface| surface.material == Material::Metal);
    if let Some(metal) = metal {
        blade::append(metal);
    }
    let hand_from_sword = Frame { rotation: bone_frame(BLADE_IN_HAND, DVec3::Z), translation: GRIP_IN_HAND };
    let mut glb = Glb::new("sword");
    let primitives = surfaces.iter_mut().map(|surface| {
        place(surface, hand_from_sword);
        glb.primitive(surface)
    });
    let primitives = primitives.collect();
    glb.document.meshes.push(MeshJson { name: "sword", primitives });
    glb.document.nodes.push(Node { name: "sword".into(), mesh: Some(0), ..Node::default() });
    glb.document.scenes[0].nodes = vec![0];
    glb.into_bytes()
}

fn place(surface: &mut Surface, hand_from_sword: Frame) {
    for vertex in &mut surface.vertices {
        vertex.position = hand_from_sword.point(vertex.position.as_dvec3()).as_vec3();
        vertex.normal = (hand_from_sword.rotation * vertex.normal.as_dvec3()).normalize().as_vec3();
    }
}

fn parts() -> Vec<Part> {
    let still = Binding::Rigid("root");
    let detail = Detail { cell: 0.0022, ..Detail::HAND };
    let guard_region = region([-0.11, 0.05, -0.03], [0.11, 0.12, 0.03]);
    let grip_region = region([-0.02, -0.085, -0.02], [0.02, 0.085, 0.02]);
    let pommel_region = region([-0.035, -0.125, -0.03], [0.035, -0.05, 0.03]);
    let gem_region = region([-0.02, 0.06, -0.03], [0.02, 0.095, 0.03]);
    vec![
        Part::solid(Material::Metal, guard_region, guard).coloured(GOLD).bound_to(still).with_detail(detail),
        Part::solid(Material::Metal, pommel_region, pommel)
            .coloured(GOLD)
            .bound_to(still)
            .with_detail(detail),
        Part::solid(Material::Leather, grip_region, grip).coloured(WRAP).bound_to(still).with_detail(detail),
        Part::solid(Material::Eyes, gem_region, gem).coloured(GEM).bound_to(still).with_detail(detail),
    ]
}

/// Arms that sweep toward the blade and end in knobs, and a boss in the middle.
fn guard(p: DVec3) -> f64 {
    let q = dvec3(p.x.abs(), p.y, p.z);
    let arm = tube(
        q,
        &[
            (dvec3(0.0, GUARD_Y, 0.0), 0.0115),
            (dvec3(0.040, GUARD_Y + 0.001, 0.0), 0.0088),
            (dvec3(0.070, GUARD_Y + 0.008, 0.0), 0.0080),
            (dvec3(0.088, GUARD_Y + 0.018, 0.0), 0.0095),
        ],
    );
    let knob = sphere(q, dvec3(0.091, GUARD_Y + 0.020, 0.0), 0.0125);
    let boss = ellipsoid(p, dvec3(0.0, GUARD_Y + 0.002, 0.0), dvec3(0.024, 0.017, 0.0155));
    join(join(arm, knob, 0.006), boss, 0.012)
}

fn pommel(p: DVec3) -> f64 {
    let ball = ellipsoid(p, dvec3(0.0, -0.086, 0.0), dvec3(0.0215, 0.0195, 0.017));
    let button = sphere(p, dvec3(0.0, -0.106, 0.0), 0.008);
    let collar = ring_around(p, -0.068, 0.0145, 0.005);
    join(join(ball, button, 0.006), collar, 0.003)
}

/// Leather wound in ridges.
fn grip(p: DVec3) -> f64 {
    const RIDGES_PER_METRE: f64 = 95.0;
    let ridge = sin(p.y * RIDGES_PER_METRE * std::f64::consts::TAU);
    let swell = 0.0016 * (1.0 - (p.y / GRIP_HALF) * (p.y / GRIP_HALF));
    // A little oval, so that the edge can be felt.
    let round = DVec2::new(p.x, p.z * 1.12).length() - GRIP_RADIUS - swell - 0.0007 * ridge;
    meet(round, p.y.abs() - GRIP_HALF, 0.002)
}

fn gem(p: DVec3) -> f64 {
    let q = dvec3(p.x, p.y, p.z.abs());
    ellipsoid(q, dvec3(0.0, GUARD_Y + 0.002, 0.013), dvec3(0.0095, 0.0095, 0.0065))
}

fn ring_around(p: DVec3, y: f64, radius: f64, thickness: f64) -> f64 {
    dvec2(dvec2(p.x, p.z).length() - radius, p.y - y).length() - thickness
}
