// y += A^T x of constants M and N, of any size: a thread adds a column of CHUNK rows, a workgroup has 64 of them; a second launch adds the
// chunks, a column a thread.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> partial: array<f32>;

@compute @workgroup_size(64)
fn partials(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= N) { return; }
  let end = min((id.y + 1u) * CHUNK, M);
  var s0 = 0.0;
  var s1 = 0.0;
  var s2 = 0.0;
  var s3 = 0.0;
  var i = id.y * CHUNK;
  for (; i + 3u < end; i += 4u) {
    let at = i * N + id.x;
    s0 = a[at] * x[i] + s0;
    s1 = a[at + N] * x[i + 1u] + s1;
    s2 = a[at + 2u * N] * x[i + 2u] + s2;
    s3 = a[at + 3u * N] * x[i + 3u] + s3;
  }
  for (; i < end; i++) {
    s0 = a[i * N + id.x] * x[i] + s0;
  }
  partial[id.y * N + id.x] = (s0 + s1) + (s2 + s3);
}

@group(0) @binding(0) var<storage, read> sums: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn total(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= N) { return; }
  var sum = 0.0;
  for (var i = 0u; i < (M + CHUNK - 1u) / CHUNK; i++) {
    sum += sums[i * N + id.x];
  }
  y[id.x] += sum;
}
