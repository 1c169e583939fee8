// test: opt --affine-imperfect-interchange
// test: run-opt --entry=forward --arg=random:1
// test: run-opt --entry=lu --arg=random:1
// test: run-opt --entry=late_start --arg=random:1
// test: run-opt --entry=both_ways --arg=random:1

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
