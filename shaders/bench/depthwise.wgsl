// Convolution of each of C channels with a 3 by 3 window of its own, NHWC, H by W points, C a multiple of 32: a thread walks
// along a row with the nine weights of a vector of channels in registers.
@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> w: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> y: array<vec4<f32>>;

const VECTORS = C / 4u;

@compute @workgroup_size(8)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let c = group.x * 8u + lane;
  let line = (W + 2u) * VECTORS;
  let w0 = w[c]; let w1 = w[VECTORS + c]; let w2 = w[2u * VECTORS + c];
  let w3 = w[3u * VECTORS + c]; let w4 = w[4u * VECTORS + c]; let w5 = w[5u * VECTORS + c];
  let w6 = w[6u * VECTORS + c]; let w7 = w[7u * VECTORS + c]; let w8 = w[8u * VECTORS + c];
  for (var j = 0u; j < W; j++) {
    let at = group.y * line + j * VECTORS + c;
    var s = x[at] * w0;
    s = x[at + VECTORS] * w1 + s;
    s = x[at + 2u * VECTORS] * w2 + s;
    s = x[at + line] * w3 + s;
    s = x[at + line + VECTORS] * w4 + s;
    s = x[at + line + 2u * VECTORS] * w5 + s;
    s = x[at + 2u * line] * w6 + s;
    s = x[at + 2u * line + VECTORS] * w7 + s;
    s = x[at + 2u * line + 2u * VECTORS] * w8 + s;
    y[(group.y * W + j) * VECTORS + c] = s;
  }
}
