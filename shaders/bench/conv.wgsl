// Convolution, NHWC, of 3 by 3: H by W points of C channels to F, added to what is there. W a multiple of 8, F one of 64. A
// thread holds 8 points of a row by two vectors of channels, as a product of matrices does.
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> w: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> y: array<vec4<f32>>;

const VECTORS = F / 4u;

@compute @workgroup_size(8)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let channel = group.x * 16u + lane;
  let point = group.y * 8u;
  let row = group.z;
  var c0 = vec4<f32>(); var d0 = vec4<f32>();
  var c1 = vec4<f32>(); var d1 = vec4<f32>();
  var c2 = vec4<f32>(); var d2 = vec4<f32>();
  var c3 = vec4<f32>(); var d3 = vec4<f32>();
  var c4 = vec4<f32>(); var d4 = vec4<f32>();
  var c5 = vec4<f32>(); var d5 = vec4<f32>();
  var c6 = vec4<f32>(); var d6 = vec4<f32>();
  var c7 = vec4<f32>(); var d7 = vec4<f32>();
  for (var r = 0u; r < 3u; r++) {
    for (var s = 0u; s < 3u; s++) {
      let source = ((row + r) * (W + 2u) + point + s) * C;
      let weights = (r * 3u + s) * C * VECTORS + channel;
      for (var k = 0u; k < C; k++) {
        let v = w[weights + k * VECTORS];
        let u = w[weights + k * VECTORS + 8u];
        let x0 = vec4<f32>(x[source + 0u * C + k]); c0 = x0 * v + c0; d0 = x0 * u + d0;
        let x1 = vec4<f32>(x[source + 1u * C + k]); c1 = x1 * v + c1; d1 = x1 * u + d1;
        let x2 = vec4<f32>(x[source + 2u * C + k]); c2 = x2 * v + c2; d2 = x2 * u + d2;
        let x3 = vec4<f32>(x[source + 3u * C + k]); c3 = x3 * v + c3; d3 = x3 * u + d3;
        let x4 = vec4<f32>(x[source + 4u * C + k]); c4 = x4 * v + c4; d4 = x4 * u + d4;
        let x5 = vec4<f32>(x[source + 5u * C + k]); c5 = x5 * v + c5; d5 = x5 * u + d5;
        let x6 = vec4<f32>(x[source + 6u * C + k]); c6 = x6 * v + c6; d6 = x6 * u + d6;
        let x7 = vec4<f32>(x[source + 7u * C + k]); c7 = x7 * v + c7; d7 = x7 * u + d7;
      }
    }
  }
  let at = (row * W + point) * VECTORS + channel;
  y[at + 0u * VECTORS] += c0; y[at + 0u * VECTORS + 8u] += d0;
  y[at + 1u * VECTORS] += c1; y[at + 1u * VECTORS + 8u] += d1;
  y[at + 2u * VECTORS] += c2; y[at + 2u * VECTORS + 8u] += d2;
  y[at + 3u * VECTORS] += c3; y[at + 3u * VECTORS + 8u] += d3;
  y[at + 4u * VECTORS] += c4; y[at + 4u * VECTORS + 8u] += d4;
  y[at + 5u * VECTORS] += c5; y[at + 5u * VECTORS + 8u] += d5;
  y[at + 6u * VECTORS] += c6; y[at + 6u * VECTORS + 8u] += d6;
  y[at + 7u * VECTORS] += c7; y[at + 7u * VECTORS + 8u] += d7;
}
