// y += A x of N columns, N a multiple of 4: a workgroup a row.
@group(0) @binding(0) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

var<workgroup> sums: array<f32, 128>;

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let width = N / 4u;
  let row = group.x * width;
  var sum = vec4<f32>();
  for (var j = lane; j < width; j += 128u) {
    sum = a[row + j] * x[j] + sum;
  }
  sums[lane] = (sum.x + sum.y) + (sum.z + sum.w);
  workgroupBarrier();
  for (var width = 64u; width > 0u; width /= 2u) {
    if (lane < width) {
      sums[lane] += sums[lane + width];
    }
    workgroupBarrier();
  }
  if (lane == 0u) {
    y[group.x] += sums[0];
  }
}
