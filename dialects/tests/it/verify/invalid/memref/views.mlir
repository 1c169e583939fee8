// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%m: memref<2048xi8>, %i: index) {
  // expected-error@+1 {{'memref.view' op incorrect number of dynamic sizes, has 1, expected 0}}
  %0 = memref.view %m[%i][%i] : memref<2048xi8> to memref<64x4xf32>
  return
}
// -----
func.func @f(%m: memref<2048xi8, 1>, %i: index) {
  // expected-error@+1 {{different memory spaces specified for base memref type 'memref<2048xi8, 1>' and view memref type 'memref<64x4xf32>'}}
  %0 = memref.view %m[%i][] : memref<2048xi8, 1> to memref<64x4xf32>
  return
}
// -----
func.func @f(%m: memref<2048xi8>, %i: index) {
  // expected-error@+1 {{unsupported map for result memref type 'memref<64x4xf32, strided<[1, 64]>>'}}
  %0 = memref.view %m[%i][] : memref<2048xi8> to memref<64x4xf32, strided<[1, 64]>>
  return
}
// -----
func.func @f(%m: memref<2048xi8, strided<[1], offset: 4>>, %i: index) {
  // expected-error@+1 {{unsupported map for base memref type 'memref<2048xi8, strided<[1], offset: 4>>'}}
  %0 = memref.view %m[%i][] : memref<2048xi8, strided<[1], offset: 4>> to memref<64x4xf32>
  return
}
// -----
func.func @f(%m: memref<2048xi16>, %i: index) {
  // expected-error@+1 {{'memref.view' op operand #0 must be 1D memref of 8-bit signless integer values, but got 'memref<2048xi16>'}}
  %0 = memref.view %m[%i][] : memref<2048xi16> to memref<64x4xf32>
  return
}
// -----
func.func @f(%m: memref<2x4xf32>) {
  // expected-error@+1 {{'memref.transpose' op result type 'memref<4x2xf32>' is not equivalent to the canonical transposed input type 'memref<4x2xf32, affine_map<(d0, d1) -> (d0 + d1 * 4)>>'}}
  %0 = memref.transpose %m (i, j) -> (j, i) : memref<2x4xf32> to memref<4x2xf32>
  return
}
// -----
func.func @f(%m: memref<2x4xf32>) {
  // expected-error@+1 {{'memref.transpose' op expected a permutation map}}
  %0 = memref.transpose %m (i, j) -> (j, j) : memref<2x4xf32> to memref<4x2xf32>
  return
}
// -----
func.func @f(%m: memref<2x4xf32>) {
  // expected-error@+1 {{'memref.transpose' op expected a permutation map of same rank as the input}}
  %0 = memref.transpose %m (i) -> (i) : memref<2x4xf32> to memref<4x2xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>) {
  // expected-error@+1 {{'memref.cast' op operand type 'memref<4xf32>' and result type 'memref<5xf32>' are cast incompatible}}
  %0 = memref.cast %m : memref<4xf32> to memref<5xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32, 1>) {
  // expected-error@+1 {{'memref.memory_space_cast' op operand type 'memref<4xf32, 1>' and result type 'memref<?xf32>' are cast incompatible}}
  %0 = memref.memory_space_cast %m : memref<4xf32, 1> to memref<?xf32>
  return
}
// -----
func.func @f(%a: memref<4xf32>) {
  // expected-error@+1 {{'memref.distinct_objects' op expected at least one operand}}
  "memref.distinct_objects"() : () -> ()
  return
}
// -----
func.func @f(%a: memref<4xf32>) {
  // expected-error@+1 {{'memref.distinct_objects' op operand types and result types must match}}
  %0 = "memref.distinct_objects"(%a) : (memref<4xf32>) -> memref<?xf32>
  return
}
// -----
func.func @f(%a: memref<4x?xf32>) {
  // expected-error@+2 {{'memref.extract_strided_metadata' op failed to infer returned types}}
  // expected-error@+1 {{'memref.extract_strided_metadata' op inferred type(s) 'memref<f32>', 'index', 'index', 'index', 'index', 'index' are incompatible with return type(s) of operation 'memref<f32, 3>', 'index', 'index', 'index', 'index', 'index'}}
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %a : memref<4x?xf32> -> memref<f32, 3>, index, index, index, index, index
  return
}
// -----
func.func @f(%a: memref<4x?xf32>) {
  // expected-error@+2 {{'memref.extract_strided_metadata' op failed to infer returned types}}
  // expected-error@+1 {{'memref.extract_strided_metadata' op inferred type(s) 'memref<f32>', 'index', 'index', 'index', 'index', 'index' are incompatible with return type(s) of operation 'memref<f32>', 'index', 'index', 'index'}}
  %b, %o, %s:2 = memref.extract_strided_metadata %a : memref<4x?xf32> -> memref<f32>, index, index, index
  return
}
// -----
func.func @f(%a: memref<4xf32, affine_map<(i)->(i floordiv 2)>>) {
  // expected-error@+1 {{'memref.extract_strided_metadata' op operand #0 must be strided memref of any type values, but got 'memref<4xf32, affine_map<(d0) -> (d0 floordiv 2)>>'}}
  %b, %o, %s, %t = memref.extract_strided_metadata %a : memref<4xf32, affine_map<(i)->(i floordiv 2)>> -> memref<f32>, index, index, index
  return
}
// -----
func.func @f(%a: memref<f32>, %i: index) {
  // expected-error@+1 {{'memref.dim' op operand #0 must be unranked.memref of any type values or non-0-ranked.memref of any type values, but got 'memref<f32>'}}
  %0 = memref.dim %a, %i : memref<f32>
  return
}
// -----
func.func @f(%m: memref<4xf32>) {
  // expected-error@+1 {{'memref.assume_alignment' op alignment must be power of 2}}
  %0 = memref.assume_alignment %m, 3 : memref<4xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>) {
  // expected-error@+1 {{'memref.assume_alignment' op attribute 'alignment' failed to satisfy constraint: 32-bit signless integer attribute whose value is positive}}
  %0 = memref.assume_alignment %m, 0 : memref<4xf32>
  return
}

// -----

func.func @one_stride(%m: memref<8xf32>) {
  // expected-error@+1 {{'memref.transpose' op result type 'memref<8xf32>' is not equivalent to the canonical transposed input type 'memref<8xf32, strided<[1]>>'}}
  %r = "memref.transpose"(%m) <{permutation = affine_map<(d0) -> (d0)>}> : (memref<8xf32>) -> memref<8xf32>
  return
}

// -----

func.func @two_unknown_strides(%m: memref<3x?x?xf64>) {
  // expected-error@+1 {{'memref.transpose' op result type 'memref<3x?x?xf64>' is not equivalent to the canonical transposed input type}}
  %r = "memref.transpose"(%m) <{permutation = affine_map<(d0, d1, d2) -> (d0, d1, d2)>}> : (memref<3x?x?xf64>) -> memref<3x?x?xf64>
  return
}
