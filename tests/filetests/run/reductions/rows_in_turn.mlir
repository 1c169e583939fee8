// A row's greatest element, then the sum of what the others are below it, then a
// loop that uses both: with 7 columns, 7 i + 6, then -21, then j - 27.
// test: run --arg=iota[3x7] --arg=zeros[3x7]
// expect: arg 1 = [-27, -26, -25, -24, -23, -22, -21, -27, -26, -25, -24, -23, -22, -21, -27, -26, -25, -24, -23, -22, -21]
// test: run --arg=iota[2x0] --arg=zeros[2x0]
func.func @rows(%a: memref<?x?xi32>, %y: memref<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %least = arith.constant -5 : i32
  %zero = arith.constant 0 : i32
  %m = memref.dim %a, %c0 : memref<?x?xi32>
  %n = memref.dim %a, %c1 : memref<?x?xi32>
  affine.for %i = 0 to %m {
    %most = affine.for %j = 0 to %n iter_args(%acc = %least) -> i32 {
      %x = affine.load %a[%i, %j] : memref<?x?xi32>
      %t = arith.maxsi %acc, %x : i32
      affine.yield %t : i32
    }
    %sum = affine.for %j = 0 to %n iter_args(%acc = %zero) -> i32 {
      %x = affine.load %a[%i, %j] : memref<?x?xi32>
      %d = arith.subi %x, %most : i32
      %t = arith.addi %acc, %d : i32
      affine.yield %t : i32
    }
    affine.for %j = 0 to %n {
      %x = affine.load %a[%i, %j] : memref<?x?xi32>
      %d = arith.subi %x, %most : i32
      %r = arith.addi %sum, %d : i32
      affine.store %r, %y[%i, %j] : memref<?x?xi32>
    }
  }
  return
}
