// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%m: memref<?xf32>, %m2: memref<4xf64>) {
  // expected-error@+1 {{'gpu.memcpy' op arguments have incompatible element type}}
  gpu.memcpy %m, %m2 : memref<?xf32>, memref<4xf64>
  return
}
// -----
func.func @f(%m: memref<5xf32>, %m2: memref<4xf32>) {
  // expected-error@+1 {{'gpu.memcpy' op arguments have incompatible shape}}
  gpu.memcpy %m, %m2 : memref<5xf32>, memref<4xf32>
  return
}
// -----
func.func @f(%m: memref<5xf32>, %f: f64) {
  // expected-error@+1 {{'gpu.memset' op failed to verify that all of {dst, value} have same element type}}
  gpu.memset %m, %f : memref<5xf32>, f64
  return
}
// -----
func.func @f(%i: index) {
  // expected-error@+1 {{'gpu.alloc' op incorrect number of dynamic sizes, has 0, expected 1}}
  %0 = gpu.alloc () : memref<?xf32>
  return
}
// -----
func.func @f(%i: index) {
  // expected-error@+1 {{'gpu.dynamic_shared_memory' op address space must be address_space<workgroup>}}
  %0 = gpu.dynamic_shared_memory : memref<?xi8>
  return
}
// -----
func.func @f(%i: index) {
  // expected-error@+1 {{'gpu.dynamic_shared_memory' op result memref type must be memref<?xi8, #gpu.address_space<workgroup>>}}
  %0 = gpu.dynamic_shared_memory : memref<4xi8, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @copies(%m: memref<*xf32>, %n: memref<8xf32>) {
  // expected-error@+1 {{custom op 'gpu.memcpy' invalid kind of type specified: expected builtin.memref, but found 'memref<*xf32>'}}
  gpu.memcpy %n, %m : memref<8xf32>, memref<*xf32>
  return
}

// -----

func.func @sets(%m: memref<8xf32>, %v: tensor<8xf64>) {
  // expected-error@+1 {{'gpu.memset' op failed to verify that all of {dst, value} have same element type}}
  gpu.memset %m, %v : memref<8xf32>, tensor<8xf64>
  return
}

// -----

func.func @prints() {
  // expected-error@+1 {{custom op 'gpu.printf' invalid kind of attribute specified}}
  gpu.printf [1]
  return
}
