// heat-3d: the heat equation in three dimensions, 20 times two steps.
func.func @heat_3d(%A: memref<10x10x10xf32>, %B: memref<10x10x10xf32>) {
  %c0_125 = arith.constant 0.125 : f32
  %two = arith.constant 2.0 : f32
  affine.for %t = 0 to 20 {
    affine.for %i = 1 to 9 {
      affine.for %j = 1 to 9 {
        affine.for %k = 1 to 9 {
          %a_ip1jk = affine.load %A[%i + 1, %j, %k] : memref<10x10x10xf32>
          %a_ijk = affine.load %A[%i, %j, %k] : memref<10x10x10xf32>
          %prod = arith.mulf %two, %a_ijk : f32
          %diff = arith.subf %a_ip1jk, %prod : f32
          %a_im1jk = affine.load %A[%i - 1, %j, %k] : memref<10x10x10xf32>
          %sum = arith.addf %diff, %a_im1jk : f32
          %prod0 = arith.mulf %c0_125, %sum : f32
          %a_ijp1k = affine.load %A[%i, %j + 1, %k] : memref<10x10x10xf32>
          %a_ijk0 = affine.load %A[%i, %j, %k] : memref<10x10x10xf32>
          %prod1 = arith.mulf %two, %a_ijk0 : f32
          %diff0 = arith.subf %a_ijp1k, %prod1 : f32
          %a_ijm1k = affine.load %A[%i, %j - 1, %k] : memref<10x10x10xf32>
          %sum0 = arith.addf %diff0, %a_ijm1k : f32
          %prod2 = arith.mulf %c0_125, %sum0 : f32
          %sum1 = arith.addf %prod0, %prod2 : f32
          %a_ijkp1 = affine.load %A[%i, %j, %k + 1] : memref<10x10x10xf32>
          %a_ijk1 = affine.load %A[%i, %j, %k] : memref<10x10x10xf32>
          %prod3 = arith.mulf %two, %a_ijk1 : f32
          %diff1 = arith.subf %a_ijkp1, %prod3 : f32
          %a_ijkm1 = affine.load %A[%i, %j, %k - 1] : memref<10x10x10xf32>
          %sum2 = arith.addf %diff1, %a_ijkm1 : f32
          %prod4 = arith.mulf %c0_125, %sum2 : f32
          %sum3 = arith.addf %sum1, %prod4 : f32
          %a_ijk2 = affine.load %A[%i, %j, %k] : memref<10x10x10xf32>
          %sum4 = arith.addf %sum3, %a_ijk2 : f32
          affine.store %sum4, %B[%i, %j, %k] : memref<10x10x10xf32>
        }
      }
    }
    affine.for %i = 1 to 9 {
      affine.for %j = 1 to 9 {
        affine.for %k = 1 to 9 {
          %b_ip1jk = affine.load %B[%i + 1, %j, %k] : memref<10x10x10xf32>
          %b_ijk = affine.load %B[%i, %j, %k] : memref<10x10x10xf32>
          %prod = arith.mulf %two, %b_ijk : f32
          %diff = arith.subf %b_ip1jk, %prod : f32
          %b_im1jk = affine.load %B[%i - 1, %j, %k] : memref<10x10x10xf32>
          %sum = arith.addf %diff, %b_im1jk : f32
          %prod0 = arith.mulf %c0_125, %sum : f32
          %b_ijp1k = affine.load %B[%i, %j + 1, %k] : memref<10x10x10xf32>
          %b_ijk0 = affine.load %B[%i, %j, %k] : memref<10x10x10xf32>
          %prod1 = arith.mulf %two, %b_ijk0 : f32
          %diff0 = arith.subf %b_ijp1k, %prod1 : f32
          %b_ijm1k = affine.load %B[%i, %j - 1, %k] : memref<10x10x10xf32>
          %sum0 = arith.addf %diff0, %b_ijm1k : f32
          %prod2 = arith.mulf %c0_125, %sum0 : f32
          %sum1 = arith.addf %prod0, %prod2 : f32
          %b_ijkp1 = affine.load %B[%i, %j, %k + 1] : memref<10x10x10xf32>
          %b_ijk1 = affine.load %B[%i, %j, %k] : memref<10x10x10xf32>
          %prod3 = arith.mulf %two, %b_ijk1 : f32
          %diff1 = arith.subf %b_ijkp1, %prod3 : f32
          %b_ijkm1 = affine.load %B[%i, %j, %k - 1] : memref<10x10x10xf32>
          %sum2 = arith.addf %diff1, %b_ijkm1 : f32
          %prod4 = arith.mulf %c0_125, %sum2 : f32
          %sum3 = arith.addf %sum1, %prod4 : f32
          %b_ijk2 = affine.load %B[%i, %j, %k] : memref<10x10x10xf32>
          %sum4 = arith.addf %sum3, %b_ijk2 : f32
          affine.store %sum4, %A[%i, %j, %k] : memref<10x10x10xf32>
        }
      }
    }
  }
  return
}
