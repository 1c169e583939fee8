// Greatest and least of rows of 512 by 513: one extremum of each row is NaN for maximumf, and
// none for maxnumf; 0 / 0 stands in the column that is the row's number.
// test: run --arg=zeros
// expect: arg 0 = [nan, 512.0, nan, 512.0]
func.func @rows(%y: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %a = memref.alloc() : memref<512x513xf32>
  %m = memref.alloc() : memref<512xf32>
  %d = memref.alloc() : memref<512xf32>
  affine.for %i = 0 to 512 {
    affine.for %j = 0 to 513 {
      %k = arith.index_cast %j : index to i32
      %x = arith.sitofp %k : i32 to f32
      affine.store %x, %a[%i, %j] : memref<512x513xf32>
    }
    %nan = arith.divf %zero, %zero : f32
    affine.store %nan, %a[%i, %i] : memref<512x513xf32>
  }
  affine.for %i = 0 to 512 {
    %s:2 = affine.for %j = 0 to 513 iter_args(%p = %least, %q = %least) -> (f32, f32) {
      %x = affine.load %a[%i, %j] : memref<512x513xf32>
      %t = arith.maximumf %p, %x : f32
      %u = arith.maxnumf %q, %x : f32
      affine.yield %t, %u : f32, f32
    }
    affine.store %s#0, %m[%i] : memref<512xf32>
    affine.store %s#1, %d[%i] : memref<512xf32>
  }
  %0 = affine.load %m[0] : memref<512xf32>
  %1 = affine.load %d[0] : memref<512xf32>
  %2 = affine.load %m[511] : memref<512xf32>
  %3 = affine.load %d[511] : memref<512xf32>
  affine.store %0, %y[0] : memref<4xf32>
  affine.store %1, %y[1] : memref<4xf32>
  affine.store %2, %y[2] : memref<4xf32>
  affine.store %3, %y[3] : memref<4xf32>
  memref.dealloc %a : memref<512x513xf32>
  memref.dealloc %m : memref<512xf32>
  memref.dealloc %d : memref<512xf32>
  return
}
