// One sweep of five points over N by N elements, N a multiple of 64: the threads of a workgroup
// go along two rows side by side. The border stays as it is.
@group(0) @binding(0) var<storage, read> a: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> b: array<vec4<f32>>;

const WIDTH = N / 4u;

// The four sums of a vector from those above and below it, and the elements beside it.
fn mean(here: vec4<f32>, above: vec4<f32>, below: vec4<f32>, before: f32, after: f32) -> vec4<f32> {
  let left = vec4<f32>(before, here.xyz);
  let right = vec4<f32>(here.yzw, after);
  return 0.2 * ((((here + left) + right) + above) + below);
}

@compute @workgroup_size(8)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let row = 1u + 2u * group.x;
  let has_second = row + 2u < N;
  for (var j = lane; j < WIDTH; j += 8u) {
    let at = row * WIDTH + j;
    let first = a[at];
    let second = a[at + WIDTH];
    var x = mean(first, a[at - WIDTH], second, a[at - 1u].w, a[at + 1u].x);
    if (j == 0u) { x.x = b[at].x; }
    if (j == WIDTH - 1u) { x.w = b[at].w; }
    b[at] = x;
    if (has_second) {
      let next = at + WIDTH;
      var y = mean(second, first, a[next + WIDTH], a[next - 1u].w, a[next + 1u].x);
      if (j == 0u) { y.x = b[next].x; }
      if (j == WIDTH - 1u) { y.w = b[next].w; }
      b[next] = y;
    }
  }
}
