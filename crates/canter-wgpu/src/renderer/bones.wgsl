// Bones on top of everything: rods with round ends, a few pixels wide.

struct Rod {
    @builtin(position) clip: vec4<f32>,
    // In pixels from the first end.
    @location(0) pixel: vec2<f32>,
    @location(1) @interpolate(flat) along: vec2<f32>,
    @location(2) @interpolate(flat) radius: f32,
    @location(3) @interpolate(flat) color: vec4<f32>,
}

@vertex
fn bones_vertex(
    @builtin(vertex_index) index: u32,
    @location(0) from_radius: vec4<f32>,
    @location(1) to: vec4<f32>,
    @location(2) color: vec4<f32>,
) -> Rod {
    let a = frame.clip_from_eye * vec4<f32>(from_radius.xyz, 1.0);
    let b = frame.clip_from_eye * vec4<f32>(to.xyz, 1.0);
    if a.w <= 1e-4 || b.w <= 1e-4 {
        return Rod(vec4<f32>(2.0, 2.0, 2.0, 1.0), vec2<f32>(0.0), vec2<f32>(0.0), 0.0, vec4<f32>(0.0));
    }
    let half_screen = frame.screen.xy * 0.5;
    let start = a.xy / a.w * half_screen;
    let end = b.xy / b.w * half_screen;
    let length_of = length(end - start);
    let along = select(vec2<f32>(1.0, 0.0), (end - start) / max(length_of, 1e-6), length_of > 1e-3);
    let across = vec2<f32>(-along.y, along.x);
    let radius = from_radius.w;
    let margin = radius + 1.0;
    let corner = vec2<f32>(f32(index & 1u), f32(index >> 1u));
    let offset = along * mix(-margin, length_of + margin, corner.x) + across * (corner.y * 2.0 - 1.0) * margin;
    let at = (start + offset) / half_screen;
    return Rod(vec4<f32>(at, 0.5, 1.0), offset, end - start, radius, color);
}

@fragment
fn bones_fragment(rod: Rod) -> @location(0) vec4<f32> {
    let share = clamp(dot(rod.pixel, rod.along) / max(dot(rod.along, rod.along), 1e-6), 0.0, 1.0);
    let away = length(rod.pixel - rod.along * share) - rod.radius;
    let alpha = rod.color.a * clamp(0.5 - away, 0.0, 1.0);
    return vec4<f32>(shown(rod.color.rgb) * alpha, alpha);
}
