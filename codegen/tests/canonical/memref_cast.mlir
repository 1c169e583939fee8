// test: canonical
func.func @casts(%m: memref<4xf32>, %u: memref<*xf32>) -> (memref<?xf32>, memref<4xf32>, memref<4xf32, strided<[?], offset: ?>>) {
  %a = memref.cast %m : memref<4xf32> to memref<*xf32>
  %b = memref.cast %a : memref<*xf32> to memref<?xf32>
  %c = memref.cast %m : memref<4xf32> to memref<?xf32>
  %d = memref.cast %c : memref<?xf32> to memref<4xf32>
  %e = memref.cast %m : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  return %b, %d, %e : memref<?xf32>, memref<4xf32>, memref<4xf32, strided<[?], offset: ?>>
}

func.func @that_disagree(%m: memref<?xf32>) -> memref<8xf32> {
  %a = memref.cast %m : memref<?xf32> to memref<4xf32>
  %b = memref.cast %a : memref<4xf32> to memref<?xf32>
  %c = memref.cast %b : memref<?xf32> to memref<8xf32>
  return %c : memref<8xf32>
}

// differs: @that_say_more: what a cast says more may prove an access in range
func.func @that_say_more(%a: memref<?xf32>) -> (memref<4xf32>, f32) {
  %c = memref.cast %a : memref<?xf32> to memref<4xf32>
  %c0 = arith.constant 0 : index
  %0 = memref.load %c[%c0] : memref<4xf32>
  return %c, %0 : memref<4xf32>, f32
}

func.func @between_spaces(%m: memref<4xf32>) -> (memref<4xf32, 2>, memref<4xf32>) {
  %a = memref.memory_space_cast %m : memref<4xf32> to memref<4xf32, 1>
  %0 = memref.memory_space_cast %a : memref<4xf32, 1> to memref<4xf32, 2>
  %b = memref.memory_space_cast %a : memref<4xf32, 1> to memref<4xf32>
  return %0, %b : memref<4xf32, 2>, memref<4xf32>
}

func.func @ranks(%m: memref<?x?xf32>, %u: memref<*xf32>) -> (index, index, index) {
  %0 = memref.rank %m : memref<?x?xf32>
  %c = memref.cast %m : memref<?x?xf32> to memref<*xf32>
  %1 = memref.rank %c : memref<*xf32>
  %2 = memref.rank %u : memref<*xf32>
  return %0, %1, %2 : index, index, index
}

func.func @alignment(%m: memref<4xf32>) -> memref<4xf32> {
  %a = memref.assume_alignment %m, 16 : memref<4xf32>
  %b = memref.assume_alignment %a, 16 : memref<4xf32>
  return %b : memref<4xf32>
}
