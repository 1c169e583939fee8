// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @bufferization(%t: tensor<?x4xf32>, %i: index, %m: memref<?x4xf32>, %um: memref<*xf32>, %c: i1) {
  %a = bufferization.alloc_tensor(%i) : tensor<?x4xf32>
  %a1 = bufferization.alloc_tensor() copy(%t) {memory_space = 1 : i64} : tensor<?x4xf32>
  %a2 = bufferization.alloc_tensor(%i) size_hint=%i : tensor<?x4xf32>
  bufferization.dealloc_tensor %a : tensor<?x4xf32>
  %b = bufferization.clone %m : memref<?x4xf32> to memref<*xf32>
  %b1 = bufferization.to_buffer %t : tensor<?x4xf32> to memref<?x4xf32, strided<[?, 1]>>
  %b2 = bufferization.to_buffer %t read_only {x} : tensor<?x4xf32> to memref<?x4xf32, strided<[?, 1]>>
  %t1 = bufferization.to_tensor %m restrict writable : memref<?x4xf32> to tensor<?x4xf32>
  %t2 = bufferization.to_tensor %m : memref<?x4xf32> to tensor<?x4xf32>
  %t3 = bufferization.to_tensor %um restrict : memref<*xf32> to tensor<*xf32>
  %mm = bufferization.materialize_in_destination %t in %a : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<?x4xf32>, memref<?x4xf32>) -> ()
  bufferization.dealloc
  bufferization.dealloc (%m, %b : memref<?x4xf32>, memref<*xf32>) if (%c, %c)
  %u:2 = bufferization.dealloc (%m : memref<?x4xf32>) if (%c) retain (%b, %m : memref<*xf32>, memref<?x4xf32>)
  return
}

// -----

func.func @retained_only(%a: memref<2xf32>, %b: memref<*xf32>) -> (i1, i1) {
  %0:2 = bufferization.dealloc retain (%a, %b : memref<2xf32>, memref<*xf32>)
  return %0#0, %0#1 : i1, i1
}
