// The softmax of each of some rows of N elements, N a multiple of 4: a workgroup a row.
@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4<f32>>;

const WIDTH = N / 4u;

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let row = group.x * WIDTH;
  var greatest = vec4<f32>(-3.4e38);
  for (var j = lane; j < WIDTH; j += 128u) {
    greatest = max(greatest, x[row + j]);
  }
  let most = greatest_of_group(max(max(greatest.x, greatest.y), max(greatest.z, greatest.w)), lane);
  var sums = vec4<f32>();
  for (var j = lane; j < WIDTH; j += 128u) {
    let e = exp(x[row + j] - most);
    y[row + j] = e;
    sums += e;
  }
  let scale = 1.0 / sum_of_group((sums.x + sums.y) + (sums.z + sums.w), lane);
  for (var j = lane; j < WIDTH; j += 128u) {
    y[row + j] *= scale;
  }
}
