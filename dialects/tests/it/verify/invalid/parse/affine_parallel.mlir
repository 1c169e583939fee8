// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What the form of these operations refuses.

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{'affine.parallel' op the number of region arguments (1) and the number of map groups for lower (1) and upper bound (2), and the number of steps (1) must all match}}
  affine.parallel (%a) = (0) to (10, 20) { }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{'affine.parallel' op the number of region arguments (2) and the number of map groups for lower (1) and upper bound (1), and the number of steps (2) must all match}}
  affine.parallel (%a, %b) = (0) to (10) { }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{'affine.parallel' op the number of region arguments (1) and the number of map groups for lower (1) and upper bound (1), and the number of steps (2) must all match}}
  affine.parallel (%a) = (0) to (10) step (1, 2) { }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{custom op 'affine.parallel' invalid reduction value: "foo"}}
  affine.parallel (%a) = (0) to (10) reduce ("foo") -> (f32) { affine.yield %f : f32 }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{'affine.parallel' op a reduction must be specified for each output}}
  affine.parallel (%a) = (0) to (10) reduce ("addf") { affine.yield %f : f32 }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{'affine.yield' op parent of yield must have same number of results as the yield operands}}
  %r = affine.parallel (%a) = (0) to (10) reduce ("addf") -> (f32) { }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{'affine.parallel' op a reduction must be specified for each output}}
  %r = affine.parallel (%a) = (0) to (10) reduce ("addf", "addf") -> (f32) { affine.yield %f : f32 }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{'affine.parallel' op expected upper bound map to have at least one result}}
  affine.parallel (%a) = (max(0, 1)) to (min()) { }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{custom op 'affine.parallel' expected 'to'}}
  affine.parallel (%a) = (0) (10) { }
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{expected '='}}
  affine.parallel (%a) (0) to (10) { }
  return
}
