// Adds the GROUPS times 8 partial sums of sum.wgsl or dot.wgsl, which stand before this.
@group(0) @binding(0) var<storage, read> partials_in: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;

@compute @workgroup_size(1)
fn total() {
  var sum = 0.0;
  for (var i = 0u; i < GROUPS * 8u; i++) {
    sum += partials_in[i];
  }
  result[0] = sum;
}
