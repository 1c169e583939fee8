// C += A B^T for each of some matrices of N by N, N a multiple of 64. A first launch transposes B, so that the product
// reads vectors along a row; a thread of the second holds 8 rows of two vectors, as in gemm.wgsl.
@group(0) @binding(0) var<storage, read> b: array<f32>;
@group(0) @binding(1) var<storage, read_write> turned: array<vec4<f32>>;

const WIDTH = N / 4u;

@compute @workgroup_size(8)
fn turn(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let matrix = group.z * N * N;
  let row = group.y * 4u;
  for (var k = lane; k < N; k += 8u) {
    let source = matrix + row * N + k;
    let v = vec4<f32>(b[source], b[source + N], b[source + 2u * N], b[source + 3u * N]);
    turned[group.z * N * WIDTH + k * WIDTH + group.y] = v;
  }
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> bt: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> c: array<vec4<f32>>;

@compute @workgroup_size(8)
fn multiply(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let row = group.z * N + group.y * 8u;
  let column = group.x * 16u + lane;
  let right = group.z * N * WIDTH + column;
  var c0 = vec4<f32>(); var d0 = vec4<f32>();
  var c1 = vec4<f32>(); var d1 = vec4<f32>();
  var c2 = vec4<f32>(); var d2 = vec4<f32>();
  var c3 = vec4<f32>(); var d3 = vec4<f32>();
  var c4 = vec4<f32>(); var d4 = vec4<f32>();
  var c5 = vec4<f32>(); var d5 = vec4<f32>();
  var c6 = vec4<f32>(); var d6 = vec4<f32>();
  var c7 = vec4<f32>(); var d7 = vec4<f32>();
  for (var k = 0u; k < N; k++) {
    let x = bt[right + k * WIDTH];
    let y = bt[right + k * WIDTH + 8u];
    let a0 = vec4<f32>(a[(row + 0u) * N + k]); c0 = a0 * x + c0; d0 = a0 * y + d0;
    let a1 = vec4<f32>(a[(row + 1u) * N + k]); c1 = a1 * x + c1; d1 = a1 * y + d1;
    let a2 = vec4<f32>(a[(row + 2u) * N + k]); c2 = a2 * x + c2; d2 = a2 * y + d2;
    let a3 = vec4<f32>(a[(row + 3u) * N + k]); c3 = a3 * x + c3; d3 = a3 * y + d3;
    let a4 = vec4<f32>(a[(row + 4u) * N + k]); c4 = a4 * x + c4; d4 = a4 * y + d4;
    let a5 = vec4<f32>(a[(row + 5u) * N + k]); c5 = a5 * x + c5; d5 = a5 * y + d5;
    let a6 = vec4<f32>(a[(row + 6u) * N + k]); c6 = a6 * x + c6; d6 = a6 * y + d6;
    let a7 = vec4<f32>(a[(row + 7u) * N + k]); c7 = a7 * x + c7; d7 = a7 * y + d7;
  }
  let at = row * WIDTH + column;
  c[at + 0u * WIDTH] += c0; c[at + 0u * WIDTH + 8u] += d0;
  c[at + 1u * WIDTH] += c1; c[at + 1u * WIDTH + 8u] += d1;
  c[at + 2u * WIDTH] += c2; c[at + 2u * WIDTH + 8u] += d2;
  c[at + 3u * WIDTH] += c3; c[at + 3u * WIDTH + 8u] += d3;
  c[at + 4u * WIDTH] += c4; c[at + 4u * WIDTH + 8u] += d4;
  c[at + 5u * WIDTH] += c5; c[at + 5u * WIDTH + 8u] += d5;
  c[at + 6u * WIDTH] += c6; c[at + 6u * WIDTH + 8u] += d6;
  c[at + 7u * WIDTH] += c7; c[at + 7u * WIDTH + 8u] += d7;
}
