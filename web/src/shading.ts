// The look of the page, once in each language. Colours are linear until the last line.

const WGSL_CAMERA = /* wgsl */ `
struct Camera {
  clip_from_world: mat4x4<f32>,
  eye: vec4<f32>,
  // The direction; how dark shadows are.
  sun: vec4<f32>,
  // Where the figure is, in cells: x, z; cells per unit; 1 / how far the ground is lit.
  ground: vec4<f32>,
  // The height of the ground; how far above it shadows lie; where ground and sky meet in the picture.
  level: vec4<f32>,
  // Colours; what lines add to the first.
  far: vec4<f32>, near: vec4<f32>, sky: vec4<f32>,
}
@group(0) @binding(0) var<uniform> camera: Camera;
`;

const WGSL_COMMON = /* wgsl */ `
fn lit(base: vec3<f32>, normal: vec3<f32>, to_eye: vec3<f32>, sun: vec3<f32>) -> vec3<f32> {
  let sky = mix(vec3<f32>(0.20, 0.17, 0.16), vec3<f32>(0.50, 0.58, 0.74), normal.y * 0.5 + 0.5);
  let light = max(dot(normal, sun), 0.0);
  let half_way = normalize(sun + to_eye);
  let shine = pow(max(dot(normal, half_way), 0.0), 40.0) * 0.16 * light;
  let rim = pow(1.0 - max(dot(normal, to_eye), 0.0), 4.0) * 0.35 * (normal.y * 0.5 + 0.5);
  return base * (sky + light * vec3<f32>(1.55, 1.42, 1.22)) + vec3<f32>(shine) + rim * vec3<f32>(0.42, 0.52, 0.75);
}
fn finish(color: vec3<f32>) -> vec3<f32> {
  let mapped = color * (color * 0.18 + 1.0) / (color * 0.42 + 1.0);
  return pow(clamp(mapped, vec3<f32>(0.0), vec3<f32>(1.0)), vec3<f32>(1.0 / 2.2));
}
`;

/** What is behind the skinning functions. */
export const WGSL_FIGURE = /* wgsl */ `${WGSL_CAMERA}${WGSL_COMMON}
@group(2) @binding(1) var color_texture: texture_2d<f32>;
@group(2) @binding(2) var color_sampler: sampler;
// The alpha below which nothing is seen; where the list of morph weights begins.
@group(2) @binding(3) var<uniform> material: vec4<f32>;

struct Input {
  @builtin(vertex_index) index: u32,
  @location(0) position: vec3<f32>, @location(1) normal: vec3<f32>, @location(2) color: vec4<f32>,
  @location(3) uv: vec2<f32>, @location(4) weights: vec4<f32>, @location(5) joints: vec4<f32>,
  @location(6) place: vec4<f32>, @location(7) morphs: vec4<f32>,
}
struct Output {
  @builtin(position) clip: vec4<f32>, @location(0) world: vec3<f32>, @location(1) normal: vec3<f32>,
  @location(2) color: vec4<f32>, @location(3) uv: vec2<f32>,
}

fn turn(v: vec3<f32>, yaw: f32) -> vec3<f32> {
  return vec3<f32>(cos(yaw) * v.x + sin(yaw) * v.z, v.y, cos(yaw) * v.z - sin(yaw) * v.x);
}

fn posed(input: Input) -> CanterVertex {
  let list = u32(input.morphs.x + material.y);
  let morphed = canter_morph(CanterVertex(input.position, input.normal, vec4<f32>(0.0)), input.index, list);
  let vertex = canter_skin(morphed, vec4<u32>(input.joints), input.weights, u32(input.place.w));
  let position = turn(vertex.position, input.place.z) + vec3<f32>(input.place.x, 0.0, input.place.y);
  return CanterVertex(position, turn(vertex.normal, input.place.z), vec4<f32>(0.0));
}

@vertex fn figure(input: Input) -> Output {
  let vertex = posed(input);
  return Output(camera.clip_from_world * vec4<f32>(vertex.position, 1.0), vertex.position, vertex.normal, input.color, input.uv);
}

@vertex fn shadow(input: Input) -> @builtin(position) vec4<f32> {
  let at = posed(input).position;
  let flat = at - camera.sun.xyz * (max(at.y - camera.level.x, 0.0) / camera.sun.y);
  return camera.clip_from_world * vec4<f32>(flat.x, camera.level.x + camera.level.y, flat.z, 1.0);
}

@fragment fn figure_color(input: Output, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
  let base = input.color * textureSample(color_texture, color_sampler, input.uv);
  if base.a < material.x { discard; }
  let to_eye = normalize(camera.eye.xyz - input.world);
  let normal = normalize(input.normal) * select(-1.0, 1.0, front);
  return vec4<f32>(finish(lit(base.rgb, normal, to_eye, camera.sun.xyz)), 1.0);
}
@fragment fn shadow_color() -> @location(0) vec4<f32> { return vec4<f32>(0.02, 0.03, 0.06, camera.sun.w); }
`;

export const WGSL_GROUND = /* wgsl */ `${WGSL_CAMERA}${WGSL_COMMON}
struct Output { @builtin(position) clip: vec4<f32>, @location(0) at: vec2<f32> }

@vertex fn ground(@builtin(vertex_index) index: u32) -> Output {
  let at = (vec2<f32>(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0) * 4.0 / camera.ground.w;
  return Output(camera.clip_from_world * vec4<f32>(at.x, camera.level.x, at.y, 1.0), at);
}
fn line(at: vec2<f32>, width: f32) -> f32 {
  let away = abs(fract(at - 0.5) - 0.5);
  let slope = fwidth(at) + vec2<f32>(1e-4);
  let seen = 1.0 - smoothstep(vec2<f32>(width), vec2<f32>(width) + slope * 1.5, away);
  return max(seen.x, seen.y) * clamp(1.2 - max(slope.x, slope.y) * 2.0, 0.0, 1.0);
}
@fragment fn ground_color(input: Output) -> @location(0) vec4<f32> {
  let cells = input.at * camera.ground.z + camera.ground.xy;
  let away = length(input.at) * camera.ground.w;
  let fade = exp(-4.0 * away * away);
  let grid = (line(cells, 0.012) + line(cells * 0.25, 0.004)) * camera.far.w;
  let floor_color = mix(camera.far.rgb, camera.near.rgb, fade) + grid * fade;
  return vec4<f32>(finish(mix(camera.far.rgb, floor_color, exp(-away))), 1.0);
}
struct Print { @builtin(position) clip: vec4<f32>, @location(0) at: vec2<f32>, @location(1) clear: f32 }
@vertex fn print(@builtin(vertex_index) index: u32, @location(0) place: vec4<f32>) -> Print {
  let at = mix(vec2<f32>(-0.07, -0.21), vec2<f32>(0.07, 0.11), vec2<f32>(f32(index & 1u), f32(index >> 1u)));
  let turned = vec2<f32>(cos(place.z) * at.x + sin(place.z) * at.y, cos(place.z) * at.y - sin(place.z) * at.x);
  let world = place.xy + turned;
  let clip = camera.clip_from_world * vec4<f32>(world.x, camera.level.x, world.y, 1.0);
  return Print(clip, vec2<f32>(at.x * sign(place.w), at.y), abs(place.w));
}
fn oval(at: vec2<f32>, size: vec2<f32>) -> f32 {
  let away = length(at / size);
  return 1.0 - smoothstep(0.85, 1.0, away);
}
@fragment fn print_color(input: Print) -> @location(0) vec4<f32> {
  let sole = oval(input.at - vec2<f32>(0.006, 0.0), vec2<f32>(0.046, 0.085));
  let heel = oval(input.at + vec2<f32>(0.0, 0.13), vec2<f32>(0.034, 0.045));
  return vec4<f32>(0.95, 0.71, 0.42, 0.7 * input.clear * max(sole, heel));
}
@vertex fn sky(@builtin(vertex_index) index: u32) -> Output {
  let corner = vec2<f32>(f32(index & 1u), f32(index >> 1u)) * 4.0 - 1.0;
  return Output(vec4<f32>(corner, 1.0, 1.0), corner);
}
@fragment fn sky_color(input: Output) -> @location(0) vec4<f32> {
  return vec4<f32>(finish(mix(camera.far.rgb, camera.sky.rgb, clamp((input.at.y - camera.level.z) * 0.6, 0.0, 1.0))), 1.0);
}
`;

/** The same in GLSL ES 3.00, by the differences of the two languages. */
const GLSL_LOOK = /* glsl */ `
vec3 lit(vec3 base, vec3 normal, vec3 to_eye, vec3 sun) {
  vec3 sky = mix(vec3(0.20, 0.17, 0.16), vec3(0.50, 0.58, 0.74), normal.y * 0.5 + 0.5);
  float light = max(dot(normal, sun), 0.0);
  vec3 half_way = normalize(sun + to_eye);
  float shine = pow(max(dot(normal, half_way), 0.0), 40.0) * 0.16 * light;
  float rim = pow(1.0 - max(dot(normal, to_eye), 0.0), 4.0) * 0.35 * (normal.y * 0.5 + 0.5);
  return base * (sky + light * vec3(1.55, 1.42, 1.22)) + vec3(shine) + rim * vec3(0.42, 0.52, 0.75);
}
vec3 finish(vec3 color) {
  vec3 mapped = color * (color * 0.18 + 1.0) / (color * 0.42 + 1.0);
  return pow(clamp(mapped, vec3(0.0), vec3(1.0)), vec3(1.0 / 2.2));
}
`;
const HEAD = '#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;\n';
const CAMERA = `layout(std140) uniform Camera {
  mat4 clip_from_world; vec4 eye; vec4 sun; vec4 ground; vec4 level; vec4 far_color; vec4 near_color; vec4 sky_color;
};
`;

export function glslFigure(skinning: string, isShadow: boolean): [string, string] {
  const vertex = `${HEAD}${skinning}${CAMERA}
layout(location = 0) in vec3 position; layout(location = 1) in vec3 normal; layout(location = 2) in vec4 color;
layout(location = 3) in vec2 uv; layout(location = 4) in vec4 weights; layout(location = 5) in vec4 joints;
layout(location = 6) in vec4 place; layout(location = 7) in vec4 morphs;
uniform vec4 material;
out vec3 v_world; out vec3 v_normal; out vec4 v_color; out vec2 v_uv;
vec3 turn(vec3 v, float yaw) { return vec3(cos(yaw) * v.x + sin(yaw) * v.z, v.y, cos(yaw) * v.z - sin(yaw) * v.x); }
void main() {
  CanterVertex morphed = canter_morph(CanterVertex(position, normal, vec4(0.0)), uint(gl_VertexID), uint(morphs.x + material.y));
  CanterVertex vertex = canter_skin(morphed, uvec4(joints), weights, uint(place.w));
  v_world = turn(vertex.position, place.z) + vec3(place.x, 0.0, place.y);
  v_normal = turn(vertex.normal, place.z);
  v_color = color;
  v_uv = uv;
  ${isShadow ? 'v_world -= sun.xyz * (max(v_world.y - level.x, 0.0) / sun.y); v_world.y = level.x + level.y;' : ''}
  gl_Position = clip_from_world * vec4(v_world, 1.0);
}`;
  const fragment = `${HEAD}${GLSL_LOOK}${CAMERA}
uniform vec4 material;
uniform sampler2D color_texture;
in vec3 v_world; in vec3 v_normal; in vec4 v_color; in vec2 v_uv;
out vec4 result;
void main() {
  ${
    isShadow
      ? 'result = vec4(0.02, 0.03, 0.06, sun.w);'
      : `vec4 base = v_color * texture(color_texture, v_uv);
  if (base.a < material.x) discard;
  vec3 normal = normalize(v_normal) * (gl_FrontFacing ? 1.0 : -1.0);
  result = vec4(finish(lit(base.rgb, normal, normalize(eye.xyz - v_world), sun.xyz)), 1.0);`
  }
}`;
  return [vertex, fragment];
}

export const GLSL_GROUND: [string, string] = [
  `${HEAD}${CAMERA}
out vec2 v_at;
void main() {
  v_at = (vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0) * 4.0 / ground.w;
  gl_Position = clip_from_world * vec4(v_at.x, level.x, v_at.y, 1.0);
}`,
  `${HEAD}${GLSL_LOOK}${CAMERA}
in vec2 v_at;
out vec4 result;
float line(vec2 at, float width) {
  vec2 away = abs(fract(at - 0.5) - 0.5);
  vec2 slope = fwidth(at) + vec2(1e-4);
  vec2 seen = 1.0 - smoothstep(vec2(width), vec2(width) + slope * 1.5, away);
  return max(seen.x, seen.y) * clamp(1.2 - max(slope.x, slope.y) * 2.0, 0.0, 1.0);
}
void main() {
  vec2 cells = v_at * ground.z + ground.xy;
  float away = length(v_at) * ground.w;
  float fade = exp(-4.0 * away * away);
  float grid = (line(cells, 0.012) + line(cells * 0.25, 0.004)) * far_color.w;
  vec3 floor_color = mix(far_color.rgb, near_color.rgb, fade) + grid * fade;
  result = vec4(finish(mix(far_color.rgb, floor_color, exp(-away))), 1.0);
}`,
];

export const GLSL_PRINT: [string, string] = [
  `${HEAD}${CAMERA}
layout(location = 0) in vec4 place;
out vec2 v_at; out float v_clear;
void main() {
  vec2 at = mix(vec2(-0.07, -0.21), vec2(0.07, 0.11), vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)));
  vec2 world = place.xy + vec2(cos(place.z) * at.x + sin(place.z) * at.y, cos(place.z) * at.y - sin(place.z) * at.x);
  v_at = vec2(at.x * sign(place.w), at.y);
  v_clear = abs(place.w);
  gl_Position = clip_from_world * vec4(world.x, level.x, world.y, 1.0);
}`,
  `${HEAD}
in vec2 v_at; in float v_clear;
out vec4 result;
float oval(vec2 at, vec2 size) { return 1.0 - smoothstep(0.85, 1.0, length(at / size)); }
void main() {
  float sole = oval(v_at - vec2(0.006, 0.0), vec2(0.046, 0.085));
  float heel = oval(v_at + vec2(0.0, 0.13), vec2(0.034, 0.045));
  result = vec4(0.95, 0.71, 0.42, 0.7 * v_clear * max(sole, heel));
}`,
];

export const GLSL_SKY: [string, string] = [
  `${HEAD}
out vec2 v_at;
void main() {
  v_at = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 4.0 - 1.0;
  gl_Position = vec4(v_at, 1.0, 1.0);
}`,
  `${HEAD}${GLSL_LOOK}${CAMERA}
in vec2 v_at;
out vec4 result;
void main() {
  result = vec4(finish(mix(far_color.rgb, sky_color.rgb, clamp((v_at.y - level.z) * 0.6, 0.0, 1.0))), 1.0);
}`,
];
