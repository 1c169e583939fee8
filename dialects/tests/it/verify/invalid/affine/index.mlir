// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.apply' op operand count and affine map dimension and symbol count must match}}
  %0 = "affine.apply"(%i, %i) <{map = affine_map<(d0) -> (d0)>}> : (index, index) -> index
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.min' op operand count and affine map dimension and symbol count must match}}
  %0 = "affine.min"(%i, %i) <{map = affine_map<(d0) -> (d0)>}> : (index, index) -> index
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.min' op affine map expect at least one result}}
  %0 = affine.min affine_map<() -> ()>()
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.max' op affine map expect at least one result}}
  %0 = affine.max affine_map<() -> ()>()
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.delinearize_index' op should return an index for each basis element and up to one extra index}}
  %0:2 = affine.delinearize_index %i into (4, %n, 5) : index, index
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.linearize_index' op should be passed a basis element for each index except possibly the first}}
  %0 = affine.linearize_index [%i, %n, %i] by (4) : index
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.linearize_index' op mismatch between dynamic and static basis (kDynamic marker but no corresponding dynamic basis entry) -- this can only happen due to an incorrect fold/rewrite}}
  %0 = "affine.linearize_index"(%i, %n) <{operandSegmentSizes = array<i32: 2, 0>, static_basis = array<i64: -9223372036854775808>}> : (index, index) -> index
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.delinearize_index' op mismatch between dynamic and static basis (kDynamic marker but no corresponding dynamic basis entry) -- this can only happen due to an incorrect fold/rewrite}}
  %0:2 = "affine.delinearize_index"(%i) <{static_basis = array<i64: -9223372036854775808, 4>}> : (index) -> (index, index)
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.delinearize_index' op no basis element may be statically non-positive}}
  %0:2 = affine.delinearize_index %i into (4, -5) : index, index
  return
}
