// How often each of 256 keys occurs among N, added to what is there: each of GROUPS workgroups of 8 threads counts a span of
// SPAN vectors in counters of its threads, and a second launch adds them up, a key a thread.
@group(0) @binding(0) var<storage, read> keys: array<vec4<i32>>;
@group(0) @binding(1) var<storage, read_write> partial: array<i32>;

@compute @workgroup_size(8)
fn partials(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let own = (group.x * 8u + lane) * 256u;
  for (var i = 0u; i < 256u; i++) {
    partial[own + i] = 0;
  }
  let end = min((group.x + 1u) * SPAN, N / 4u);
  for (var i = group.x * SPAN + lane; i < end; i += 8u) {
    let key = keys[i];
    partial[own + u32(key.x)] += 1;
    partial[own + u32(key.y)] += 1;
    partial[own + u32(key.z)] += 1;
    partial[own + u32(key.w)] += 1;
  }
}

@group(0) @binding(0) var<storage, read> counted: array<i32>;
@group(0) @binding(1) var<storage, read_write> counts: array<i32>;

@compute @workgroup_size(8)
fn total(@builtin(global_invocation_id) id: vec3<u32>) {
  var sum = 0;
  for (var i = 0u; i < GROUPS * 8u; i++) {
    sum += counted[i * 256u + id.x];
  }
  counts[id.x] += sum;
}
