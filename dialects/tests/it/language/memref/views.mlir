// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0(%m: memref<2048xi8>, %i: index) {
  %0 = memref.view %m[%i][] : memref<2048xi8> to memref<64x4xf32>
  %1 = memref.view %m[%i][%i] : memref<2048xi8> to memref<?x4xf32>
  return
}
func.func @f1(%m: memref<2x4xf32>) {
  %0 = memref.transpose %m (i, j) -> (j, i) : memref<2x4xf32> to memref<4x2xf32, strided<[1, 4]>>
  return
}
func.func @f2(%m: memref<2x4xf32>) {
  %0 = memref.transpose %m (i, j) -> (i, j) : memref<2x4xf32> to memref<2x4xf32>
  return
}
func.func @f3(%m: memref<2x4xf32>) {
  %0 = memref.transpose %m (i, j) -> (j, i) : memref<2x4xf32> to memref<4x2xf32, affine_map<(d0, d1) -> (d1 * 4 + d0)>>
  return
}
func.func @f4(%m: memref<?x?xf32, strided<[?, 1], offset: ?>>) {
  %0 = memref.transpose %m (i, j) -> (j, i) : memref<?x?xf32, strided<[?, 1], offset: ?>> to memref<?x?xf32, strided<[1, ?], offset: ?>>
  return
}
func.func @f5(%m: memref<4xf32>) {
  %0 = memref.cast %m : memref<4xf32> to memref<?xf32>
  return
}
func.func @f6(%m: memref<4xf32>) {
  %0 = memref.cast %m : memref<4xf32> to memref<*xf32>
  return
}
func.func @f7(%m: memref<4xf32>) {
  %0 = memref.cast %m : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  return
}
func.func @f8(%m: memref<4xf32>) {
  %0 = memref.cast %m : memref<4xf32> to memref<4xf32>
  return
}
func.func @f9(%m: memref<4x4xf32, affine_map<(i,j)->(j,i)>>) {
  %0 = memref.cast %m : memref<4x4xf32, affine_map<(i,j)->(j,i)>> to memref<?x4xf32, affine_map<(i,j)->(j,i)>>
  return
}
func.func @f10(%m: memref<4xf32, 1>) {
  %0 = memref.memory_space_cast %m : memref<4xf32, 1> to memref<4xf32>
  return
}
func.func @f11(%m: memref<*xf32, 1>) {
  %0 = memref.memory_space_cast %m : memref<*xf32, 1> to memref<*xf32>
  return
}
func.func @f12(%m: memref<4xf32, 1>) {
  %0 = memref.memory_space_cast %m : memref<4xf32, 1> to memref<4xf32, 1>
  return
}
func.func @f13(%a: memref<4xf32>, %b: memref<?xf32>) {
  %0, %1 = memref.distinct_objects %a, %b : memref<4xf32>, memref<?xf32>
  return
}
func.func @f14(%a: memref<4xf32>) {
  %0 = memref.distinct_objects %a {b} : memref<4xf32>
  return
}
func.func @f15(%a: memref<4x?xf32, strided<[?, 1], offset: ?>, 3>) {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %a : memref<4x?xf32, strided<[?, 1], offset: ?>, 3> -> memref<f32, 3>, index, index, index, index, index
  return
}
func.func @f16(%a: memref<f32>) {
  %b, %o = memref.extract_strided_metadata %a : memref<f32> -> memref<f32>, index
  return
}
func.func @f17(%a: memref<*xf32>, %i: index) {
  %0 = memref.dim %a, %i : memref<*xf32>
  %1 = memref.rank %a : memref<*xf32>
  return
}
func.func @f18(%a: memref<4xf32>) {
  %i = arith.constant 7 : index
  %0 = memref.dim %a, %i : memref<4xf32>
  return
}
func.func @f19(%m: memref<4xf32>) {
  %0 = memref.assume_alignment %m, 16 : memref<4xf32>
  return
}
