// Sixteen rows of a thousand elements are too little for several groups a row, and too few for a thread each: a workgroup's threads
// share each row.
// test: opt --affine-parallelize-reductions
// test: run-opt --entry=rows --arg=random:1 --arg=zeros
// test: run --entry=rows --arg=random:1 --arg=zeros --map-for=gpu

func.func @rows(%x: memref<16x1000xi32>, %y: memref<16x1000xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<16x1000xi32>, memref<16x1000xi32>
  %least = arith.constant -2147483648 : i32
  %z = arith.constant 0 : i32
  affine.for %i = 0 to 16 {
    %m = affine.for %j = 0 to 1000 iter_args(%b = %least) -> (i32) {
      %v = affine.load %0#0[%i, %j] : memref<16x1000xi32>
      %n = arith.maxsi %b, %v : i32
      affine.yield %n : i32
    }
    %t = affine.for %j = 0 to 1000 iter_args(%s = %z) -> (i32) {
      %v = affine.load %0#0[%i, %j] : memref<16x1000xi32>
      %d = arith.subi %v, %m : i32
      affine.store %d, %0#1[%i, %j] : memref<16x1000xi32>
      %n = arith.addi %s, %d : i32
      affine.yield %n : i32
    }
    affine.for %j = 0 to 1000 {
      %e = affine.load %0#1[%i, %j] : memref<16x1000xi32>
      %p = arith.xori %e, %t : i32
      affine.store %p, %0#1[%i, %j] : memref<16x1000xi32>
    }
  }
  return
}
