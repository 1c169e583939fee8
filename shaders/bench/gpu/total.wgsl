// The sum of each thread's `sum` of a workgroup, by a tree in workgroup memory.
var<workgroup> sums: array<f32, 256>;

fn total_of_group(sum: f32, lane: u32) -> f32 {
  sums[lane] = sum;
  workgroupBarrier();
  for (var width = 128u; width > 0u; width /= 2u) {
    if (lane < width) {
      sums[lane] += sums[lane + width];
    }
    workgroupBarrier();
  }
  return sums[0];
}

// Adds the GROUPS partial sums of the shader that stands before this.
@group(0) @binding(0) var<storage, read> partials_in: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;

@compute @workgroup_size(256)
fn total(@builtin(local_invocation_index) lane: u32) {
  var sum = 0.0;
  for (var i = lane; i < GROUPS; i += 256u) {
    sum += partials_in[i];
  }
  let whole = total_of_group(sum, lane);
  if (lane == 0u) {
    result[0] = whole;
  }
}
