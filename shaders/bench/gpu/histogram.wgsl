// How often each of 256 keys occurs among N, added to what is there: each workgroup counts a span of SPAN vectors in workgroup memory.
@group(0) @binding(0) var<storage, read> keys: array<vec4<i32>>;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<i32>>;

var<workgroup> own: array<atomic<i32>, 256>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  atomicStore(&own[lane], 0);
  workgroupBarrier();
  let end = min((group.x + 1u) * SPAN, N / 4u);
  for (var i = group.x * SPAN + lane; i < end; i += 256u) {
    let key = keys[i];
    atomicAdd(&own[key.x], 1);
    atomicAdd(&own[key.y], 1);
    atomicAdd(&own[key.z], 1);
    atomicAdd(&own[key.w], 1);
  }
  workgroupBarrier();
  atomicAdd(&counts[lane], atomicLoad(&own[lane]));
}
