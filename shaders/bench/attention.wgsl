// Attention of heads over N positions of D elements, N and D multiples of 64: K is transposed, then come Q K^T / 8, the
// softmax of its rows, and the product with V, each a launch over all heads.
@group(0) @binding(0) var<storage, read> k_in: array<f32>;
@group(0) @binding(1) var<storage, read_write> turned: array<vec4<f32>>;

const WIDTH = N / 4u;
const DEPTH = D / 4u;

@compute @workgroup_size(8)
fn turn(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let row = group.z * N + group.y * 4u;
  for (var d = lane; d < D; d += 8u) {
    let source = row * D + d;
    let v = vec4<f32>(k_in[source], k_in[source + D], k_in[source + 2u * D], k_in[source + 3u * D]);
    turned[(group.z * D + d) * WIDTH + group.y] = v;
  }
}

@group(0) @binding(0) var<storage, read> q: array<f32>;
@group(0) @binding(1) var<storage, read> kt: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> scores: array<vec4<f32>>;

@compute @workgroup_size(8)
fn score(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let row = group.z * N + group.y * 8u;
  let column = group.x * 16u + lane;
  let right = group.z * D * WIDTH + column;
  var c0 = vec4<f32>(); var d0 = vec4<f32>();
  var c1 = vec4<f32>(); var d1 = vec4<f32>();
  var c2 = vec4<f32>(); var d2 = vec4<f32>();
  var c3 = vec4<f32>(); var d3 = vec4<f32>();
  var c4 = vec4<f32>(); var d4 = vec4<f32>();
  var c5 = vec4<f32>(); var d5 = vec4<f32>();
  var c6 = vec4<f32>(); var d6 = vec4<f32>();
  var c7 = vec4<f32>(); var d7 = vec4<f32>();
  for (var k = 0u; k < D; k++) {
    let x = kt[right + k * WIDTH];
    let y = kt[right + k * WIDTH + 8u];
    let a0 = vec4<f32>(q[(row + 0u) * D + k]); c0 = a0 * x + c0; d0 = a0 * y + d0;
    let a1 = vec4<f32>(q[(row + 1u) * D + k]); c1 = a1 * x + c1; d1 = a1 * y + d1;
    let a2 = vec4<f32>(q[(row + 2u) * D + k]); c2 = a2 * x + c2; d2 = a2 * y + d2;
    let a3 = vec4<f32>(q[(row + 3u) * D + k]); c3 = a3 * x + c3; d3 = a3 * y + d3;
    let a4 = vec4<f32>(q[(row + 4u) * D + k]); c4 = a4 * x + c4; d4 = a4 * y + d4;
    let a5 = vec4<f32>(q[(row + 5u) * D + k]); c5 = a5 * x + c5; d5 = a5 * y + d5;
    let a6 = vec4<f32>(q[(row + 6u) * D + k]); c6 = a6 * x + c6; d6 = a6 * y + d6;
    let a7 = vec4<f32>(q[(row + 7u) * D + k]); c7 = a7 * x + c7; d7 = a7 * y + d7;
  }
  let at = row * WIDTH + column;
  scores[at + 0u * WIDTH] = 0.125 * c0; scores[at + 0u * WIDTH + 8u] = 0.125 * d0;
  scores[at + 1u * WIDTH] = 0.125 * c1; scores[at + 1u * WIDTH + 8u] = 0.125 * d1;
  scores[at + 2u * WIDTH] = 0.125 * c2; scores[at + 2u * WIDTH + 8u] = 0.125 * d2;
  scores[at + 3u * WIDTH] = 0.125 * c3; scores[at + 3u * WIDTH + 8u] = 0.125 * d3;
  scores[at + 4u * WIDTH] = 0.125 * c4; scores[at + 4u * WIDTH + 8u] = 0.125 * d4;
  scores[at + 5u * WIDTH] = 0.125 * c5; scores[at + 5u * WIDTH + 8u] = 0.125 * d5;
  scores[at + 6u * WIDTH] = 0.125 * c6; scores[at + 6u * WIDTH + 8u] = 0.125 * d6;
  scores[at + 7u * WIDTH] = 0.125 * c7; scores[at + 7u * WIDTH + 8u] = 0.125 * d7;
}

@group(0) @binding(0) var<storage, read_write> s: array<vec4<f32>>;
var<workgroup> shared_part: array<f32, 8>;

@compute @workgroup_size(8)
fn softmax(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let row = group.x * WIDTH;
  var greatest = s[row + lane];
  for (var j = lane + 8u; j < WIDTH; j += 8u) {
    greatest = max(greatest, s[row + j]);
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
    let e = exp(s[row + j] - most);
    s[row + j] = e;
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
    s[row + j] *= scale;
  }
}

@group(0) @binding(0) var<storage, read> weights: array<f32>;
@group(0) @binding(1) var<storage, read> v: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> o: array<vec4<f32>>;

@compute @workgroup_size(8)
fn mix(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let row = group.z * N + group.y * 8u;
  let column = group.x * 16u + lane;
  let right = group.z * N * DEPTH + column;
  var c0 = vec4<f32>(); var d0 = vec4<f32>();
  var c1 = vec4<f32>(); var d1 = vec4<f32>();
  var c2 = vec4<f32>(); var d2 = vec4<f32>();
  var c3 = vec4<f32>(); var d3 = vec4<f32>();
  var c4 = vec4<f32>(); var d4 = vec4<f32>();
  var c5 = vec4<f32>(); var d5 = vec4<f32>();
  var c6 = vec4<f32>(); var d6 = vec4<f32>();
  var c7 = vec4<f32>(); var d7 = vec4<f32>();
  for (var k = 0u; k < N; k++) {
    let x = v[right + k * DEPTH];
    let y = v[right + k * DEPTH + 8u];
    let a0 = vec4<f32>(weights[(row + 0u) * N + k]); c0 = a0 * x + c0; d0 = a0 * y + d0;
    let a1 = vec4<f32>(weights[(row + 1u) * N + k]); c1 = a1 * x + c1; d1 = a1 * y + d1;
    let a2 = vec4<f32>(weights[(row + 2u) * N + k]); c2 = a2 * x + c2; d2 = a2 * y + d2;
    let a3 = vec4<f32>(weights[(row + 3u) * N + k]); c3 = a3 * x + c3; d3 = a3 * y + d3;
    let a4 = vec4<f32>(weights[(row + 4u) * N + k]); c4 = a4 * x + c4; d4 = a4 * y + d4;
    let a5 = vec4<f32>(weights[(row + 5u) * N + k]); c5 = a5 * x + c5; d5 = a5 * y + d5;
    let a6 = vec4<f32>(weights[(row + 6u) * N + k]); c6 = a6 * x + c6; d6 = a6 * y + d6;
    let a7 = vec4<f32>(weights[(row + 7u) * N + k]); c7 = a7 * x + c7; d7 = a7 * y + d7;
  }
  let at = row * DEPTH + column;
  o[at + 0u * DEPTH] = c0; o[at + 0u * DEPTH + 8u] = d0;
  o[at + 1u * DEPTH] = c1; o[at + 1u * DEPTH + 8u] = d1;
  o[at + 2u * DEPTH] = c2; o[at + 2u * DEPTH + 8u] = d2;
  o[at + 3u * DEPTH] = c3; o[at + 3u * DEPTH + 8u] = d3;
  o[at + 4u * DEPTH] = c4; o[at + 4u * DEPTH + 8u] = d4;
  o[at + 5u * DEPTH] = c5; o[at + 5u * DEPTH + 8u] = d5;
  o[at + 6u * DEPTH] = c6; o[at + 6u * DEPTH + 8u] = d6;
  o[at + 7u * DEPTH] = c7; o[at + 7u * DEPTH + 8u] = d7;
}
