// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What the invariants of gpu operations allow.

func.func @f(%n: index) { "gpu.launch"(%n,%n,%n,%n,%n,%n) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({ ^bb0(%a: index, %b: index, %c: index,%a1: index, %b1: index, %c1: index,%a2: index, %b2: index, %c2: index,%a3: index, %b3: index, %c3: index): gpu.terminator }) : (index,index,index,index,index,index)->() return }

// -----

func.func @f(%n: index) { gpu.launch blocks(%a,%b,%d) in (%e=%n,%g=%n,%h=%n) threads(%i,%j,%k) in (%l=%n,%o=%n,%p=%n) workgroup(%w: memref<3xf32>) { gpu.terminator } return }

// -----

module attributes {gpu.container_module} { gpu.module @m { gpu.func @k(%a: index) kernel { gpu.return } } func.func @f(%n: index) { gpu.launch_func @m::@k blocks in (%n,%n,%n) threads in (%n,%n,%n) args(%n: index) return } }

// -----

gpu.module @m { gpu.func @k() workgroup(%a : memref<3xf32>) kernel { gpu.return } }

// -----

gpu.module @m { gpu.func @k() private(%a : memref<3xf32, 1>) kernel { gpu.return } }

// -----

gpu.module @m { gpu.func @k() workgroup(%a : memref<3xf32, #gpu.address_space<workgroup>>) private(%b : memref<3xf32, 5>) kernel { gpu.return } }

// -----

gpu.module @m { gpu.func @k() workgroup(%a : memref<3xf32, 3>) kernel { gpu.return } }

// -----

gpu.module @m { gpu.func @k() private(%a : memref<3xf32, #gpu.address_space<private>>) kernel { gpu.return } }

// -----

gpu.module @m { gpu.func @k() kernel { "x.y"() : () -> () } }

// -----

gpu.module @m { "gpu.func"() <{function_type=()->()}> ({^bb0: gpu.return}) {sym_name="k", gpu.kernel} : () -> () }

// -----

%m = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>

// -----

%a = gpu.wait async gpu.wait [%a]

// -----

gpu.barrier

// -----

%0 = gpu.thread_id x upper_bound 4
