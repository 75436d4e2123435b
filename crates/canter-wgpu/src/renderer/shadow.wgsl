@group(2) @binding(0) var shadow_map: texture_depth_2d;
@group(2) @binding(1) var shadow_sampler: sampler_comparison;

// How much of the sun reaches a point, on average over a disc of the shadow map. `softness` is its radius, `taps` the number of places.
fn sun_on(position: vec3<f32>, softness: f32, taps: u32, turn: f32) -> f32 {
    let at = frame.map_from_world * vec4<f32>(position, 1.0);
    if any(abs(at.xy) >= vec2<f32>(1.0)) {
        return 1.0;
    }
    // The ground may lie behind all that the map was fitted to, and is in its shadow all the same.
    let depth = min(at.z, 1.0);
    let middle = at.xy * vec2<f32>(0.5, -0.5) + 0.5;
    var light = 0.0;
    for (var i = 0u; i < taps; i++) {
        // Sunflower seeds: even over the disc.
        let radius = sqrt((f32(i) + 0.5) / f32(taps)) * softness;
        let angle = f32(i) * 2.3999632 + turn;
        let offset = vec2<f32>(cos(angle), sin(angle)) * radius;
        light += textureSampleCompareLevel(shadow_map, shadow_sampler, middle + offset, depth);
    }
    return light / f32(taps);
}

// An angle that differs from pixel to pixel without a pattern that the eye would find.
fn turn_of(pixel: vec2<f32>) -> f32 {
    return 6.2831853 * fract(52.9829189 * fract(dot(pixel, vec2<f32>(0.06711056, 0.00583715))));
}
