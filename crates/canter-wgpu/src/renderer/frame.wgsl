// What all shaders of the renderer share. Positions are relative to the camera's eye.
struct Frame {
    clip_from_eye: mat4x4<f32>,
    // x and y from -1 to 1 across the shadow map, z from 0 to 1 away from the sun.
    map_from_eye: mat4x4<f32>,
    // Toward the sun; w: how soft its shadow is, as a part of the map.
    sun: vec4<f32>,
    // Height, metres between two lines, how far it is seen, whether there is any.
    ground: vec4<f32>,
    // Shift of the lines along x and z, and the middle of what is seen.
    grid: vec4<f32>,
    // Of the middle; w: alpha.
    background: vec4<f32>,
    background_edge: vec4<f32>,
    // Width and height in pixels, the size of a texel of the shadow map in metres, whether colours are encoded here.
    screen: vec4<f32>,
}

@group(0) @binding(0) var<uniform> frame: Frame;

// Bends what is too bright for the screen below 1, and leaves the rest alone. The hue stays; the brightest tend to white.
fn tone_mapped(light: vec3<f32>) -> vec3<f32> {
    let knee = 0.75;
    let peak = max(light.r, max(light.g, light.b));
    if peak <= knee {
        return max(light, vec3<f32>(0.0));
    }
    let room = 1.0 - knee;
    let bent = 1.0 - room * room / (peak + room - knee);
    let white = 1.0 - 1.0 / (0.15 * (peak - bent) + 1.0);
    return mix(light * (bent / peak), vec3<f32>(bent), white);
}

// Light as the target takes it: encoded, unless its format does that.
fn shown(light: vec3<f32>) -> vec3<f32> {
    if frame.screen.w == 0.0 {
        return light;
    }
    let low = light * 12.92;
    let high = 1.055 * pow(max(light, vec3<f32>(0.0)), vec3<f32>(1.0 / 2.4)) - 0.055;
    return select(high, low, light <= vec3<f32>(0.0031308));
}
