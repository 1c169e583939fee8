// test: verify --allow-unregistered-dialect --split-input-file --verify-diagnostics
// What the form of these operations refuses.

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{custom op 'memref.dma_start' fewer/more types expected}}
  memref.dma_start %m[%i, %i], %m[%i, %i], %i, %mi[%i] : memref<8x8xf32>, memref<8x8xf32>
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{custom op 'memref.dma_start' expected two stride related operands}}
  memref.dma_start %m[%i, %i], %m[%i, %i], %i, %mi[%i], %i : memref<8x8xf32>, memref<8x8xf32>, memref<1xi32>
  return
}

// -----

// expected-note@+1 {{prior use here}}
func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{use of value '%n' expects different type than prior uses: 'index' vs 'i32'}}
  memref.dma_start %m[%i, %i], %m[%i, %i], %n, %mi[%i] : memref<8x8xf32>, memref<8x8xf32>, memref<1xi32>
  return
}

// -----

func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{'memref.dma_wait' op expected tagIndices to have the same number of elements as the tagMemRef rank, expected 1, but got 2}}
  memref.dma_wait %mi[%i, %i], %i : memref<1xi32>
  return
}

// -----

// expected-note@+1 {{prior use here}}
func.func @t(%i: index, %c: i1, %n: i32, %f: f32, %m: memref<8x8xf32>, %v: vector<4xf32>, %mi: memref<1xi32>) {
// expected-error@+1 {{use of value '%n' expects different type than prior uses: 'index' vs 'i32'}}
  memref.dma_wait %mi[%i], %n : memref<1xi32>
  return
}

// -----

func.func @t(%i: index, %m: memref<8xf32>, %tag: memref<1xi32>) {
  // expected-error@+1 {{expected ':'}}
  memref.dma_start %m[%i], %m[%i], %i, %tag[%i] {a} : memref<8xf32>, memref<8xf32>, memref<1xi32>
  return
}

// -----

func.func @t(%i: index, %m: memref<8xf32>) {
  // expected-error@+1 {{expected ','}}
  memref.prefetch %m[%i], locality<1>, data : memref<8xf32>
  return
}

// -----

func.func @t(%i: index, %m: memref<8xf32>) {
  // expected-error@+1 {{custom op 'affine.prefetch' rw specifier has to be 'read' or 'write'}}
  affine.prefetch %m[%i], rw, locality<1>, bogus : memref<8xf32>
  return
}
