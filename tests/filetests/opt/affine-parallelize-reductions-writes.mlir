// test: opt --affine-parallelize-reductions=target=cpu
// test: run --arg=iota --arg=zeros --arg=zeros --entry=stores
// test: run-opt --arg=iota --arg=zeros --arg=zeros --entry=stores
// test: run --arg=iota --arg=zeros --arg=zeros --entry=reads_before
// test: run-opt --arg=iota --arg=zeros --arg=zeros --entry=reads_before
// test: run --arg=iota --arg=zeros --arg=zeros --entry=goes_on
// test: run-opt --arg=iota --arg=zeros --arg=zeros --entry=goes_on

// Iterations of the reduction write elements of their own: they may run side by side.
func.func @stores(%a: memref<512x515xi32>, %b: memref<512x515xi32>, %c: memref<512xi32>) {
  %0:3 = memref.distinct_objects %a, %b, %c : memref<512x515xi32>, memref<512x515xi32>, memref<512xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 512 {
    %s = affine.for %j = 0 to 515 iter_args(%acc = %zero) -> (i32) {
      %x = affine.load %0#0[%i, %j] : memref<512x515xi32>
      %y = arith.muli %x, %x : i32
      affine.store %y, %0#1[%i, %j] : memref<512x515xi32>
      %t = arith.addi %acc, %y : i32
      affine.yield %t : i32
    }
    affine.store %s, %0#2[%i] : memref<512xi32>
  }
  return
}

// What stands before the reduction reads what that writes, so that it cannot be repeated behind it.
func.func @reads_before(%a: memref<512x512xi32>, %b: memref<512x512xi32>, %c: memref<512xi32>) {
  %0:3 = memref.distinct_objects %a, %b, %c : memref<512x512xi32>, memref<512x512xi32>, memref<512xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 512 {
    %first = affine.load %0#1[%i, 7] : memref<512x512xi32>
    %s = affine.for %j = 0 to 512 iter_args(%acc = %zero) -> (i32) {
      %x = affine.load %0#0[%i, %j] : memref<512x512xi32>
      affine.store %x, %0#1[%i, %j] : memref<512x512xi32>
      %t = arith.addi %acc, %x : i32
      affine.yield %t : i32
    }
    %u = arith.addi %first, %s : i32
    affine.store %u, %0#2[%i] : memref<512xi32>
  }
  return
}

// An iteration reads what the one before has written.
func.func @goes_on(%a: memref<512x512xi32>, %b: memref<512x512xi32>, %c: memref<512xi32>) {
  %0:3 = memref.distinct_objects %a, %b, %c : memref<512x512xi32>, memref<512x512xi32>, memref<512xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 512 {
    %s = affine.for %j = 1 to 512 iter_args(%acc = %zero) -> (i32) {
      %x = affine.load %0#0[%i, %j] : memref<512x512xi32>
      %y = affine.load %0#1[%i, %j - 1] : memref<512x512xi32>
      %z = arith.addi %x, %y : i32
      affine.store %z, %0#1[%i, %j] : memref<512x512xi32>
      %t = arith.addi %acc, %x : i32
      affine.yield %t : i32
    }
    affine.store %s, %0#2[%i] : memref<512xi32>
  }
  return
}
