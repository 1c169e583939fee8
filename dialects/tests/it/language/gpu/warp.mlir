// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0(%i: index, %f: f32, %v: vector<4xf32>, %v128: vector<128xf32>) {
  %r = gpu.warp_execute_on_lane_0(%i)[32] -> (vector<4xf32>) {
 %x = "a.b"() : () -> vector<128xf32>
 gpu.yield %x : vector<128xf32>
 }
  gpu.warp_execute_on_lane_0(%i)[32] {
 }
  %q = gpu.warp_execute_on_lane_0(%i)[32] args(%v : vector<4xf32>) -> (f32) {
 ^bb0(%a: vector<128xf32>):
 %x = "a.b"(%a) : (vector<128xf32>) -> f32
 gpu.yield %x : f32
 }
  return
}
