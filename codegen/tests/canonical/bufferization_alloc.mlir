// test: canonical
func.func @known_size() -> tensor<4x?xf32> {
  %c6 = arith.constant 6 : index
  %0 = bufferization.alloc_tensor(%c6) : tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

func.func @known_in_part(%n: index) -> tensor<?x?xf32> {
  %c6 = arith.constant 6 : index
  %0 = bufferization.alloc_tensor(%c6, %n) : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @size(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %0 = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  return %d : index
}

func.func @size_of_a_copy(%t: tensor<?x4xf32>) -> (tensor<?x4xf32>, index) {
  %c0 = arith.constant 0 : index
  %a = bufferization.alloc_tensor() copy(%t) : tensor<?x4xf32>
  %d = tensor.dim %a, %c0 : tensor<?x4xf32>
  return %a, %d : tensor<?x4xf32>, index
}

// differs: @hint: the hint and the place stay
func.func @hint(%n: index) -> tensor<?xf32> {
  %c3 = arith.constant 3 : index
  %a = bufferization.alloc_tensor(%c3) size_hint=%n {memory_space = 1 : i64} : tensor<?xf32>
  return %a : tensor<?xf32>
}

func.func @given_up(%m: memref<4xf32>) {
  %2 = bufferization.alloc_tensor() : tensor<4xf32>
  bufferization.dealloc_tensor %2 : tensor<4xf32>
  return
}
