// test: opt --affine-scalar-demotion --affine-loop-block=size=3
// test: run-opt --entry=cholesky --arg=random:1 --arg=zeros
// test: run-opt --entry=multiplier --arg=random:1 --arg=random:2
// test: run-opt --entry=two_factors --arg=random:1 --arg=zeros --arg=zeros
// test: run-opt --entry=multiplier_that_changes --arg=random:1

// The root is taken in the last iteration alone, whose condition goes; the first value of each sum
// comes before the nest.
func.func @cholesky(%a: memref<13x13xf32>, %l: memref<13x13xf32>) {
  affine.for %i = 0 to 13 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %x = affine.load %a[%i, %j] : memref<13x13xf32>
      %s = affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) iter_args(%sum = %x) -> (f32) {
        %y = affine.load %l[%i, %k] : memref<13x13xf32>
        %z = affine.load %l[%j, %k] : memref<13x13xf32>
        %p = arith.mulf %y, %z : f32
        %d = arith.subf %sum, %p : f32
        affine.yield %d : f32
      }
      affine.if affine_set<(d0, d1) : (d0 - d1 == 0)>(%i, %j) {
        %r = math.sqrt %s : f32
        affine.store %r, %l[%i, %j] : memref<13x13xf32>
      } else {
        %d = affine.load %l[%j, %j] : memref<13x13xf32>
        %q = arith.divf %s, %d : f32
        affine.store %q, %l[%i, %j] : memref<13x13xf32>
      }
    }
  }
  return
}

// The multiplier of a row is computed again where it is used.
func.func @multiplier(%a: memref<13x13xf32>, %b: memref<13xf32>) {
  affine.for %k = 0 to 12 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 13 {
      %x = affine.load %a[%i, %k] : memref<13x13xf32>
      %d = affine.load %a[%k, %k] : memref<13x13xf32>
      %f = arith.divf %x, %d : f32
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 13 {
        %y = affine.load %a[%i, %j] : memref<13x13xf32>
        %u = affine.load %a[%k, %j] : memref<13x13xf32>
        %p = arith.mulf %f, %u : f32
        %s = arith.subf %y, %p : f32
        affine.store %s, %a[%i, %j] : memref<13x13xf32>
      }
      %y = affine.load %b[%i] : memref<13xf32>
      %u = affine.load %b[%k] : memref<13xf32>
      %p = arith.mulf %f, %u : f32
      %s = arith.subf %y, %p : f32
      affine.store %s, %b[%i] : memref<13xf32>
    }
  }
  return
}

// Both factors in arrays of their own, row and column in turns; sums start from zero.
func.func @two_factors(%a: memref<13x13xf32>, %l: memref<13x13xf32>, %u: memref<13x13xf32>) {
  affine.for %i = 0 to 13 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 13 {
      %zero = arith.constant 0.0 : f32
      %s = affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%sum = %zero) -> (f32) {
        %x = affine.load %l[%i, %k] : memref<13x13xf32>
        %y = affine.load %u[%k, %j] : memref<13x13xf32>
        %p = arith.mulf %x, %y : f32
        %r = arith.addf %sum, %p : f32
        affine.yield %r : f32
      }
      %x = affine.load %a[%i, %j] : memref<13x13xf32>
      %d = arith.subf %x, %s : f32
      affine.store %d, %u[%i, %j] : memref<13x13xf32>
    }
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to 13 {
      %zero = arith.constant 0.0 : f32
      %s = affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%sum = %zero) -> (f32) {
        %x = affine.load %l[%j, %k] : memref<13x13xf32>
        %y = affine.load %u[%k, %i] : memref<13x13xf32>
        %p = arith.mulf %x, %y : f32
        %r = arith.addf %sum, %p : f32
        affine.yield %r : f32
      }
      %x = affine.load %a[%j, %i] : memref<13x13xf32>
      %d = arith.subf %x, %s : f32
      %e = affine.load %u[%i, %i] : memref<13x13xf32>
      %q = arith.divf %d, %e : f32
      affine.store %q, %l[%j, %i] : memref<13x13xf32>
    }
  }
  return
}

// The first element of a row is overwritten before the others use it: the nest stays.
func.func @multiplier_that_changes(%a: memref<13x13xf32>) {
  affine.for %k = 0 to 12 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 13 {
      %x = affine.load %a[%i, %k] : memref<13x13xf32>
      %d = affine.load %a[%k, %k] : memref<13x13xf32>
      %f = arith.divf %x, %d : f32
      affine.for %j = affine_map<(d0) -> (d0)>(%k) to 13 {
        %y = affine.load %a[%i, %j] : memref<13x13xf32>
        %u = affine.load %a[%k, %j] : memref<13x13xf32>
        %p = arith.mulf %f, %u : f32
        %s = arith.subf %y, %p : f32
        affine.store %s, %a[%i, %j] : memref<13x13xf32>
      }
    }
  }
  return
}
