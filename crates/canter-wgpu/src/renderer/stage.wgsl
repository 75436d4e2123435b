// What is behind the figures, and the ground below them.

struct Corner {
    @builtin(position) clip: vec4<f32>,
    @location(0) place: vec3<f32>,
}

@vertex
fn background_vertex(@builtin(vertex_index) index: u32) -> Corner {
    let corner = vec2<f32>(f32(index & 1u), f32(index >> 1u)) * 4.0 - 1.0;
    return Corner(vec4<f32>(corner, 0.0, 1.0), vec3<f32>(corner, 0.0));
}

@fragment
fn background_fragment(corner: Corner) -> @location(0) vec4<f32> {
    let wide = vec2<f32>(frame.screen.x / max(frame.screen.y, 1.0), 1.0);
    let away = length((corner.place.xy - vec2<f32>(0.0, 0.1)) * wide) / length(wide);
    let color = mix(frame.background.rgb, frame.background_edge.rgb, smoothstep(0.0, 1.1, away));
    return vec4<f32>(shown(color) * frame.background.a, frame.background.a);
}

@vertex
fn ground_vertex(@builtin(vertex_index) index: u32) -> Corner {
    let corner = vec2<f32>(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    let place = vec3<f32>(
        frame.grid.z + corner.x * frame.ground.z,
        frame.ground.x,
        frame.grid.w + corner.y * frame.ground.z,
    );
    return Corner(frame.clip_from_eye * vec4<f32>(place, 1.0), place);
}

// How much of a pixel a line covers. Lines that are finer than a pixel grow faint instead of flickering.
fn line(place: f32, footprint: f32, spacing: f32) -> f32 {
    let half = spacing * 0.006;
    let distance = abs(place / spacing - round(place / spacing)) * spacing;
    let wide = max(footprint, 1e-6);
    let cover = clamp((half + wide / 2.0 - distance) / wide, 0.0, 1.0);
    return min(cover, max(half * 2.0 / wide, 0.35)) * clamp(1.0 - wide / (spacing * 0.6), 0.0, 1.0);
}

@fragment
fn ground_fragment(corner: Corner) -> @location(0) vec4<f32> {
    let place = corner.place.xz + frame.grid.xy;
    let footprint = fwidth(corner.place.xz);
    let away = length(corner.place.xz - frame.grid.zw) / frame.ground.z;
    let fade = smoothstep(0.0, 1.0, clamp(1.0 - away, 0.0, 1.0));
    let lines = max(line(place.x, footprint.x, frame.ground.y), line(place.y, footprint.y, frame.ground.y));
    let turn = turn_of(corner.clip.xy);
    let sun = 1.0 - sun_on(corner.place, vec2<f32>(0.0), frame.sun.w, GROUND_TAPS, turn);
    // What is close above the ground keeps some of the sky away from it, too.
    let sky = 1.0 - sun_on(corner.place, vec2<f32>(0.0), frame.sun.w * 5.0, GROUND_TAPS, turn);
    let shadow = 1.0 - (1.0 - 0.34 * sun) * (1.0 - 0.2 * sky * sky);
    let grid = 0.22 * lines * fade;
    // Shadows are a cool dark, lines a neutral one.
    let alpha = 1.0 - (1.0 - shadow) * (1.0 - grid);
    return vec4<f32>(shown(vec3<f32>(0.035, 0.04, 0.05)) * alpha, alpha);
}
