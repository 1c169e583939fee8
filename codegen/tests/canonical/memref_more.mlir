// test: canonical
func.func private @usem(memref<?xf32>)

func.func @of_subview(%m: memref<8x16xf32>, %i: index) -> f32 {
  %s = memref.subview %m[1, 2] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: 18>>
  %0 = memref.load %s[%i, %i] : memref<4x4xf32, strided<[16, 1], offset: 18>>
  return %0 : f32
}

func.func @stack(%n: index) {
  %c8 = arith.constant 8 : index
  %a = memref.alloca(%c8) : memref<?xf32>
  func.call @usem(%a) : (memref<?xf32>) -> ()
  return
}

func.func @grown(%a: memref<4xf32>) -> memref<8xf32> {
  %c8 = arith.constant 8 : index
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  %r = memref.realloc %c : memref<?xf32> to memref<8xf32>
  return %r : memref<8xf32>
}

func.func @atomic(%m: memref<4xi32>, %i: index) -> i32 {
  %c = memref.cast %m : memref<4xi32> to memref<?xi32>
  %r = memref.generic_atomic_rmw %c[%i] : memref<?xi32> {
  ^bb0(%x: i32):
    %k = arith.constant 1 : i32
    %y = arith.addi %x, %k : i32
    memref.atomic_yield %y : i32
  }
  return %r : i32
}

func.func @expanded(%m: memref<8xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = memref.expand_shape %m [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  %0 = memref.dim %e, %c0 : memref<2x4xf32>
  %1 = memref.dim %e, %c1 : memref<2x4xf32>
  return %0, %1 : index, index
}

func.func @stored(%m: memref<8xf32>, %i: index, %v: f32) -> f32 {
  memref.store %v, %m[%i] : memref<8xf32>
  %0 = memref.load %m[%i] : memref<8xf32>
  return %0 : f32
}

func.func @no_dimension(%m: memref<8xf32>) -> index {
  %c4 = arith.constant 4 : index
  %0 = memref.dim %m, %c4 : memref<8xf32>
  return %0 : index
}

func.func @rank_zero(%m: memref<4x4xf32>) -> memref<f32, strided<[], offset: ?>> {
  %c1 = arith.constant 1 : index
  %0 = memref.subview %m[%c1, %c1] [1, 1] [1, 1] : memref<4x4xf32> to memref<f32, strided<[], offset: ?>>
  return %0 : memref<f32, strided<[], offset: ?>>
}

func.func @metadata(%m: memref<4x4xf32>) -> (memref<f32>, index, index, index, index, index) {
  %s = memref.subview %m[1, 1] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1], offset: 5>>
  %b, %o, %z:2, %t:2 = memref.extract_strided_metadata %s : memref<2x2xf32, strided<[4, 1], offset: 5>> -> memref<f32>, index, index, index, index, index
  return %b, %o, %z#0, %z#1, %t#0, %t#1 : memref<f32>, index, index, index, index, index
}
