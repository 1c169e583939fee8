// Values that each loop hands on to the next one are carried by the one loop that is left.
// test: opt --affine-loop-coalescing
// test: run-opt --entry=sums --arg=iota --arg=zeros
// expect: result 0 = 276
// expect: result 1 = 0
// expect: arg 1 = [0, 0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 91, 105, 120, 136, 153, 171, 190, 210, 231, 253]
// test: run-opt --entry=swapped --arg=iota
// expect: result 0 = 102
// remark: 32:12: this loop is not joined with the one around it: one of them carries a value that does not pass through the other as it is

// A sum and a product, in order.
func.func @sums(%a: memref<4x6xi32>, %o: memref<4x6xi32>) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = affine.for %i = 0 to 4 iter_args(%s = %c0, %p = %c1) -> (i32, i32) {
    %q:2 = affine.for %j = 0 to 6 iter_args(%t = %s, %u = %p) -> (i32, i32) {
      %v = affine.load %a[%i, %j] : memref<4x6xi32>
      affine.store %t, %o[%i, %j] : memref<4x6xi32>
      %x = arith.addi %t, %v : i32
      %y = arith.muli %u, %v : i32
      affine.yield %x, %y : i32, i32
    }
    affine.yield %q#0, %q#1 : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// Two sums change places between rows: that of rows 1 and 3 is in front in the end.
func.func @swapped(%a: memref<4x6xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %r:2 = affine.for %i = 0 to 4 iter_args(%s = %c0, %p = %c0) -> (i32, i32) {
    %q:2 = affine.for %j = 0 to 6 iter_args(%t = %s, %u = %p) -> (i32, i32) {
      %v = affine.load %a[%i, %j] : memref<4x6xi32>
      %x = arith.addi %t, %v : i32
      affine.yield %x, %u : i32, i32
    }
    affine.yield %q#1, %q#0 : i32, i32
  }
  return %r#0 : i32
}
