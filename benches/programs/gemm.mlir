func.func @gemm(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>, %c: memref<1024x1024xf32>) {
  affine.for %i = 0 to 1024 {
    affine.for %j = 0 to 1024 {
      affine.for %k = 0 to 1024 {
        %x = affine.load %a[%i, %k] : memref<1024x1024xf32>
        %y = affine.load %b[%k, %j] : memref<1024x1024xf32>
        %z = affine.load %c[%i, %j] : memref<1024x1024xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<1024x1024xf32>
      }
    }
  }
  return
}
