// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.yield' op parent of yield must have same number of results as the yield operands}}
  %r = affine.for %a = 0 to 10 iter_args(%p = %f) -> (f32) {
 }
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  %r = affine.for %a = 0 to 10 iter_args(%p = %f) -> (f32) {
 // expected-error@+1 {{'affine.yield' op types mismatch between yield op and its parent}}
 affine.yield %i : index
 }
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.for' op expected lower bound map to have at least one result}}
  affine.for %a = affine_map<() -> ()>() to 10 {
 }
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.for' op expected body to have a single index argument for the induction variable}}
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<() -> (10)>, step = 1 : index, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
 ^bb0(%a: i32):
 affine.yield
 }) : () -> ()
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.for' op different number of inits and region iter_args: 0 != 1}}
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<() -> (10)>, step = 1 : index, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
 ^bb0(%a: index, %b: f32):
 affine.yield
 }) : () -> ()
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.if' op operand count and condition integer set dimension and symbol count must match}}
  "affine.if"(%i) ({
 affine.yield
 }, {}) {condition = affine_set<(d0)[s0] : (d0 - s0 >= 0)>} : (index) -> ()
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.if' op requires attribute 'condition'}}
  "affine.if"(%i) ({
 affine.yield
 }, {}) : (index) -> ()
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.if' op attribute 'condition' failed to satisfy constraint: IntegerSet attribute}}
  "affine.if"(%i) ({
 affine.yield
 }, {}) {condition = 1} : (index) -> ()
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.yield' op parent of yield must have same number of results as the yield operands}}
  %r = affine.if affine_set<(d0) : (d0 == 0)>(%i) -> f32 {
 } else {
 affine.yield %f : f32
 }
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.parallel' op result type cannot match reduction attribute}}
  %r = affine.parallel (%a) = (0) to (10) reduce ("addi") -> f32 {
 affine.yield %f : f32
 }
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.yield' op parent of yield must have same number of results as the yield operands}}
  %r = affine.parallel (%a) = (0) to (10) reduce ("addf") -> f32 {
 }
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.parallel' op expected upper bounds map to have 2 results}}
  "affine.parallel"() <{lowerBoundsMap = affine_map<() -> (0)>, lowerBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (10)>, upperBoundsGroups = dense<2> : tensor<1xi32>, steps = [1], reductions = []}> ({
 ^bb0(%a: index):
 affine.yield
 }) : () -> ()
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.parallel' op the number of region arguments (1) and the number of map groups for lower (1) and upper bound (1), and the number of steps (2) must all match}}
  "affine.parallel"() <{lowerBoundsMap = affine_map<() -> (0)>, lowerBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (10)>, upperBoundsGroups = dense<1> : tensor<1xi32>, steps = [1, 2], reductions = []}> ({
 ^bb0(%a: index):
 affine.yield
 }) : () -> ()
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.parallel' op attribute 'reductions' failed to satisfy constraint: Reduction ops}}
  "affine.parallel"() <{lowerBoundsMap = affine_map<() -> (0)>, lowerBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (10)>, upperBoundsGroups = dense<1> : tensor<1xi32>, steps = [1], reductions = [42]}> ({
 ^bb0(%a: index):
 affine.yield
 }) : () -> ()
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.yield' op must be the last operation in the parent block}}
  affine.yield
  return
}
