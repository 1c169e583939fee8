// test: opt --affine-parallelize-reductions=target=cpu --affine-persistent-workgroup=target=cpu
// test: run-opt --entry=recursion --arg=iota --arg=zeros

// A recursion whose steps have a growing sum of up to 119 elements and a loop of as many iterations: as
// launches, the sum alone would take two a step. So it is left to the threads of one workgroup. Integers,
// so that the order of the sum does not show.
func.func @recursion(%r: memref<120xi32>, %y: memref<120xi32>) {
  %r_apart, %y_apart = memref.distinct_objects %r, %y : memref<120xi32>, memref<120xi32>
  %zero = arith.constant 0 : i32
  affine.for %k = 1 to 120 {
    %s = affine.for %i = 0 to affine_map<(d0) -> (d0)>(%k) iter_args(%acc = %zero) -> i32 {
      %ri = affine.load %r_apart[%k - %i - 1] : memref<120xi32>
      %yi = affine.load %y_apart[%i] : memref<120xi32>
      %p = arith.muli %ri, %yi : i32
      %n = arith.addi %acc, %p : i32
      affine.yield %n : i32
    }
    affine.for %i = 0 to affine_map<(d0) -> (d0)>(%k) {
      %yi = affine.load %y_apart[%i] : memref<120xi32>
      %n = arith.addi %yi, %s : i32
      affine.store %n, %y_apart[%i] : memref<120xi32>
    }
    affine.store %s, %y_apart[%k] : memref<120xi32>
  }
  return
}

// A sum of a million elements beside a loop in each step: launches are worth it, and stay.
func.func @long(%r: memref<1000000xi32>, %y: memref<1000000xi32>) {
  %r_apart, %y_apart = memref.distinct_objects %r, %y : memref<1000000xi32>, memref<1000000xi32>
  %zero = arith.constant 0 : i32
  affine.for %k = 0 to 4 {
    %s = affine.for %i = 0 to 1000000 iter_args(%acc = %zero) -> i32 {
      %yi = affine.load %y_apart[%i] : memref<1000000xi32>
      %n = arith.addi %acc, %yi : i32
      affine.yield %n : i32
    }
    affine.for %i = 0 to 1000000 {
      %ri = affine.load %r_apart[%i] : memref<1000000xi32>
      %n = arith.addi %ri, %s : i32
      affine.store %n, %y_apart[%i] : memref<1000000xi32>
    }
  }
  return
}
