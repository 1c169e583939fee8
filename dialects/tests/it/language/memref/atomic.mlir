// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0(%m: memref<4xf32>, %i: index, %f: f32, %n: i32) {
  %0 = memref.atomic_rmw addf %f, %m[%i] : (f32, memref<4xf32>) -> f32
  %1 = memref.atomic_rmw assign %f, %m[%i] : (f32, memref<4xf32>) -> f32
  %2 = memref.atomic_rmw maximumf %f, %m[%i] : (f32, memref<4xf32>) -> f32
  return
}
func.func @f1(%m: memref<4xi32>, %i: index, %f: i32) {
  %0 = memref.atomic_rmw maxnumf %f, %m[%i] : (i32, memref<4xi32>) -> i32
  return
}
func.func @f2(%m: memref<4xi32>, %i: index, %f: i32) {
  %0 = memref.atomic_rmw addi %f, %m[%i] : (i32, memref<4xi32>) -> i32
  return
}
func.func @f3(%m: memref<4xi32>, %i: index, %f: i32) {
  %0 = memref.atomic_rmw xori %f, %m[%i] : (i32, memref<4xi32>) -> i32
  return
}
func.func @f4(%m: memref<4xi32>, %i: index, %f: i32) {
  %0 = memref.atomic_rmw assign %f, %m[%i] : (i32, memref<4xi32>) -> i32
  return
}
func.func @f5(%m: memref<4xi32>, %i: index, %f: i32) {
  %0 = memref.atomic_rmw maxu %f, %m[%i] : (i32, memref<4xi32>) -> i32
  return
}
func.func @f6(%m: memref<4xf32>, %i: index, %x: f32, %y: i32) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  ^bb0(%v: f32):
 memref.atomic_yield %v : f32
  }
  return
}
func.func @f7(%m: memref<4xi32>, %i: index, %f: i32) {
  %0 = memref.atomic_rmw minnumf %f, %m[%i] : (i32, memref<4xi32>) -> i32
  return
}
