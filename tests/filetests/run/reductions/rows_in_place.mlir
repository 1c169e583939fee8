// Each row less its sum, in place: no row may change before it is summed.
// test: run --arg=iota[2x4]
// expect: arg 0 = [-6, -5, -4, -3, -18, -17, -16, -15]
func.func @rows(%a: memref<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %m = memref.dim %a, %c0 : memref<?x?xi32>
  %n = memref.dim %a, %c1 : memref<?x?xi32>
  affine.for %i = 0 to %m {
    %sum = affine.for %j = 0 to %n iter_args(%acc = %zero) -> i32 {
      %x = affine.load %a[%i, %j] : memref<?x?xi32>
      %t = arith.addi %acc, %x : i32
      affine.yield %t : i32
    }
    affine.for %j = 0 to %n {
      %x = affine.load %a[%i, %j] : memref<?x?xi32>
      %r = arith.subi %x, %sum : i32
      affine.store %r, %a[%i, %j] : memref<?x?xi32>
    }
  }
  return
}
