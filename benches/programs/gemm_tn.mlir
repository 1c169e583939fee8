// C += A^T B of 777 by 541 by 613.
func.func @gemm_tn(%a: memref<541x777xf32>, %b: memref<541x613xf32>, %c: memref<777x613xf32>) {
  affine.for %i = 0 to 777 {
    affine.for %j = 0 to 613 {
      affine.for %k = 0 to 541 {
        %x = affine.load %a[%k, %i] : memref<541x777xf32>
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
