// How many of 64 steps z <- z^2 + c stay within 2, for N by N values of c, N a multiple of COLUMNS and of ROWS: a thread a value, which stops with
// its escape.
@group(0) @binding(0) var<storage, read_write> counts: array<f32>;

@compute @workgroup_size(COLUMNS, ROWS)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let a = -2.0 + f32(id.x) * 0.005859375;
  let b = -1.5 + f32(id.y) * 0.005859375;
  var x = 0.0;
  var y = 0.0;
  var count = 0.0;
  for (var k = 0u; k < 64u; k++) {
    let xx = x * x;
    let yy = y * y;
    if (xx + yy > 4.0) { break; }
    y = 2.0 * (x * y) + b;
    x = xx - yy + a;
    count += 1.0;
  }
  counts[id.y * N + id.x] = count;
}
