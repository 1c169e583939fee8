// y += A x of constants M, N: N a multiple of 32, M one of 32. A workgroup takes 4 rows; its threads' partial sums are added by
// a second launch of a thread a row.
@group(0) @binding(0) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> partial: array<f32>;

@compute @workgroup_size(8)
fn partials(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let width = N / 4u;
  let row = group.x * 4u;
  var s0 = vec4<f32>();
  var s1 = vec4<f32>();
  var s2 = vec4<f32>();
  var s3 = vec4<f32>();
  for (var j = lane; j < width; j += 8u) {
    let v = x[j];
    let at = row * width + j;
    s0 = a[at] * v + s0;
    s1 = a[at + width] * v + s1;
    s2 = a[at + 2u * width] * v + s2;
    s3 = a[at + 3u * width] * v + s3;
  }
  let one = vec4<f32>(1.0);
  partial[row * 8u + lane] = dot(s0, one);
  partial[(row + 1u) * 8u + lane] = dot(s1, one);
  partial[(row + 2u) * 8u + lane] = dot(s2, one);
  partial[(row + 3u) * 8u + lane] = dot(s3, one);
}

@group(0) @binding(0) var<storage, read> sums: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(8)
fn total(@builtin(global_invocation_id) id: vec3<u32>) {
  let sum = sums[2u * id.x] + sums[2u * id.x + 1u];
  y[id.x] += dot(sum, vec4<f32>(1.0));
}
