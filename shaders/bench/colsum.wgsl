// The sums of the N columns of M rows, N a multiple of 128: a thread adds four vectors of CHUNK rows, and
// a second launch adds the chunks, a vector a thread.
@group(0) @binding(0) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> partial: array<vec4<f32>>;

const WIDTH = N / 4u;

@compute @workgroup_size(8)
fn partials(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let column = group.x * 32u + lane;
  let end = min((group.y + 1u) * CHUNK, M);
  var s0 = vec4<f32>();
  var s1 = vec4<f32>();
  var s2 = vec4<f32>();
  var s3 = vec4<f32>();
  for (var i = group.y * CHUNK; i < end; i++) {
    let at = i * WIDTH + column;
    s0 += a[at];
    s1 += a[at + 8u];
    s2 += a[at + 16u];
    s3 += a[at + 24u];
  }
  let at = group.y * WIDTH + column;
  partial[at] = s0;
  partial[at + 8u] = s1;
  partial[at + 16u] = s2;
  partial[at + 24u] = s3;
}

@group(0) @binding(0) var<storage, read> sums: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> result: array<vec4<f32>>;

@compute @workgroup_size(8)
fn total(@builtin(global_invocation_id) id: vec3<u32>) {
  var sum = vec4<f32>();
  for (var i = 0u; i < M / CHUNK; i++) {
    sum += sums[i * WIDTH + id.x];
  }
  result[id.x] = sum;
}
