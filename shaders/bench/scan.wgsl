// The running sums of N elements: each of GROUPS times 8 threads sums a span of SPAN elements, one thread adds up the
// sums, and each thread writes its span's running sums behind those of the spans before it.
@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> spans: array<f32>;

@compute @workgroup_size(8)
fn sums(@builtin(global_invocation_id) id: vec3<u32>) {
  var sum = vec4<f32>();
  for (var i = id.x * SPAN / 4u; i < (id.x + 1u) * SPAN / 4u; i++) {
    sum += x[i];
  }
  spans[id.x] = (sum.x + sum.y) + (sum.z + sum.w);
}

@group(0) @binding(0) var<storage, read_write> sums_of_spans: array<f32>;

@compute @workgroup_size(1)
fn starts() {
  var sum = 0.0;
  for (var i = 0u; i < GROUPS * 8u; i++) {
    let one = sums_of_spans[i];
    sums_of_spans[i] = sum;
    sum += one;
  }
}

@group(0) @binding(0) var<storage, read> values: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> before: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<vec4<f32>>;

@compute @workgroup_size(8)
fn write(@builtin(global_invocation_id) id: vec3<u32>) {
  var sum = before[id.x];
  for (var i = id.x * SPAN / 4u; i < (id.x + 1u) * SPAN / 4u; i++) {
    let v = values[i];
    let one = sum + v.x;
    let two = one + v.y;
    let three = two + v.z;
    sum = three + v.w;
    y[i] = vec4<f32>(one, two, three, sum);
  }
}
