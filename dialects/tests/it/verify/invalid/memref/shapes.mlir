// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%m: memref<8xf32>, %n: index) {
  // expected-error@+1 {{'memref.expand_shape' op expected expanded type to be 'memref<2x4xf32>' but found 'memref<2x4xf32, strided<[4, 1]>>'}}
  %0 = memref.expand_shape %m [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32, strided<[4, 1]>>
  return
}
// -----
func.func @f(%m: memref<8xf32>, %n: index) {
  // expected-error@+1 {{'memref.expand_shape' op collapsed dim size (8) must equal reassociation group size (10)}}
  %0 = memref.expand_shape %m [[0, 1]] output_shape [2, 5] : memref<8xf32> into memref<2x5xf32>
  return
}
// -----
func.func @f(%m: memref<8xf32>, %n: index) {
  // expected-error@+1 {{'memref.expand_shape' op reassociation indices must be contiguous}}
  %0 = memref.expand_shape %m [[0, 2]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  return
}
// -----
func.func @f(%m: memref<8xf32>, %n: index) {
  // expected-error@+1 {{'memref.expand_shape' op invalid number of reassociation groups: found 2, expected 1}}
  %0 = memref.expand_shape %m [[0], [1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  return
}
// -----
func.func @f(%m: memref<8xf32>, %n: index) {
  // expected-error@+1 {{'memref.expand_shape' op expected number of static shape bounds to be equal to the output rank (2) but found 1 inputs instead}}
  %0 = memref.expand_shape %m [[0, 1]] output_shape [2] : memref<8xf32> into memref<2x4xf32>
  return
}
// -----
func.func @f(%m: memref<8xf32>, %n: index) {
  // expected-error@+1 {{'memref.expand_shape' op invalid output shape provided at pos 0}}
  %0 = memref.expand_shape %m [[0, 1]] output_shape [4, 2] : memref<8xf32> into memref<2x4xf32>
  return
}
// -----
func.func @f(%m: memref<?xf32>, %n: index) {
  // expected-error@+1 {{'memref.expand_shape' op collapsed dim (0) must be dynamic if and only if reassociation group is dynamic}}
  %0 = memref.expand_shape %m [[0, 1]] output_shape [2, 4] : memref<?xf32> into memref<2x4xf32>
  return
}
// -----
func.func @f(%m: memref<8x8xf32, affine_map<(d0, d1) -> (d1, d0)>>, %n: index) {
  // expected-error@+1 {{'memref.expand_shape' op operand #0 must be strided memref of any type values, but got 'memref<8x8xf32, affine_map<(d0, d1) -> (d1, d0)>>'}}
  %0 = memref.expand_shape %m [[0], [1, 2]] output_shape [8, 2, 4] : memref<8x8xf32, affine_map<(d0, d1) -> (d1, d0)>> into memref<8x2x4xf32>
  return
}
// -----
func.func @f(%m: memref<2x4xf32, strided<[8, 1]>>, %n: index) {
  // expected-error@+1 {{'memref.collapse_shape' op invalid source layout map or collapsing non-contiguous dims}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<2x4xf32, strided<[8, 1]>> into memref<8xf32>
  return
}
// -----
func.func @f(%m: memref<2x4xf32, strided<[8, 2]>>, %n: index) {
  // expected-error@+1 {{'memref.collapse_shape' op expected collapsed type to be 'memref<8xf32, strided<[2]>>' but found 'memref<8xf32>'}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<2x4xf32, strided<[8, 2]>> into memref<8xf32>
  return
}
// -----
func.func @f(%m: memref<2x4xf32>, %n: index) {
  // expected-error@+1 {{'memref.collapse_shape' op rank 0 memrefs can only be extended/collapsed with/from ones}}
  %0 = memref.collapse_shape %m [] : memref<2x4xf32> into memref<f32>
  return
}
// -----
func.func @f(%m: memref<2x4xf32>, %n: index) {
  // expected-error@+1 {{'memref.collapse_shape' op reassociation indices must be contiguous}}
  %0 = memref.collapse_shape %m [[1, 0]] : memref<2x4xf32> into memref<8xf32>
  return
}
// -----
func.func @f(%m: memref<2x4xf32>, %n: index) {
  // expected-error@+1 {{'memref.collapse_shape' op expanded rank (2) inconsistent with number of reassociation indices (1)}}
  %0 = memref.collapse_shape %m [[0]] : memref<2x4xf32> into memref<2xf32>
  return
}
// -----
func.func @f(%m: memref<2x4xf32>, %n: index) {
  // expected-error@+1 {{'memref.collapse_shape' op collapsed dim size (7) must equal reassociation group size (8)}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<2x4xf32> into memref<7xf32>
  return
}
// -----
func.func @f(%m: memref<2x4xf32>, %n: index) {
  // expected-error@+1 {{'memref.collapse_shape' op reassociation index 2 is out of bounds}}
  %0 = memref.collapse_shape %m [[0, 1], [2]] : memref<2x4xf32> into memref<8x1xf32>
  return
}
// -----
func.func @f(%m: memref<2x?xf32>, %n: index) {
  // expected-error@+1 {{'memref.collapse_shape' op collapsed dim (0) must be dynamic if and only if reassociation group is dynamic}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<2x?xf32> into memref<8xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %s: memref<?xindex>) {
  // expected-error@+1 {{'memref.reshape' op cannot use shape operand with dynamic length to reshape to statically-ranked memref type}}
  %0 = memref.reshape %m(%s) : (memref<4xf32>, memref<?xindex>) -> memref<2x2xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %s: memref<1xindex>) {
  // expected-error@+1 {{'memref.reshape' op length of shape operand differs from the result's memref rank}}
  %0 = memref.reshape %m(%s) : (memref<4xf32>, memref<1xindex>) -> memref<2x2xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %s: memref<2xindex>) {
  // expected-error@+1 {{'memref.reshape' op element types of source and destination memref types should be the same}}
  %0 = memref.reshape %m(%s) : (memref<4xf32>, memref<2xindex>) -> memref<2x2xf64>
  return
}
// -----
func.func @f(%m: memref<4xf32, strided<[2]>>, %s: memref<2xindex>) {
  // expected-error@+1 {{'memref.reshape' op source memref type should have identity affine map}}
  %0 = memref.reshape %m(%s) : (memref<4xf32, strided<[2]>>, memref<2xindex>) -> memref<2x2xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %s: memref<2xindex>) {
  // expected-error@+1 {{'memref.reshape' op result memref type should have identity affine map}}
  %0 = memref.reshape %m(%s) : (memref<4xf32>, memref<2xindex>) -> memref<2x2xf32, strided<[1, 2]>>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %s: memref<2xf32>) {
  // expected-error@+1 {{'memref.reshape' op operand #1 must be 1D memref of signless integer or index values, but got 'memref<2xf32>'}}
  %0 = memref.reshape %m(%s) : (memref<4xf32>, memref<2xf32>) -> memref<2x2xf32>
  return
}
