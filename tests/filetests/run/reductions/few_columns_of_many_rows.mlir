// Greatest elements of 4131 rows of 64 + 1 columns, in chunks of rows of which the last one is short: the last row is the
// greatest, as elements count from 0.
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [268450, 268514]
func.func @columns(%a: memref<4131x65xi32>, %y: memref<2xi32>) {
  %least = arith.constant -1 : i32
  %g = memref.alloc() : memref<65xi32>
  affine.for %j = 0 to 65 {
    %m = affine.for %i = 0 to 4131 iter_args(%acc = %least) -> i32 {
      %x = affine.load %a[%i, %j] : memref<4131x65xi32>
      %t = arith.maxsi %acc, %x : i32
      affine.yield %t : i32
    }
    affine.store %m, %g[%j] : memref<65xi32>
  }
  %first = affine.load %g[0] : memref<65xi32>
  %last = affine.load %g[64] : memref<65xi32>
  affine.store %first, %y[0] : memref<2xi32>
  affine.store %last, %y[1] : memref<2xi32>
  memref.dealloc %g : memref<65xi32>
  return
}
