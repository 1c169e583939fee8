// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  %0, %1 = gpu.rotate %f, 1, 16 : f32
  %2, %3 = gpu.rotate %w, 0, 32 {a} : vector<4xf32>
  return
}
func.func @f1(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  %0, %1 = gpu.shuffle xor %f, %l, %l : f32
  %2, %3 = gpu.shuffle up %w, %l, %l : vector<4xf32>
  %4, %5 = gpu.shuffle down %v, %l, %l : i32
  %6, %7 = gpu.shuffle idx %v, %l, %l {x} : i32
  return
}
func.func @f2(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  %0 = gpu.subgroup_broadcast %f, first_active_lane : f32
  %1 = gpu.subgroup_broadcast %f, specific_lane %l : f32
  return
}
func.func @f3(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  %0 = gpu.subgroup_reduce add %f : (f32) -> f32
  %1 = gpu.subgroup_reduce add %w uniform : (vector<4xf32>) -> vector<4xf32>
  %2 = gpu.subgroup_reduce maxsi %v cluster(size = 4) : (i32) -> i32
  %3 = gpu.subgroup_reduce minimumf %f uniform cluster(size = 4, stride = 2) {x} : (f32) -> f32
  return
}
func.func @f4(%v: i32, %f: f32, %i: index, %l: i32, %w: vector<4xf32>, %w2: vector<2x2xf32>, %ws: vector<[4]xf32>) {
  %0 = gpu.all_reduce add %f {
 } : (f32) -> f32
  %1 = gpu.all_reduce %f {
 ^bb(%a: f32, %b: f32):
 %s = arith.addf %a, %b : f32
 gpu.yield %s : f32
 } : (f32) -> f32
  %2 = gpu.all_reduce minui %v uniform {
 } {x} : (i32) -> i32
  return
}
func.func @f5(%i: index) {
  %0 = gpu.thread_id x
  %1 = gpu.thread_id y upper_bound 64 {a}
  %2 = gpu.block_dim z
  %3 = gpu.lane_id
  %4 = gpu.lane_id upper_bound 32
  %5 = gpu.subgroup_id : index
  %6 = gpu.num_subgroups upper_bound 4 : index
  %7 = gpu.subgroup_size : index
  %8 = gpu.global_id x
  %9 = gpu.cluster_id x
  %10 = gpu.cluster_dim_blocks y
  %11 = gpu.cluster_block_id z
  %12 = gpu.grid_dim x
  %13 = gpu.cluster_dim x
  %14 = gpu.block_id z
  return
}
func.func @f6(%i: index) {
  %0 = gpu.thread_id x upper_bound -1
  return
}
