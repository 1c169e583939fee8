// test: canonical
func.func @there_and_back(%t: tensor<?xf32>) -> tensor<?xf32> {
  %0 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  %1 = bufferization.to_tensor %0 : memref<?xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}

func.func @back_and_there(%t: memref<?xf32>) -> memref<?xf32> {
  %0 = bufferization.to_tensor %t restrict : memref<?xf32> to tensor<?xf32>
  %1 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32>
  return %1 : memref<?xf32>
}

func.func @known_layout(%t: memref<4xf32>) -> memref<4xf32, strided<[1], offset: ?>> {
  %0 = bufferization.to_tensor %t : memref<4xf32> to tensor<4xf32>
  %1 = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  return %1 : memref<4xf32, strided<[1], offset: ?>>
}

func.func @unknown_layout(%t: memref<4xf32, strided<[1], offset: ?>>) -> memref<4xf32> {
  %0 = bufferization.to_tensor %t : memref<4xf32, strided<[1], offset: ?>> to tensor<4xf32>
  %1 = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32>
  return %1 : memref<4xf32>
}

func.func @other_place(%t: memref<?xf32, 2>) -> memref<?xf32, 7> {
  %0 = bufferization.to_tensor %t : memref<?xf32, 2> to tensor<?xf32, 7>
  %1 = bufferization.to_buffer %0 : tensor<?xf32, 7> to memref<?xf32, 7>
  return %1 : memref<?xf32, 7>
}

func.func @other_strides(%m: memref<4x?xf32, strided<[?, 2]>>) -> memref<4x?xf32> {
  %t = bufferization.to_tensor %m : memref<4x?xf32, strided<[?, 2]>> to tensor<4x?xf32>
  %b = bufferization.to_buffer %t : tensor<4x?xf32> to memref<4x?xf32>
  return %b : memref<4x?xf32>
}

func.func @of_unknown_rank(%m: memref<?xf32>) -> memref<*xf32> {
  %t = bufferization.to_tensor %m : memref<?xf32> to tensor<?xf32>
  %u = tensor.cast %t : tensor<?xf32> to tensor<*xf32>
  %b = bufferization.to_buffer %u : tensor<*xf32> to memref<*xf32>
  return %b : memref<*xf32>
}

func.func @from_unknown_rank(%m: memref<*xf32>) -> memref<*xf32> {
  %t = bufferization.to_tensor %m : memref<*xf32> to tensor<*xf32>
  %b = bufferization.to_buffer %t : tensor<*xf32> to memref<*xf32>
  return %b : memref<*xf32>
}

func.func @memory_of_a_cast(%t: tensor<4x6xf32>) -> memref<?x6xf32> {
  %0 = tensor.cast %t : tensor<4x6xf32> to tensor<?x6xf32>
  %1 = bufferization.to_buffer %0 : tensor<?x6xf32> to memref<?x6xf32>
  return %1 : memref<?x6xf32>
}

func.func @read_only_memory_of_a_cast(%t: tensor<4x6xf32>) -> memref<?x6xf32, strided<[?, 1], offset: ?>, 3> {
  %0 = tensor.cast %t : tensor<4x6xf32> to tensor<?x6xf32>
  %1 = bufferization.to_buffer %0 read_only : tensor<?x6xf32> to memref<?x6xf32, strided<[?, 1], offset: ?>, 3>
  return %1 : memref<?x6xf32, strided<[?, 1], offset: ?>, 3>
}

func.func @memory_of_unknown_rank(%t: tensor<4x6xf32>) -> memref<*xf32> {
  %0 = tensor.cast %t : tensor<4x6xf32> to tensor<*xf32>
  %1 = bufferization.to_buffer %0 : tensor<*xf32> to memref<*xf32>
  return %1 : memref<*xf32>
}

func.func @memory_of_what_a_cast_knows(%t: tensor<?x6xf32>) -> memref<4x6xf32> {
  %0 = tensor.cast %t : tensor<?x6xf32> to tensor<4x6xf32>
  %1 = bufferization.to_buffer %0 : tensor<4x6xf32> to memref<4x6xf32>
  return %1 : memref<4x6xf32>
}

func.func @tensor_of_a_cast(%m: memref<4xf32>) -> tensor<?xf32> {
  %c = memref.cast %m : memref<4xf32> to memref<?xf32>
  %1 = bufferization.to_tensor %c : memref<?xf32> to tensor<?xf32>
  return %1 : tensor<?xf32>
}

func.func @extent_of_memory(%t: memref<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_tensor %t : memref<?xf32> to tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  return %1 : index
}

func.func @extent_of_a_tensor(%t: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  %1 = memref.dim %0, %c0 : memref<?xf32>
  return %1 : index
}

func.func @element_read_only(%t: tensor<?xf32>, %i: index) -> f32 {
  %0 = bufferization.to_buffer %t read_only : tensor<?xf32> to memref<?xf32>
  %1 = memref.load %0[%i] : memref<?xf32>
  return %1 : f32
}

func.func @element_that_is_only_read(%t: tensor<?xf32>, %i: index) -> f32 {
  %0 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  %1 = memref.load %0[%i] : memref<?xf32>
  return %1 : f32
}

// differs: @element_written: the store comes first
func.func @element_written(%t: tensor<4xf32>, %i: index, %x: f32) -> f32 {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  %y = memref.load %m[%i] : memref<4xf32>
  return %y : f32
}

func.func @written_between(%t: tensor<4xf32>, %i: index, %x: f32) -> tensor<4xf32> {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  %u = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  return %u : tensor<4xf32>
}

func.func @element_of_memory(%m: memref<4xf32>, %i: index) -> f32 {
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  return %x : f32
}

func.func @extent_of_a_destination(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = bufferization.materialize_in_destination %a in %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  return %d : index
}

func.func @casts_copied(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<?xf32> {
  %c = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %e = tensor.cast %b : tensor<4xf32> to tensor<?xf32>
  %0 = bufferization.materialize_in_destination %c in %e : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @cast_copied_to_memory(%t: tensor<4xf32>, %m: memref<4xf32>) {
  %c = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  bufferization.materialize_in_destination %c in restrict writable %m : (tensor<?xf32>, memref<4xf32>) -> ()
  return
}

func.func @one_cast_copied(%t: tensor<4xf32>, %m: tensor<?xf32>) -> tensor<?xf32> {
  %c = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %r = bufferization.materialize_in_destination %c in %m : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
