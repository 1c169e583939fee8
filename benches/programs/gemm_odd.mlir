func.func @gemm_odd(%a: memref<777x541xf32>, %b: memref<541x613xf32>, %c: memref<777x613xf32>) {
  affine.for %i = 0 to 777 {
    affine.for %j = 0 to 613 {
      affine.for %k = 0 to 541 {
        %x = affine.load %a[%i, %k] : memref<777x541xf32>
        %y = affine.load %b[%k, %j] : memref<541x613xf32>
        %z = affine.load %c[%i, %j] : memref<777x613xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<777x613xf32>
      }
    }
  }
  return
}
