// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%a: memref<4xf32>, %b: memref<5xf32>) {
  // expected-error@+1 {{'memref.copy' op requires the same shape for all operands}}
  memref.copy %a, %b : memref<4xf32> to memref<5xf32>
  return
}
// -----
func.func @f(%a: memref<4xf32>, %b: memref<4xf64>) {
  // expected-error@+1 {{'memref.copy' op requires the same element type for all operands}}
  memref.copy %a, %b : memref<4xf32> to memref<4xf64>
  return
}
// -----
func.func @f(%i: index) {
  // expected-error@+1 {{'memref.alloc' op incorrect number of dynamic sizes, has 0, expected 1}}
  %0 = memref.alloc() : memref<?xf32>
  return
}
// -----
func.func @f(%i: index) {
  // expected-error@+1 {{'memref.alloc' op symbol operand count does not equal memref symbol count: expected 0, got 1}}
  %0 = memref.alloc()[%i] : memref<4xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index) {
  // expected-error@+1 {{missing dimension operand for result type 'memref<?xf32>'}}
  %0 = memref.realloc %m : memref<4xf32> to memref<?xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index) {
  // expected-error@+1 {{unnecessary dimension operand for result type 'memref<5xf32>'}}
  %0 = memref.realloc %m(%i) : memref<4xf32> to memref<5xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32, 1>, %i: index) {
  // expected-error@+1 {{different memory spaces specified for source memref type 'memref<4xf32, 1>' and result memref type 'memref<5xf32>'}}
  %0 = memref.realloc %m : memref<4xf32, 1> to memref<5xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32, strided<[2]>>, %i: index) {
  // expected-error@+1 {{unsupported layout for source memref type 'memref<4xf32, strided<[2]>>'}}
  %0 = memref.realloc %m : memref<4xf32, strided<[2]>> to memref<5xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index) {
  // expected-error@+1 {{different element types specified for source memref type 'memref<4xf32>' and result memref type 'memref<5xf64>'}}
  %0 = memref.realloc %m : memref<4xf32> to memref<5xf64>
  return
}
// -----
func.func @f(%m: memref<4x4xf32>) {
  // expected-error@+1 {{'memref.realloc' op operand #0 must be 1D memref of any type values, but got 'memref<4x4xf32>'}}
  %0 = memref.realloc %m : memref<4x4xf32> to memref<5xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index) {
  // expected-error@+1 {{unsupported layout for result memref type 'memref<5xf32, strided<[2]>>'}}
  %0 = memref.realloc %m : memref<4xf32> to memref<5xf32, strided<[2]>>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index, %x: f32, %y: i32) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  ^bb0(%v: f32):
 // expected-error@+1 {{body of 'memref.generic_atomic_rmw' should contain only operations with no side effects}}
 %z = memref.alloc() : memref<f32>
 memref.atomic_yield %v : f32
  }
  return
}
