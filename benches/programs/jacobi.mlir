func.func @jacobi(%a: memref<2048x2048xf32>, %b: memref<2048x2048xf32>) {
  %s = arith.constant 0.2 : f32
  affine.for %t = 0 to 10 {
    affine.for %i = 1 to 2047 {
      affine.for %j = 1 to 2047 {
        %0 = affine.load %a[%i, %j] : memref<2048x2048xf32>
        %1 = affine.load %a[%i, %j - 1] : memref<2048x2048xf32>
        %2 = affine.load %a[%i, %j + 1] : memref<2048x2048xf32>
        %3 = affine.load %a[%i - 1, %j] : memref<2048x2048xf32>
        %4 = affine.load %a[%i + 1, %j] : memref<2048x2048xf32>
        %5 = arith.addf %0, %1 : f32
        %6 = arith.addf %5, %2 : f32
        %7 = arith.addf %6, %3 : f32
        %8 = arith.addf %7, %4 : f32
        %9 = arith.mulf %8, %s : f32
        affine.store %9, %b[%i, %j] : memref<2048x2048xf32>
      }
    }
    affine.for %i = 1 to 2047 {
      affine.for %j = 1 to 2047 {
        %0 = affine.load %b[%i, %j] : memref<2048x2048xf32>
        %1 = affine.load %b[%i, %j - 1] : memref<2048x2048xf32>
        %2 = affine.load %b[%i, %j + 1] : memref<2048x2048xf32>
        %3 = affine.load %b[%i - 1, %j] : memref<2048x2048xf32>
        %4 = affine.load %b[%i + 1, %j] : memref<2048x2048xf32>
        %5 = arith.addf %0, %1 : f32
        %6 = arith.addf %5, %2 : f32
        %7 = arith.addf %6, %3 : f32
        %8 = arith.addf %7, %4 : f32
        %9 = arith.mulf %8, %s : f32
        affine.store %9, %a[%i, %j] : memref<2048x2048xf32>
      }
    }
  }
  return
}
