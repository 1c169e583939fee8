// A row's length comes with the call: eight ones and seven.
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
