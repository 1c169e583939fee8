// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%m: memref<4xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'memref.atomic_rmw' op with kind 'addi' expects an integer type}}
  %0 = memref.atomic_rmw addi %f, %m[%i] : (f32, memref<4xf32>) -> f32
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index, %f: i32) {
  // expected-error@+1 {{'memref.atomic_rmw' op with kind 'addf' expects a floating-point type}}
  %0 = memref.atomic_rmw addf %f, %m[%i] : (i32, memref<4xi32>) -> i32
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index, %f: i32) {
  // expected-error@+1 {{'memref.atomic_rmw' op expects the number of subscripts to be equal to memref rank}}
  %0 = memref.atomic_rmw addi %f, %m[] : (i32, memref<4xi32>) -> i32
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index, %f: i64) {
  // expected-error@+1 {{'memref.atomic_rmw' op failed to verify that value type matches element type of memref}}
  %0 = memref.atomic_rmw addi %f, %m[%i] : (i64, memref<4xi32>) -> i64
  return
}
// -----
func.func @f(%m: memref<4xindex>, %i: index) {
  // expected-error@+1 {{'memref.atomic_rmw' op operand #0 must be signless integer or floating-point, but got 'index'}}
  %0 = memref.atomic_rmw addi %i, %m[%i] : (index, memref<4xindex>) -> index
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index, %x: f32, %y: i32) {
  // expected-error@+1 {{'memref.generic_atomic_rmw' op expected block argument of the same type result type}}
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  ^bb0(%v: i32):
 memref.atomic_yield %x : f32
  }
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index, %x: f32, %y: i32) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  ^bb0(%v: f32):
 // expected-error@+1 {{'memref.atomic_yield' op types mismatch between yield op: 'i32' and its parent: 'f32'}}
 memref.atomic_yield %y : i32
  }
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index, %x: f32, %y: i32) {
  // expected-error@+1 {{'memref.generic_atomic_rmw' op expected single number of entry block arguments}}
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  ^bb0(%v: f32, %w: f32):
 memref.atomic_yield %v : f32
  }
  return
}
// -----
func.func @f(%m: memref<4xindex>, %i: index, %x: f32, %y: i32) {
  // expected-error@+1 {{'memref.generic_atomic_rmw' op operand #0 must be memref of signless integer or floating-point values, but got 'memref<4xindex>'}}
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xindex> {
  ^bb0(%v: index):
 memref.atomic_yield %v : index
  }
  return
}
