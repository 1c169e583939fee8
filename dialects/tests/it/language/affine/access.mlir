// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  %0 = affine.load %m[%i + 1, symbol(%n) * 2] : memref<8x8xf32>
  affine.store %f, %m[%i, 3] {a} : memref<8x8xf32>
  affine.prefetch %m[%i, %n + 5], read, locality<3>, data : memref<8x8xf32>
  %1 = affine.vector_load %m[%i, %n] : memref<8x8xf32>, vector<4xf32>
  affine.vector_store %v, %m[%i, %n] : memref<8x8xf32>, vector<4xf32>
  return
}
func.func @f1(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  %l = memref.load %t[%i] : memref<1xi32>
  %x = arith.index_cast %l : i32 to index
  %0 = affine.load %m[%x, %i] : memref<8x8xf32>
  return
}
func.func @f2(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  %l = memref.load %t[%i] : memref<1xi32>
  %x = arith.index_cast %l : i32 to index
  affine.store %f, %m[%x, %i] : memref<8x8xf32>
  return
}
func.func @f3(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  %l = memref.load %t[%i] : memref<1xi32>
  %x = arith.index_cast %l : i32 to index
  affine.prefetch %m[%x, %i], read, locality<3>, data : memref<8x8xf32>
  return
}
