// Counts of the last digits of numbers, in arrays of the threads' own: of sizes that fill no whole
// row of adjacent iterations, and from a lower bound that begins none.
//
// Of 3 to 4102, 410 numbers end in each digit; the loop ends before 4102.
// test: run --entry=fixed --arg=iota --arg=zeros
// expect: arg 1 = [410, 410, 409, 410, 410, 410, 410, 410, 410, 410]
func.func @fixed(%x: memref<4102xi32>, %counts: memref<10xi32>) {
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i32
  affine.for %i = 3 to 4102 {
    %v = affine.load %x[%i] : memref<4102xi32>
    %digit = arith.remui %v, %ten : i32
    %k = arith.index_cast %digit : i32 to index
    %n = memref.load %counts[%k] : memref<10xi32>
    %m = arith.addi %n, %one : i32
    memref.store %m, %counts[%k] : memref<10xi32>
  }
  return
}

// test: run --entry=open --arg=iota[0] --arg=zeros
// expect: arg 1 = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// test: run --entry=open --arg=iota[7] --arg=zeros
// expect: arg 1 = [1, 1, 1, 1, 1, 1, 1, 0, 0, 0]
// test: run --entry=open --arg=iota[20003] --arg=zeros
// expect: arg 1 = [2001, 2001, 2001, 2000, 2000, 2000, 2000, 2000, 2000, 2000]
func.func @open(%x: memref<?xi32>, %counts: memref<10xi32>) {
  %c0 = arith.constant 0 : index
  %size = memref.dim %x, %c0 : memref<?xi32>
  %one = arith.constant 1 : i32
  %ten = arith.constant 10 : i32
  affine.for %i = 0 to %size {
    %v = affine.load %x[%i] : memref<?xi32>
    %digit = arith.remui %v, %ten : i32
    %k = arith.index_cast %digit : i32 to index
    %n = memref.load %counts[%k] : memref<10xi32>
    %m = arith.addi %n, %one : i32
    memref.store %m, %counts[%k] : memref<10xi32>
  }
  return
}
