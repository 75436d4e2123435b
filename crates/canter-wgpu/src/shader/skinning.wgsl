// Morphing and skinning, by Canter. What every function means is told in the documentation of `SkinningShader`;
// the same calculation on the CPU, under the same names, is `canter_scene::PosedVertices`.

// A vertex in the space of its mesh, then of its character. The normal may be of any length before, and is of unit
// length (or zero, where a pose squashes the surface flat) after skinning; `tangent.w` is the handedness.
struct CanterVertex {
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec4<f32>,
}

// An affine matrix as three rows: row x makes the x of a transformed point.
struct CanterMatrix {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
}

#if uniform
@group(PALETTE_GROUP) @binding(PALETTE_BINDING) var<uniform> canter_palette: array<vec4<f32>, 1024>;

fn canter_row(index: u32) -> vec4<f32> {
    return canter_palette[index];
}
#end
#if storage
@group(PALETTE_GROUP) @binding(PALETTE_BINDING) var<storage, read> canter_palette: array<vec4<f32>>;

fn canter_row(index: u32) -> vec4<f32> {
    return canter_palette[index];
}
#end
#if texture
@group(PALETTE_GROUP) @binding(PALETTE_BINDING) var canter_palette: texture_2d<f32>;

fn canter_row(index: u32) -> vec4<f32> {
    let width = textureDimensions(canter_palette).x;
    return textureLoad(canter_palette, vec2<i32>(i32(index % width), i32(index / width)), 0);
}
#end

fn canter_matrix(first: u32) -> CanterMatrix {
#if packed
    return CanterMatrix(canter_row(first), canter_row(first + 1u), canter_row(first + 2u));
#end
#if mat4
    let a = canter_row(first);
    let b = canter_row(first + 1u);
    let c = canter_row(first + 2u);
    let d = canter_row(first + 3u);
    return CanterMatrix(
        vec4<f32>(a.x, b.x, c.x, d.x),
        vec4<f32>(a.y, b.y, c.y, d.y),
        vec4<f32>(a.z, b.z, c.z, d.z),
    );
#end
}

#if world
fn canter_world(palette: u32) -> CanterMatrix {
    return canter_matrix(palette);
}

#if previous
fn canter_previous_world(palette: u32) -> CanterMatrix {
    return canter_matrix(palette + MATRIX_ROWSu);
}

#end
#end
fn canter_transform_point(matrix: CanterMatrix, position: vec3<f32>) -> vec3<f32> {
    let point = vec4<f32>(position, 1.0);
    return vec3<f32>(dot(matrix.x, point), dot(matrix.y, point), dot(matrix.z, point));
}

fn canter_unit(direction: vec3<f32>) -> vec3<f32> {
    // The largest component first: the square of a small number underflows to zero.
    let largest = max(max(abs(direction.x), abs(direction.y)), abs(direction.z));
    if !(largest > 1e-36) {
        return vec3<f32>(0.0);
    }
    return normalize(direction / largest);
}

// The first of three directions that has a length: joints that pull against each other squash a vertex to a line or
// to a point, which has no upright direction.
fn canter_normal(upright: vec3<f32>, along: vec3<f32>, rest: vec3<f32>) -> vec3<f32> {
    var normal = canter_unit(upright);
    if all(normal == vec3<f32>(0.0)) {
        normal = canter_unit(along);
    }
    if all(normal == vec3<f32>(0.0)) {
        normal = canter_unit(rest);
    }
    return normal;
}

fn canter_transform(matrix: CanterMatrix, vertex: CanterVertex) -> CanterVertex {
    let x = matrix.x.xyz;
    let y = matrix.y.xyz;
    let z = matrix.z.xyz;
    // A normal stays upright on a surface that is scaled unevenly only under the inverse transpose. The cofactors are
    // the same up to a factor, exist for singular matrices as well, and carry the sign of a mirrored one.
    let yz = cross(y, z);
    let mirrored = select(1.0, -1.0, dot(x, yz) < 0.0);
    let normal = vec3<f32>(dot(yz, vertex.normal), dot(cross(z, x), vertex.normal), dot(cross(x, y), vertex.normal));
    let along = vec3<f32>(dot(x, vertex.normal), dot(y, vertex.normal), dot(z, vertex.normal));
    let tangent = vec3<f32>(dot(x, vertex.tangent.xyz), dot(y, vertex.tangent.xyz), dot(z, vertex.tangent.xyz));
    return CanterVertex(
        canter_transform_point(matrix, vertex.position),
        canter_normal(normal * mirrored, along, vertex.normal),
        vec4<f32>(canter_unit(tangent), vertex.tangent.w * mirrored),
    );
}

#if morphs
@group(TARGETS_GROUP) @binding(TARGETS_BINDING) var canter_targets: texture_2d<f32>;

fn canter_target_texel(index: u32) -> vec4<f32> {
    let width = textureDimensions(canter_targets).x;
    return textureLoad(canter_targets, vec2<i32>(i32(index % width), i32(index / width)), 0);
}

// Entry `entry` of a list of morph weights: the number of the target, and its weight.
fn canter_morph_weight(list: u32, entry: u32) -> vec2<f32> {
    let two = canter_row(list + entry / 2u);
    return select(two.xy, two.zw, entry % 2u == 1u);
}

fn canter_morph(vertex: CanterVertex, vertex_index: u32, morphs: u32) -> CanterVertex {
    var morphed = vertex;
    // Vertices, targets, and where among the texels of a vertex its normal and its tangent are; 0: nowhere.
    let head = canter_target_texel(0u);
    let normal_at = u32(head.z);
    let tangent_at = u32(head.w);
    let texels = 1u + min(normal_at, 1u) + min(tangent_at, 1u);
    let count = u32(min(canter_row(morphs).x, head.y));
    for (var entry = 0u; entry < count; entry++) {
        let pair = canter_morph_weight(morphs + 1u, entry);
        let first = 1u + (u32(pair.x) * u32(head.x) + vertex_index) * texels;
        morphed.position += pair.y * canter_target_texel(first).xyz;
        if normal_at > 0u {
            morphed.normal += pair.y * canter_target_texel(first + normal_at).xyz;
        }
        if tangent_at > 0u {
            morphed.tangent += vec4<f32>(pair.y * canter_target_texel(first + tangent_at).xyz, 0.0);
        }
    }
    return morphed;
}

#if previous
fn canter_previous_morph(position: vec3<f32>, vertex_index: u32, morphs: u32) -> vec3<f32> {
    var morphed = position;
    let head = canter_target_texel(0u);
    let texels = 1u + min(u32(head.z), 1u) + min(u32(head.w), 1u);
    let counts = min(canter_row(morphs).xy, vec2<f32>(head.y));
    let list = morphs + 1u + (u32(counts.x) + 1u) / 2u;
    for (var entry = 0u; entry < u32(counts.y); entry++) {
        let pair = canter_morph_weight(list, entry);
        let first = 1u + (u32(pair.x) * u32(head.x) + vertex_index) * texels;
        morphed += pair.y * canter_target_texel(first).xyz;
    }
    return morphed;
}

#end
#end
#if none
fn canter_skin(vertex: CanterVertex, palette: u32) -> CanterVertex {
    return canter_transform(canter_matrix(palette + FIRST_ROWu), vertex);
}

#if previous
fn canter_previous_skin(position: vec3<f32>, palette: u32) -> vec3<f32> {
    return canter_transform_point(canter_matrix(palette + FIRST_ROWu + MATRIX_ROWSu), position);
}
#end
#end
#if some
// Adds the matrices of up to four joints, by weight. A loop whose length is not known beforehand: weights at the end are
// often 0, and software drivers take minutes to compile eight matrices in a row.
fn canter_mix(sum: CanterMatrix, first: u32, joints: vec4<u32>, weights: vec4<f32>) -> CanterMatrix {
    let of_two = select(1u, 2u, weights.y != 0.0);
    let of_three = select(of_two, 3u, weights.z != 0.0);
    let count = select(of_three, 4u, weights.w != 0.0);
    var mixed = sum;
    for (var i = 0u; i < count; i++) {
        let matrix = canter_matrix(first + joints[i] * STEP_ROWSu);
        mixed.x += matrix.x * weights[i];
        mixed.y += matrix.y * weights[i];
        mixed.z += matrix.z * weights[i];
    }
    return mixed;
}

// What makes the sum of the weights of a vertex one. A sum that is off by less than 1e-4 is a file's own rounding.
fn canter_weight_factor(sum: f32) -> f32 {
    return select(1.0 / sum, 1.0, abs(sum - 1.0) <= 1e-4);
}

#end
#if four
fn canter_blend(first: u32, joints: vec4<u32>, weights: vec4<f32>) -> CanterMatrix {
    let sum = dot(weights, vec4<f32>(1.0));
    if !(sum > 0.0) {
        return canter_matrix(first + joints.x * STEP_ROWSu);
    }
    let nothing = CanterMatrix(vec4<f32>(0.0), vec4<f32>(0.0), vec4<f32>(0.0));
    return canter_mix(nothing, first, joints, weights * canter_weight_factor(sum));
}

fn canter_skin(vertex: CanterVertex, joints: vec4<u32>, weights: vec4<f32>, palette: u32) -> CanterVertex {
    return canter_transform(canter_blend(palette + FIRST_ROWu, joints, weights), vertex);
}

#if previous
fn canter_previous_skin(position: vec3<f32>, joints: vec4<u32>, weights: vec4<f32>, palette: u32) -> vec3<f32> {
    let matrix = canter_blend(palette + FIRST_ROWu + MATRIX_ROWSu, joints, weights);
    return canter_transform_point(matrix, position);
}
#end
#end
#if eight
fn canter_blend(
    first: u32,
    joints: vec4<u32>,
    weights: vec4<f32>,
    more_joints: vec4<u32>,
    more_weights: vec4<f32>,
) -> CanterMatrix {
    let sum = dot(weights, vec4<f32>(1.0)) + dot(more_weights, vec4<f32>(1.0));
    if !(sum > 0.0) {
        return canter_matrix(first + joints.x * STEP_ROWSu);
    }
    let factor = canter_weight_factor(sum);
    let nothing = CanterMatrix(vec4<f32>(0.0), vec4<f32>(0.0), vec4<f32>(0.0));
    let half = canter_mix(nothing, first, joints, weights * factor);
    return canter_mix(half, first, more_joints, more_weights * factor);
}

fn canter_skin(
    vertex: CanterVertex,
    joints: vec4<u32>,
    weights: vec4<f32>,
    more_joints: vec4<u32>,
    more_weights: vec4<f32>,
    palette: u32,
) -> CanterVertex {
    let matrix = canter_blend(palette + FIRST_ROWu, joints, weights, more_joints, more_weights);
    return canter_transform(matrix, vertex);
}

#if previous
fn canter_previous_skin(
    position: vec3<f32>,
    joints: vec4<u32>,
    weights: vec4<f32>,
    more_joints: vec4<u32>,
    more_weights: vec4<f32>,
    palette: u32,
) -> vec3<f32> {
    let first = palette + FIRST_ROWu + MATRIX_ROWSu;
    return canter_transform_point(canter_blend(first, joints, weights, more_joints, more_weights), position);
}
#end
#end
