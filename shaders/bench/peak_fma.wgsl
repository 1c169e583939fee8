// Multiply-adds in registers, which the driver may fuse: each thread takes eight vectors through STEPS of x <- x / 2 + 1, which end at 2.
@group(0) @binding(0) var<storage, read_write> x: array<vec4<f32>>;

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let half = vec4<f32>(0.5);
  let one = vec4<f32>(1.0);
  let start = x[id.x];
  var a = start;
  var b = start + one;
  var c = start + half;
  var d = start - one;
  var e = start - half;
  var f = start * half;
  var g = start + start;
  var h = one - start;
  for (var i = 0u; i < STEPS; i++) {
    a = a * half + one;
    b = b * half + one;
    c = c * half + one;
    d = d * half + one;
    e = e * half + one;
    f = f * half + one;
    g = g * half + one;
    h = h * half + one;
  }
  x[id.x] = 0.125 * (((a + b) + (c + d)) + ((e + f) + (g + h)));
}
