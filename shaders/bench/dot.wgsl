// The inner product of vectors of N elements, a multiple of 32: each workgroup sums a span of SPAN vectors
// into 8 partial sums, and one thread adds the GROUPS times 8 of them.
@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> y: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> partial: array<f32>;

@compute @workgroup_size(8)
fn partials(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let end = min((group.x + 1u) * SPAN, N / 4u);
  var sum = vec4<f32>();
  for (var i = group.x * SPAN + lane; i < end; i += 8u) {
    sum = x[i] * y[i] + sum;
  }
  partial[group.x * 8u + lane] = (sum.x + sum.y) + (sum.z + sum.w);
}
