// The greatest of each 2 by 2 elements, NHWC, H by W results of C channels, C a multiple of 4: a thread has a vector of channels of a
// result.
@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4<f32>>;

const VECTORS = C / 4u;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= W * VECTORS) { return; }
  let line = 2u * W * VECTORS;
  let at = 2u * id.y * line + 2u * (id.x / VECTORS) * VECTORS + id.x % VECTORS;
  let above = max(x[at], x[at + VECTORS]);
  let below = max(x[at + line], x[at + line + VECTORS]);
  y[id.y * W * VECTORS + id.x] = max(above, below);
}
