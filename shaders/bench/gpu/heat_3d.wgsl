// The mean of the 27 points around each of S by S by S, in arrays of two more each way: a thread takes four rows of a plane.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;

const SIDE = S + 2u;

// The sum of nine: three neighbours along k in each of three planes.
fn nine(at: u32) -> f32 {
  let plane = SIDE * SIDE;
  let above = a[at - plane - 1u] + a[at - plane] + a[at - plane + 1u];
  let here = a[at - 1u] + a[at] + a[at + 1u];
  let below = a[at + plane - 1u] + a[at + plane] + a[at + plane + 1u];
  return above + here + below;
}

@compute @workgroup_size(64, 4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= S) { return; }
  let first = 4u * id.y;
  let start = ((id.z + 1u) * SIDE + first) * SIDE + id.x + 1u;
  var above = nine(start);
  var here = nine(start + SIDE);
  for (var j = 0u; j < min(4u, S - min(first, S)); j++) {
    let at = start + (j + 1u) * SIDE;
    let below = nine(at + SIDE);
    b[at] = (above + here + below) * 0.037037037;
    above = here;
    here = below;
  }
}
