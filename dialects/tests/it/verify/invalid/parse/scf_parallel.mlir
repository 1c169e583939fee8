// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What the form of these operations refuses.

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{custom op 'scf.parallel' expected 2 operands}}
  scf.parallel (%a, %b) = (%i) to (%i, %i) step (%i, %i) { }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{custom op 'scf.parallel' expected 1 operands}}
  scf.parallel (%a) = (%i) to (%i, %i) step (%i) { }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{custom op 'scf.parallel' expected 1 operands}}
  scf.parallel (%a) = (%i) to (%i) step () { }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{custom op 'scf.parallel' number of operands and types do not match: got 1 operands and 0 types}}
  scf.parallel (%a) = (%i) to (%i) step (%i) init (%f) { scf.reduce }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{custom op 'scf.parallel' number of operands and types do not match: got 1 operands and 2 types}}
  scf.parallel (%a) = (%i) to (%i) step (%i) init (%f) -> (f32, f32) { scf.reduce }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{'scf.parallel' op expects number of results: 1 to be the same as number of reductions: 0}}
  %r = scf.parallel (%a) = (%i) to (%i) step (%i) init (%f) -> f32 { scf.reduce }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+2 {{'scf.parallel' op expects body to terminate with 'scf.reduce'}}
// expected-note@+1 {{terminator here}}
  scf.parallel (%a) = (%i) to (%i) step (%i) { scf.yield }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{'scf.parallel' op needs at least one tuple element for lowerBound, upperBound and step}}
  scf.parallel () = () to () step () { }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{result number not allowed in argument list}}
  scf.parallel (%a#0) = (%i) to (%i) step (%i) { }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{'scf.reduce' op expected two block arguments with type 'f32' in the 0-th reduction region}}
  %r = scf.parallel (%a) = (%i) to (%i) step (%i) init (%f) -> f32 { scf.reduce(%f : f32) { ^bb0(%x: f32): scf.reduce.return %x : f32 } }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{'scf.yield' op expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'}}
  %r = scf.parallel (%a) = (%i) to (%i) step (%i) init (%f) -> f32 { scf.reduce(%f : f32) { ^bb0(%x: f32, %y: f32): scf.yield %x : f32 } }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{'scf.reduce.return' op must have type 'f32' (the type of the reduction inputs)}}
  %r = scf.parallel (%a) = (%i) to (%i) step (%i) init (%f) -> f32 { scf.reduce(%f : f32) { ^bb0(%x: f32, %y: f32): scf.reduce.return %n : i32 } }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{'scf.reduce' op expects type of 0-th reduction operand: 'i32' to be the same as the 0-th result type: 'f32'}}
  %r = scf.parallel (%a) = (%i) to (%i) step (%i) init (%f) -> f32 { scf.reduce(%n : i32) { ^bb0(%x: i32, %y: i32): scf.reduce.return %x : i32 } }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{'scf.reduce' op expected two block arguments with type 'f32' in the 0-th reduction region}}
  %r = scf.parallel (%a) = (%i) to (%i) step (%i) init (%f) -> f32 { scf.reduce(%f : f32) { ^bb0(%x: f32, %y: i32): scf.reduce.return %x : f32 } }
  return
}
