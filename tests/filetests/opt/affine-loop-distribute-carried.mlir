// A loop that carries values and stores, inside of one whose iterations the stores tie: what is carried gets a loop of its own, which
// goes with the rows. Not where the carried values need what the loops write, or the stores need what is carried.
// test: opt --affine-loop-distribute
// test: run-opt --entry=sums --arg=iota --arg=zeros --arg=zeros
// test: run --entry=sums --arg=iota --arg=zeros --arg=zeros
// test: run --entry=sums --arg=iota --arg=zeros --arg=zeros --map-for=gpu
// expect: arg 1 = [224, 232, 240, 248, 256, 264, 272, 280]
// expect: arg 2 = [28, 92, 156, 220, 284, 348, 412, 476]
// test: run-opt --entry=reads_sums --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [224, 232, 240, 248, 256, 264, 272, 280]
// expect: arg 2 = [0, 28, 120, 276, 496, 780, 1128, 1540]
// test: run-opt --entry=stores_carried --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [0, 224, 456, 696, 944, 1200, 1464, 1736]
// expect: arg 2 = [28, 92, 156, 220, 284, 348, 412, 476]

// Sums of columns and of rows.
func.func @sums(%x: memref<8x8xi32>, %g: memref<8xi32>, %r: memref<8xi32>) {
  %0:3 = memref.distinct_objects %x, %g, %r : memref<8x8xi32>, memref<8xi32>, memref<8xi32>
  %z = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    %s = affine.for %j = 0 to 8 iter_args(%a = %z) -> i32 {
      %v = affine.load %0#0[%i, %j] : memref<8x8xi32>
      %b = arith.addi %a, %v : i32
      %c = affine.load %0#1[%j] : memref<8xi32>
      %d = arith.addi %c, %v : i32
      affine.store %d, %0#1[%j] : memref<8xi32>
      affine.yield %b : i32
    }
    affine.store %s, %0#2[%i] : memref<8xi32>
  }
  return
}

// The rows' sums are those of what earlier rows left in the columns' sums.
func.func @reads_sums(%x: memref<8x8xi32>, %g: memref<8xi32>, %r: memref<8xi32>) {
  %0:3 = memref.distinct_objects %x, %g, %r : memref<8x8xi32>, memref<8xi32>, memref<8xi32>
  %z = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    %s = affine.for %j = 0 to 8 iter_args(%a = %z) -> i32 {
      %v = affine.load %0#0[%i, %j] : memref<8x8xi32>
      %c = affine.load %0#1[%j] : memref<8xi32>
      %b = arith.addi %a, %c : i32
      %d = arith.addi %c, %v : i32
      affine.store %d, %0#1[%j] : memref<8xi32>
      affine.yield %b : i32
    }
    affine.store %s, %0#2[%i] : memref<8xi32>
  }
  return
}

// What goes into a column is the row's sum so far.
func.func @stores_carried(%x: memref<8x8xi32>, %g: memref<8xi32>, %r: memref<8xi32>) {
  %0:3 = memref.distinct_objects %x, %g, %r : memref<8x8xi32>, memref<8xi32>, memref<8xi32>
  %z = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    %s = affine.for %j = 0 to 8 iter_args(%a = %z) -> i32 {
      %v = affine.load %0#0[%i, %j] : memref<8x8xi32>
      %b = arith.addi %a, %v : i32
      %c = affine.load %0#1[%j] : memref<8xi32>
      %d = arith.addi %c, %a : i32
      affine.store %d, %0#1[%j] : memref<8xi32>
      affine.yield %b : i32
    }
    affine.store %s, %0#2[%i] : memref<8xi32>
  }
  return
}
