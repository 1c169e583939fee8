// test: opt --affine-parallelize-reductions
// test: run --entry=at_least_half --arg=iota --arg=zeros
// test: run-opt --entry=at_least_half --arg=iota --arg=zeros
// test: run --entry=less_than_half --arg=iota --arg=zeros
// test: run-opt --entry=less_than_half --arg=iota --arg=zeros

// Half of the 32 threads that run in lockstep have an element of the row: they share it.
func.func @at_least_half(%x: memref<512x16xi32>, %y: memref<512x16xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<512x16xi32>, memref<512x16xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 512 {
    %t = affine.for %j = 0 to 16 iter_args(%a = %zero) -> (i32) {
      %v = affine.load %0#0[%i, %j] : memref<512x16xi32>
      %n = arith.addi %a, %v : i32
      affine.yield %n : i32
    }
    affine.for %j = 0 to 16 {
      %v = affine.load %0#0[%i, %j] : memref<512x16xi32>
      %d = arith.subi %t, %v : i32
      affine.store %d, %0#1[%i, %j] : memref<512x16xi32>
    }
  }
  return
}

// One element fewer: each row stays what one thread runs.
func.func @less_than_half(%x: memref<512x15xi32>, %y: memref<512x15xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<512x15xi32>, memref<512x15xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 512 {
    %t = affine.for %j = 0 to 15 iter_args(%a = %zero) -> (i32) {
      %v = affine.load %0#0[%i, %j] : memref<512x15xi32>
      %n = arith.addi %a, %v : i32
      affine.yield %n : i32
    }
    affine.for %j = 0 to 15 {
      %v = affine.load %0#0[%i, %j] : memref<512x15xi32>
      %d = arith.subi %t, %v : i32
      affine.store %d, %0#1[%i, %j] : memref<512x15xi32>
    }
  }
  return
}
