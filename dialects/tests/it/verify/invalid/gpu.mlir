// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Invariants of gpu operations.

func.func @f(%n: index) {
  // expected-error@+1 {{'gpu.launch' op unexpected number of region arguments}}
  "gpu.launch"(%n,%n,%n,%n,%n,%n) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({ ^bb0(%a: index): gpu.terminator }) : (index,index,index,index,index,index)->()
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'gpu.launch' op expected 6 or more operands, but found 5}}
  "gpu.launch"(%n,%n,%n,%n,%n) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0>}> ({ ^bb0(%a: index): gpu.terminator }) : (index,index,index,index,index)->()
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'gpu.launch' op cluster size must be all present}}
  "gpu.launch"(%n,%n,%n,%n,%n,%n,%n) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0>}> ({ ^bb0(%a: index, %b: index, %c: index,%a1: index, %b1: index, %c1: index,%a2: index, %b2: index, %c2: index,%a3: index, %b3: index, %c3: index): gpu.terminator }) : (index,index,index,index,index,index,index)->()
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'gpu.launch' op expected memref type in attribution}}
  gpu.launch blocks(%a,%b,%d) in (%e=%n,%g=%n,%h=%n) threads(%i,%j,%k) in (%l=%n,%o=%n,%p=%n) workgroup(%w: f32) { gpu.terminator }
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'gpu.launch_func' op expected the closest surrounding module to have the 'gpu.container_module' attribute}}
  gpu.launch_func @m::@k blocks in (%n,%n,%n) threads in (%n,%n,%n)
  return
}

// -----

module attributes {gpu.container_module} { func.func @f(%n: index) {
// expected-error@+1 {{'gpu.launch_func' op kernel container 'm' is undefined}}
gpu.launch_func @m::@k blocks in (%n,%n,%n) threads in (%n,%n,%n) return } }

// -----

module attributes {gpu.container_module} { gpu.module @m {} func.func @f(%n: index) {
// expected-error@+1 {{'gpu.launch_func' op kernel function '@m::@k' is undefined}}
gpu.launch_func @m::@k blocks in (%n,%n,%n) threads in (%n,%n,%n) return } }

// -----

module attributes {gpu.container_module} { func.func @m() {return} func.func @f(%n: index) {
// expected-error@+1 {{'gpu.launch_func' op kernel module 'm' is undefined}}
gpu.launch_func @m::@k blocks in (%n,%n,%n) threads in (%n,%n,%n) return } }

// -----

module attributes {gpu.container_module} { gpu.module @m { gpu.func @k() { gpu.return } } func.func @f(%n: index) {
// expected-error@+1 {{'gpu.launch_func' op kernel function is missing the 'gpu.kernel' attribute}}
gpu.launch_func @m::@k blocks in (%n,%n,%n) threads in (%n,%n,%n) return } }

// -----

module attributes {gpu.container_module} { gpu.module @m { func.func @k() { return } } func.func @f(%n: index) {
// expected-error@+1 {{'gpu.launch_func' op kernel function is missing the 'gpu.kernel' attribute}}
gpu.launch_func @m::@k blocks in (%n,%n,%n) threads in (%n,%n,%n) return } }

// -----

module attributes {gpu.container_module} { gpu.module @m { gpu.func @k(%a: f32) kernel { gpu.return } } func.func @f(%n: index) {
// expected-error@+1 {{'gpu.launch_func' op got 0 kernel operands but expected 1}}
gpu.launch_func @m::@k blocks in (%n,%n,%n) threads in (%n,%n,%n) return } }

// -----

module attributes {gpu.container_module} { gpu.module @m { gpu.func @k(%a: f32) kernel { gpu.return } } func.func @f(%n: index) {
// expected-error@+1 {{'gpu.launch_func' op type of function argument 0 does not match}}
gpu.launch_func @m::@k blocks in (%n,%n,%n) threads in (%n,%n,%n) args(%n: index) return } }

// -----

module attributes {gpu.container_module} { gpu.module @m { gpu.func @k(%a: index) -> i32 {
// expected-error@+1 {{'gpu.return' op unexpected type `'index'' for operand #0}}
gpu.return %a : index } } }

// -----

// expected-error@+1 {{'gpu.func' op expects parent op 'gpu.module'}}
gpu.func @k() { gpu.return }

// -----

gpu.module @m {
// expected-error@+1 {{'gpu.func' op expected body with at least one block}}
"gpu.func"() <{function_type=()->()}> ({}) {sym_name="k", gpu.kernel, workgroup_attributions=0:i64} : () -> () }

// -----

gpu.module @m {
// expected-error@+1 {{'gpu.func' op expected at least 1 arguments to body region}}
"gpu.func"() <{function_type=(i32)->()}> ({^bb0: gpu.return}) {sym_name="k", gpu.kernel, workgroup_attributions=0:i64} : () -> () }

// -----

gpu.module @m {
// expected-error@+1 {{'gpu.func' op expected body region argument #0 to be of type 'i32', got 'f32'}}
"gpu.func"() <{function_type=(i32)->()}> ({^bb0(%a: f32): gpu.return}) {sym_name="k", gpu.kernel, workgroup_attributions=0:i64} : () -> () }

// -----

gpu.module @m {
// expected-error@+1 {{'gpu.func' op expected memref type in attribution}}
gpu.func @k() workgroup(%a : f32) kernel { gpu.return } }

// -----

gpu.module @m {
// expected-error@+1 {{'gpu.func' op attribute 'known_block_size' failed to satisfy constraint: i32 dense array attribute with 3 elements (if present)}}
gpu.func @k() kernel attributes {known_block_size = array<i32: 1,2>} { gpu.return } }

// -----

gpu.module @m {
// expected-error@+1 {{'gpu.func' op requires string attribute 'sym_name'}}
"gpu.func"() <{function_type=()->()}> ({^bb0: gpu.return}) {gpu.kernel, workgroup_attributions=0:i64} : () -> () }

// -----

%a = "x"() : () -> memref<3xf32> %b = "x"() : () -> memref<4xf32>
// expected-error@+1 {{'gpu.memcpy' op arguments have incompatible shape}}
gpu.memcpy %a, %b : memref<3xf32>, memref<4xf32>

// -----

%a = "x"() : () -> memref<3xf32> %b = "x"() : () -> memref<3xf64>
// expected-error@+1 {{'gpu.memcpy' op arguments have incompatible element type}}
gpu.memcpy %a, %b : memref<3xf32>, memref<3xf64>

// -----

%a = "x"() : () -> memref<3xf32> %b = "x"() : () -> f64
// expected-error@+1 {{'gpu.memset' op failed to verify that all of {dst, value} have same element type}}
gpu.memset %a, %b : memref<3xf32>, f64

// -----

// expected-error@+1 {{'gpu.alloc' op incorrect number of dynamic sizes, has 0, expected 1}}
%m = gpu.alloc () : memref<?xf32>

// -----

%a = "x"() : () -> f32
// expected-error@+1 {{`and` reduction operation is not compatible with type 'f32'}}
%0 = gpu.subgroup_reduce and %a : (f32) -> f32

// -----

%a = "x"() : () -> i32
// expected-error@+1 {{`minnumf` reduction operation is not compatible with type 'i32'}}
%0 = gpu.subgroup_reduce minnumf %a : (i32) -> i32

// -----

%a = "x"() : () -> f32
// expected-error@+1 {{`and` reduction operation is not compatible with type 'f32'}}
%0 = gpu.all_reduce and %a { } : (f32) -> f32

// -----

%a = "x"() : () -> f32
// expected-error@+1 {{expected either an op attribute or a non-empty body}}
%0 = gpu.all_reduce %a { } : (f32) -> f32

// -----

%a = "x"() : () -> f32
// expected-error@+1 {{expected either an op attribute or a non-empty body}}
%0 = gpu.all_reduce add %a { ^bb0(%x: f32, %y: f32): gpu.yield %x : f32 } : (f32) -> f32

// -----

%a = "x"() : () -> f32
// expected-error@+1 {{expected two region arguments}}
%0 = gpu.all_reduce %a { ^bb0(%x: f32): gpu.yield %x : f32 } : (f32) -> f32

// -----

%a = "x"() : () -> f32
// expected-error@+1 {{incorrect gpu.yield type}}
%0 = gpu.all_reduce %a { ^bb0(%x: f32, %y: f32): %z = "x.c"() : () -> i32 gpu.yield %z : i32 } : (f32) -> f32

// -----

%a = "x"() : () -> f32
// expected-error@+1 {{'gpu.subgroup_reduce' op cluster size 3 is not a power of two}}
%0 = gpu.subgroup_reduce add %a cluster(size = 3) : (f32) -> f32

// -----

%a = "x"() : () -> f32
// expected-error@+1 {{'gpu.subgroup_reduce' op cluster stride 3 is not a power of two}}
%0 = gpu.subgroup_reduce add %a cluster(size = 4, stride = 3) : (f32) -> f32

// -----

// expected-error@+1 {{'gpu.dynamic_shared_memory' op address space must be address_space<workgroup>}}
%m = gpu.dynamic_shared_memory : memref<?xi8>

// -----

// expected-error@+1 {{'gpu.dynamic_shared_memory' op result memref type must be memref<?xi8, #gpu.address_space<workgroup>>}}
%m = gpu.dynamic_shared_memory : memref<4xi8, #gpu.address_space<workgroup>>

// -----

// expected-error@+1 {{'gpu.terminator' op expects parent op 'gpu.launch'}}
"gpu.terminator"() : () -> ()
