// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What the invariants of memref operations allow.

%m = memref.alloc() : memref<3xf32, strided<[2]>>

// -----

func.func @f() { affine.for %i = 0 to 10 { %m = memref.alloca() : memref<3xf32> } return}

// -----

%m = "x"() : () -> memref<3xf32> %0 = memref.cast %m : memref<3xf32> to memref<?xf32>

// -----

%m = "x"() : () -> memref<3xf32> %0 = memref.cast %m : memref<3xf32> to memref<*xf32>

// -----

%m = "x"() : () -> memref<3xf32> %0 = memref.cast %m : memref<3xf32> to memref<3xf32, strided<[?], offset: ?>>

// -----

%m = "x"() : () -> memref<3xf32> %i = arith.constant 3 : index %0 = memref.dim %m, %i : memref<3xf32>

// -----

"memref.global"() <{sym_name="g", type=memref<2xf32>, constant}> : () -> ()

// -----

%m = "x"() : () -> memref<8x16xf32> %0 = memref.subview %m[0,0][4,4][1,1] : memref<8x16xf32> to memref<4x4xf32, strided<[16,1]>>

// -----

%m = "x"() : () -> memref<8x16xf32> %0 = memref.subview %m[0,0][4,1][1,1] : memref<8x16xf32> to memref<4xf32, strided<[16]>>

// -----

%i = "y"() : () -> index %m = "x"() : () -> memref<8x16xf32> %0 = memref.subview %m[%i,0][4,4][1,1] : memref<8x16xf32> to memref<4x4xf32, strided<[16,1], offset: ?>>

// -----

%m = "x"() : () -> memref<8x16xf32> %0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<8x16xf32> to memref<4xf32>

// -----

%m = "x"() : () -> memref<8x16xf32> %0 = memref.transpose %m (d0,d1) -> (d1,d0) : memref<8x16xf32> to memref<16x8xf32, strided<[1,16]>>

// -----

%m = "x"() : () -> memref<8x16xf32> %0 = memref.collapse_shape %m [[0,1]] : memref<8x16xf32> into memref<128xf32>

// -----

%m = "x"() : () -> memref<128xf32> %0 = memref.expand_shape %m [[0,1]] output_shape [8,16] : memref<128xf32> into memref<8x16xf32>

// -----

%m = "x"() : () -> memref<128xf32> %0 = memref.memory_space_cast %m : memref<128xf32> to memref<128xf32, 1>

// -----

%m = "x"() : () -> memref<128xf32> %s = "y"() : () -> memref<2xindex> %0 = memref.reshape %m(%s) : (memref<128xf32>, memref<2xindex>) -> memref<?x?xf32>

// -----

%m = "x"() : () -> memref<128xf32> %i = "y"() : () -> index %t = "z"() : () -> memref<1xi32> memref.dma_start %m[%i], %m[%i], %i, %t[%i] : memref<128xf32>, memref<128xf32>, memref<1xi32>

// -----

%m = "x"() : () -> memref<128xf32> %0 = memref.distinct_objects %m : memref<128xf32>

// -----

%m = "x"() : () -> memref<128xf32> memref.dealloc %m : memref<128xf32>
