// A use of what the outer loop carries sees the value from before the inner loop, which one loop no longer has: the nests stay.
// test: opt --affine-loop-coalescing
// test: run-opt --entry=stored --arg=iota --arg=zeros
// expect: result 0 = 277
// expect: arg 1 = [1, 1, 1, 1, 1, 1, 16, 16, 16, 16, 16, 16, 67, 67, 67, 67, 67, 67, 154, 154, 154, 154, 154, 154]
// test: run-opt --entry=added --arg=iota
// expect: result 0 = 57
// test: run-opt --entry=yielded --arg=iota
// expect: result 0 = 1
// remark: 18:10: this loop is not joined with the one around it: one of them carries a value that does not pass through the other as it is
// remark: 33:10: this loop is not joined with the one around it: one of them carries a value that does not pass through the other as it is
// remark: 47:10: this loop is not joined with the one around it: one of them carries a value that does not pass through the other as it is

// The inner loop stores the sum of the rows above. The expected values of this file are those of Python loops.
func.func @stored(%a: memref<4x6xi32>, %o: memref<4x6xi32>) -> i32 {
  %c1 = arith.constant 1 : i32
  %r = affine.for %i = 0 to 4 iter_args(%s = %c1) -> i32 {
    %q = affine.for %j = 0 to 6 iter_args(%t = %s) -> i32 {
      %v = affine.load %a[%i, %j] : memref<4x6xi32>
      affine.store %s, %o[%i, %j] : memref<4x6xi32>
      %x = arith.addi %t, %v : i32
      affine.yield %x : i32
    }
    affine.yield %q : i32
  }
  return %r : i32
}

// The inner loop adds to the sum of the rows above, so that only the last element of each row counts.
func.func @added(%a: memref<4x6xi32>) -> i32 {
  %c1 = arith.constant 1 : i32
  %r = affine.for %i = 0 to 4 iter_args(%s = %c1) -> i32 {
    %q = affine.for %j = 0 to 6 iter_args(%t = %s) -> i32 {
      %v = affine.load %a[%i, %j] : memref<4x6xi32>
      %x = arith.addi %s, %v : i32
      affine.yield %x : i32
    }
    affine.yield %q : i32
  }
  return %r : i32
}

// The inner loop yields what it began with.
func.func @yielded(%a: memref<4x6xi32>) -> i32 {
  %c1 = arith.constant 1 : i32
  %r = affine.for %i = 0 to 4 iter_args(%s = %c1) -> i32 {
    %q = affine.for %j = 0 to 6 iter_args(%t = %s) -> i32 {
      affine.store %t, %a[%i, %j] : memref<4x6xi32>
      affine.yield %s : i32
    }
    affine.yield %q : i32
  }
  return %r : i32
}
