// The pull of N bodies on each other, softened, N a multiple of 64: a thread a body, and 64 others at a time in workgroup memory.
@group(0) @binding(0) var<storage, read> p: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> f: array<f32>;

var<workgroup> others: array<vec4<f32>, 64>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let here = p[id.x].xyz;
  var force = vec3<f32>();
  for (var first = 0u; first < N; first += 64u) {
    workgroupBarrier();
    others[lane] = p[first + lane];
    workgroupBarrier();
    for (var j = 0u; j < 64u; j++) {
      let other = others[j];
      let d = other.xyz - here;
      let square = d.x * d.x + d.y * d.y + d.z * d.z + 0.01;
      force = vec3<f32>(other.w * inverseSqrt(square * square * square)) * d + force;
    }
  }
  f[3u * id.x] = force.x;
  f[3u * id.x + 1u] = force.y;
  f[3u * id.x + 2u] = force.z;
}
