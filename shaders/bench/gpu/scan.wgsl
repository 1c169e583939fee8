// The running sums of N elements, a multiple of 1024: each of GROUPS workgroups sums a span of SPAN blocks of 1024 elements, one workgroup
// adds up the sums, and each writes its span's running sums behind those of the spans before it.
var<workgroup> parts: array<f32, 256>;

// The sum of the values of the threads up to this one of a workgroup, and of all.
fn running(value: f32, lane: u32) -> vec2<f32> {
  parts[lane] = value;
  workgroupBarrier();
  for (var way = 1u; way < 256u; way *= 2u) {
    var before = 0.0;
    if (lane >= way) {
      before = parts[lane - way];
    }
    workgroupBarrier();
    parts[lane] += before;
    workgroupBarrier();
  }
  let sums = vec2<f32>(parts[lane], parts[255]);
  workgroupBarrier();
  return sums;
}

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> spans: array<f32>;

@compute @workgroup_size(256)
fn sums(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  var sum = vec4<f32>();
  let end = min((group.x + 1u) * SPAN * 256u, N / 4u);
  for (var i = group.x * SPAN * 256u + lane; i < end; i += 256u) {
    sum += x[i];
  }
  let whole = running((sum.x + sum.y) + (sum.z + sum.w), lane).y;
  if (lane == 0u) {
    spans[group.x] = whole;
  }
}

@group(0) @binding(0) var<storage, read_write> sums_of_spans: array<f32>;

@compute @workgroup_size(256)
fn starts(@builtin(local_invocation_index) lane: u32) {
  var carried = 0.0;
  for (var first = 0u; first < GROUPS; first += 256u) {
    var own = 0.0;
    if (first + lane < GROUPS) {
      own = sums_of_spans[first + lane];
    }
    let sums = running(own, lane);
    if (first + lane < GROUPS) {
      sums_of_spans[first + lane] = carried + sums.x - own;
    }
    carried += sums.y;
  }
}

@group(0) @binding(0) var<storage, read> values: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> before: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<vec4<f32>>;

@compute @workgroup_size(256)
fn write(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  var carried = before[group.x];
  for (var block = group.x * SPAN; block < (group.x + 1u) * SPAN; block++) {
    let at = block * 256u + lane;
    var v = vec4<f32>();
    if (at < N / 4u) {
      v = values[at];
    }
    let one = v.x;
    let two = one + v.y;
    let three = two + v.z;
    let four = three + v.w;
    let sums = running(four, lane);
    if (at < N / 4u) {
      y[at] = vec4<f32>(one, two, three, four) + (carried + sums.x - four);
    }
    carried += sums.y;
  }
}
