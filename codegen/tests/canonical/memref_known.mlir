// test: canonical
func.func @extent_of_a_row(%m: memref<?x?x?xf32>, %n: index, %k: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.subview %m[0, 0, 0][%n, 1, %k][1, 1, 1] : memref<?x?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
  %d = memref.dim %s, %c0 : memref<?x?xf32, strided<[?, 1]>>
  %e = memref.dim %s, %c1 : memref<?x?xf32, strided<[?, 1]>>
  return %d, %e : index, index
}

func.func @transfer_of_a_cast(%m: memref<8xf32>, %d: memref<8xf32, 1>, %t: memref<1xi32>, %i: index) {
  %c = memref.cast %m : memref<8xf32> to memref<?xf32>
  memref.dma_start %c[%i], %d[%i], %i, %t[%i] : memref<?xf32>, memref<8xf32, 1>, memref<1xi32>
  memref.dma_wait %t[%i], %i : memref<1xi32>
  return
}

func.func @affine_transfer_of_casts(%m: memref<8xf32>, %d: memref<8xf32, 1>, %t: memref<1xi32>, %n: index) {
  %c = memref.cast %m : memref<8xf32> to memref<?xf32>
  %e = memref.cast %d : memref<8xf32, 1> to memref<?xf32, 1>
  %u = memref.cast %t : memref<1xi32> to memref<?xi32>
  affine.dma_start %c[0], %e[0], %u[0], %n : memref<?xf32>, memref<?xf32, 1>, memref<?xi32>
  affine.dma_wait %u[0], %n : memref<?xi32>
  return
}

func.func @symbols(%n: index) -> memref<?xi32, strided<[?], offset: ?>> {
  %c3 = arith.constant 3 : index
  %a = memref.alloc(%c3)[%n, %c3] : memref<?xi32, strided<[?], offset: ?>>
  return %a : memref<?xi32, strided<[?], offset: ?>>
}

func.func @extent_in_a_loop(%m: memref<*xf32>, %s: memref<?xindex>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = memref.reshape %m(%s) : (memref<*xf32>, memref<?xindex>) -> memref<*xf32>
  %q = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %c1) -> (index) {
    %d = memref.dim %r, %i : memref<*xf32>
    %p = arith.muli %a, %d : index
    scf.yield %p : index
  }
  return %q : index
}

func.func @all_of_unknown_extents(%m: memref<?x?xf32>) -> memref<?x?xf32, strided<[?, 1]>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.dim %m, %c0 : memref<?x?xf32>
  %1 = memref.dim %m, %c1 : memref<?x?xf32>
  %2 = memref.subview %m[0, 0] [%0, %1] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
  return %2 : memref<?x?xf32, strided<[?, 1]>>
}

func.func @copy_of_casts(%m: memref<?xf32>, %u: memref<*xf32>) {
  %a = memref.cast %m : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  %b = memref.cast %u : memref<*xf32> to memref<?xf32, strided<[?], offset: ?>>
  memref.copy %a, %b : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
  return
}

func.func @described_by_constants(%m: memref<8x2xf32>) -> memref<?x2xf32, strided<[?, ?], offset: ?>> {
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<8x2xf32> -> memref<f32>, index, index, index, index, index
  %c8 = arith.constant 8: index
  %r = memref.reinterpret_cast %base to offset: [0], sizes: [%c8, 2], strides: [2, %strides#1] : memref<f32> to memref<?x2xf32, strided<[?, ?], offset: ?>>
  return %r : memref<?x2xf32, strided<[?, ?], offset: ?>>
}

func.func @described_otherwise(%m: memref<8x2xf32>) -> memref<4x2x2xf32, strided<[?, ?, ?], offset: ?>> {
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<8x2xf32> -> memref<f32>, index, index, index, index, index
  %r = memref.reinterpret_cast %base to offset: [%offset], sizes: [4, 2, 2], strides: [1, 1, %strides#1] : memref<f32> to memref<4x2x2xf32, strided<[?, ?, ?], offset: ?>>
  return %r : memref<4x2x2xf32, strided<[?, ?, ?], offset: ?>>
}

func.func @negative_size() -> memref<?x?x?xi1> {
  %a = index.constant 1
  %b = arith.constant -2 : index
  %c = arith.constant 15 : index
  %m = memref.alloc(%c, %b, %a) : memref<?x?x?xi1>
  return %m : memref<?x?x?xi1>
}
