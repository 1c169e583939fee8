// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What the form of these operations refuses.

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{expected ','}}
  gpu.launch blocks(%a, %b, %q) in (%d = %i, %e = %i) threads(%h, %j, %k) in (%l = %i, %o = %i, %p = %i) { gpu.terminator }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{custom op 'gpu.launch' expected 'threads'}}
  gpu.launch blocks(%a, %b, %q) in (%d = %i, %e = %i, %g = %i) { gpu.terminator }
  return
}

// -----

// expected-note@+1 {{prior use here}}
func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{use of value '%f' expects different type than prior uses: 'index' vs 'f32'}}
  gpu.launch blocks(%a, %b, %q) in (%d = %i, %e = %i, %g = %i) threads(%h, %j, %k) in (%l = %i, %o = %i, %p = %f) { gpu.terminator }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{custom op 'gpu.launch' needs to be named when marked 'async'}}
  gpu.launch async blocks(%a, %b, %q) in (%d = %i, %e = %i, %g = %i) threads(%h, %j, %k) in (%l = %i, %o = %i, %p = %i) { gpu.terminator }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{custom op 'gpu.launch' expected 'blocks'}}
  gpu.launch threads(%a, %b, %q) in (%d = %i, %e = %i, %g = %i) { gpu.terminator }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{expected ','}}
  gpu.launch_func @m::@k blocks in (%i, %i) threads in (%i, %i, %i)
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
  gpu.launch_func @m::@k blocks in (%i, %i, %i)
// expected-error@+1 {{custom op 'gpu.launch_func' expected 'threads'}}
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{'gpu.launch_func' op expected the closest surrounding module to have the 'gpu.container_module' attribute}}
  gpu.launch_func @m::@k blocks in (%i, %i, %i) threads in (%i, %i, %i)
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{'gpu.launch_func' op expected the closest surrounding module to have the 'gpu.container_module' attribute}}
  gpu.launch_func @m blocks in (%i, %i, %i) threads in (%i, %i, %i)
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{expected ':'}}
  gpu.launch_func @m::@k blocks in (%i, %i, %i) threads in (%i, %i, %i) args(%f)
  return
}

// -----

func.func @t(%i: index, %m: memref<?xi32>) {
  gpu.launch blocks(%a, %b, %q) in (%d = %i, %e = %i, %g = %i) threads(%h, %j, %k) in (%l = %i, %o = %i, %p = %i) {
    // expected-error@+1 {{block with no terminator}}
    %0 = memref.load %m[%i] : memref<?xi32>
  }
  return
}

// -----

func.func @t(%i: index) {
  // expected-error@+1 {{empty block: expect at least a terminator}}
  gpu.launch blocks(%a, %b, %q) in (%d = %i, %e = %i, %g = %i) threads(%h, %j, %k) in (%l = %i, %o = %i, %p = %i) {
  }
  return
}
