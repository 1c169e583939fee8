// Each of some rows of N elements, N a multiple of 32, shifted to mean 0 and scaled to variance 1, then scaled and shifted by
// column: a workgroup a row.
@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> scale: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> shift: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> y: array<vec4<f32>>;

const WIDTH = N / 4u;
var<workgroup> shared_part: array<f32, 8>;

@compute @workgroup_size(8)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let row = group.x * WIDTH;
  var sums = vec4<f32>();
  for (var j = lane; j < WIDTH; j += 8u) {
    sums += x[row + j];
  }
  shared_part[lane] = (sums.x + sums.y) + (sums.z + sums.w);
  workgroupBarrier();
  var mean = 0.0;
  for (var i = 0u; i < 8u; i++) {
    mean += shared_part[i];
  }
  mean /= f32(N);
  workgroupBarrier();
  var squares = vec4<f32>();
  for (var j = lane; j < WIDTH; j += 8u) {
    let d = x[row + j] - mean;
    squares = d * d + squares;
  }
  shared_part[lane] = (squares.x + squares.y) + (squares.z + squares.w);
  workgroupBarrier();
  var variance = 0.0;
  for (var i = 0u; i < 8u; i++) {
    variance += shared_part[i];
  }
  let by = 1.0 / sqrt(variance / f32(N) + 1.0e-5);
  for (var j = lane; j < WIDTH; j += 8u) {
    y[row + j] = (x[row + j] - mean) * by * scale[j] + shift[j];
  }
}
