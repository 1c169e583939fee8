// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.forall' op mapping attribute size must match op rank}}
  scf.forall (%a) in (8) {
 } {mapping = [#gpu.thread<x>, #gpu.thread<y>]}
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.forall' op attribute 'mapping' failed to satisfy constraint: Device Mapping array attribute}}
  scf.forall (%a) in (8) {
 } {mapping = [1]}
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.forall' op operand #0 must be variadic of ranked tensor of any type values, but got 'f32'}}
  %r = scf.forall (%a) in (8) shared_outs(%o = %f) -> (f32) {
 }
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  %r = scf.forall (%a) in (8) shared_outs(%o = %t) -> (tensor<8xf32>) {
 // expected-error@+1 {{'scf.forall.in_parallel' op expected only ParallelCombiningOpInterface ops}}
 scf.forall.in_parallel {
 %x = arith.constant 1 : i32
 }
 }
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  %r = scf.forall (%a) in (8) shared_outs(%o = %t) -> (tensor<8xf32>) {
 scf.forall.in_parallel {
 // expected-error@+1 {{'tensor.parallel_insert_slice' op may only insert into an output block argument}}
 tensor.parallel_insert_slice %t into %t[0] [8] [1] : tensor<8xf32> into tensor<8xf32>
 }
 }
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.forall' op expects 0-th block argument to be an index}}
  "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 8>, staticStep = array<i64: 1>}> ({
 ^bb0(%a: i32):
 scf.forall.in_parallel {}
 }) : () -> ()
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.forall' op region expects 2 arguments}}
  "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0, 0>, staticUpperBound = array<i64: 8>, staticStep = array<i64: 1>}> ({
 ^bb0(%a: index):
 scf.forall.in_parallel {}
 }) : () -> ()
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.forall' op type mismatch between 0-th output and corresponding block argument}}
  %r = "scf.forall"(%t) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 8>, staticStep = array<i64: 1>}> ({
 ^bb0(%a: index, %o: tensor<9xf32>):
 scf.forall.in_parallel {}
 }) : (tensor<8xf32>) -> tensor<8xf32>
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.forall' op produces 2 results, but has only 1 outputs}}
  %r:2 = "scf.forall"(%t) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 8>, staticStep = array<i64: 1>}> ({
 ^bb0(%a: index, %o: tensor<8xf32>):
 scf.forall.in_parallel {}
 }) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.forall' op expected type of operand #0 ('tensor<8xf32>') to match type of corresponding result ('tensor<9xf32>')}}
  %r = "scf.forall"(%t) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 8>, staticStep = array<i64: 1>}> ({
 ^bb0(%a: index, %o: tensor<8xf32>):
 scf.forall.in_parallel {}
 }) : (tensor<8xf32>) -> tensor<9xf32>
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.forall.in_parallel' op expects parent op 'scf.forall'}}
  scf.forall.in_parallel {}
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{expected 0 dynamic upper bound values}}
  "scf.forall"(%i) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 8>, staticStep = array<i64: 1>}> ({
 ^bb0(%a: index):
 scf.forall.in_parallel {}
 }) : (index) -> ()
  return
}

// -----

// expected-error@+1 {{'scf.forall' op "mapping" supports at most one device masking attribute}}
scf.forall (%i) in (4) {
} {mapping = [#gpu.thread<x>, #gpu.mask<0x3>, #gpu.mask<0x3>]}
