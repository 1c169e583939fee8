// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
gpu.module @k {
 // expected-error@+1 {{'gpu.func' op expected void return type for kernel function}}
 gpu.func @f() -> i32 kernel {
 %0 = arith.constant 1 : i32
 gpu.return %0 : i32
 }
}
// -----
// expected-error@+1 {{'gpu.func' op expects parent op 'gpu.module'}}
gpu.func @f() { gpu.return }
// -----
gpu.module @k {
 // expected-error@+1 {{'gpu.func' op attribute 'known_block_size' failed to satisfy constraint: i32 dense array attribute with 3 elements (if present)}}
 gpu.func @f() attributes {known_block_size = array<i32: 1, 2>} { gpu.return }
}
// -----
// expected-error@+1 {{'gpu.module' op attribute 'targets' failed to satisfy constraint: array of GPU target attributes with at least 1 elements}}
gpu.module @k [] {
}
// -----
// expected-error@+1 {{'gpu.module' op attribute 'offloadingHandler' failed to satisfy constraint: any attribute with the `OffloadingTranslationAttrTrait` trait.}}
gpu.module @k <1> {
}
// -----
gpu.module @k {
 // expected-error@+1 {{'gpu.func' op expected body region argument #0 to be of type 'i32', got 'f32'}}
 "gpu.func"() <{function_type = (i32) -> ()}> ({
 ^bb0(%a: f32):
 gpu.return
 }) {sym_name = "f"} : () -> ()
}

// -----

gpu.module @m {
  // expected-note@+1 {{return type declared here}}
  gpu.func @f() -> (i32) {
    // expected-error@+1 {{'gpu.return' op expected 1 result operands}}
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op expected memory space workgroup in attribution}}
  gpu.func @shared() workgroup(%w: memref<8xi32, #gpu.address_space<global>>) {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op expected memory space private in attribution}}
  gpu.func @private() private(%w: memref<8xi32, #gpu.address_space<workgroup>>) {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op gpu.known_grid_size must be a dense i32 array}}
  gpu.func @size() kernel attributes {gpu.known_grid_size = [1, 2, 3]} {
    gpu.return
  }
}

// -----

// expected-error@+1 {{'func.func' op gpu.known_block_size must contain exactly 3 elements}}
func.func private @size() attributes {gpu.known_block_size = array<i32: 8, 8>}

// -----

module attributes {gpu.container_module} {
  module @host {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  func.func @launch(%n: index) {
    // expected-error@+1 {{'gpu.launch_func' op kernel module 'host' is undefined}}
    gpu.launch_func @host::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

func.func @launch_attribute(%n: index) {
  // expected-error@+1 {{custom op 'gpu.launch_func' invalid kind of attribute specified}}
  gpu.launch_func "k" blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}

// -----

func.func @launch_argument(%n: index) {
  // expected-error@+1 {{expected ')' in argument list}}
  gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%n : index {a})
  return
}

// -----

// expected-error@+1 {{'gpu.module' op region #0 ('bodyRegion') failed to verify constraint: region with 1 blocks}}
"gpu.module"() ({}) {sym_name = "m"} : () -> ()
