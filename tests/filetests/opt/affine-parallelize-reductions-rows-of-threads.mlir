// On CPU drivers, 130 rows of 128 numbers stay as they are, for a thread each: a workgroup for each row would cost more.
//
// test: opt --affine-parallelize-reductions=target=cpu
// test: run --arg=iota --arg=zeros
func.func @below_sum(%x: memref<130x128xi32>, %y: memref<130x128xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<130x128xi32>, memref<130x128xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 130 {
    %s = affine.for %j = 0 to 128 iter_args(%a = %zero) -> (i32) {
      %v = affine.load %0#0[%i, %j] : memref<130x128xi32>
      %b = arith.addi %a, %v : i32
      affine.yield %b : i32
    }
    affine.for %j = 0 to 128 {
      %v = affine.load %0#0[%i, %j] : memref<130x128xi32>
      %d = arith.subi %s, %v : i32
      affine.store %d, %0#1[%i, %j] : memref<130x128xi32>
    }
  }
  return
}
