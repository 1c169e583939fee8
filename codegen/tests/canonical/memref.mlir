// test: canonical
func.func private @take(memref<?xf32>)
func.func private @view(memref<4x4xf32>)

func.func @sizes(%n: index) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<4x?xf32>
  %0 = memref.dim %a, %c0 : memref<4x?xf32>
  %1 = memref.dim %a, %c1 : memref<4x?xf32>
  %2 = memref.rank %a : memref<4x?xf32>
  %s = memref.subview %a[0, 0] [2, %n] [1, 1] : memref<4x?xf32> to memref<2x?xf32, strided<[?, 1]>>
  %3 = memref.dim %s, %c1 : memref<2x?xf32, strided<[?, 1]>>
  return %0, %1, %2, %3 : index, index, index, index
}

func.func @known_size() {
  %c4 = arith.constant 4 : index
  %a = memref.alloc(%c4) : memref<?xf32>
  func.call @take(%a) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  return
}

func.func @casts(%a: memref<4xf32>, %i: index, %v: f32) -> (f32, memref<4xf32>) {
  %b = memref.cast %a : memref<4xf32> to memref<?xf32>
  %x = memref.load %b[%i] : memref<?xf32>
  memref.store %v, %b[%i] : memref<?xf32>
  %c = memref.cast %b : memref<?xf32> to memref<4xf32>
  %d = memref.cast %c : memref<4xf32> to memref<4xf32>
  return %x, %d : f32, memref<4xf32>
}

func.func @copies(%a: memref<4xf32>, %b: memref<0xf32>, %c: memref<0xf32>, %d: memref<4xf32>) {
  memref.copy %a, %a : memref<4xf32> to memref<4xf32>
  memref.copy %b, %c : memref<0xf32> to memref<0xf32>
  memref.copy %a, %d : memref<4xf32> to memref<4xf32>
  return
}

func.func @dead(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  %b = memref.alloca() : memref<4xf32>
  memref.store %v, %b[%i] : memref<4xf32>
  return
}

func.func @views(%a: memref<4x4xf32>) -> (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) {
  %s = memref.subview %a[0, 0] [4, 4] [1, 1] : memref<4x4xf32> to memref<4x4xf32>
  %t = memref.transpose %a (i, j) -> (i, j) : memref<4x4xf32> to memref<4x4xf32>
  %e = memref.collapse_shape %a [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  %f = memref.expand_shape %e [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  return %s, %t, %f : memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>
}

func.func @metadata(%a: memref<4x?xf32>) -> (index, index, index) {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %a : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
  return %o, %s#0, %t#1 : index, index, index
}
