// Backward substitution by rows, as programs write it. Its form by columns has a kernel for each column.
//
// The upper triangle of ones times x is (0, 1, 2, …): x is -1, and at the end n - 1.
// test: run --entry=elements --arg=ones[9x9] --arg=iota[9]
// expect: arg 1 = [-1, -1, -1, -1, -1, -1, -1, -1, 8]
// test: run --entry=elements --arg=ones[1x1] --arg=ones[1]
// expect: arg 1 = [1]
// test: run --entry=carried --arg=ones[9x9] --arg=iota[9] --arg=zeros[9]
// expect: arg 2 = [-1, -1, -1, -1, -1, -1, -1, -1, 8]
// test: run --entry=counted --arg=ones[9x9] --arg=iota[9] --arg=zeros[9]
// expect: arg 2 = [-1, -1, -1, -1, -1, -1, -1, -1, 8]
// test: run --entry=downwards --arg=ones[9x9] --arg=iota[9] --arg=zeros[9]
// expect: arg 2 = [-1, -1, -1, -1, -1, -1, -1, -1, 8]
// test: run --entry=constant --arg=ones --arg=iota --arg=zeros
// expect: arg 2 = [-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 11]
// test: run --entry=transposed --arg=ones[9x9] --arg=iota[9]
// expect: arg 1 = [-1, -1, -1, -1, -1, -1, -1, -1, 8]
// test: run --entry=elements --arg=ones[0x0] --arg=ones[0]

// Elements of %x are worked on in place.
func.func @elements(%u: memref<?x?xf32>, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    affine.for %j = affine_map<(d0)[s0] -> (s0 - d0)>(%i)[%n] to %n {
      %s = affine.load %x[-%i + symbol(%n) - 1] : memref<?xf32>
      %a = affine.load %u[-%i + symbol(%n) - 1, %j] : memref<?x?xf32>
      %b = affine.load %x[%j] : memref<?xf32>
      %p = arith.mulf %a, %b : f32
      %d = arith.subf %s, %p : f32
      affine.store %d, %x[-%i + symbol(%n) - 1] : memref<?xf32>
    }
    %s = affine.load %x[-%i + symbol(%n) - 1] : memref<?xf32>
    %a = affine.load %u[-%i + symbol(%n) - 1, -%i + symbol(%n) - 1] : memref<?x?xf32>
    %q = arith.divf %s, %a : f32
    affine.store %q, %x[-%i + symbol(%n) - 1] : memref<?xf32>
  }
  return
}

// The sum is carried; it starts from zero and is subtracted in the end.
func.func @carried(%u: memref<?x?xf32>, %b: memref<?xf32>, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.for %k = 0 to %n {
    %i = affine.apply affine_map<(d0)[s0] -> (s0 - 1 - d0)>(%k)[%n]
    %s = affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to %n iter_args(%acc = %zero) -> f32 {
      %a = affine.load %u[%i, %j] : memref<?x?xf32>
      %v = affine.load %x[%j] : memref<?xf32>
      %p = arith.mulf %a, %v : f32
      %d = arith.addf %acc, %p : f32
      affine.yield %d : f32
    }
    %c = affine.load %b[%i] : memref<?xf32>
    %r = arith.subf %c, %s : f32
    %a = affine.load %u[%i, %i] : memref<?x?xf32>
    %q = arith.divf %r, %a : f32
    affine.store %q, %x[%i] : memref<?xf32>
  }
  return
}

// Loops of scf.
func.func @counted(%u: memref<?x?xf32>, %b: memref<?xf32>, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %last = arith.subi %n, %c1 : index
  scf.for %k = %c0 to %n step %c1 {
    %i = arith.subi %last, %k : index
    %c = memref.load %b[%i] : memref<?xf32>
    %next = arith.addi %i, %c1 : index
    %s = scf.for %j = %next to %n step %c1 iter_args(%acc = %c) -> f32 {
      %a = memref.load %u[%i, %j] : memref<?x?xf32>
      %v = memref.load %x[%j] : memref<?xf32>
      %p = arith.mulf %a, %v : f32
      %d = arith.subf %acc, %p : f32
      scf.yield %d : f32
    }
    %a = memref.load %u[%i, %i] : memref<?x?xf32>
    %q = arith.divf %s, %a : f32
    memref.store %q, %x[%i] : memref<?xf32>
  }
  return
}

// Loops that count down, as a while loop of C becomes one.
func.func @downwards(%u: memref<?x?xf32>, %b: memref<?xf32>, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %last = arith.subi %n, %c1 : index
  %end = scf.while (%i = %last) : (index) -> index {
    %more = arith.cmpi sge, %i, %c0 : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %c = memref.load %b[%i] : memref<?xf32>
    %next = arith.addi %i, %c1 : index
    %s = scf.for %j = %next to %n step %c1 iter_args(%acc = %c) -> f32 {
      %a = memref.load %u[%i, %j] : memref<?x?xf32>
      %v = memref.load %x[%j] : memref<?xf32>
      %p = arith.mulf %a, %v : f32
      %d = arith.subf %acc, %p : f32
      scf.yield %d : f32
    }
    %a = memref.load %u[%i, %i] : memref<?x?xf32>
    %q = arith.divf %s, %a : f32
    memref.store %q, %x[%i] : memref<?xf32>
    %before = arith.subi %i, %c1 : index
    scf.yield %before : index
  }
  return
}

func.func @constant(%u: memref<12x12xf32>, %b: memref<12xf32>, %x: memref<12xf32>) {
  affine.for %k = 0 to 12 {
    %c = affine.load %b[11 - %k] : memref<12xf32>
    affine.store %c, %x[11 - %k] : memref<12xf32>
    affine.for %j = affine_map<(d0) -> (12 - d0)>(%k) to 12 {
      %s = affine.load %x[11 - %k] : memref<12xf32>
      %a = affine.load %u[11 - %k, %j] : memref<12x12xf32>
      %v = affine.load %x[%j] : memref<12xf32>
      %p = arith.mulf %a, %v : f32
      %d = arith.subf %s, %p : f32
      affine.store %d, %x[11 - %k] : memref<12xf32>
    }
    %s = affine.load %x[11 - %k] : memref<12xf32>
    %a = affine.load %u[11 - %k, 11 - %k] : memref<12x12xf32>
    %q = arith.divf %s, %a : f32
    affine.store %q, %x[11 - %k] : memref<12xf32>
  }
  return
}

// The transpose of a lower triangle, as Cholesky's factor is used.
func.func @transposed(%l: memref<?x?xf32>, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.for %k = 0 to %n {
    affine.for %j = affine_map<(d0)[s0] -> (s0 - d0)>(%k)[%n] to %n {
      %s = affine.load %x[-%k + symbol(%n) - 1] : memref<?xf32>
      %a = affine.load %l[%j, -%k + symbol(%n) - 1] : memref<?x?xf32>
      %b = affine.load %x[%j] : memref<?xf32>
      %p = arith.mulf %a, %b : f32
      %d = arith.subf %s, %p : f32
      affine.store %d, %x[-%k + symbol(%n) - 1] : memref<?xf32>
    }
    %s = affine.load %x[-%k + symbol(%n) - 1] : memref<?xf32>
    %a = affine.load %l[-%k + symbol(%n) - 1, -%k + symbol(%n) - 1] : memref<?x?xf32>
    %q = arith.divf %s, %a : f32
    affine.store %q, %x[-%k + symbol(%n) - 1] : memref<?xf32>
  }
  return
}
