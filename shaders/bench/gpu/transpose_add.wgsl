// C = A + B transposed, N by N, N a multiple of 32: a workgroup turns a tile of 32 by 32 elements of B in workgroup memory, whose
// rows are one element longer, so that a column lies in 32 banks.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

var<workgroup> tile: array<f32, 1056>;

@compute @workgroup_size(32, 8)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) place: vec3<u32>) {
  let row = group.y * 32u;
  let column = group.x * 32u;
  for (var i = place.y; i < 32u; i += 8u) {
    tile[i * 33u + place.x] = b[(column + i) * N + row + place.x];
  }
  workgroupBarrier();
  for (var i = place.y; i < 32u; i += 8u) {
    let at = (row + i) * N + column + place.x;
    c[at] = a[at] + tile[place.x * 33u + i];
  }
}
