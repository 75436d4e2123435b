struct Material {
    base_color: vec4<f32>,
    // w: whether it is shown without any light.
    emissive: vec4<f32>,
    // Metallic, roughness, strength of the normal texture (0: none), strength of the occlusion.
    factors: vec4<f32>,
    // The smallest alpha that is seen.
    cutoff: vec4<f32>,
    // Two rows for each texture: what makes u and v; the w of the first row is the set of coordinates.
    texture_from_uv: array<vec4<f32>, 10>,
}

@group(1) @binding(0) var<uniform> material: Material;
@group(1) @binding(1) var base_texture: texture_2d<f32>;
@group(1) @binding(2) var base_sampler: sampler;
@group(1) @binding(3) var rough_texture: texture_2d<f32>;
@group(1) @binding(4) var rough_sampler: sampler;
@group(1) @binding(5) var normal_texture: texture_2d<f32>;
@group(1) @binding(6) var normal_sampler: sampler;
@group(1) @binding(7) var occlusion_texture: texture_2d<f32>;
@group(1) @binding(8) var occlusion_sampler: sampler;
@group(1) @binding(9) var emissive_texture: texture_2d<f32>;
@group(1) @binding(10) var emissive_sampler: sampler;

struct Surface {
    @builtin(position) clip: vec4<f32>,
#if shaded
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) color: vec4<f32>,
#end
#if textured
    @location(3) tangent: vec4<f32>,
    @location(4) uv: vec4<f32>,
#end
}

@vertex
fn vertex_main(
    @builtin(vertex_index) vertex_index: u32,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) uv: vec4<f32>,
    @location(4) color: vec4<f32>,
    // Block, palette, morph weights.
    @location(5) numbers: vec4<u32>,
#if some
    @location(6) joints: vec4<u32>,
    @location(7) weights: vec4<f32>,
#end
#if eight
    @location(8) more_joints: vec4<u32>,
    @location(9) more_weights: vec4<f32>,
#end
) -> Surface {
    var vertex = CanterVertex(position, normal, tangent);
#if morphs
    vertex = canter_morph(vertex, vertex_index, numbers.z);
#end
#if none
    vertex = canter_skin(vertex, numbers.y);
#end
#if four
    vertex = canter_skin(vertex, joints, weights, numbers.y);
#end
#if eight
    vertex = canter_skin(vertex, joints, weights, more_joints, more_weights, numbers.y);
#end
    vertex = canter_transform(canter_world(numbers.x), vertex);
#if shadow
    let at = frame.map_from_eye * vec4<f32>(vertex.position, 1.0);
#end
#if seen
    let at = frame.clip_from_eye * vec4<f32>(vertex.position, 1.0);
#end
    var surface: Surface;
    surface.clip = at;
#if shaded
    surface.position = vertex.position;
    surface.normal = vertex.normal;
    surface.color = color;
#end
#if textured
    surface.tangent = vertex.tangent;
    surface.uv = uv;
#end
    return surface;
}

#if shaded
fn texture_place(number: u32, uv: vec4<f32>) -> vec2<f32> {
    let u = material.texture_from_uv[number * 2u];
    let v = material.texture_from_uv[number * 2u + 1u];
    let coordinates = vec3<f32>(select(uv.xy, uv.zw, u.w > 0.5), 1.0);
    return vec2<f32>(dot(u.xyz, coordinates), dot(v.xyz, coordinates));
}

fn base_color(surface: Surface) -> vec4<f32> {
    var color = material.base_color * surface.color;
#if textured
    color *= textureSample(base_texture, base_sampler, texture_place(0u, surface.uv));
#end
    return color;
}
#end

#if holes
@fragment
fn fragment_main(surface: Surface) {
    if base_color(surface).a < material.cutoff.x {
        discard;
    }
}
#end
#if seen
fn bounce(normal: vec3<f32>) -> vec3<f32> {
    return mix(vec3<f32>(0.46, 0.43, 0.41), vec3<f32>(0.70, 0.78, 0.90), 0.5 + 0.5 * normal.y);
}

// What a mirror sees in a direction: a bright sky, a pale horizon, a grey floor. Rough mirrors see it washed out.
fn mirrored(direction: vec3<f32>, roughness: f32) -> vec3<f32> {
    let up = direction.y;
    let soft = 0.15 + 0.85 * roughness;
    let floor_part = smoothstep(0.0, 1.0, clamp(0.5 - up / (2.0 * soft), 0.0, 1.0));
    let sky = mix(vec3<f32>(0.95), vec3<f32>(0.75, 0.85, 1.05), max(up, 0.0));
    return mix(sky, vec3<f32>(0.38, 0.36, 0.35), floor_part);
}

fn glint(half: f32, facing: f32, slope: f32, roughness: f32) -> f32 {
    let alpha = roughness * roughness;
    let square = alpha * alpha;
    let spread = half * half * (square - 1.0) + 1.0;
    let facets = square / (3.14159265 * spread * spread);
    let shading = (facing * (1.0 - alpha / 2.0) + alpha / 2.0) * (slope * (1.0 - alpha / 2.0) + alpha / 2.0);
    return facets / max(4.0 * shading, 0.01);
}

#if textured
// The normal with the texture's bumps on it. Without tangents, the direction of u on the screen serves.
fn bumped(surface: Surface, normal: vec3<f32>) -> vec3<f32> {
    let place = texture_place(2u, surface.uv);
    let right = dpdx(surface.position);
    let down = dpdy(surface.position);
    let place_right = dpdx(place);
    let place_down = dpdy(place);
    let bump = textureSample(normal_texture, normal_sampler, place).xyz * 2.0 - 1.0;
    var tangent = surface.tangent.xyz;
    var other = cross(normal, tangent) * surface.tangent.w;
    if dot(tangent, tangent) < 0.25 {
        // A texture may be mirrored, or be seen from behind.
        let side = select(1.0, -1.0, place_right.x * place_down.y < place_right.y * place_down.x);
        tangent = (right * place_down.y - down * place_right.y) * side;
        // v runs down in pictures, and up in the space of normals.
        other = (right * place_down.x - down * place_right.x) * side;
        let size = max(dot(tangent, tangent), dot(other, other));
        if !(size > 0.0) {
            return normal;
        }
        tangent = tangent * inverseSqrt(size);
        other = other * inverseSqrt(size);
    }
    let scaled = vec3<f32>(bump.xy * material.factors.z, bump.z);
    let turned = tangent * scaled.x + other * scaled.y + normal * scaled.z;
    return turned * inverseSqrt(max(dot(turned, turned), 1e-12));
}
#end

fn lit(surface: Surface, base: vec3<f32>, flat_normal: vec3<f32>, to_eye: vec3<f32>) -> vec3<f32> {
    var normal = flat_normal;
#if untextured
    let rough = vec4<f32>(1.0);
    let occlusion = 1.0;
#end
#if textured
    let rough = textureSample(rough_texture, rough_sampler, texture_place(1u, surface.uv));
    let occlusion = textureSample(occlusion_texture, occlusion_sampler, texture_place(3u, surface.uv)).r;
    if material.factors.z != 0.0 {
        normal = bumped(surface, flat_normal);
    }
#end
    let roughness = clamp(material.factors.y * rough.g, 0.08, 1.0);
    let metallic = clamp(material.factors.x * rough.b, 0.0, 1.0);
    let mirror = mix(vec3<f32>(0.04), base, metallic);
    let facing = clamp(dot(normal, to_eye), 0.0, 1.0);
    let open = mix(1.0, occlusion, material.factors.w);

    let matt = base * (1.0 - metallic);
    var light = matt * bounce(normal) * (0.75 * open);
    let sheen = mirror + (1.0 - mirror) * (pow(1.0 - facing, 5.0) * (1.0 - roughness) * 0.6);
    light += sheen * mirrored(reflect(-to_eye, normal), roughness) * (1.2 * open);

    let slope = dot(normal, frame.sun.xyz);
    // The surface's own slope decides on its shadow: bumps cast none.
    let lifted = surface.position + flat_normal * frame.screen.z * 2.5;
    if slope > 0.0 {
        let reach = smoothstep(0.0, 0.25, dot(flat_normal, frame.sun.xyz));
        let reached = reach * sun_on(lifted, depth_slope(flat_normal), frame.sun.w * 0.6, FIGURE_TAPS, turn_of(surface.clip.xy));
        let half = normalize(frame.sun.xyz + to_eye);
        let shine = glint(dot(normal, half), facing, slope, roughness);
        let edge = mirror + (1.0 - mirror) * pow(1.0 - clamp(dot(half, to_eye), 0.0, 1.0), 5.0);
        light += vec3<f32>(2.15, 2.02, 1.82) * (slope * reached) * (matt + edge * shine * 3.14159265);
    }
    // White in full sun comes out a little below white.
    return light * 0.52;
}

@fragment
fn fragment_main(surface: Surface) -> @location(0) vec4<f32> {
    let base = base_color(surface);
    var emitted = material.emissive.rgb;
#if textured
    emitted *= textureSample(emissive_texture, emissive_sampler, texture_place(4u, surface.uv)).rgb;
#end
#if mask
    if base.a < material.cutoff.x {
        discard;
    }
#end
    // The eye is the origin.
    let to_eye = normalize(-surface.position);
    var normal = surface.normal;
#if flat
    let upright = cross(dpdx(surface.position), dpdy(surface.position));
    normal = upright * inverseSqrt(max(dot(upright, upright), 1e-30));
    normal = select(normal, -normal, dot(normal, to_eye) < 0.0);
#end
    let size = dot(normal, normal);
    normal = select(to_eye, normal * inverseSqrt(max(size, 1e-12)), size > 1e-6);
    // Both sides are lit: what is seen faces the eye. (A little less: the edge of a smooth surface turns away.)
    normal = select(normal, -normal, dot(normal, to_eye) < -0.2);
    var light = base.rgb;
    if material.emissive.w == 0.0 {
        light = lit(surface, base.rgb, normal, to_eye) + emitted;
    }
    let color = shown(tone_mapped(light));
#if blend
    let alpha = clamp(base.a, 0.0, 1.0);
    return vec4<f32>(color * alpha, alpha);
#end
#if opaque
    return vec4<f32>(color, 1.0);
#end
}
#end
