// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What the invariants of affine operations allow.

func.func @f(%n: index) { affine.for %i = 0 to 2 { %x = "t.x"() : () -> index %0 = affine.apply affine_map<(s0)->(s0)>(%x) } return }

// -----

func.func @f(%n: index) { affine.for %i = 0 to 2 { %x = "t.x"() : () -> index %0 = affine.min affine_map<(s0)->(s0)>(%x) } return }

// -----

func.func @f(%n: index, %m: memref<?xf32>) { affine.for %i = 0 to 10 { %c0 = arith.constant 0 : index %d = memref.dim %m, %c0 : memref<?xf32> affine.for %j = 0 to %d {} } return }

// -----

func.func @f(%n: index, %m: memref<?xf32>) { affine.for %i = 0 to 10 { %c0 = arith.constant 0 : index %a = memref.alloc(%n) : memref<?xf32> %d = memref.dim %a, %c0 : memref<?xf32> affine.for %j = 0 to %d {} } return }

// -----

func.func @f(%n: index, %m: memref<?xf32>) { affine.for %i = 0 to 10 { %c0 = arith.constant 1 : index %d = memref.dim %m, %c0 : memref<?xf32> affine.for %j = 0 to %d {} } return }

// -----

func.func @f(%n: index, %m: memref<?xi32>) { affine.for %i = 0 to 10 { %1 = arith.muli %n, %n : index %0 = affine.load %m[%1] : memref<?xi32> } return }

// -----

func.func @f(%n: index, %m: memref<?xi32>) { affine.for %i = 0 to 10 { %1 = affine.apply affine_map<(d0)->(d0)>(%n) affine.for %j = 0 to %1 {} } return }

// -----

func.func @f(%n: index, %m: memref<?xi32>) { affine.for %i = 0 to 10 { %1 = affine.apply affine_map<(d0)->(d0)>(%i) affine.for %j = 0 to affine_map<(d0)->(d0)>(%1) {} } return }

// -----

func.func @f(%n: index, %m: memref<?xi32>) { affine.for %i = 0 to 10 { %1 = affine.min affine_map<(d0)->(d0)>(%n) affine.for %j = 0 to affine_map<(d0)->(d0)>(%1) {} } return }

// -----

func.func @f(%n: index, %m: memref<?xi32>) { affine.for %i = 0 to 10 { %1:2 = affine.delinearize_index %i into (2,3) : index,index affine.for %j = 0 to affine_map<(d0)->(d0)>(%1#0) {} } return }

// -----

func.func @f(%n: index, %m: memref<?xi32>) { gpu.launch blocks(%a,%b,%d) in (%e=%n,%g=%n,%h=%n) threads(%i,%j,%k) in (%l=%n,%o=%n,%p=%n) { %0 = affine.load %m[%i] : memref<?xi32> affine.for %q = 0 to %k {} gpu.terminator} return }

// -----

func.func @f(%n: index, %m: memref<?xi32>) { gpu.launch blocks(%a,%b,%d) in (%e=%n,%g=%n,%h=%n) threads(%i,%j,%k) in (%l=%n,%o=%n,%p=%n) { %0 = affine.load %m[%n] : memref<?xi32> affine.for %q = 0 to %n {} gpu.terminator} return }

// -----

func.func @f(%n: index, %m: memref<?xi32>) { affine.for %z = 0 to 10 { gpu.launch blocks(%a,%b,%d) in (%e=%n,%g=%n,%h=%n) threads(%i,%j,%k) in (%l=%n,%o=%n,%p=%n) { %0 = affine.load %m[%z] : memref<?xi32> gpu.terminator} } return }

// -----

func.func @f(%n: index, %m: memref<?xi32>) { affine.for %z = 0 to 10 { gpu.launch blocks(%a,%b,%d) in (%e=%n,%g=%n,%h=%n) threads(%i,%j,%k) in (%l=%n,%o=%n,%p=%n) { affine.for %q = 0 to %z {} gpu.terminator} } return }

// -----

func.func @f(%n: index, %m: memref<?xi32>) { %0 = affine.linearize_index disjoint [%n,%n] by (2,-3) : index return }
