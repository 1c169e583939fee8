// C = A + B transposed, N by N, N a multiple of 64: a thread takes a row of C, the 8 of a workgroup adjacent ones, so that the elements of a
// column of B that they read lie side by side.
@group(0) @binding(0) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<vec4<f32>>;

const WIDTH = N / 4u;

@compute @workgroup_size(8)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let row = group.x * 8u + lane;
  for (var j = group.y * 16u; j < group.y * 16u + 16u; j++) {
    let source = j * 4u * N + row;
    let v = vec4<f32>(b[source], b[source + N], b[source + 2u * N], b[source + 3u * N]);
    c[row * WIDTH + j] = a[row * WIDTH + j] + v;
  }
}
