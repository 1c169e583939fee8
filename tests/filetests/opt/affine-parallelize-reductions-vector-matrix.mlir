// A vector times a matrix of 16 columns. All columns share the vector, so the rows of the matrix say how to cut: chunks of rows, each with
// a partial result for each column.
// test: opt --affine-parallelize-reductions
// test: run-opt --entry=product --arg=random:1 --arg=random:2 --arg=zeros
// test: run --entry=product --arg=random:1 --arg=random:2 --arg=zeros --map-for=gpu

func.func @product(%x: memref<20000xi32>, %w: memref<20000x16xi32>, %y: memref<16xi32>) {
  %0:3 = memref.distinct_objects %x, %w, %y : memref<20000xi32>, memref<20000x16xi32>, memref<16xi32>
  %z = arith.constant 0 : i32
  affine.for %j = 0 to 16 {
    %s = affine.for %i = 0 to 20000 iter_args(%t = %z) -> (i32) {
      %a = affine.load %0#0[%i] : memref<20000xi32>
      %b = affine.load %0#1[%i, %j] : memref<20000x16xi32>
      %p = arith.muli %a, %b : i32
      %n = arith.addi %t, %p : i32
      affine.yield %n : i32
    }
    affine.store %s, %0#2[%j] : memref<16xi32>
  }
  return
}
