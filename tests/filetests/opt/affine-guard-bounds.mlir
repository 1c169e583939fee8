// A nest runs under a test that its sizes suffice, else as it is written.
// test: opt --affine-guard-bounds --affine-mark-inbounds
// test: run-opt --entry=copy --arg=random:1[9] --arg=random:1[9]
// test: run-opt --entry=two_loops --arg=random:1[40] --arg=6
// test: run-opt --entry=padded --arg=random:1[9] --arg=random:1[9]
// test: run-opt --entry=no_test --arg=random:1[40] --arg=iota
// test: run-opt --entry=chosen_once_a_row --arg=random:1[5x6] --arg=iota[5] --arg=zeros[5] --arg=5 --arg=6
// test: run-opt --entry=chosen_half --arg=random:1[5] --arg=iota[5] --arg=zeros[5] --arg=5
// test: run-opt --entry=chosen_mostly --arg=random:1[5] --arg=iota[5] --arg=zeros[5] --arg=5
func.func @copy(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %b, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf32>
    affine.store %x, %b[%i] : memref<?xf32>
  }
  return
}

// The greatest subscript is (n - 1) + 2 * 9 + 1 = n + 18, where i and j are last: n + 19 elements suffice.
func.func @two_loops(%a: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 10 {
      %x = affine.load %a[%i + %j * 2 + 1] : memref<?xf32>
      affine.store %x, %a[%i + %j * 2 + 1] : memref<?xf32>
    }
  }
  return
}

// The greatest subscript is n - 2: n - 1 elements of %a suffice. The condition excludes the one below 0.
func.func @padded(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %b, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    affine.if affine_set<(d0)[s0] : (d0 - 1 >= 0, s0 - d0 >= 0)>(%i)[%n] {
      %x = affine.load %a[%i - 1] : memref<?xf32>
      affine.store %x, %b[%i] : memref<?xf32>
    }
  }
  return
}

// Nothing outside bounds what is loaded, and what is in range anyway needs no test.
func.func @no_test(%a: memref<?xf32>, %p: memref<16xindex>) {
  affine.for %i = 0 to 16 {
    %k = affine.load %p[%i] : memref<16xindex>
    %x = memref.load %a[%k] : memref<?xf32>
    memref.store %x, %a[%k] : memref<?xf32>
  }
  return
}

// What a row chooses by data keeps its check; the elements of the row, which are many, need none.
func.func @chosen_once_a_row(%x: memref<?x?xf32>, %t: memref<?xindex>, %o: memref<?xf32>, %r: index, %c: index) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to %r {
    %s = affine.for %j = 0 to %c iter_args(%most = %z) -> (f32) {
      %e = affine.load %x[%i, %j] : memref<?x?xf32>
      %m = arith.maximumf %most, %e : f32
      affine.yield %m : f32
    }
    %k = affine.load %t[%i] : memref<?xindex>
    %l = memref.load %x[%i, %k] : memref<?x?xf32>
    %d = arith.subf %s, %l : f32
    affine.store %d, %o[%i] : memref<?xf32>
  }
  return
}

// Two of three accesses in the loop are in range if their arrays are as long.
func.func @chosen_half(%x: memref<?xf32>, %t: memref<?xindex>, %o: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %k = affine.load %t[%i] : memref<?xindex>
    %e = memref.load %x[%k] : memref<?xf32>
    affine.store %e, %o[%i] : memref<?xf32>
  }
  return
}

// Left alone: one of three is.
func.func @chosen_mostly(%x: memref<?xf32>, %t: memref<?xindex>, %o: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %k = affine.load %t[%i] : memref<?xindex>
    %e = memref.load %x[%k] : memref<?xf32>
    memref.store %e, %o[%k] : memref<?xf32>
  }
  return
}
