// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0(%m: memref<8xf32>, %n: index) {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  return
}
func.func @f1(%m: memref<8xf32, strided<[2]>>, %n: index) {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [2, 4] : memref<8xf32, strided<[2]>> into memref<2x4xf32, strided<[8, 2]>>
  return
}
func.func @f2(%m: memref<?xf32>, %n: index) {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [%n, 4] : memref<?xf32> into memref<?x4xf32>
  return
}
func.func @f3(%m: memref<?xf32>, %n: index) {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [%n, %n] : memref<?xf32> into memref<?x?xf32>
  return
}
func.func @f4(%m: memref<?xf32, strided<[?], offset: ?>>, %n: index) {
  %0 = memref.expand_shape %m [[0, 1]] output_shape [%n, 4] : memref<?xf32, strided<[?], offset: ?>> into memref<?x4xf32, strided<[?, ?], offset: ?>>
  return
}
func.func @f5(%m: memref<8xf32>, %n: index) {
  %0 = memref.expand_shape %m [[0]] output_shape [8] : memref<8xf32> into memref<8xf32>
  return
}
func.func @f6(%m: memref<f32>, %n: index) {
  %0 = memref.expand_shape %m [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>
  return
}
func.func @f7(%m: memref<8x0xf32>, %n: index) {
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 4, 0] : memref<8x0xf32> into memref<2x4x0xf32>
  return
}
func.func @f8(%m: memref<1x1xf32, strided<[2, 5], offset: 3>>, %n: index) {
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [1, 1, 1] : memref<1x1xf32, strided<[2, 5], offset: 3>> into memref<1x1x1xf32, strided<[2, 2, 5], offset: 3>>
  return
}
func.func @f9(%m: memref<2x4xf32>, %n: index) {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<2x4xf32> into memref<8xf32>
  return
}
func.func @f10(%m: memref<2x4xf32, strided<[8, 2]>>, %n: index) {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<2x4xf32, strided<[8, 2]>> into memref<8xf32, strided<[2]>>
  return
}
func.func @f11(%m: memref<?x4xf32>, %n: index) {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<?x4xf32> into memref<?xf32>
  return
}
func.func @f12(%m: memref<1x1xf32>, %n: index) {
  %0 = memref.collapse_shape %m [] : memref<1x1xf32> into memref<f32>
  return
}
func.func @f13(%m: memref<2x4xf32>, %n: index) {
  %0 = memref.collapse_shape %m [[0], [1]] : memref<2x4xf32> into memref<2x4xf32>
  return
}
func.func @f14(%m: memref<2x1xf32, strided<[3, 7]>>, %n: index) {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<2x1xf32, strided<[3, 7]>> into memref<2xf32, strided<[3]>>
  return
}
func.func @f15(%m: memref<1x2xf32, strided<[3, 7]>>, %n: index) {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<1x2xf32, strided<[3, 7]>> into memref<2xf32, strided<[7]>>
  return
}
func.func @f16(%m: memref<1x1xf32, strided<[3, 7]>>, %n: index) {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<1x1xf32, strided<[3, 7]>> into memref<1xf32, strided<[3]>>
  return
}
func.func @f17(%m: memref<2x4xf32, strided<[4, 1], offset: 3>>, %n: index) {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<2x4xf32, strided<[4, 1], offset: 3>> into memref<8xf32, strided<[1], offset: 3>>
  return
}
func.func @f18(%m: memref<1x1xf32, strided<[3, 7], offset: 5>>, %n: index) {
  %0 = memref.collapse_shape %m [] : memref<1x1xf32, strided<[3, 7], offset: 5>> into memref<f32, strided<[], offset: 5>>
  return
}
func.func @f19(%m: memref<?x1xf32, strided<[?, ?], offset: ?>>, %n: index) {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<?x1xf32, strided<[?, ?], offset: ?>> into memref<?xf32, strided<[?], offset: ?>>
  return
}
func.func @f20(%m: memref<2x0xf32>, %n: index) {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<2x0xf32> into memref<0xf32>
  return
}
func.func @f21(%m: memref<4xf32>, %s: memref<2xindex>) {
  %0 = memref.reshape %m(%s) : (memref<4xf32>, memref<2xindex>) -> memref<2x2xf32>
  return
}
func.func @f22(%m: memref<4xf32>, %s: memref<2xindex>) {
  %0 = memref.reshape %m(%s) : (memref<4xf32>, memref<2xindex>) -> memref<2x3xf32>
  return
}
func.func @f23(%m: memref<4xf32>, %s: memref<?xindex>) {
  %0 = memref.reshape %m(%s) : (memref<4xf32>, memref<?xindex>) -> memref<*xf32>
  return
}
func.func @f24(%m: memref<4xf32, 1>, %s: memref<2xindex>) {
  %0 = memref.reshape %m(%s) : (memref<4xf32, 1>, memref<2xindex>) -> memref<2x2xf32>
  return
}
func.func @f25(%m: memref<*xf32>, %s: memref<2xi32>) {
  %0 = memref.reshape %m(%s) : (memref<*xf32>, memref<2xi32>) -> memref<2x2xf32>
  return
}
