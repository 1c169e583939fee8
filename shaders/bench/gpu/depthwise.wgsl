// Convolution of each of C channels with a 3 by 3 window of its own, NHWC, H by W points, C a multiple of 4: a thread has a vector of
// channels of a point.
@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> w: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> y: array<vec4<f32>>;

const VECTORS = C / 4u;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= W * VECTORS) { return; }
  let c = id.x % VECTORS;
  let line = (W + 2u) * VECTORS;
  let at = id.y * line + id.x;
  var s = x[at] * w[c];
  s = x[at + VECTORS] * w[VECTORS + c] + s;
  s = x[at + 2u * VECTORS] * w[2u * VECTORS + c] + s;
  s = x[at + line] * w[3u * VECTORS + c] + s;
  s = x[at + line + VECTORS] * w[4u * VECTORS + c] + s;
  s = x[at + line + 2u * VECTORS] * w[5u * VECTORS + c] + s;
  s = x[at + 2u * line] * w[6u * VECTORS + c] + s;
  s = x[at + 2u * line + VECTORS] * w[7u * VECTORS + c] + s;
  s = x[at + 2u * line + 2u * VECTORS] * w[8u * VECTORS + c] + s;
  y[id.y * W * VECTORS + id.x] = s;
}
