@group(2) @binding(0) var shadow_map: texture_depth_2d;
@group(2) @binding(1) var shadow_sampler: sampler_comparison;

// How the depth of a surface with this normal changes across the shadow map. A disc of the map is compared with the plane of the
// surface: at a single depth, half of it would lie in the shadow of the other half.
fn depth_slope(normal: vec3<f32>) -> vec2<f32> {
    let rows = transpose(frame.map_from_eye);
    let across = vec2<f32>(dot(rows[0].xyz, normal), -dot(rows[1].xyz, normal)) / length(rows[0].xyz);
    return across / max(dot(normal, frame.sun.xyz), 0.15);
}

// How much of the sun reaches a point, on average over a disc of the shadow map. `softness` is its radius, `taps` the number of
// places, `slope` what `depth_slope` gives, or zero for what throws no shadow itself.
fn sun_on(position: vec3<f32>, slope: vec2<f32>, softness: f32, taps: u32, turn: f32) -> f32 {
    let at = frame.map_from_eye * vec4<f32>(position, 1.0);
    if any(abs(at.xy) >= vec2<f32>(1.0)) {
        return 1.0;
    }
    // The ground may lie behind all that the map was fitted to, and is in its shadow all the same.
    let depth = min(at.z, 1.0);
    let middle = at.xy * vec2<f32>(0.5, -0.5) + 0.5;
    // The golden angle as a rotation, instead of a sine and a cosine for each place.
    let golden = mat2x2<f32>(-0.7373689, 0.6754903, -0.6754903, -0.7373689);
    var direction = vec2<f32>(cos(turn), sin(turn));
    var light = 0.0;
    for (var i = 0u; i < taps; i++) {
        // Sunflower seeds: even over the disc.
        let offset = direction * (sqrt((f32(i) + 0.5) / f32(taps)) * softness);
        direction = golden * direction;
        light += textureSampleCompareLevel(shadow_map, shadow_sampler, middle + offset, depth + dot(offset, slope));
    }
    return light / f32(taps);
}

// An angle that differs from pixel to pixel without a pattern that the eye would find.
fn turn_of(pixel: vec2<f32>) -> f32 {
    return 6.2831853 * fract(52.9829189 * fract(dot(pixel, vec2<f32>(0.06711056, 0.00583715))));
}
