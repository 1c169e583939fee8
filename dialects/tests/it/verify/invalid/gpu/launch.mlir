// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
module attributes {gpu.container_module} {
 gpu.module @k {
 gpu.func @g(%x: f32) kernel { gpu.return }
 gpu.func @h() { gpu.return }
 }
 func.func @f(%i: index, %f: f32, %t: !gpu.async.token, %n: i32, %q: i64) {
 // expected-error@+1 {{'gpu.launch_func' op kernel function is missing the 'gpu.kernel' attribute}}
 gpu.launch_func @k::@h blocks in (%i, %i, %i) threads in (%i, %i, %i)
 return
 }
}
// -----
module attributes {gpu.container_module} {
 gpu.module @k {
 gpu.func @g(%x: f32) kernel { gpu.return }
 gpu.func @h() { gpu.return }
 }
 func.func @f(%i: index, %f: f32, %t: !gpu.async.token, %n: i32, %q: i64) {
 // expected-error@+1 {{'gpu.launch_func' op kernel function '@k::@zz' is undefined}}
 gpu.launch_func @k::@zz blocks in (%i, %i, %i) threads in (%i, %i, %i)
 return
 }
}
// -----
module attributes {gpu.container_module} {
 gpu.module @k {
 gpu.func @g(%x: f32) kernel { gpu.return }
 gpu.func @h() { gpu.return }
 }
 func.func @f(%i: index, %f: f32, %t: !gpu.async.token, %n: i32, %q: i64) {
 // expected-error@+1 {{'gpu.launch_func' op kernel container 'zz' is undefined}}
 gpu.launch_func @zz::@g blocks in (%i, %i, %i) threads in (%i, %i, %i)
 return
 }
}
// -----
module attributes {gpu.container_module} {
 gpu.module @k {
 gpu.func @g(%x: f32) kernel { gpu.return }
 gpu.func @h() { gpu.return }
 }
 func.func @f(%i: index, %f: f32, %t: !gpu.async.token, %n: i32, %q: i64) {
 // expected-error@+1 {{'gpu.launch_func' op got 0 kernel operands but expected 1}}
 gpu.launch_func @k::@g blocks in (%i, %i, %i) threads in (%i, %i, %i)
 return
 }
}
// -----
module attributes {gpu.container_module} {
 gpu.module @k {
 gpu.func @g(%x: f32) kernel { gpu.return }
 gpu.func @h() { gpu.return }
 }
 func.func @f(%i: index, %f: f32, %t: !gpu.async.token, %n: i32, %q: i64) {
 // expected-error@+1 {{'gpu.launch_func' op type of function argument 0 does not match}}
 gpu.launch_func @k::@g blocks in (%i, %i, %i) threads in (%i, %i, %i) args(%i : index)
 return
 }
}
// -----
module {
 gpu.module @k {
 gpu.func @g(%x: f32) kernel { gpu.return }
 gpu.func @h() { gpu.return }
 }
 func.func @f(%i: index, %f: f32, %t: !gpu.async.token, %n: i32, %q: i64) {
 // expected-error@+1 {{'gpu.launch_func' op expected the closest surrounding module to have the 'gpu.container_module' attribute}}
 gpu.launch_func @k::@g blocks in (%i, %i, %i) threads in (%i, %i, %i) args(%f : f32)
 return
 }
}

// -----

module attributes {gpu.container_module} {
  // expected-note@+1 {{see the kernel definition here}}
  gpu.module @m {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  func.func @f(%n: index) {
    // expected-error@+1 {{'gpu.launch_func' op referenced kernel '@m' is not a function}}
    "gpu.launch_func"(%n, %n, %n, %n, %n, %n) <{kernel = @m, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0>}> : (index, index, index, index, index, index) -> ()
    return
  }
}

// -----

func.func @attribution(%n: index) {
  // expected-error@+1 {{'gpu.launch' op expected memory space private in attribution}}
  gpu.launch blocks(%a, %b, %c) in (%d = %n, %e = %n, %f = %n) threads(%g, %h, %i) in (%j = %n, %k = %n, %l = %n) private(%w : memref<8xi32, #gpu.address_space<global>>) {
    gpu.terminator
  }
  return
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @g() kernel {
      gpu.return
    }
  }
  func.func @f(%n: index, %m: i64) {
    // expected-error@+1 {{expects types of the cluster dimensions must be the same}}
    "gpu.launch_func"(%n, %n, %n, %n, %n, %n, %m, %n, %n) <{kernel = @k::@g, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0>}> : (index, index, index, index, index, index, i64, index, index) -> ()
    return
  }
}
