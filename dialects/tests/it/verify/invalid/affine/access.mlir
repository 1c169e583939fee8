// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.load' op affine map num results must equal memref rank}}
  %0 = affine.load %m[%i] : memref<8x8xf32>
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.store' op affine map num results must equal memref rank}}
  affine.store %f, %m[%i] : memref<8x8xf32>
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.load' op result type must match element type of memref}}
  %0 = "affine.load"(%m, %i) <{map = affine_map<(d0) -> (d0, d0)>}> : (memref<8x8xf32>, index) -> f64
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.load' op expects as many subscripts as affine map inputs}}
  %0 = "affine.load"(%m, %i, %i) <{map = affine_map<(d0) -> (d0, d0)>}> : (memref<8x8xf32>, index, index) -> f32
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.load' op requires attribute 'map'}}
  %0 = "affine.load"(%m, %i, %i) : (memref<8x8xf32>, index, index) -> f32
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.vector_load' op requires memref and vector types of the same elemental type}}
  %0 = affine.vector_load %m[%i, %n] : memref<8x8xf32>, vector<4xf64>
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.vector_load' op affine map num results must equal memref rank}}
  %0 = affine.vector_load %m[%i] : memref<8x8xf32>, vector<4xf32>
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.vector_store' op operand #0 must be vector of any type values, but got 'f32'}}
  "affine.vector_store"(%f, %m, %i) <{map = affine_map<(d0) -> (d0, d0)>}> : (f32, memref<8x8xf32>, index) -> ()
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.store' op value to store must have the same type as memref element type}}
  "affine.store"(%i2, %m, %i) <{map = affine_map<(d0) -> (d0, d0)>}> : (i32, memref<8x8xf32>, index) -> ()
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.prefetch' op affine.prefetch affine map num results must equal memref rank}}
  affine.prefetch %m[%i], read, locality<3>, data : memref<8x8xf32>
  return
}
// -----
func.func @f(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  // expected-error@+1 {{'affine.prefetch' op attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3}}
  affine.prefetch %m[%i, %i], read, locality<5>, data : memref<8x8xf32>
  return
}
