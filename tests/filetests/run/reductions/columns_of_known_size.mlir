// Greatest elements of 1031 rows of 256 + 1 columns, of which one is in each chunk's last row
// or the rest: the last row is the greatest, as elements count from 0.
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [264710, 264966]
func.func @columns(%a: memref<1031x257xi32>, %y: memref<2xi32>) {
  %least = arith.constant -1 : i32
  %g = memref.alloc() : memref<257xi32>
  affine.for %j = 0 to 257 {
    %m = affine.for %i = 0 to 1031 iter_args(%acc = %least) -> i32 {
      %x = affine.load %a[%i, %j] : memref<1031x257xi32>
      %t = arith.maxsi %acc, %x : i32
      affine.yield %t : i32
    }
    affine.store %m, %g[%j] : memref<257xi32>
  }
  %first = affine.load %g[0] : memref<257xi32>
  %last = affine.load %g[256] : memref<257xi32>
  affine.store %first, %y[0] : memref<2xi32>
  affine.store %last, %y[1] : memref<2xi32>
  memref.dealloc %g : memref<257xi32>
  return
}
