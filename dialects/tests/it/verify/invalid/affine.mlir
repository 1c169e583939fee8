// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Invariants of affine operations.

func.func @f(%n: index, %m: memref<?x4xf32>) {
  // expected-error@+1 {{'affine.load' op affine map num results must equal memref rank}}
  %0 = affine.load %m[%n] : memref<?x4xf32>
  return
}

// -----

func.func @f(%n: index, %m: memref<?x4xf32>) {
  // expected-error@+1 {{'affine.load' op expects as many subscripts as affine map inputs}}
  %0 = "affine.load"(%m,%n) <{map = affine_map<(d0,d1)->(d0,d1)>}> : (memref<?x4xf32>, index) -> f32
  return
}

// -----

func.func @f(%n: index, %m: memref<?x4xf32>) {
  // expected-error@+1 {{'affine.load' op result type must match element type of memref}}
  %0 = "affine.load"(%m,%n,%n) <{map = affine_map<(d0,d1)->(d0,d1)>}> : (memref<?x4xf32>, index,index) -> f64
  return
}

// -----

func.func @f(%n: index, %m: memref<?x4xf32>) { %x = "t.x"() : () -> index affine.for %i = 0 to 2 { %y = "t.x"() : () -> index
// expected-error@+1 {{'affine.load' op operand cannot be used as a dimension id}}
%0 = affine.load %m[%y,%i] : memref<?x4xf32> } return }

// -----

func.func @f(%n: index, %m: memref<?x4xf32>) { %x = "t.x"() : () -> index affine.for %i = 0 to 2 { %y = "t.x"() : () -> index
// expected-error@+1 {{'affine.load' op operand cannot be used as a symbol}}
%0 = affine.load %m[symbol(%i),%i] : memref<?x4xf32> } return }

// -----

func.func @f(%n: index, %m: memref<?x4xf32>, %v: f64) {
  // expected-error@+1 {{'affine.store' op value to store must have the same type as memref element type}}
  "affine.store"(%v,%m,%n,%n) <{map = affine_map<(d0,d1)->(d0,d1)>}> : (f64,memref<?x4xf32>, index,index) -> ()
  return
}

// -----

func.func @f(%n: index, %m: memref<?x4xf32>, %v: f32) {
  // expected-error@+1 {{'affine.store' op expects as many subscripts as affine map inputs}}
  "affine.store"(%v,%m,%n) <{map = affine_map<(d0,d1)->(d0,d1)>}> : (f32,memref<?x4xf32>, index) -> ()
  return
}

// -----

func.func @f(%n: index, %m: memref<?x4xf32>, %v: f32) {
  // expected-error@+1 {{'affine.store' op affine map num results must equal memref rank}}
  "affine.store"(%v,%m,%n) <{map = affine_map<(d0)->(d0)>}> : (f32,memref<?x4xf32>, index) -> ()
  return
}

// -----

func.func @f(%n: index, %m: memref<?x4xf32>, %v: vector<4xf64>) {
  // expected-error@+1 {{'affine.vector_store' op requires memref and vector types of the same elemental type}}
  "affine.vector_store"(%v,%m,%n,%n) <{map = affine_map<(d0,d1)->(d0,d1)>}> : (vector<4xf64>,memref<?x4xf32>, index,index) -> ()
  return
}

// -----

func.func @f(%n: index, %m: memref<?x4xf32>) {
  // expected-error@+1 {{'affine.vector_load' op requires memref and vector types of the same elemental type}}
  %0 = "affine.vector_load"(%m,%n,%n) <{map = affine_map<(d0,d1)->(d0,d1)>}> : (memref<?x4xf32>, index,index) -> vector<2xf64>
  return
}

// -----

func.func @f(%n: index, %m: memref<?x4xf32>) {
  // expected-error@+1 {{'affine.prefetch' op too few operands}}
  "affine.prefetch"(%m,%n,%n) <{isWrite=false,localityHint=3:i32,isDataCache=true,map = affine_map<(d0)->(d0,d0)>}> : (memref<?x4xf32>, index,index) -> ()
  return
}

// -----

func.func @f(%n: index, %m: memref<?x4xf32>) {
  // expected-error@+1 {{'affine.prefetch' op affine.prefetch affine map num results must equal memref rank}}
  "affine.prefetch"(%m,%n) <{isWrite=false,localityHint=3:i32,isDataCache=true,map = affine_map<(d0)->(d0)>}> : (memref<?x4xf32>, index) -> ()
  return
}

// -----

func.func @f(%n: index, %m: memref<?x4xf32>) {
  // expected-error@+1 {{'affine.prefetch' op attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3}}
  "affine.prefetch"(%m,%n,%n) <{isWrite=false,localityHint=5:i32,isDataCache=true,map = affine_map<(d0,d1)->(d0,d1)>}> : (memref<?x4xf32>, index,index) -> ()
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'affine.apply' op operand count and affine map dimension and symbol count must match}}
  %0 = "affine.apply"(%n,%n) <{map=affine_map<(d0)->(d0)>}> : (index,index)->index
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'affine.apply' op mapping must produce one value}}
  %0 = "affine.apply"(%n) <{map=affine_map<(d0)->(d0,d0)>}> : (index)->index
  return
}

// -----

func.func @f(%n: index) { affine.for %i = 0 to 2 {
  // expected-error@+1 {{dimensional operand cannot be used as a symbol}}
  %0 = affine.apply affine_map<()[s0]->(s0)>()[%i] }
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'affine.min' op operand count and affine map dimension and symbol count must match}}
  %0 = "affine.min"(%n,%n) <{map=affine_map<(d0)->(d0)>}> : (index,index)->index
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'affine.min' op affine map expect at least one result}}
  %0 = "affine.min"(%n) <{map=affine_map<(d0)->()>}> : (index)->index
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'affine.if' op operand count and condition integer set dimension and symbol count must match}}
  "affine.if"(%n) <{condition=affine_set<():(0==0)>}> ({affine.yield},{}) : (index)->()
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'affine.if' op region #0 ('thenRegion') failed to verify constraint: region with 1 blocks}}
  "affine.if"() <{condition=affine_set<():(0==0)>}> ({},{}) : ()->()
  return
}

// -----

func.func @f(%n: f32) {
  // expected-error@+1 {{'affine.if' op operand cannot be used as a dimension id}}
  "affine.if"(%n) <{condition=affine_set<(d0):(0==0)>}> ({affine.yield},{}) : (f32)->()
  return
}

// -----

func.func @f(%n: index) { affine.for %i = 0 to 2 { %x = "t.x"() : () -> index
// expected-error@+1 {{'affine.if' op operand cannot be used as a dimension id}}
affine.if affine_set<(d0): (d0 == 0)>(%x) {} } return }

// -----

func.func @f(%n: index) { affine.for %i = 0 to 2 {
  // expected-error@+1 {{'affine.if' op operand cannot be used as a symbol}}
  affine.if affine_set<()[d0]: (d0 == 0)>()[%i] {} }
  return
}

// -----

func.func @f(%n: index) { "affine.if"(%n) <{condition=affine_set<(d0):(0==0)>}> ({
  // expected-error@+1 {{'affine.yield' op parent of yield must have same number of results as the yield operands}}
  affine.yield %n : index},{}) : (index)->()
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'affine.parallel' op the number of region arguments (1) and the number of map groups for lower (1) and upper bound (1), and the number of steps (2) must all match}}
  "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1,2], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (10)>}> ({ ^bb0(%i: index): affine.yield }) : () -> ()
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'affine.parallel' op expected upper bounds map to have 2 results}}
  "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1], upperBoundsGroups = dense<2> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (10)>}> ({ ^bb0(%i: index): affine.yield }) : () -> ()
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'affine.parallel' op the number of region arguments (1) and the number of map groups for lower (2) and upper bound (1), and the number of steps (1) must all match}}
  "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<2xi32>, lowerBoundsMap = affine_map<() -> (0,0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (10)>}> ({ ^bb0(%i: index): affine.yield }) : () -> ()
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'affine.parallel' op a reduction must be specified for each output}}
  "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [0], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (10)>}> ({ ^bb0(%i: index): affine.yield }) : () -> ()
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'affine.parallel' op the number of region arguments (2) and the number of map groups for lower (1) and upper bound (1), and the number of steps (1) must all match}}
  "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (10)>}> ({ ^bb0(%i: index, %j: index): affine.yield }) : () -> ()
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'affine.parallel' op attribute 'reductions' failed to satisfy constraint: Reduction ops}}
  "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [99], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (10)>}> ({ ^bb0(%i: index): affine.yield }) : () -> ()
  return
}

// -----

func.func @f(%n: index, %v: f32) { affine.for %j = 0 to 10 {
  // expected-error@+1 {{'affine.parallel' op operand cannot be used as a symbol}}
  affine.parallel (%i) = (0) to (symbol(%j)) { } }
  return
}

// -----

func.func @f(%n: index, %v: f32) { affine.for %j = 0 to 10 { %x = "t.x"() : () -> index
// expected-error@+1 {{'affine.parallel' op operand cannot be used as a dimension id}}
affine.parallel (%i) = (0) to (%x) { } } return }

// -----

func.func @f(%n: index, %v: f32) {
  // expected-error@+1 {{'affine.yield' op only terminates affine.if/for/parallel regions}}
  affine.yield }

// -----

"t.y"() ({
// expected-error@+1 {{'affine.yield' op only terminates affine.if/for/parallel regions}}
affine.yield }) : () -> ()

// -----

func.func @f(%n: index, %m: memref<?xf32>) { affine.for %i = 0 to 10 { %c0 = arith.constant 0 : index %a = memref.alloc(%i) : memref<?xf32> %d = memref.dim %a, %c0 : memref<?xf32>
// expected-error@+1 {{'affine.for' op operand cannot be used as a symbol}}
affine.for %j = 0 to %d {} } return }

// -----

func.func @f(%n: index, %m: memref<?xf32>) { affine.for %i = 0 to 10 { %c0 = arith.constant 0 : index %a = memref.alloc(%i) : memref<?xf32> %d = memref.dim %a, %c0 : memref<?xf32>
// expected-error@+1 {{'affine.load' op operand cannot be used as a dimension id}}
%0 = affine.load %m[%d] : memref<?xf32> } return }

// -----

func.func @f(%n: index, %m: memref<?xf32>) { scf.for %i = %n to %n step %n {
  // expected-error@+1 {{'affine.for' op operand cannot be used as a symbol}}
  affine.for %j = 0 to %i {} }
  return
}

// -----

func.func @f(%n: index, %m: memref<?xf32>) { scf.for %i = %n to %n step %n {
  // expected-error@+1 {{'affine.load' op operand cannot be used as a dimension id}}
  %0 = affine.load %m[%i] : memref<?xf32> }
  return
}

// -----

func.func @f(%n: index, %m: memref<?xi32>) { affine.for %i = 0 to 10 { %0 = affine.load %m[%i] : memref<?xi32> %1 = arith.index_cast %0 : i32 to index
// expected-error@+1 {{'affine.for' op operand cannot be used as a symbol}}
affine.for %j = 0 to %1 {} } return }

// -----

func.func @f(%n: i32, %m: memref<?xi32>) { affine.for %i = 0 to 10 { %1 = arith.index_cast %n : i32 to index
// expected-error@+1 {{'affine.for' op operand cannot be used as a symbol}}
affine.for %j = 0 to %1 {} } return }

// -----

func.func @f(%n: i32, %m: memref<?xi32>) { affine.for %i = 0 to 10 { %1 = arith.addi %i, %i : index
// expected-error@+1 {{'affine.load' op operand cannot be used as a dimension id}}
%0 = affine.load %m[%1] : memref<?xi32> } return }

// -----

func.func @f(%n: index, %m: memref<?xi32>) { affine.for %i = 0 to 10 { %c = arith.constant -1 : index %1 = arith.ceildivsi %n, %c : index
// expected-error@+1 {{'affine.load' op operand cannot be used as a dimension id}}
%0 = affine.load %m[%1] : memref<?xi32> } return }

// -----

func.func @f(%n: index, %m: memref<?xi32>) { affine.for %i = 0 to 10 { %c = arith.constant 0 : index %1 = arith.divui %n, %c : index
// expected-error@+1 {{'affine.load' op operand cannot be used as a dimension id}}
%0 = affine.load %m[%1] : memref<?xi32> } return }

// -----

func.func @f(%n: index, %m: memref<?xi32>) { affine.for %i = 0 to 10 { %1 = arith.divsi %n, %n : index
// expected-error@+1 {{'affine.load' op operand cannot be used as a dimension id}}
%0 = affine.load %m[%1] : memref<?xi32> } return }

// -----

func.func @f(%n: index, %m: memref<?xi32>) { affine.for %i = 0 to 10 { %1 = affine.apply affine_map<(d0)->(d0)>(%i)
// expected-error@+1 {{'affine.for' op operand cannot be used as a symbol}}
affine.for %j = 0 to %1 {} } return }

// -----

func.func @f(%n: index, %m: memref<?xi32>) { affine.for %i = 0 to 10 { %1 = affine.min affine_map<(d0)->(d0)>(%i)
// expected-error@+1 {{'affine.for' op operand cannot be used as a dimension id}}
affine.for %j = 0 to affine_map<(d0)->(d0)>(%1) {} } return }

// -----

func.func @f(%n: index, %m: memref<?xi32>, %c: i1) { scf.if %c { %x = "t.x"() : () -> index
// expected-error@+1 {{'affine.load' op operand cannot be used as a dimension id}}
%0 = affine.load %m[%x] : memref<?xi32> } return }

// -----

func.func @f(%n: index, %m: memref<?xi32>) {
  // expected-error@+1 {{'affine.delinearize_index' op should return an index for each basis element and up to one extra index}}
  %0:2 = affine.delinearize_index %n into (2,3,4) : index,index
  return
}

// -----

func.func @f(%n: index, %m: memref<?xi32>) {
  // expected-error@+1 {{'affine.delinearize_index' op no basis element may be statically non-positive}}
  %0:3 = affine.delinearize_index %n into (2,-3,4) : index,index,index
  return
}

// -----

func.func @f(%n: index, %m: memref<?xi32>) {
  // expected-error@+1 {{'affine.linearize_index' op should be passed a basis element for each index except possibly the first}}
  %0 = affine.linearize_index [%n,%n] by (2,3,4) : index
  return
}

// -----

func.func @f(%n: index, %m: memref<?xi32>) {
  // expected-error@+1 {{'affine.for' op expected lower bound map to have at least one result}}
  "affine.for"() <{lowerBoundMap = affine_map<()->()>,upperBoundMap = affine_map<()->(0)>, step=1:index, operandSegmentSizes=array<i32:0,0,0>}> ({^bb0(%i: index): "affine.yield"() : () -> ()}) : () -> ()
  return
}

// -----

func.func @f(%n: index, %m: memref<?xi32>) { %x = arith.constant 1 : i32 %0 = affine.for %i = 0 to 10 iter_args(%a = %x) -> i32 {
  // expected-error@+1 {{'affine.yield' op types mismatch between yield op and its parent}}
  affine.yield %n : index }
  return
}
