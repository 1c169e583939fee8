// The sum of N elements, a multiple of 4: each of GROUPS workgroups sums a span of SPAN vectors.
@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> partial: array<f32>;

@compute @workgroup_size(256)
fn partials(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let end = min((group.x + 1u) * SPAN, N / 4u);
  var sum = vec4<f32>();
  for (var i = group.x * SPAN + lane; i < end; i += 256u) {
    sum += x[i];
  }
  let whole = total_of_group((sum.x + sum.y) + (sum.z + sum.w), lane);
  if (lane == 0u) {
    partial[group.x] = whole;
  }
}
