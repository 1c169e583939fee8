// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0(%m: memref<8x16xf32>, %n: index) {
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1]>>
  return
}
func.func @f1(%m: memref<8x16xf32>, %n: index) {
  %0 = memref.subview %m[0, 0] [1, 4] [1, 1] : memref<8x16xf32> to memref<4xf32, strided<[1]>>
  return
}
func.func @f2(%m: memref<1x1x8xf32>, %n: index) {
  %0 = memref.subview %m[0, 0, 0] [1, 1, 8] [1, 1, 1] : memref<1x1x8xf32> to memref<1x8xf32, strided<[8, 1]>>
  return
}
func.func @f3(%m: memref<1x1x8xf32>, %n: index) {
  %0 = memref.subview %m[0, 0, 0] [1, 1, 8] [1, 1, 1] : memref<1x1x8xf32> to memref<8xf32>
  return
}
func.func @f4(%m: memref<4x1x8xf32, strided<[8, 100, 1]>>, %n: index) {
  %0 = memref.subview %m[0, 0, 0] [1, 1, 8] [1, 1, 1] : memref<4x1x8xf32, strided<[8, 100, 1]>> to memref<1x8xf32, strided<[100, 1]>>
  return
}
func.func @f5(%m: memref<4x1x8xf32, strided<[8, 100, 1]>>, %n: index) {
  %0 = memref.subview %m[0, 0, 0] [1, 1, 8] [1, 1, 1] : memref<4x1x8xf32, strided<[8, 100, 1]>> to memref<1x8xf32, strided<[8, 1]>>
  return
}
func.func @f6(%m: memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>, %n: index) {
  %0 = memref.subview %m[0, 0, 0] [1, %n, 1] [1, 1, 1] : memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>> to memref<?x1xf32, strided<[?, ?], offset: ?>>
  return
}
func.func @f7(%m: memref<?x?x?xf32, strided<[?, ?, 1], offset: ?>>, %n: index) {
  %0 = memref.subview %m[0, 0, 0] [1, %n, 1] [1, 1, 1] : memref<?x?x?xf32, strided<[?, ?, 1], offset: ?>> to memref<1x?xf32, strided<[?, ?], offset: ?>>
  return
}
func.func @f8(%m: memref<?x?x?xf32, strided<[?, ?, 1], offset: ?>>, %n: index) {
  %0 = memref.subview %m[0, 0, 0] [1, %n, 1] [1, 1, 1] : memref<?x?x?xf32, strided<[?, ?, 1], offset: ?>> to memref<?x1xf32, strided<[?, 1], offset: ?>>
  return
}
func.func @f9(%m: memref<?x?x?xf32, strided<[?, ?, 1], offset: ?>>, %n: index) {
  %0 = memref.subview %m[0, 0, 0] [1, %n, 1] [1, 1, 1] : memref<?x?x?xf32, strided<[?, ?, 1], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
  return
}
func.func @f10(%m: memref<8x16xf32>, %n: index) {
  %0 = memref.subview %m[%n, 0] [%n, 4] [%n, 1] : memref<8x16xf32> to memref<?x4xf32, strided<[?, 1], offset: ?>>
  return
}
func.func @f11(%m: memref<8x16xf32, affine_map<(i, j) -> (i * 16 + j)>>, %n: index) {
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32, affine_map<(i, j) -> (i * 16 + j)>> to memref<4x4xf32, strided<[16, 1]>>
  return
}
func.func @f12(%m: memref<1xf32>, %n: index) {
  %0 = memref.subview %m[0] [1] [1] : memref<1xf32> to memref<f32>
  return
}
func.func @f13(%m: memref<1xf32, strided<[1], offset: 5>>, %n: index) {
  %0 = memref.subview %m[0] [1] [1] : memref<1xf32, strided<[1], offset: 5>> to memref<f32, strided<[], offset: 5>>
  return
}
func.func @f14(%m: memref<f32>, %n: index) {
  %0 = memref.subview %m[] [] [] : memref<f32> to memref<f32>
  return
}
func.func @f15(%m: memref<8xf32>, %n: index) {
  %0 = memref.subview %m[2] [3] [-1] : memref<8xf32> to memref<3xf32, strided<[-1], offset: 2>>
  return
}
func.func @f16(%m: memref<?xf32>, %n: index) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4, 4], strides: [4, 1] : memref<?xf32> to memref<4x4xf32>
  return
}
func.func @f17(%m: memref<?xf32>, %n: index) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4, 4], strides: [4, 1] : memref<?xf32> to memref<4x4xf32, strided<[4, 1]>>
  return
}
func.func @f18(%m: memref<?xf32>, %n: index) {
  %0 = memref.reinterpret_cast %m to offset: [%n], sizes: [%n], strides: [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  return
}
func.func @f19(%m: memref<?xf32>, %n: index) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<?xf32> to memref<?xf32>
  return
}
func.func @f20(%m: memref<*xf32>, %n: index) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [%n] : memref<*xf32> to memref<4xf32, strided<[?]>>
  return
}
func.func @f21(%m: memref<*xf32>, %n: index) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [], strides: [] : memref<*xf32> to memref<f32>
  return
}
func.func @f22(%m: memref<?xf32>, %n: index) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<?xf32> to memref<4xf32, affine_map<(d0) -> (d0 * 1)>>
  return
}
func.func @f23(%m: memref<?xf32>, %n: index) {
  %0 = memref.reinterpret_cast %m to offset: [1], sizes: [4], strides: [1] : memref<?xf32> to memref<4xf32, affine_map<(d0) -> (d0 + 1)>>
  return
}
func.func @f24(%m: memref<?xf32>, %n: index) {
  %0 = memref.reinterpret_cast %m to offset: [5], sizes: [4], strides: [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: ?>>
  return
}
