// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Attributes of dialects where they cannot be.

// expected-error@+1 {{expected 'gpu.container_module' attribute to be attached to 'builtin.module'}}
func.func @f() attributes {gpu.container_module} {
  return
}

// -----

// expected-error@+1 {{'bufferization.writable' is expected to be a boolean attribute}}
func.func @f(%a: tensor<4xf32> {bufferization.writable = 1}) {
  return
}

// -----

// expected-error@+1 {{'bufferization.writable' is invalid on external functions}}
func.func private @f(tensor<4xf32> {bufferization.writable = true})

// -----

// expected-error@+1 {{'bufferization.access' is expected to be a string attribute}}
func.func private @f(tensor<4xf32> {bufferization.access = 1})

// -----

// expected-error@+1 {{invalid value for 'bufferization.access'}}
func.func private @f(tensor<4xf32> {bufferization.access = "often"})

// -----

// expected-error@+1 {{'bufferization.buffer_layout' is expected to be a memref layout attribute}}
func.func private @f(tensor<4xf32> {bufferization.buffer_layout = 1})

// -----

// expected-error@+1 {{attribute 'bufferization.buffer_layout' not supported as a region arg attribute by the bufferization dialect}}
func.func private @f(tensor<4xf32> {bufferization.other})

// -----

// expected-error@+1 {{attribute '"bufferization.other"' not supported as an op attribute by the bufferization dialect}}
"x.y"() {bufferization.other} : () -> ()

// -----

// expected-error@+1 {{'x.y' op attribute 'bufferization.manual_deallocation' can be used only on ops that have an allocation and/or free side effect}}
"x.y"() {bufferization.manual_deallocation} : () -> ()

// -----

func.func @copies(%m: memref<4xf32>) {
  // expected-error@+1 {{'memref.copy' op attribute 'bufferization.manual_deallocation' can be used only on ops that have an allocation and/or free side effect}}
  memref.copy %m, %m {bufferization.manual_deallocation} : memref<4xf32> to memref<4xf32>
  return
}

// -----

func.func @adds(%x: i32) {
  // expected-error@+1 {{'arith.addi' op attribute 'bufferization.manual_deallocation' can be used only on ops that have an allocation and/or free side effect}}
  %0 = arith.addi %x, %x {bufferization.manual_deallocation} : i32
  return
}

// -----

// expected-error@+1 {{'func.func' op attribute 'bufferization.manual_deallocation' can be used only on ops that have an allocation and/or free side effect}}
func.func private @f() attributes {bufferization.manual_deallocation}

// -----

// expected-error@+1 {{invalid dialect namespace '""'}}
"a.b"() {a = #.c<1>} : () -> ()
