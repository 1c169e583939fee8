// Each of some rows of N elements, N a multiple of 4, shifted to mean 0 and scaled to variance 1, then scaled and shifted by column: a
// workgroup a row.
@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> scale: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> shift: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> y: array<vec4<f32>>;

const WIDTH = N / 4u;

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let row = group.x * WIDTH;
  var sums = vec4<f32>();
  for (var j = lane; j < WIDTH; j += 128u) {
    sums += x[row + j];
  }
  let mean = sum_of_group((sums.x + sums.y) + (sums.z + sums.w), lane) / f32(N);
  var squares = vec4<f32>();
  for (var j = lane; j < WIDTH; j += 128u) {
    let d = x[row + j] - mean;
    squares = d * d + squares;
  }
  let variance = sum_of_group((squares.x + squares.y) + (squares.z + squares.w), lane) / f32(N);
  let by = 1.0 / sqrt(variance + 1.0e-5);
  for (var j = lane; j < WIDTH; j += 128u) {
    y[row + j] = (x[row + j] - mean) * by * scale[j] + shift[j];
  }
}
