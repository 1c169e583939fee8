// test: opt --affine-loop-distribute

// A histogram and a sum of the same elements: updates that may be atomic, and a reduction.
// test: run-opt --entry=histogram_and_sum --arg=iota --arg=zeros
// expect: arg 1 = [150, 150, 150, 150]
// expect: result 0 = 179700
func.func @histogram_and_sum(%x: memref<600xi32>, %h: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %r = affine.for %i = 0 to 600 iter_args(%s = %c0) -> (i32) {
    %v = affine.load %x[%i] : memref<600xi32>
    %w = arith.andi %v, %c3 : i32
    %k = arith.index_cast %w : i32 to index
    %n = memref.load %h[%k] : memref<4xi32>
    %m = arith.addi %n, %c1 : i32
    memref.store %m, %h[%k] : memref<4xi32>
    %t = arith.addi %s, %v : i32
    affine.yield %t : i32
  }
  return %r : i32
}

// A partition: each arm of the branch has a counter and stores of its own.
// test: run-opt --entry=partition --arg=iota --arg=zeros --arg=zeros
// expect: result 0 = 300
// expect: result 1 = 300
func.func @partition(%x: memref<600xi32>, %odd: memref<600xi32>, %even: memref<600xi32>) -> (index, index) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = affine.for %i = 0 to 600 iter_args(%m = %c0, %k = %c0) -> (index, index) {
    %v = affine.load %x[%i] : memref<600xi32>
    %low = arith.andi %v, %one : i32
    %is_odd = arith.cmpi ne, %low, %zero : i32
    %a = arith.select %is_odd, %c1, %c0 : index
    %b = arith.select %is_odd, %c0, %c1 : index
    %next = arith.addi %m, %a : index
    %other = arith.addi %k, %b : index
    scf.if %is_odd {
      memref.store %v, %odd[%m] : memref<600xi32>
    } else {
      %again = affine.load %x[%i] : memref<600xi32>
      memref.store %again, %even[%k] : memref<600xi32>
    }
    affine.yield %next, %other : index, index
  }
  return %r#0, %r#1 : index, index
}

// The sum takes elements that the updates change: the loop stays.
// test: run-opt --entry=seen --arg=iota --arg=zeros
// expect: result 0 = 44700
func.func @seen(%x: memref<600xi32>, %h: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %r = affine.for %i = 0 to 600 iter_args(%s = %c0) -> (i32) {
    %v = affine.load %x[%i] : memref<600xi32>
    %w = arith.andi %v, %c3 : i32
    %k = arith.index_cast %w : i32 to index
    %n = memref.load %h[%k] : memref<4xi32>
    %m = arith.addi %n, %c1 : i32
    memref.store %m, %h[%k] : memref<4xi32>
    %t = arith.addi %s, %n : i32
    affine.yield %t : i32
  }
  return %r : i32
}

// The stores are not tied: a map that also reduces is one kernel.
func.func @map_and_sum(%x: memref<600xi32>, %y: memref<600xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %r = affine.for %i = 0 to 600 iter_args(%s = %c0) -> (i32) {
    %v = affine.load %x[%i] : memref<600xi32>
    affine.store %v, %y[%i] : memref<600xi32>
    %t = arith.addi %s, %v : i32
    affine.yield %t : i32
  }
  return %r : i32
}

// Too short to be worth two loops.
func.func @short(%x: memref<60xi32>, %h: memref<64xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %r = affine.for %i = 0 to 60 iter_args(%s = %c0) -> (i32) {
    %v = affine.load %x[%i] : memref<60xi32>
    %k = arith.index_cast %v : i32 to index
    memref.store %v, %h[%k] : memref<64xi32>
    %t = arith.addi %s, %v : i32
    affine.yield %t : i32
  }
  return %r : i32
}
