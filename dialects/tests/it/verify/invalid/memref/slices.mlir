// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%m: memref<4x1x8xf32, strided<[8, 100, 1]>>, %n: index) {
  // expected-error@+1 {{expected result type to be 'memref<1x1x8xf32, strided<[8, 100, 1]>>' or a rank-reduced version. (mismatch of result layout), but got 'memref<1x8xf32, strided<[9, 1]>>'}}
  %0 = memref.subview %m[0, 0, 0] [1, 1, 8] [1, 1, 1] : memref<4x1x8xf32, strided<[8, 100, 1]>> to memref<1x8xf32, strided<[9, 1]>>
  return
}
// -----
func.func @f(%m: memref<8x16xf32>, %n: index) {
  // expected-error@+1 {{expected result type to be 'memref<4x4xf32, strided<[16, 1]>>' or a rank-reduced version. (mismatch of result sizes), but got 'memref<4x5xf32, strided<[16, 1]>>'}}
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x5xf32, strided<[16, 1]>>
  return
}
// -----
func.func @f(%m: memref<8x16xf32>, %n: index) {
  // expected-error@+1 {{expected result rank to be smaller or equal to the source rank, but got 'memref<4x4x1xf32, strided<[16, 1, 1]>>'}}
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4x1xf32, strided<[16, 1, 1]>>
  return
}
// -----
func.func @f(%m: memref<8x16xf32>, %n: index) {
  // expected-error@+1 {{expected result element type to be 'f32', but got 'memref<4x4xf64, strided<[16, 1]>>'}}
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf64, strided<[16, 1]>>
  return
}
// -----
func.func @f(%m: memref<8x16xf32>, %n: index) {
  // expected-error@+1 {{different memory spaces specified for base memref type 'memref<8x16xf32>' and subview memref type 'memref<4x4xf32, strided<[16, 1]>, 1>'}}
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1]>, 1>
  return
}
// -----
func.func @f(%m: memref<8x16xf32>, %n: index) {
  // expected-error@+1 {{offset 1 is out-of-bounds: 20 >= 16}}
  %0 = memref.subview %m[0, 20] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: 20>>
  return
}
// -----
func.func @f(%m: memref<8x16xf32>, %n: index) {
  // expected-error@+1 {{slice along dimension 1 runs out-of-bounds: 22 >= 16}}
  %0 = memref.subview %m[0, 10] [4, 4] [1, 4] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 4], offset: 10>>
  return
}
// -----
func.func @f(%m: memref<8x16xf32>, %n: index) {
  // expected-error@+1 {{expected mixed offsets rank to match mixed sizes rank (1 vs 2) so the rank of the result type is well-formed.}}
  %0 = memref.subview %m[0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1]>>
  return
}
// -----
func.func @f(%m: memref<8x16xf32>, %n: index) {
  // expected-error@+1 {{expected sizes to be non-negative, but got -4}}
  %0 = memref.subview %m[0, 0] [4, -4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1]>>
  return
}
// -----
func.func @f(%m: memref<8x16xf32, affine_map<(i, j) -> (i floordiv 2, j)>>, %n: index) {
  // expected-error@+1 {{base type 'memref<8x16xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>' is not strided}}
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32, affine_map<(i, j) -> (i floordiv 2, j)>> to memref<4x4xf32, strided<[16, 1]>>
  return
}
// -----
func.func @f(%m: memref<?xf32>, %n: index) {
  // expected-error@+1 {{expected result type with offset = dynamic instead of 0}}
  %0 = memref.reinterpret_cast %m to offset: [%n], sizes: [4], strides: [1] : memref<?xf32> to memref<4xf32>
  return
}
// -----
func.func @f(%m: memref<?xf32>, %n: index) {
  // expected-error@+1 {{expected result type with stride = 2 instead of 1 in dim = 0}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [2] : memref<?xf32> to memref<4xf32>
  return
}
// -----
func.func @f(%m: memref<*xf32>, %n: index) {
  // expected-error@+1 {{different element types specified for source type 'memref<*xf32>' and result memref type 'memref<4xf64>'}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<*xf32> to memref<4xf64>
  return
}
// -----
func.func @f(%m: memref<*xf32, 1>, %n: index) {
  // expected-error@+1 {{different memory spaces specified for source type 'memref<*xf32, 1>' and result memref type 'memref<4xf32>'}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<*xf32, 1> to memref<4xf32>
  return
}
// -----
func.func @f(%m: memref<*xf32>, %n: index) {
  // expected-error@+1 {{expected mixed offsets rank to match mixed sizes rank (2 vs 1) so the rank of the result type is well-formed.}}
  %0 = memref.reinterpret_cast %m to offset: [0, 0], sizes: [4], strides: [1] : memref<*xf32> to memref<4xf32>
  return
}
// -----
func.func @f(%m: memref<*xf32>, %n: index) {
  // expected-error@+1 {{expected mixed sizes rank to match mixed strides rank (2 vs 1) so the rank of the result type is well-formed.}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4, 4], strides: [1] : memref<*xf32> to memref<4xf32>
  return
}
// -----
func.func @f(%m: memref<*xf32>, %n: index) {
  // expected-error@+1 {{expected 2 size values, got 1}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<*xf32> to memref<4x1xf32>
  return
}
// -----
func.func @f(%m: memref<*xf32>, %n: index) {
  // expected-error@+1 {{expected sizes to be non-negative, but got -4}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [-4], strides: [1] : memref<*xf32> to memref<4xf32>
  return
}
// -----
func.func @f(%m: memref<*xf32>, %n: index) {
  // expected-error@+1 {{expected offsets to be non-negative, but got -1}}
  %0 = memref.reinterpret_cast %m to offset: [-1], sizes: [4], strides: [1] : memref<*xf32> to memref<4xf32>
  return
}
// -----
func.func @f(%m: memref<*xf32>, %n: index) {
  // expected-error@+1 {{expected result type with stride = dynamic instead of 1 in dim = 0}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [%n] : memref<*xf32> to memref<4xf32>
  return
}
// -----
func.func @f(%m: memref<*xf32>, %n: index) {
  // expected-error@+1 {{expected 1 offset values, got 0}}
  %0 = memref.reinterpret_cast %m to offset: [], sizes: [], strides: [] : memref<*xf32> to memref<f32>
  return
}
// -----
func.func @f(%m: memref<?xf32>, %n: index) {
  // expected-error@+1 {{expected result type with offset = 5 instead of 4}}
  %0 = memref.reinterpret_cast %m to offset: [5], sizes: [4], strides: [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: 4>>
  return
}
