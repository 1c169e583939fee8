// C += A B of M by N results of K products, of any sizes, for each z of the grid: A_ROW and A_COLUMN are the distances of the rows and of the
// columns of A, B_ROW and B_COLUMN those of B. A workgroup of 16 by 16 threads copies 16 columns of its rows of A and 16 rows of its columns
// of B to workgroup memory at a time, in vectors along the sides of its block. In `main` a thread has 8 by 8 results of a block of
// 128 by 128, in `small` 4 by 4 of 64 by 64.
@group(0) @binding(0) var<storage, read> a_in: array<f32>;
@group(0) @binding(1) var<storage, read> b_in: array<f32>;
@group(0) @binding(2) var<storage, read_write> c_out: array<f32>;

// Vectors of a row: four more than a block has, so that rows begin in different banks.
const STRIDE = 33u;
const AREA_A = M * K;
const AREA_B = K * N;

var<workgroup> a_block: array<vec4<f32>, 528>;
var<workgroup> b_block: array<vec4<f32>, 528>;

// Copies the block of A from `row` and of B from `column`, `side` of each, of the products from `k` on.
fn fetch(group: u32, row: u32, column: u32, side: u32, k: u32, lane: u32) {
  for (var e = lane; e < 16u * side; e += 256u) {
    var i = e / 16u;
    var p = e % 16u;
    if (A_ROW == 1u) {
      i = e % side;
      p = e / side;
    }
    var value = 0.0;
    if (row + i < M && k + p < K) {
      value = a_in[group * AREA_A + (row + i) * A_ROW + (k + p) * A_COLUMN];
    }
    a_block[p * STRIDE + i / 4u][i % 4u] = value;
  }
  for (var e = lane; e < 16u * side; e += 256u) {
    var j = e % side;
    var p = e / side;
    if (B_ROW == 1u) {
      j = e / 16u;
      p = e % 16u;
    }
    var value = 0.0;
    if (column + j < N && k + p < K) {
      value = b_in[group * AREA_B + (k + p) * B_ROW + (column + j) * B_COLUMN];
    }
    b_block[p * STRIDE + j / 4u][j % 4u] = value;
  }
}

fn add(group: u32, row: u32, column: u32, sums: vec4<f32>) {
  if (row >= M) { return; }
  let at = (group * M + row) * N + column;
  if (column < N) { c_out[at] += sums.x; }
  if (column + 1u < N) { c_out[at + 1u] += sums.y; }
  if (column + 2u < N) { c_out[at + 2u] += sums.z; }
  if (column + 3u < N) { c_out[at + 3u] += sums.w; }
}

@compute @workgroup_size(16, 16)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(local_invocation_id) place: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  var c00 = vec4<f32>(); var c01 = vec4<f32>();
  var c10 = vec4<f32>(); var c11 = vec4<f32>();
  var c20 = vec4<f32>(); var c21 = vec4<f32>();
  var c30 = vec4<f32>(); var c31 = vec4<f32>();
  var c40 = vec4<f32>(); var c41 = vec4<f32>();
  var c50 = vec4<f32>(); var c51 = vec4<f32>();
  var c60 = vec4<f32>(); var c61 = vec4<f32>();
  var c70 = vec4<f32>(); var c71 = vec4<f32>();
  for (var k = 0u; k < K; k += 16u) {
    workgroupBarrier();
    fetch(group.z, group.y * 128u, group.x * 128u, 128u, k, lane);
    workgroupBarrier();
    for (var p = 0u; p < 16u; p++) {
      let a0 = a_block[p * STRIDE + place.y];
      let a1 = a_block[p * STRIDE + 16u + place.y];
      let b0 = b_block[p * STRIDE + place.x];
      let b1 = b_block[p * STRIDE + 16u + place.x];
      c00 = a0.x * b0 + c00; c01 = a0.x * b1 + c01;
      c10 = a0.y * b0 + c10; c11 = a0.y * b1 + c11;
      c20 = a0.z * b0 + c20; c21 = a0.z * b1 + c21;
      c30 = a0.w * b0 + c30; c31 = a0.w * b1 + c31;
      c40 = a1.x * b0 + c40; c41 = a1.x * b1 + c41;
      c50 = a1.y * b0 + c50; c51 = a1.y * b1 + c51;
      c60 = a1.z * b0 + c60; c61 = a1.z * b1 + c61;
      c70 = a1.w * b0 + c70; c71 = a1.w * b1 + c71;
    }
  }
  let row = group.y * 128u + 4u * place.y;
  let column = group.x * 128u + 4u * place.x;
  add(group.z, row + 0u, column, c00); add(group.z, row + 0u, column + 64u, c01);
  add(group.z, row + 1u, column, c10); add(group.z, row + 1u, column + 64u, c11);
  add(group.z, row + 2u, column, c20); add(group.z, row + 2u, column + 64u, c21);
  add(group.z, row + 3u, column, c30); add(group.z, row + 3u, column + 64u, c31);
  add(group.z, row + 64u, column, c40); add(group.z, row + 64u, column + 64u, c41);
  add(group.z, row + 65u, column, c50); add(group.z, row + 65u, column + 64u, c51);
  add(group.z, row + 66u, column, c60); add(group.z, row + 66u, column + 64u, c61);
  add(group.z, row + 67u, column, c70); add(group.z, row + 67u, column + 64u, c71);
}

@compute @workgroup_size(16, 16)
fn small(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(local_invocation_id) place: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  var c0 = vec4<f32>();
  var c1 = vec4<f32>();
  var c2 = vec4<f32>();
  var c3 = vec4<f32>();
  for (var k = 0u; k < K; k += 16u) {
    workgroupBarrier();
    fetch(group.z, group.y * 64u, group.x * 64u, 64u, k, lane);
    workgroupBarrier();
    for (var p = 0u; p < 16u; p++) {
      let a = a_block[p * STRIDE + place.y];
      let b = b_block[p * STRIDE + place.x];
      c0 = a.x * b + c0;
      c1 = a.y * b + c1;
      c2 = a.z * b + c2;
      c3 = a.w * b + c3;
    }
  }
  let row = group.y * 64u + 4u * place.y;
  let column = group.x * 64u + 4u * place.x;
  add(group.z, row + 0u, column, c0);
  add(group.z, row + 1u, column, c1);
  add(group.z, row + 2u, column, c2);
  add(group.z, row + 3u, column, c3);
}
