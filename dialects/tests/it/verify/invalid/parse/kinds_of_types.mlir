// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @scalar_for_complex(%f: f32) {
  // expected-error@+1 {{custom op 'complex.sqrt' invalid kind of type specified: expected builtin.complex, but found 'f32'}}
  %0 = complex.sqrt %f : f32
  return
}

// -----

func.func @float_for_integer(%c: complex<f32>, %f: f32) {
  // expected-error@+1 {{custom op 'complex.powi' invalid kind of type specified: expected builtin.integer, but found 'f32'}}
  %0 = complex.powi %c, %f : complex<f32>, f32
  return
}

// -----

func.func @memref_for_tensor(%m: memref<4xf32>) {
  // expected-error@+1 {{custom op 'tensor.cast' invalid kind of type specified}}
  %0 = tensor.cast %m : memref<4xf32> to tensor<?xf32>
  return
}

// -----

func.func @tensor_for_memref(%t: tensor<4xf32>) {
  // expected-error@+1 {{custom op 'memref.rank' invalid kind of type specified}}
  %0 = memref.rank %t : tensor<4xf32>
  return
}

// -----

func.func @unranked_for_ranked(%f: f32) {
  // expected-error@+1 {{custom op 'tensor.from_elements' invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xf32>'}}
  %0 = tensor.from_elements %f : tensor<*xf32>
  return
}

// -----

func.func @scalar_for_buffer(%t: tensor<4xf32>) {
  // expected-error@+1 {{custom op 'bufferization.to_buffer' invalid kind of type specified}}
  %0 = bufferization.to_buffer %t : tensor<4xf32> to f32
  return
}

// -----

func.func @scalar_for_function(%f: f32) {
  // expected-error@+1 {{custom op 'func.call_indirect' invalid kind of type specified: expected builtin.function, but found 'f32'}}
  func.call_indirect %f() : f32
  return
}

// -----

func.func @scalar_for_vector(%f: f32) {
  // expected-error@+1 {{custom op 'spirv.Dot' invalid kind of type specified: expected builtin.vector, but found 'f32'}}
  %0 = spirv.Dot %f, %f : f32 -> f32
  return
}
// -----
!a = i32
func.func @called() {
  // expected-error@+1 {{custom op 'func.call' invalid kind of type specified: expected builtin.function, but found 'i32'}}
  call @called() : !a
  return
}
// -----
!a = i32
// expected-error@+1 {{expected function type}}
"a.b"() : !a
// -----
func.func @loaded(%m: memref<8xf32>) {
  // expected-error@+1 {{custom op 'affine.vector_load' invalid kind of type specified: expected builtin.vector, but found 'f32'}}
  %0 = affine.vector_load %m[0] : memref<8xf32>, f32
  return
}
// -----
func.func @stored(%m: memref<8xf32>, %x: f32) {
  // expected-error@+1 {{custom op 'affine.vector_store' invalid kind of type specified: expected builtin.vector, but found 'f32'}}
  affine.vector_store %x, %m[0] : memref<8xf32>, f32
  return
}
