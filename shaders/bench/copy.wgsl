// y = x of N elements, a multiple of 4: each workgroup of LANES threads walks a span of SPAN vectors.
@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4<f32>>;

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let end = min((group.x + 1u) * SPAN, N / 4u);
  for (var i = group.x * SPAN + lane; i < end; i += LANES) {
    y[i] = x[i];
  }
}
