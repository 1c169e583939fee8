// The sums of the N columns of M rows, N a multiple of 128: a workgroup of 32 threads adds CHUNK rows of 128 columns, and a second launch
// adds the chunks, a vector of columns a thread.
@group(0) @binding(0) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> partial: array<vec4<f32>>;

const WIDTH = N / 4u;

@compute @workgroup_size(32)
fn partials(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let column = group.x * 32u + lane;
  let end = min((group.y + 1u) * CHUNK, M);
  var even = vec4<f32>();
  var odd = vec4<f32>();
  var i = group.y * CHUNK;
  for (; i + 1u < end; i += 2u) {
    even += a[i * WIDTH + column];
    odd += a[(i + 1u) * WIDTH + column];
  }
  if (i < end) {
    even += a[i * WIDTH + column];
  }
  partial[group.y * WIDTH + column] = even + odd;
}

@group(0) @binding(0) var<storage, read> sums: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> result: array<vec4<f32>>;

@compute @workgroup_size(32)
fn total(@builtin(global_invocation_id) id: vec3<u32>) {
  var sum = vec4<f32>();
  for (var i = 0u; i < (M + CHUNK - 1u) / CHUNK; i++) {
    sum += sums[i * WIDTH + id.x];
  }
  result[id.x] = sum;
}
