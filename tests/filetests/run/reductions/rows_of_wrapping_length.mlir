// A row's length may be anything, and that of the first run less than all numbers but one:
// the bounds of parts of a row must not wrap around, or the sums take for ever.
// test: run --arg=ones[3x8] --arg=zeros --arg=-9223372036854775807
// expect: arg 1 = [7, 7, 7]
// test: run --arg=ones[3x8] --arg=zeros --arg=8
// expect: arg 1 = [15, 15, 15]
func.func @rows(%a: memref<3x?xi32>, %y: memref<3xi32>, %n: index) {
  %seven = arith.constant 7 : i32
  affine.for %i = 0 to 3 {
    %s = affine.for %j = 0 to %n iter_args(%acc = %seven) -> i32 {
      %x = affine.load %a[%i, %j] : memref<3x?xi32>
      %t = arith.addi %acc, %x : i32
      affine.yield %t : i32
    }
    affine.store %s, %y[%i] : memref<3xi32>
  }
  return
}
