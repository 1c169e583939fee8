// The greatest of each 2 by 2 elements, NHWC, H by W results of C channels, C a multiple of 32: a workgroup a row of results.
@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4<f32>>;

const VECTORS = C / 4u;

@compute @workgroup_size(8)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let line = 2u * W * VECTORS;
  let row = 2u * group.x * line;
  for (var j = 0u; j < W; j++) {
    for (var c = lane; c < VECTORS; c += 8u) {
      let at = row + 2u * j * VECTORS + c;
      let above = max(x[at], x[at + VECTORS]);
      let below = max(x[at + line], x[at + line + VECTORS]);
      y[(group.x * W + j) * VECTORS + c] = max(above, below);
    }
  }
}
