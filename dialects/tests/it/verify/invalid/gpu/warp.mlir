// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%i: index, %f: f32, %v: vector<4xf32>, %v128: vector<128xf32>) {
  // expected-error@+1 {{'gpu.warp_execute_on_lane_0' op incompatible distribution dimensions from 'vector<64xf32>' to 'vector<4xf32>' with warp size = 32}}
  %r = gpu.warp_execute_on_lane_0(%i)[32] -> (vector<4xf32>) {
 %x = "a.b"() : () -> vector<64xf32>
 gpu.yield %x : vector<64xf32>
 }
  return
}
// -----
func.func @f(%i: index, %f: f32, %v: vector<4xf32>, %v128: vector<128xf32>) {
  // expected-error@+1 {{'gpu.warp_execute_on_lane_0' op expected vector type for distributed operands.}}
  %r = gpu.warp_execute_on_lane_0(%i)[32] -> (vector<4xf32>) {
 %x = "a.b"() : () -> f32
 gpu.yield %x : f32
 }
  return
}
// -----
func.func @f(%i: index, %f: f32, %v: vector<4xf32>, %v128: vector<128xf32>) {
  // expected-error@+1 {{'gpu.warp_execute_on_lane_0' op expected same number of yield operands and return values.}}
  %r = gpu.warp_execute_on_lane_0(%i)[32] -> (f32) {
 }
  return
}
// -----
func.func @f(%i: index, %f: f32, %v: vector<4xf32>, %v128: vector<128xf32>) {
  // expected-error@+1 {{'gpu.warp_execute_on_lane_0' op expected same number op arguments and block arguments.}}
  gpu.warp_execute_on_lane_0(%i)[32] args(%v : vector<4xf32>) {
 }
  return
}
// -----
func.func @f(%i: index, %f: f32, %v: vector<4xf32>, %v128: vector<128xf32>) {
  // expected-error@+1 {{'gpu.warp_execute_on_lane_0' op expected distributed vectors to have same rank and element type.}}
  gpu.warp_execute_on_lane_0(%i)[32] args(%v : vector<4xf32>) {
 ^bb0(%a: vector<8x128xf32>):
 }
  return
}
