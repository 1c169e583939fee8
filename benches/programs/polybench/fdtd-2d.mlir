// fdtd-2d: electric and magnetic fields in finite differences, 20 steps.
func.func @fdtd_2d(%ex: memref<20x30xf32>, %ey: memref<20x30xf32>, %hz: memref<20x30xf32>, %fict: memref<20xf32>) {
  %c0_5 = arith.constant 0.5 : f32
  %c0_7 = arith.constant 0.7 : f32
  affine.for %t = 0 to 20 {
    affine.for %j = 0 to 30 {
      %fict_t = affine.load %fict[%t] : memref<20xf32>
      affine.store %fict_t, %ey[0, %j] : memref<20x30xf32>
    }
    affine.for %i = 1 to 20 {
      affine.for %j = 0 to 30 {
        %ey_ij = affine.load %ey[%i, %j] : memref<20x30xf32>
        %hz_ij = affine.load %hz[%i, %j] : memref<20x30xf32>
        %hz_im1j = affine.load %hz[%i - 1, %j] : memref<20x30xf32>
        %diff = arith.subf %hz_ij, %hz_im1j : f32
        %prod = arith.mulf %c0_5, %diff : f32
        %diff0 = arith.subf %ey_ij, %prod : f32
        affine.store %diff0, %ey[%i, %j] : memref<20x30xf32>
      }
    }
    affine.for %i = 0 to 20 {
      affine.for %j = 1 to 30 {
        %ex_ij = affine.load %ex[%i, %j] : memref<20x30xf32>
        %hz_ij = affine.load %hz[%i, %j] : memref<20x30xf32>
        %hz_ijm1 = affine.load %hz[%i, %j - 1] : memref<20x30xf32>
        %diff = arith.subf %hz_ij, %hz_ijm1 : f32
        %prod = arith.mulf %c0_5, %diff : f32
        %diff0 = arith.subf %ex_ij, %prod : f32
        affine.store %diff0, %ex[%i, %j] : memref<20x30xf32>
      }
    }
    affine.for %i = 0 to 19 {
      affine.for %j = 0 to 29 {
        %hz_ij = affine.load %hz[%i, %j] : memref<20x30xf32>
        %ex_ijp1 = affine.load %ex[%i, %j + 1] : memref<20x30xf32>
        %ex_ij = affine.load %ex[%i, %j] : memref<20x30xf32>
        %diff = arith.subf %ex_ijp1, %ex_ij : f32
        %ey_ip1j = affine.load %ey[%i + 1, %j] : memref<20x30xf32>
        %sum = arith.addf %diff, %ey_ip1j : f32
        %ey_ij = affine.load %ey[%i, %j] : memref<20x30xf32>
        %diff0 = arith.subf %sum, %ey_ij : f32
        %prod = arith.mulf %c0_7, %diff0 : f32
        %diff1 = arith.subf %hz_ij, %prod : f32
        affine.store %diff1, %hz[%i, %j] : memref<20x30xf32>
      }
    }
  }
  return
}
