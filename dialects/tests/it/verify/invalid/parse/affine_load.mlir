// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What the form of these operations refuses.

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{'affine.load' op affine map num results must equal memref rank}}
  %r = affine.load %m[%i] : memref<8x8xf32>
  return
}

// -----

// expected-note@+1 {{prior use here}}
func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{use of value '%f' expects different type than prior uses: 'index' vs 'f32'}}
  %r = affine.load %m[%i, %f] : memref<8x8xf32>
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{non-affine expression: at least one of the multiply operands has to be either a constant or symbolic}}
  %r = affine.load %m[%i, %i * %i] : memref<8x8xf32>
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{expected affine expression}}
  %r = affine.load %m[%i, 1.0] : memref<8x8xf32>
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{expected '[' in affine map}}
  %r = affine.load %m %i, %i : memref<8x8xf32>
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{expected ')' at end of SSA symbol}}
  %r = affine.load %m[%i, symbol(%i] : memref<8x8xf32>
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{expected '(' at start of SSA symbol}}
  %r = affine.load %m[%i, symbol %i] : memref<8x8xf32>
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{use of undeclared identifier}}
  %r = affine.load %m[%i, foo] : memref<8x8xf32>
  return
}
