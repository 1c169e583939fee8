// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.parallel' op expects number of results: 1 to be the same as number of reductions: 0}}
  %r = scf.parallel (%a) = (%i) to (%i) step (%i) init (%f) -> f32 {
 scf.reduce
 }
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  %r = scf.parallel (%a) = (%i) to (%i) step (%i) init (%f) -> f32 {
 scf.reduce(%f : f32) {
 ^bb0(%x: f32, %y: f32):
 // expected-error@+1 {{'scf.reduce.return' op must have type 'f32' (the type of the reduction inputs)}}
 scf.reduce.return %n : i32
 }
 }
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  %r = scf.parallel (%a) = (%i) to (%i) step (%i) init (%f) -> f32 {
 // expected-error@+1 {{'scf.reduce' op expected two block arguments with type 'f32' in the 0-th reduction region}}
 scf.reduce(%f : f32) {
 ^bb0(%x: f32):
 scf.reduce.return %x : f32
 }
 }
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  %r = scf.parallel (%a) = (%i) to (%i) step (%i) init (%f) -> f32 {
 // expected-error@+1 {{'scf.reduce' op expects type of 0-th reduction operand: 'i32' to be the same as the 0-th result type: 'f32'}}
 scf.reduce(%n : i32) {
 ^bb0(%x: i32, %y: i32):
 scf.reduce.return %x : i32
 }
 }
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  %z = arith.constant 0 : index
  // expected-error@+1 {{'scf.parallel' op constant step operand must be positive}}
  scf.parallel (%a) = (%i) to (%i) step (%z) {
 scf.reduce
 }
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.parallel' op needs at least one tuple element for lowerBound, upperBound and step}}
  scf.parallel () = () to () step () {
 scf.reduce
 }
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.reduce' op expects parent op 'scf.parallel'}}
  scf.reduce
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.reduce.return' op expects parent op 'scf.reduce'}}
  scf.reduce.return %f : f32
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.parallel' op expects arguments for the induction variable to be of index type}}
  "scf.parallel"(%i, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
 ^bb0(%a: i32):
 scf.reduce
 }) : (index, index, index) -> ()
  return
}
// -----
func.func @f(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  // expected-error@+1 {{'scf.parallel' op expects the same number of induction variables: 2 as bound and step values: 1}}
  "scf.parallel"(%i, %i, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
 ^bb0(%a: index, %b: index):
 scf.reduce
 }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%a: index, %x: f32) {
  scf.parallel (%i) = (%a) to (%a) step (%a) {
    // expected-error@+1 {{'scf.reduce' op expects number of reduction regions: 0 to be the same as number of reduction operands: 1}}
    "scf.reduce"(%x) : (f32) -> ()
  }
  return
}
