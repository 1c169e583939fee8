// One sweep of five points over N by N elements: a thread takes four rows of a column.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(64, 4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let column = id.x + 1u;
  if (column >= N - 1u) { return; }
  let first = 1u + 4u * id.y;
  var above = a[(first - 1u) * N + column];
  var here = a[first * N + column];
  for (var row = first; row < min(first + 4u, N - 1u); row++) {
    let at = row * N + column;
    let below = a[at + N];
    b[at] = 0.2 * ((((here + a[at - 1u]) + a[at + 1u]) + above) + below);
    above = here;
    here = below;
  }
}
