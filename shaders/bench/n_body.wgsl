// The pull of N bodies on each other, softened, N a multiple of 8: a thread a body.
@group(0) @binding(0) var<storage, read> p: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> f: array<f32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let here = p[id.x].xyz;
  var force = vec3<f32>();
  for (var j = 0u; j < N; j++) {
    let other = p[j];
    let d = other.xyz - here;
    let square = d.x * d.x + d.y * d.y + d.z * d.z + 0.01;
    force = vec3<f32>(other.w / (square * sqrt(square))) * d + force;
  }
  f[3u * id.x] = force.x;
  f[3u * id.x + 1u] = force.y;
  f[3u * id.x + 2u] = force.z;
}
