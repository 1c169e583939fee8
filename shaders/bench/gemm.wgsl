// C += A B, row-major, of constants M, N, K: M a multiple of 8, N one of 64. A thread holds 8 rows of
// two vectors; the rows' elements of A are the same for all threads of a workgroup.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> c: array<vec4<f32>>;

@compute @workgroup_size(8)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let width = N / 4u;
  let row = group.y * 8u;
  let column = group.x * 16u + lane;
  var c0 = vec4<f32>(); var d0 = vec4<f32>();
  var c1 = vec4<f32>(); var d1 = vec4<f32>();
  var c2 = vec4<f32>(); var d2 = vec4<f32>();
  var c3 = vec4<f32>(); var d3 = vec4<f32>();
  var c4 = vec4<f32>(); var d4 = vec4<f32>();
  var c5 = vec4<f32>(); var d5 = vec4<f32>();
  var c6 = vec4<f32>(); var d6 = vec4<f32>();
  var c7 = vec4<f32>(); var d7 = vec4<f32>();
  for (var k = 0u; k < K; k++) {
    let x = b[k * width + column];
    let y = b[k * width + column + 8u];
    let a0 = vec4<f32>(a[(row + 0u) * K + k]); c0 = a0 * x + c0; d0 = a0 * y + d0;
    let a1 = vec4<f32>(a[(row + 1u) * K + k]); c1 = a1 * x + c1; d1 = a1 * y + d1;
    let a2 = vec4<f32>(a[(row + 2u) * K + k]); c2 = a2 * x + c2; d2 = a2 * y + d2;
    let a3 = vec4<f32>(a[(row + 3u) * K + k]); c3 = a3 * x + c3; d3 = a3 * y + d3;
    let a4 = vec4<f32>(a[(row + 4u) * K + k]); c4 = a4 * x + c4; d4 = a4 * y + d4;
    let a5 = vec4<f32>(a[(row + 5u) * K + k]); c5 = a5 * x + c5; d5 = a5 * y + d5;
    let a6 = vec4<f32>(a[(row + 6u) * K + k]); c6 = a6 * x + c6; d6 = a6 * y + d6;
    let a7 = vec4<f32>(a[(row + 7u) * K + k]); c7 = a7 * x + c7; d7 = a7 * y + d7;
  }
  let at = row * width + column;
  c[at + 0u * width] += c0; c[at + 0u * width + 8u] += d0;
  c[at + 1u * width] += c1; c[at + 1u * width + 8u] += d1;
  c[at + 2u * width] += c2; c[at + 2u * width + 8u] += d2;
  c[at + 3u * width] += c3; c[at + 3u * width + 8u] += d3;
  c[at + 4u * width] += c4; c[at + 4u * width + 8u] += d4;
  c[at + 5u * width] += c5; c[at + 5u * width + 8u] += d5;
  c[at + 6u * width] += c6; c[at + 6u * width + 8u] += d6;
  c[at + 7u * width] += c7; c[at + 7u * width + 8u] += d7;
}
