// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Invariants of memref operations.

%i = "x"() : () -> index
// expected-error@+1 {{'memref.alloc' op incorrect number of dynamic sizes, has 0, expected 1}}
%m = memref.alloc() : memref<?xf32>

// -----

%i = "x"() : () -> index
// expected-error@+1 {{'memref.alloca' op requires an ancestor op with AutomaticAllocationScope trait}}
%m = memref.alloca(%i) : memref<3xf32>

// -----

%i = "x"() : () -> index
// expected-error@+1 {{'memref.alloc' op symbol operand count does not equal memref symbol count: expected 0, got 1}}
%m = memref.alloc()[%i] : memref<3xf32>

// -----

// expected-error@+1 {{'memref.alloc' op symbol operand count does not equal memref symbol count: expected 1, got 0}}
%m = memref.alloc() : memref<3xf32, affine_map<(d0)[s0]->(d0+s0)>>

// -----

// expected-error@+1 {{'memref.alloc' op symbol operand count does not equal memref symbol count: expected 1, got 0}}
%m = memref.alloc() : memref<3xf32, strided<[?]>>

// -----

"x.y"() ({
// expected-error@+1 {{'memref.alloca' op requires an ancestor op with AutomaticAllocationScope trait}}
%m = memref.alloca() : memref<3xf32>}) : () -> ()

// -----

%m = "x"() : () -> memref<3xf32> %i = "y"() : () -> index
// expected-error@+1 {{'memref.load' op incorrect number of indices for load, expected 1 but got 2}}
%0 = memref.load %m[%i,%i] : memref<3xf32>

// -----

%m = "x"() : () -> memref<3xf32> %i = "y"() : () -> index
// expected-error@+1 {{'memref.load' op incorrect number of indices for load, expected 1 but got 0}}
%0 = memref.load %m[] : memref<3xf32>

// -----

%m = "x"() : () -> memref<3xf32> %i = "y"() : () -> index %v="z"():()->f32
// expected-error@+1 {{'memref.store' op store index operand count not equal to memref rank}}
memref.store %v, %m[] : memref<3xf32>

// -----

%m = "x"() : () -> memref<3xf32> %i = "y"() : () -> index %v="z"():()->f64
// expected-error@+1 {{'memref.store' op failed to verify that type of 'value' matches element type of 'memref'}}
"memref.store"(%v, %m,%i) : (f64,memref<3xf32>,index)->()

// -----

%m = "x"() : () -> memref<3xf32> %i = "y"() : () -> index
// expected-error@+1 {{'memref.load' op failed to verify that result type matches element type of 'memref'}}
%v = "memref.load"(%m,%i) : (memref<3xf32>,index)->f64

// -----

%m = "x"() : () -> memref<3xf32>
// expected-error@+1 {{'memref.cast' op operand type 'memref<3xf32>' and result type 'memref<4xf32>' are cast incompatible}}
%0 = memref.cast %m : memref<3xf32> to memref<4xf32>

// -----

%m = "x"() : () -> memref<3xf32>
// expected-error@+1 {{'memref.cast' op operand type 'memref<3xf32>' and result type 'memref<3xf64>' are cast incompatible}}
%0 = memref.cast %m : memref<3xf32> to memref<3xf64>

// -----

%m = "x"() : () -> memref<3xf32>
// expected-error@+1 {{'memref.cast' op operand type 'memref<3xf32>' and result type 'memref<3xf32, 3>' are cast incompatible}}
%0 = memref.cast %m : memref<3xf32> to memref<3xf32, 3>

// -----

%m = "x"() : () -> memref<3xf32>
// expected-error@+1 {{'memref.cast' op operand type 'memref<3xf32>' and result type 'memref<?x?xf32>' are cast incompatible}}
%0 = memref.cast %m : memref<3xf32> to memref<?x?xf32>

// -----

%m = "x"() : () -> memref<*xf32>
// expected-error@+1 {{'memref.cast' op operand type 'memref<*xf32>' and result type 'memref<*xf32>' are cast incompatible}}
%0 = memref.cast %m : memref<*xf32> to memref<*xf32>

// -----

%m = "x"() : () -> memref<3xf32>
// expected-error@+1 {{'memref.cast' op operand type 'memref<3xf32>' and result type 'memref<3xf32, strided<[2]>>' are cast incompatible}}
%0 = memref.cast %m : memref<3xf32> to memref<3xf32, strided<[2]>>

// -----

%m = "x"() : () -> memref<3x4xf32>
// expected-error@+1 {{'memref.cast' op operand type 'memref<3x4xf32>' and result type 'memref<3x4xf32, affine_map<(d0, d1) -> (d1, d0)>>' are cast incompatible}}
%0 = memref.cast %m : memref<3x4xf32> to memref<3x4xf32, affine_map<(d0,d1)->(d1,d0)>>

// -----

%m = "x"() : () -> memref<3xf32> %n = "x"() : () -> memref<4xf32>
// expected-error@+1 {{'memref.copy' op requires the same shape for all operands}}
memref.copy %m, %n : memref<3xf32> to memref<4xf32>

// -----

%m = "x"() : () -> memref<3xf32> %n = "x"() : () -> memref<3xf64>
// expected-error@+1 {{'memref.copy' op requires the same element type for all operands}}
memref.copy %m, %n : memref<3xf32> to memref<3xf64>

// -----

%m = "x"() : () -> memref<f32> %i = "y"() : () -> index
// expected-error@+1 {{'memref.dim' op operand #0 must be unranked.memref of any type values or non-0-ranked.memref of any type values, but got 'memref<f32>'}}
%0 = memref.dim %m, %i : memref<f32>

// -----

// expected-error@+1 {{'memref.get_global' op 'g' does not reference a valid global memref}}
%0 = memref.get_global @g : memref<3xf32>

// -----

memref.global @g : memref<3xf32>
// expected-error@+1 {{'memref.get_global' op result type 'memref<4xf32>' does not match type 'memref<3xf32>' of the global memref @g}}
%0 = memref.get_global @g : memref<4xf32>

// -----

func.func private @g()
// expected-error@+1 {{'memref.get_global' op 'g' does not reference a valid global memref}}
%0 = memref.get_global @g : memref<4xf32>

// -----

// expected-error@+1 {{'memref.global' op initial value shape expected to be 2 but was 3}}
"memref.global"() <{sym_name="g", type=memref<2xf32>, initial_value = dense<1.0> : tensor<3xf32>}> : () -> ()

// -----

// expected-error@+1 {{'memref.global' op initial value should be a unit or elements attribute, but got 1 : i32}}
"memref.global"() <{sym_name="g", type=memref<2xf32>, initial_value = 1:i32}> : () -> ()

// -----

// expected-error@+1 {{'memref.global' op initial value element expected to be of type 'f32', but was of type 'i32'}}
"memref.global"() <{sym_name="g", type=memref<2xf32>, initial_value = dense<1> : tensor<2xi32>}> : () -> ()

// -----

// expected-error@+1 {{'memref.global' op attribute 'type' failed to satisfy constraint: memref type attribute}}
"memref.global"() <{sym_name="g", type=i32}> : () -> ()

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{expected result type to be 'memref<4x4xf32, strided<[16, 1]>>' or a rank-reduced version. (mismatch of result layout), but got 'memref<4x4xf32>'}}
%0 = memref.subview %m[0,0][4,4][1,1] : memref<8x16xf32> to memref<4x4xf32>

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{expected 2 offset values, got 1}}
%0 = memref.subview %m[0][4][1] : memref<8x16xf32> to memref<4x4xf32, strided<[16,1]>>

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{expected result type to be 'memref<4x4xf32, strided<[16, 1]>>' or a rank-reduced version. (mismatch of result sizes), but got 'memref<4x5xf32, strided<[16, 1]>>'}}
%0 = memref.subview %m[0,0][4,4][1,1] : memref<8x16xf32> to memref<4x5xf32, strided<[16,1]>>

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{expected result element type to be 'f32', but got 'memref<4x4xf64, strided<[16, 1]>>'}}
%0 = memref.subview %m[0,0][4,4][1,1] : memref<8x16xf32> to memref<4x4xf64, strided<[16,1]>>

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{different memory spaces specified for base memref type 'memref<8x16xf32>' and subview memref type 'memref<4x4xf32, strided<[16, 1]>, 3>'}}
%0 = memref.subview %m[0,0][4,4][1,1] : memref<8x16xf32> to memref<4x4xf32, strided<[16,1]>, 3>

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{expected result type to be 'memref<4x2xf32, strided<[16, 1]>>' or a rank-reduced version. (mismatch of result sizes), but got 'memref<4xf32, strided<[16]>>'}}
%0 = memref.subview %m[0,0][4,2][1,1] : memref<8x16xf32> to memref<4xf32, strided<[16]>>

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{slice along dimension 0 runs out-of-bounds: 9 >= 8}}
%0 = memref.subview %m[6,0][4,4][1,1] : memref<8x16xf32> to memref<4x4xf32, strided<[16,1], offset: 96>>

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{slice along dimension 0 runs out-of-bounds: 9 >= 8}}
%0 = memref.subview %m[0,0][4,4][3,1] : memref<8x16xf32> to memref<4x4xf32, strided<[48,1]>>

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{expected sizes to be non-negative, but got -4}}
%0 = memref.subview %m[0,0][4,-4][1,1] : memref<8x16xf32> to memref<4x4xf32, strided<[16,1]>>

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{expected offsets to be non-negative, but got -1}}
%0 = memref.subview %m[-1,0][4,4][1,1] : memref<8x16xf32> to memref<4x4xf32, strided<[16,1]>>

// -----

%m = "x"() : () -> memref<8x16xf32, affine_map<(d0,d1)->(d1,d0)>>
// expected-error@+1 {{base type 'memref<8x16xf32, affine_map<(d0, d1) -> (d1, d0)>>' is not strided}}
%0 = memref.subview %m[0,0][4,4][1,1] : memref<8x16xf32, affine_map<(d0,d1)->(d1,d0)>> to memref<4x4xf32, strided<[16,1]>>

// -----

%i = "y"() : () -> index %m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{expected result type to be 'memref<4x4xf32, strided<[16, 1], offset: ?>>' or a rank-reduced version. (mismatch of result layout), but got 'memref<4x4xf32, strided<[16, 1]>>'}}
%0 = memref.subview %m[%i,0][4,4][1,1] : memref<8x16xf32> to memref<4x4xf32, strided<[16,1]>>

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{expected result type with size = 4 instead of 5 in dim = 0}}
%0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<8x16xf32> to memref<5xf32>

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{different element types specified for source type 'memref<8x16xf32>' and result memref type 'memref<4xf64>'}}
%0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<8x16xf32> to memref<4xf64>

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{different memory spaces specified for source type 'memref<8x16xf32>' and result memref type 'memref<4xf32, 3>'}}
%0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<8x16xf32> to memref<4xf32, 3>

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{expected result type with offset = 1 instead of 0}}
%0 = memref.reinterpret_cast %m to offset: [1], sizes: [4], strides: [1] : memref<8x16xf32> to memref<4xf32>

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{expected result type with stride = 2 instead of 1 in dim = 0}}
%0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [2] : memref<8x16xf32> to memref<4xf32>

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{expected mixed sizes rank to match mixed strides rank (2 vs 1) so the rank of the result type is well-formed.}}
%0 = memref.reinterpret_cast %m to offset: [0], sizes: [4,4], strides: [2] : memref<8x16xf32> to memref<4xf32>

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{expected 1 size values, got 2}}
%0 = memref.reinterpret_cast %m to offset: [0], sizes: [4,4], strides: [4,1] : memref<8x16xf32> to memref<4xf32>

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{'memref.transpose' op result type 'memref<16x8xf32>' is not equivalent to the canonical transposed input type 'memref<16x8xf32, affine_map<(d0, d1) -> (d0 + d1 * 16)>>'}}
%0 = memref.transpose %m (d0,d1) -> (d1,d0) : memref<8x16xf32> to memref<16x8xf32>

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{'memref.transpose' op expected a permutation map}}
%0 = memref.transpose %m (d0,d1) -> (d1,d1) : memref<8x16xf32> to memref<16x8xf32, strided<[1,16]>>

// -----

%i = "y"() : () -> index %m = "x"() : () -> memref<800xi8>
// expected-error@+1 {{'memref.view' op incorrect number of dynamic sizes, has 0, expected 1}}
%0 = memref.view %m[%i][] : memref<800xi8> to memref<?xf32>

// -----

%i = "y"() : () -> index %m = "x"() : () -> memref<800xi8>
// expected-error@+1 {{different memory spaces specified for base memref type 'memref<800xi8>' and view memref type 'memref<?xf32, 3>'}}
%0 = memref.view %m[%i][%i] : memref<800xi8> to memref<?xf32, 3>

// -----

%i = "y"() : () -> index %m = "x"() : () -> memref<800xi8, strided<[2]>>
// expected-error@+1 {{unsupported map for base memref type 'memref<800xi8, strided<[2]>>'}}
%0 = memref.view %m[%i][%i] : memref<800xi8, strided<[2]>> to memref<?xf32>

// -----

%i = "y"() : () -> index %m = "x"() : () -> memref<800xi8>
// expected-error@+1 {{unsupported map for result memref type 'memref<?xf32, strided<[2]>>'}}
%0 = memref.view %m[%i][%i] : memref<800xi8> to memref<?xf32, strided<[2]>>

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{'memref.collapse_shape' op collapsed dim size (127) must equal reassociation group size (128)}}
%0 = memref.collapse_shape %m [[0,1]] : memref<8x16xf32> into memref<127xf32>

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{'memref.collapse_shape' op collapsed dim size (127) must equal reassociation group size (8)}}
%0 = memref.collapse_shape %m [[0]] : memref<8x16xf32> into memref<127xf32>

// -----

%m = "x"() : () -> memref<8x16xf32>
// expected-error@+1 {{'memref.collapse_shape' op invalid number of reassociation groups: found 2, expected 1}}
%0 = memref.collapse_shape %m [[0],[1]] : memref<8x16xf32> into memref<128xf32>

// -----

%m = "x"() : () -> memref<8x16xf32, strided<[32,1]>>
// expected-error@+1 {{'memref.collapse_shape' op invalid source layout map or collapsing non-contiguous dims}}
%0 = memref.collapse_shape %m [[0,1]] : memref<8x16xf32, strided<[32,1]>> into memref<128xf32>

// -----

%m = "x"() : () -> memref<128xf32>
// expected-error@+1 {{'memref.expand_shape' op collapsed dim size (128) must equal reassociation group size (136)}}
%0 = memref.expand_shape %m [[0,1]] output_shape [8,17] : memref<128xf32> into memref<8x17xf32>

// -----

%m = "x"() : () -> memref<128xf32>
// expected-error@+1 {{'memref.expand_shape' op collapsed dim size (128) must equal reassociation group size (136)}}
%0 = memref.expand_shape %m [[0,1]] output_shape [8,16] : memref<128xf32> into memref<8x17xf32>

// -----

%m = "x"() : () -> memref<128xf32>
// expected-error@+1 {{'memref.memory_space_cast' op operand type 'memref<128xf32>' and result type 'memref<128xf64, 1>' are cast incompatible}}
%0 = memref.memory_space_cast %m : memref<128xf32> to memref<128xf64, 1>

// -----

%m = "x"() : () -> memref<128xf32>
// expected-error@+1 {{'memref.memory_space_cast' op operand type 'memref<128xf32>' and result type 'memref<?xf32, 1>' are cast incompatible}}
%0 = memref.memory_space_cast %m : memref<128xf32> to memref<?xf32, 1>

// -----

%m = "x"() : () -> memref<128xf32> %s = "y"() : () -> memref<2xindex>
// expected-error@+1 {{'memref.reshape' op length of shape operand differs from the result's memref rank}}
%0 = memref.reshape %m(%s) : (memref<128xf32>, memref<2xindex>) -> memref<?xf32>

// -----

%m = "x"() : () -> memref<128xf32> %s = "y"() : () -> memref<2xindex>
// expected-error@+1 {{'memref.reshape' op element types of source and destination memref types should be the same}}
%0 = memref.reshape %m(%s) : (memref<128xf32>, memref<2xindex>) -> memref<?x?xf64>

// -----

%m = "x"() : () -> memref<128xf32> %i = "y"() : () -> index
// expected-error@+1 {{'memref.prefetch' op too few indices}}
memref.prefetch %m[], read, locality<3>, data : memref<128xf32>

// -----

%m = "x"() : () -> memref<128xf32> %i = "y"() : () -> index %v = "z"() : () -> f32
// expected-error@+1 {{'memref.atomic_rmw' op with kind 'addi' expects an integer type}}
%0 = memref.atomic_rmw addi %v, %m[%i] : (f32, memref<128xf32>) -> f32

// -----

%m = "x"() : () -> memref<128xf32> %i = "y"() : () -> index %v = "z"() : () -> f32
// expected-error@+1 {{'memref.atomic_rmw' op expects the number of subscripts to be equal to memref rank}}
%0 = memref.atomic_rmw addf %v, %m[] : (f32, memref<128xf32>) -> f32

// -----

%m = "x"() : () -> memref<128xf32> %i = "y"() : () -> index %v = "z"() : () -> f32
// expected-error@+1 {{'memref.generic_atomic_rmw' op expected block argument of the same type result type}}
%0 = memref.generic_atomic_rmw %m[%i] : memref<128xf32> { ^bb0(%c: f64): memref.atomic_yield %v : f32 }

// -----

%m = "x"() : () -> memref<128xf32> %i = "y"() : () -> index %v = "z"() : () -> f64 %0 = memref.generic_atomic_rmw %m[%i] : memref<128xf32> { ^bb0(%c: f32):
// expected-error@+1 {{'memref.atomic_yield' op types mismatch between yield op: 'f64' and its parent: 'f32'}}
memref.atomic_yield %v : f64 }

// -----

%m = "x"() : () -> memref<128xf32> %i = "y"() : () -> index
// expected-error@+1 {{'memref.dma_start' op expected at least 4 operands}}
"memref.dma_start"(%m,%i,%m) : (memref<128xf32>,index,memref<128xf32>)->()

// -----

%m = "x"() : () -> memref<128xf32> %i = "y"() : () -> index %t = "z"() : () -> memref<1xi32>
// expected-error@+1 {{'memref.dma_wait' op expected tagIndices to have the same number of elements as the tagMemRef rank, expected 1, but got 0}}
memref.dma_wait %t[], %i : memref<1xi32>

// -----

%m = "x"() : () -> memref<128xf32>
// expected-error@+1 {{missing dimension operand for result type 'memref<?xf32>'}}
%0 = memref.realloc %m : memref<128xf32> to memref<?xf32>

// -----

%m = "x"() : () -> memref<128xf32>
// expected-error@+1 {{different element types specified for source memref type 'memref<128xf32>' and result memref type 'memref<3xf64>'}}
%0 = memref.realloc %m : memref<128xf32> to memref<3xf64>

// -----

%m = "x"() : () -> memref<128xf32>
// expected-error@+1 {{'memref.assume_alignment' op alignment must be power of 2}}
%0 = memref.assume_alignment %m, 3 : memref<128xf32>
