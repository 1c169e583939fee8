// The softmax of each of some rows of N elements, N a multiple of 32: a workgroup a row.
@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4<f32>>;

const WIDTH = N / 4u;
var<workgroup> shared_part: array<f32, 8>;

@compute @workgroup_size(8)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let row = group.x * WIDTH;
  var greatest = x[row + lane];
  for (var j = lane + 8u; j < WIDTH; j += 8u) {
    greatest = max(greatest, x[row + j]);
  }
  shared_part[lane] = max(max(greatest.x, greatest.y), max(greatest.z, greatest.w));
  workgroupBarrier();
  var most = shared_part[0];
  for (var i = 1u; i < 8u; i++) {
    most = max(most, shared_part[i]);
  }
  workgroupBarrier();
  var sums = vec4<f32>();
  for (var j = lane; j < WIDTH; j += 8u) {
    let e = exp(x[row + j] - most);
    y[row + j] = e;
    sums += e;
  }
  shared_part[lane] = (sums.x + sums.y) + (sums.z + sums.w);
  workgroupBarrier();
  var sum = 0.0;
  for (var i = 0u; i < 8u; i++) {
    sum += shared_part[i];
  }
  let scale = 1.0 / sum;
  for (var j = lane; j < WIDTH; j += 8u) {
    y[row + j] *= scale;
  }
}
