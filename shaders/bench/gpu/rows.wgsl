// The greatest, and the sum, of each thread's value of a workgroup of 128, by trees in workgroup memory.
var<workgroup> parts: array<f32, 128>;

fn greatest_of_group(value: f32, lane: u32) -> f32 {
  parts[lane] = value;
  workgroupBarrier();
  for (var width = 64u; width > 0u; width /= 2u) {
    if (lane < width) {
      parts[lane] = max(parts[lane], parts[lane + width]);
    }
    workgroupBarrier();
  }
  let greatest = parts[0];
  workgroupBarrier();
  return greatest;
}

fn sum_of_group(value: f32, lane: u32) -> f32 {
  parts[lane] = value;
  workgroupBarrier();
  for (var width = 64u; width > 0u; width /= 2u) {
    if (lane < width) {
      parts[lane] += parts[lane + width];
    }
    workgroupBarrier();
  }
  let sum = parts[0];
  workgroupBarrier();
  return sum;
}
