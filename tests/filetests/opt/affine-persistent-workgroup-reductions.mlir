// test: opt --affine-persistent-workgroup=target=gpu
// test: run-opt --entry=seidel --arg=iota --arg=ones --arg=zeros

// Dense Gauss-Seidel: each unknown is a sum over all of them, which the threads share. Integers, so that the
// order of the sum does not show.
func.func @seidel(%a: memref<200x200xi32>, %b: memref<200xi32>, %x: memref<200xi32>) {
  %a_apart, %b_apart, %x_apart = memref.distinct_objects %a, %b, %x : memref<200x200xi32>, memref<200xi32>, memref<200xi32>
  %zero = arith.constant 0 : i32
  affine.for %t = 0 to 4 {
    affine.for %i = 0 to 200 {
      %s = affine.for %j = 0 to 200 iter_args(%acc = %zero) -> i32 {
        %aij = affine.load %a_apart[%i, %j] : memref<200x200xi32>
        %xj = affine.load %x_apart[%j] : memref<200xi32>
        %p = arith.muli %aij, %xj : i32
        %n = arith.addi %acc, %p : i32
        affine.yield %n : i32
      }
      %bi = affine.load %b_apart[%i] : memref<200xi32>
      %q = arith.subi %bi, %s : i32
      affine.store %q, %x_apart[%i] : memref<200xi32>
    }
  }
  return
}
