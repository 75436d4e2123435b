// Puts a picture into a part of the window.
@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var picture_sampler: sampler;

struct Corner {
    @builtin(position) clip: vec4<f32>,
    @location(0) place: vec2<f32>,
}

// One triangle, of which the part is a half.
@vertex
fn pane_vertex(@builtin(vertex_index) index: u32) -> Corner {
    let place = vec2<f32>(f32(index & 1u), f32(index >> 1u)) * 2.0;
    return Corner(vec4<f32>(place.x * 2.0 - 1.0, 1.0 - place.y * 2.0, 0.0, 1.0), place);
}

@fragment
fn pane_fragment(corner: Corner) -> @location(0) vec4<f32> {
    return textureSampleLevel(picture, picture_sampler, corner.place, 0.0);
}
