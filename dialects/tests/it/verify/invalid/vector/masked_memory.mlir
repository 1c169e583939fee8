// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @load_elements(%m: memref<?xf64>, %i: index, %mask: vector<8xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.maskedload' op base and result element type should match}}
  %0 = vector.maskedload %m[%i], %mask, %v : memref<?xf64>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @load_indices(%m: memref<?x?xf32>, %i: index, %mask: vector<8xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.maskedload' op requires 2 indices}}
  %0 = vector.maskedload %m[%i], %mask, %v : memref<?x?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @load_mask(%m: memref<?xf32>, %i: index, %mask: vector<7xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.maskedload' op expected result shape to match mask shape}}
  %0 = vector.maskedload %m[%i], %mask, %v : memref<?xf32>, vector<7xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @load_pass(%m: memref<?xf32>, %i: index, %mask: vector<8xi1>, %v: vector<8xi32>) {
  // expected-error@+1 {{'vector.maskedload' op expected pass_thru of same type as result type}}
  %0 = vector.maskedload %m[%i], %mask, %v : memref<?xf32>, vector<8xi1>, vector<8xi32> into vector<8xf32>
  return
}

// -----

func.func @store_elements(%m: memref<?xf64>, %i: index, %mask: vector<8xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.maskedstore' op base and valueToStore element type should match}}
  vector.maskedstore %m[%i], %mask, %v : memref<?xf64>, vector<8xi1>, vector<8xf32>
  return
}

// -----

func.func @store_indices(%m: memref<?xf32>, %i: index, %mask: vector<8xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.maskedstore' op requires 1 indices}}
  vector.maskedstore %m[], %mask, %v : memref<?xf32>, vector<8xi1>, vector<8xf32>
  return
}

// -----

func.func @store_mask(%m: memref<?xf32>, %i: index, %mask: vector<7xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.maskedstore' op expected valueToStore shape to match mask shape}}
  vector.maskedstore %m[%i], %mask, %v : memref<?xf32>, vector<7xi1>, vector<8xf32>
  return
}

// -----

func.func @expand_elements(%m: memref<?xf64>, %i: index, %mask: vector<8xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.expandload' op base and result element type should match}}
  %0 = vector.expandload %m[%i], %mask, %v : memref<?xf64>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @expand_indices(%m: memref<?xf32>, %i: index, %mask: vector<8xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.expandload' op requires 1 indices}}
  %0 = vector.expandload %m[%i, %i], %mask, %v : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @expand_mask(%m: memref<?xf32>, %i: index, %mask: vector<7xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.expandload' op expected result dim to match mask dim}}
  %0 = vector.expandload %m[%i], %mask, %v : memref<?xf32>, vector<7xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @expand_pass(%m: memref<?xf32>, %i: index, %mask: vector<8xi1>, %v: vector<7xf32>) {
  // expected-error@+1 {{'vector.expandload' op expected pass_thru of same type as result type}}
  %0 = vector.expandload %m[%i], %mask, %v : memref<?xf32>, vector<8xi1>, vector<7xf32> into vector<8xf32>
  return
}

// -----

func.func @expand_scalable(%m: memref<?xf32>, %i: index, %mask: vector<[8]xi1>, %v: vector<[8]xf32>) {
  // expected-error@+1 {{must be fixed-length vector of 1-bit signless integer values, but got 'vector<[8]xi1>'}}
  %0 = vector.expandload %m[%i], %mask, %v : memref<?xf32>, vector<[8]xi1>, vector<[8]xf32> into vector<[8]xf32>
  return
}

// -----

func.func @compress_elements(%m: memref<?xf64>, %i: index, %mask: vector<8xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.compressstore' op base and valueToStore element type should match}}
  vector.compressstore %m[%i], %mask, %v : memref<?xf64>, vector<8xi1>, vector<8xf32>
  return
}

// -----

func.func @compress_indices(%m: memref<?xf32>, %i: index, %mask: vector<8xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.compressstore' op requires 1 indices}}
  vector.compressstore %m[%i, %i], %mask, %v : memref<?xf32>, vector<8xi1>, vector<8xf32>
  return
}

// -----

func.func @compress_mask(%m: memref<?xf32>, %i: index, %mask: vector<7xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.compressstore' op expected valueToStore dim to match mask dim}}
  vector.compressstore %m[%i], %mask, %v : memref<?xf32>, vector<7xi1>, vector<8xf32>
  return
}

// -----

func.func @gather_base(%m: tensor<*xf32>, %i: index, %x: vector<8xi32>, %mask: vector<8xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.gather' op requires base to be a memref or ranked tensor type}}
  %0 = vector.gather %m[%i] [%x], %mask, %v : tensor<*xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @gather_elements(%m: memref<?xf64>, %i: index, %x: vector<8xi32>, %mask: vector<8xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.gather' op base and result element type should match}}
  %0 = vector.gather %m[%i] [%x], %mask, %v : memref<?xf64>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @gather_offsets(%m: memref<?xf32>, %i: index, %x: vector<8xi32>, %mask: vector<8xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.gather' op requires 1 indices}}
  %0 = vector.gather %m[%i, %i] [%x], %mask, %v : memref<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @gather_indices(%m: memref<?xf32>, %i: index, %x: vector<7xi32>, %mask: vector<8xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.gather' op expected result dim to match indices dim}}
  %0 = vector.gather %m[%i] [%x], %mask, %v : memref<?xf32>, vector<7xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @gather_mask(%m: memref<?xf32>, %i: index, %x: vector<8xi32>, %mask: vector<7xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.gather' op expected result dim to match mask dim}}
  %0 = vector.gather %m[%i] [%x], %mask, %v : memref<?xf32>, vector<8xi32>, vector<7xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @gather_pass(%m: memref<?xf32>, %i: index, %x: vector<8xi32>, %mask: vector<8xi1>, %v: vector<8xi32>) {
  // expected-error@+1 {{'vector.gather' op expected pass_thru of same type as result type}}
  %0 = vector.gather %m[%i] [%x], %mask, %v : memref<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xi32> into vector<8xf32>
  return
}

// -----

func.func @gather_floats(%m: memref<?xf32>, %i: index, %x: vector<8xf32>, %mask: vector<8xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{must be vector of integer or index values, but got 'vector<8xf32>'}}
  %0 = vector.gather %m[%i] [%x], %mask, %v : memref<?xf32>, vector<8xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @scatter_base(%m: tensor<*xf32>, %i: index, %x: vector<8xi32>, %mask: vector<8xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.scatter' op requires base to be a memref or ranked tensor type}}
  vector.scatter %m[%i] [%x], %mask, %v : tensor<*xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32>
  return
}

// -----

func.func @scatter_elements(%m: memref<?xf64>, %i: index, %x: vector<8xi32>, %mask: vector<8xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.scatter' op base and valueToStore element type should match}}
  vector.scatter %m[%i] [%x], %mask, %v : memref<?xf64>, vector<8xi32>, vector<8xi1>, vector<8xf32>
  return
}

// -----

func.func @scatter_offsets(%m: memref<?xf32>, %i: index, %x: vector<8xi32>, %mask: vector<8xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.scatter' op requires 1 indices}}
  vector.scatter %m[] [%x], %mask, %v : memref<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32>
  return
}

// -----

func.func @scatter_indices(%m: memref<?xf32>, %i: index, %x: vector<7xi32>, %mask: vector<8xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.scatter' op expected valueToStore dim to match indices dim}}
  vector.scatter %m[%i] [%x], %mask, %v : memref<?xf32>, vector<7xi32>, vector<8xi1>, vector<8xf32>
  return
}

// -----

func.func @scatter_mask(%m: memref<?xf32>, %i: index, %x: vector<8xi32>, %mask: vector<7xi1>, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.scatter' op expected valueToStore dim to match mask dim}}
  vector.scatter %m[%i] [%x], %mask, %v : memref<?xf32>, vector<8xi32>, vector<7xi1>, vector<8xf32>
  return
}
