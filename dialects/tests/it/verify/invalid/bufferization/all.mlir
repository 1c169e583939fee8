// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%n: index) {
  // expected-error@+1 {{incorrect number of dynamic sizes, has 0, expected 1}}
  %0 = bufferization.alloc_tensor() : tensor<?xf32>
  return
}
// -----
func.func @f(%n: index, %t: tensor<?xf32>) {
  // expected-error@+1 {{dynamic sizes not needed when copying a tensor}}
  %0 = bufferization.alloc_tensor(%n) copy(%t) : tensor<?xf32>
  return
}
// -----
func.func @f(%t: tensor<?xf32>) {
  // expected-error@+1 {{expected that `copy` and return type match}}
  %0 = "bufferization.alloc_tensor"(%t) <{operandSegmentSizes = array<i32: 0, 1, 0>}> : (tensor<?xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%m: memref<?xf32>, %c: i1) {
  // expected-error@+1 {{must have the same number of conditions as memrefs to deallocate}}
  bufferization.dealloc (%m, %m : memref<?xf32>, memref<?xf32>) if (%c)
  return
}
// -----
func.func @f(%m: memref<?xf32>, %c: i1) {
  // expected-error@+1 {{must have the same number of updated conditions (results) as retained operands}}
  %0:2 = "bufferization.dealloc"(%m) <{operandSegmentSizes = array<i32: 0, 0, 1>}> : (memref<?xf32>) -> (i1, i1)
  return
}
// -----
func.func @f(%m: memref<?xf32>) {
  // expected-error@+2 {{shapes do not match}}
  // expected-error@+1 {{failed to verify that specified tensor and buffer types match}}
  %0 = bufferization.to_tensor %m : memref<?xf32> to tensor<4xf32>
  return
}
// -----
func.func @f(%m: memref<?xf32>) {
  // expected-error@+2 {{shapes do not match}}
  // expected-error@+1 {{failed to verify that specified tensor and buffer types match}}
  %0 = bufferization.to_tensor %m : memref<?xf32> to tensor<?x?xf32>
  return
}
// -----
func.func @f(%m: memref<?xf32>) {
  // expected-error@+2 {{element types do not match}}
  // expected-error@+1 {{failed to verify that specified tensor and buffer types match}}
  %0 = bufferization.to_tensor %m : memref<?xf32> to tensor<?xf64>
  return
}
// -----
func.func @f(%m: tensor<?xf32>) {
  // expected-error@+2 {{shapes do not match}}
  // expected-error@+1 {{failed to verify that specified tensor and buffer types match}}
  %0 = bufferization.to_buffer %m : tensor<?xf32> to memref<*xf32>
  return
}
// -----
func.func @f(%m: tensor<?xf32>) {
  // expected-error@+1 {{result #0 must be BufferLikeType instance, but got 'tensor<?xf32>'}}
  %0 = "bufferization.to_buffer"(%m) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @no_tensor() {
  // expected-error@+1 {{custom op 'bufferization.alloc_tensor' invalid kind of type specified}}
  %0 = bufferization.alloc_tensor() : memref<4xf32>
  return
}
