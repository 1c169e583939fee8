// The mean of the 27 points around each of S by S by S, in arrays of two more each way, S a multiple of 16. A thread
// goes along k, a workgroup takes 8 adjacent points at a time of two rows.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;

const SIDE = S + 2u;

// The sum of three neighbours along k.
fn three(at: u32) -> f32 {
  return a[at - 1u] + a[at] + a[at + 1u];
}

// The same of the rows above and below, too, in the three planes: rows at distance SIDE.
fn row_of(at: u32) -> f32 {
  let plane = SIDE * SIDE;
  return three(at - plane) + three(at) + three(at + plane);
}

@compute @workgroup_size(8)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let i = group.y + 1u;
  let j = group.x * 4u + 1u;
  for (var k = 1u + lane; k <= S; k += 8u) {
    let at = (i * SIDE + j) * SIDE + k;
    let r0 = row_of(at - SIDE);
    let r1 = row_of(at);
    let r2 = row_of(at + SIDE);
    let r3 = row_of(at + 2u * SIDE);
    let r4 = row_of(at + 3u * SIDE);
    let r5 = row_of(at + 4u * SIDE);
    b[at] = (r0 + r1 + r2) * 0.037037037;
    b[at + SIDE] = (r1 + r2 + r3) * 0.037037037;
    b[at + 2u * SIDE] = (r2 + r3 + r4) * 0.037037037;
    b[at + 3u * SIDE] = (r3 + r4 + r5) * 0.037037037;
  }
}
