// Multiply-adds that keep a device busy: each thread takes its element through 4096 steps of x <- x / 2 + 1, which end at 2.
@group(0) @binding(0) var<storage, read_write> x: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  var a = x[id.x];
  for (var i = 0u; i < 4096u; i++) {
    a = a * 0.5 + 1.0;
  }
  x[id.x] = a;
}
