// test: opt --affine-imperfect-interchange
// test: run-opt --entry=forward --arg=random:1
// test: run-opt --entry=lu --arg=random:1
// test: run-opt --entry=late_start --arg=random:1
// test: run-opt --entry=both_ways --arg=random:1
// test: run-opt --entry=open --arg=random:1[9x9]
// test: run-opt --entry=open --arg=random:1[1x1]
// test: run-opt --entry=open --arg=random:1[0x0]
// test: run-opt --entry=rows --arg=random:1[9x9]
// test: run-opt --entry=two_sizes --arg=random:1[9x7]

// Forward substitution by rows becomes one by columns.
func.func @forward(%l: memref<16x16xf32>) -> memref<16xf32> {
  %x = memref.alloc() : memref<16xf32>
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %xi = affine.load %x[%i] : memref<16xf32>
      %lij = affine.load %l[%i, %j] : memref<16x16xf32>
      %xj = affine.load %x[%j] : memref<16xf32>
      %p = arith.mulf %lij, %xj : f32
      %d = arith.subf %xi, %p : f32
      affine.store %d, %x[%i] : memref<16xf32>
    }
    %xi = affine.load %x[%i] : memref<16xf32>
    %lii = affine.load %l[%i, %i] : memref<16x16xf32>
    %q = arith.divf %xi, %lii : f32
    affine.store %q, %x[%i] : memref<16xf32>
  }
  return %x : memref<16xf32>
}

// LU by rows becomes right-looking: %k outermost, the updates parallel in %i and %j.
func.func @lu(%a: memref<16x16xf32>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) {
        %aij = affine.load %a[%i, %j] : memref<16x16xf32>
        %aik = affine.load %a[%i, %k] : memref<16x16xf32>
        %akj = affine.load %a[%k, %j] : memref<16x16xf32>
        %p = arith.mulf %aik, %akj : f32
        %d = arith.subf %aij, %p : f32
        affine.store %d, %a[%i, %j] : memref<16x16xf32>
      }
      %aij = affine.load %a[%i, %j] : memref<16x16xf32>
      %ajj = affine.load %a[%j, %j] : memref<16x16xf32>
      %q = arith.divf %aij, %ajj : f32
      affine.store %q, %a[%i, %j] : memref<16x16xf32>
    }
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 16 {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
        %aij = affine.load %a[%i, %j] : memref<16x16xf32>
        %aik = affine.load %a[%i, %k] : memref<16x16xf32>
        %akj = affine.load %a[%k, %j] : memref<16x16xf32>
        %p = arith.mulf %aik, %akj : f32
        %d = arith.subf %aij, %p : f32
        affine.store %d, %a[%i, %j] : memref<16x16xf32>
      }
    }
  }
  return
}

// At the times 0 to 2 of the division the update would run too: the nest stays.
func.func @late_start(%l: memref<16x16xf32>) -> memref<16xf32> {
  %x = memref.alloc() : memref<16xf32>
  affine.for %i = 0 to 16 {
    affine.for %j = 3 to affine_map<(d0) -> (d0)>(%i) {
      %xi = affine.load %x[%i] : memref<16xf32>
      %lij = affine.load %l[%i, %j] : memref<16x16xf32>
      %xj = affine.load %x[%j] : memref<16xf32>
      %p = arith.mulf %lij, %xj : f32
      %d = arith.subf %xi, %p : f32
      affine.store %d, %x[%i] : memref<16xf32>
    }
    %xi = affine.load %x[%i] : memref<16xf32>
    %lii = affine.load %l[%i, %i] : memref<16x16xf32>
    %q = arith.divf %xi, %lii : f32
    affine.store %q, %x[%i] : memref<16xf32>
  }
  return %x : memref<16xf32>
}

// The division reads what a later row changes back: no counter is a time. The nest stays.
func.func @both_ways(%l: memref<16x16xf32>) -> memref<16xf32> {
  %x = memref.alloc() : memref<16xf32>
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %xi = affine.load %x[%i] : memref<16xf32>
      %lij = affine.load %l[%i, %j] : memref<16x16xf32>
      %xj = affine.load %x[%j] : memref<16xf32>
      %p = arith.mulf %lij, %xj : f32
      %d = arith.subf %xi, %p : f32
      affine.store %d, %x[%j] : memref<16xf32>
    }
    %xi = affine.load %x[%i] : memref<16xf32>
    %lii = affine.load %l[%i, %i] : memref<16x16xf32>
    %q = arith.divf %xi, %lii : f32
    affine.store %q, %x[%i] : memref<16xf32>
  }
  return %x : memref<16xf32>
}

// The size is a number that only the run knows.
func.func @open(%a: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) {
        %x = affine.load %a[%i, %k] : memref<?x?xf32>
        %y = affine.load %a[%k, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %s = affine.load %a[%i, %j] : memref<?x?xf32>
        %t = arith.subf %s, %p : f32
        affine.store %t, %a[%i, %j] : memref<?x?xf32>
      }
      %d = affine.load %a[%j, %j] : memref<?x?xf32>
      %s = affine.load %a[%i, %j] : memref<?x?xf32>
      %q = arith.divf %s, %d : f32
      affine.store %q, %a[%i, %j] : memref<?x?xf32>
    }
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to %n {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
        %x = affine.load %a[%i, %k] : memref<?x?xf32>
        %y = affine.load %a[%k, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %s = affine.load %a[%i, %j] : memref<?x?xf32>
        %t = arith.subf %s, %p : f32
        affine.store %t, %a[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// The rows are independent of each other, so that nothing is to be gained: the nest stays.
func.func @rows(%a: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) {
        %x = affine.load %a[%i, %k] : memref<?x?xf32>
        %y = affine.load %a[%k, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %s = affine.load %a[%i, %j] : memref<?x?xf32>
        %t = arith.subf %s, %p : f32
        affine.store %t, %a[%i, %j] : memref<?x?xf32>
      }
      %d = affine.load %a[%j, %j] : memref<?x?xf32>
      %s = affine.load %a[%i, %j] : memref<?x?xf32>
      %q = arith.divf %s, %d : f32
      affine.store %q, %a[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// Which of two sizes ends the times of the statements is not known: it stays.
func.func @two_sizes(%a: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %m = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to min affine_map<(d0)[s0] -> (d0, s0)>(%i)[%m] {
      %x = affine.load %a[%i, %j] : memref<?x?xf32>
      %y = affine.load %a[%j, 0] : memref<?x?xf32>
      %p = arith.mulf %x, %y : f32
      %s = affine.load %a[%i, 0] : memref<?x?xf32>
      %t = arith.subf %s, %p : f32
      affine.store %t, %a[%i, 0] : memref<?x?xf32>
    }
    %d = affine.load %a[%i, 1] : memref<?x?xf32>
    %s = affine.load %a[%i, 0] : memref<?x?xf32>
    %q = arith.divf %s, %d : f32
    affine.store %q, %a[%i, 0] : memref<?x?xf32>
  }
  return
}

// The new bounds of i would be from 2^63 - 1 on.
func.func @far(%a: memref<?xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = affine_map<(d0) -> (d0 + 9223372036854775802)>(%i) to 9223372036854775807 {
      %y = affine.load %a[%j] : memref<?xf32>
      %s = affine.load %a[%i] : memref<?xf32>
      %t = arith.subf %s, %y : f32
      affine.store %t, %a[%i] : memref<?xf32>
    }
    %s = affine.load %a[%i] : memref<?xf32>
    %q = arith.divf %s, %s : f32
    affine.store %q, %a[%i] : memref<?xf32>
  }
  return
}
