// C += A B, row-major, of constants M, N, K: N a multiple of 4. A thread holds 8 rows of two vectors, as in gemm.wgsl; rows and
// columns beyond the ends are read as the last ones and not written.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> c: array<vec4<f32>>;

const WIDTH = N / 4u;

@compute @workgroup_size(8)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let row = group.y * 8u;
  let column = group.x * 16u + lane;
  let left = min(column, WIDTH - 1u);
  let right = min(column + 8u, WIDTH - 1u);
  let row0 = min(row + 0u, M - 1u) * K; var c0 = vec4<f32>(); var d0 = vec4<f32>();
  let row1 = min(row + 1u, M - 1u) * K; var c1 = vec4<f32>(); var d1 = vec4<f32>();
  let row2 = min(row + 2u, M - 1u) * K; var c2 = vec4<f32>(); var d2 = vec4<f32>();
  let row3 = min(row + 3u, M - 1u) * K; var c3 = vec4<f32>(); var d3 = vec4<f32>();
  let row4 = min(row + 4u, M - 1u) * K; var c4 = vec4<f32>(); var d4 = vec4<f32>();
  let row5 = min(row + 5u, M - 1u) * K; var c5 = vec4<f32>(); var d5 = vec4<f32>();
  let row6 = min(row + 6u, M - 1u) * K; var c6 = vec4<f32>(); var d6 = vec4<f32>();
  let row7 = min(row + 7u, M - 1u) * K; var c7 = vec4<f32>(); var d7 = vec4<f32>();
  for (var k = 0u; k < K; k++) {
    let x = b[k * WIDTH + left];
    let y = b[k * WIDTH + right];
    let a0 = vec4<f32>(a[row0 + k]); c0 = a0 * x + c0; d0 = a0 * y + d0;
    let a1 = vec4<f32>(a[row1 + k]); c1 = a1 * x + c1; d1 = a1 * y + d1;
    let a2 = vec4<f32>(a[row2 + k]); c2 = a2 * x + c2; d2 = a2 * y + d2;
    let a3 = vec4<f32>(a[row3 + k]); c3 = a3 * x + c3; d3 = a3 * y + d3;
    let a4 = vec4<f32>(a[row4 + k]); c4 = a4 * x + c4; d4 = a4 * y + d4;
    let a5 = vec4<f32>(a[row5 + k]); c5 = a5 * x + c5; d5 = a5 * y + d5;
    let a6 = vec4<f32>(a[row6 + k]); c6 = a6 * x + c6; d6 = a6 * y + d6;
    let a7 = vec4<f32>(a[row7 + k]); c7 = a7 * x + c7; d7 = a7 * y + d7;
  }
  let at = row * WIDTH + column;
  let has_left = column < WIDTH;
  let has_right = column + 8u < WIDTH;
  if (row + 0u < M && has_left) { c[at + 0u * WIDTH] += c0; }
  if (row + 0u < M && has_right) { c[at + 0u * WIDTH + 8u] += d0; }
  if (row + 1u < M && has_left) { c[at + 1u * WIDTH] += c1; }
  if (row + 1u < M && has_right) { c[at + 1u * WIDTH + 8u] += d1; }
  if (row + 2u < M && has_left) { c[at + 2u * WIDTH] += c2; }
  if (row + 2u < M && has_right) { c[at + 2u * WIDTH + 8u] += d2; }
  if (row + 3u < M && has_left) { c[at + 3u * WIDTH] += c3; }
  if (row + 3u < M && has_right) { c[at + 3u * WIDTH + 8u] += d3; }
  if (row + 4u < M && has_left) { c[at + 4u * WIDTH] += c4; }
  if (row + 4u < M && has_right) { c[at + 4u * WIDTH + 8u] += d4; }
  if (row + 5u < M && has_left) { c[at + 5u * WIDTH] += c5; }
  if (row + 5u < M && has_right) { c[at + 5u * WIDTH + 8u] += d5; }
  if (row + 6u < M && has_left) { c[at + 6u * WIDTH] += c6; }
  if (row + 6u < M && has_right) { c[at + 6u * WIDTH + 8u] += d6; }
  if (row + 7u < M && has_left) { c[at + 7u * WIDTH] += c7; }
  if (row + 7u < M && has_right) { c[at + 7u * WIDTH + 8u] += d7; }
}
