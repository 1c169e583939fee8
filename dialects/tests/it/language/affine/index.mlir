// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%n]
  %1 = affine.min affine_map<(d0)[s0] -> (d0 + s0, 3)>(%i)[%n]
  %2 = affine.max affine_map<(d0) -> (d0, 3)>(%i) {a}
  %3 = affine.apply affine_map<() -> (5)>()
  return
}
func.func @f1(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  %l = memref.load %t[%i] : memref<1xi32>
  %x = arith.index_cast %l : i32 to index
  %0 = affine.apply affine_map<(d0) -> (d0)>(%x)
  return
}
func.func @f2(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  %l = memref.load %t[%i] : memref<1xi32>
  %x = arith.index_cast %l : i32 to index
  %0 = affine.apply affine_map<()[s0] -> (s0)>()[%x]
  return
}
func.func @f3(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  %l = memref.load %t[%i] : memref<1xi32>
  %x = arith.index_cast %l : i32 to index
  %0 = affine.min affine_map<()[s0] -> (s0)>()[%x]
  return
}
func.func @f4(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  %0:3 = affine.delinearize_index %i into (4, %n, 5) : index, index, index
  %1:2 = affine.delinearize_index %i into (4, 5) {a} : index, index
  %2:3 = affine.delinearize_index %i into (4, 5) : index, index, index
  %3 = affine.linearize_index [%i, %n] by (4, %n) : index
  %4 = affine.linearize_index disjoint [%i, %n, %i] by (4, 8) : index
  %5 = affine.linearize_index [%i] by () : index
  return
}
func.func @f5(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  %0 = affine.delinearize_index %i into () : index
  return
}
func.func @f6(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  %0 = affine.linearize_index [] by () : index
  return
}
func.func @f7(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  %0 = affine.linearize_index [%i, %n] by (4, -4) : index
  return
}
func.func @f8(%i: index, %n: index, %m: memref<8x8xf32>, %f: f32, %v: vector<4xf32>, %t: memref<1xi32>, %m2: memref<8x8xf32, 2>, %i2: i32) {
  %0 = "affine.linearize_index"(%i, %n) <{disjoint, operandSegmentSizes = array<i32: 2, 0>, static_basis = array<i64: 4>}> : (index, index) -> index
  return
}
