//! Stairs and a slope, as triangles and as a file.

use canter::glam::Vec3;

/// Metres.
const STEP_HEIGHT: f32 = 0.16;
const STEP_DEPTH: f32 = 0.34;
const FIRST_STEP: f32 = 0.75;
const STEPS: u8 = 12;
const SLOPE_START: f32 = 0.6;
const SLOPE_RISE: f32 = 0.27;
const HALF_WIDTH: f32 = 0.8;
const BEFORE: f32 = -2.5;
const BEHIND: f32 = 10.0;

/// Level ground, then stairs up, then level ground.
pub(super) fn steps() -> Vec<[Vec3; 3]> {
    let mut profile = vec![(BEFORE, 0.0)];
    for step in 0..STEPS {
        let (z, y) = (FIRST_STEP + STEP_DEPTH * f32::from(step), STEP_HEIGHT * f32::from(step));
        profile.extend([(z, y), (z, y + STEP_HEIGHT)]);
    }
    profile.push((BEHIND, STEP_HEIGHT * f32::from(STEPS)));
    extruded(&profile)
}

/// Level ground, then a slope.
pub(super) fn slope() -> Vec<[Vec3; 3]> {
    extruded(&[(BEFORE, 0.0), (SLOPE_START, 0.0), (BEHIND, SLOPE_RISE * (BEHIND - SLOPE_START))])
}

/// A profile of z and y, as wide as a path.
fn extruded(profile: &[(f32, f32)]) -> Vec<[Vec3; 3]> {
    let mut triangles = Vec::new();
    for ends in profile.windows(2) {
        let corner = |x: f32, (z, y): (f32, f32)| Vec3::new(x, y, z);
        let [a, b] = [corner(-HALF_WIDTH, ends[0]), corner(HALF_WIDTH, ends[0])];
        let [c, d] = [corner(HALF_WIDTH, ends[1]), corner(-HALF_WIDTH, ends[1])];
        triangles.extend([[a, d, c], [a, c, b]]);
        // Both sides, down to the ground.
        for (low, high, flips) in [(a, d, true), (b, c, false)] {
            let flat = |point: Vec3| Vec3::new(point.x, -0.01, point.z);
            let quad = [flat(low), flat(high), high, low];
            let faces = [[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]];
            triangles.extend(faces.map(|[a, b, c]| if flips { [a, b, c] } else { [a, c, b] }));
        }
    }
    triangles
}

/// A file of these triangles, each with corners of its own, so that edges are sharp.
pub(super) fn to_glb(triangles: &[[Vec3; 3]]) -> Vec<u8> {
    let mut binary = Vec::new();
    let corners = || triangles.iter().flatten();
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for &corner in corners() {
        (low, high) = (low.min(corner), high.max(corner));
        binary.extend(corner.to_array().into_iter().flat_map(f32::to_le_bytes));
    }
    let positions = binary.len();
    for [a, b, c] in triangles {
        let normal = (b - a).cross(c - a).normalize_or(Vec3::Y);
        for _ in 0..3 {
            binary.extend(normal.to_array().into_iter().flat_map(f32::to_le_bytes));
        }
    }
    let (count, length) = (corners().count(), binary.len());
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"name":"ground","mesh":0}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"NORMAL":1}},"material":0}}]}}],
"materials":[{{"pbrMetallicRoughness":{{"baseColorFactor":[0.36,0.38,0.4,1],"metallicFactor":0,"roughnessFactor":0.95}}}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":{count},"type":"VEC3","min":{:?},"max":{:?}}},
{{"bufferView":1,"componentType":5126,"count":{count},"type":"VEC3"}}],
"bufferViews":[{{"buffer":0,"byteLength":{positions}}},{{"buffer":0,"byteOffset":{positions},"byteLength":{positions}}}],
"buffers":[{{"byteLength":{length}}}]}}"#,
        low.to_array(),
        high.to_array(),
    );
    let mut json = json.into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let size = |bytes: usize| u32::try_from(bytes).expect("a small file").to_le_bytes();
    let mut glb = Vec::new();
    glb.extend(b"glTF");
    glb.extend(2_u32.to_le_bytes());
    glb.extend(size(12 + 8 + json.len() + 8 + binary.len()));
    glb.extend(size(json.len()));
    glb.extend(b"JSON");
    glb.extend(json);
    glb.extend(size(binary.len()));
    glb.extend(b"BIN\0");
    glb.extend(binary);
    glb
}
