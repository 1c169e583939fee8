// y += A^T x of constants M and N, of any size: a thread adds eight columns, which lie the threads of a workgroup apart, of
// CHUNK rows; a second launch adds the chunks, a column a thread. Columns beyond the last one are read as that and not written.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> partial: array<f32>;

@compute @workgroup_size(8)
fn partials(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let column = group.x * 64u + lane;
  let end = min((group.y + 1u) * CHUNK, M);
  let j0 = min(column + 0u, N - 1u); var s0 = 0.0;
  let j1 = min(column + 8u, N - 1u); var s1 = 0.0;
  let j2 = min(column + 16u, N - 1u); var s2 = 0.0;
  let j3 = min(column + 24u, N - 1u); var s3 = 0.0;
  let j4 = min(column + 32u, N - 1u); var s4 = 0.0;
  let j5 = min(column + 40u, N - 1u); var s5 = 0.0;
  let j6 = min(column + 48u, N - 1u); var s6 = 0.0;
  let j7 = min(column + 56u, N - 1u); var s7 = 0.0;
  for (var i = group.y * CHUNK; i < end; i++) {
    let v = x[i];
    let at = i * N;
    s0 = a[at + j0] * v + s0;
    s1 = a[at + j1] * v + s1;
    s2 = a[at + j2] * v + s2;
    s3 = a[at + j3] * v + s3;
    s4 = a[at + j4] * v + s4;
    s5 = a[at + j5] * v + s5;
    s6 = a[at + j6] * v + s6;
    s7 = a[at + j7] * v + s7;
  }
  let at = group.y * N + column;
  if (column + 0u < N) { partial[at + 0u] = s0; }
  if (column + 8u < N) { partial[at + 8u] = s1; }
  if (column + 16u < N) { partial[at + 16u] = s2; }
  if (column + 24u < N) { partial[at + 24u] = s3; }
  if (column + 32u < N) { partial[at + 32u] = s4; }
  if (column + 40u < N) { partial[at + 40u] = s5; }
  if (column + 48u < N) { partial[at + 48u] = s6; }
  if (column + 56u < N) { partial[at + 56u] = s7; }
}

@group(0) @binding(0) var<storage, read> sums: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(8)
fn total(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= N) { return; }
  var sum = 0.0;
  for (var i = 0u; i < (M + CHUNK - 1u) / CHUNK; i++) {
    sum += sums[i * N + id.x];
  }
  y[id.x] += sum;
}
