// adi: the heat equation by alternating directions; each step solves a tridiagonal system for
// each column, then for each row.
// The backward substitutions count down from 18 to 1 as 19 - %j.
func.func @adi(%u: memref<20x20xf32>, %v: memref<20x20xf32>, %p: memref<20x20xf32>, %q: memref<20x20xf32>) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %c20 = arith.constant 20.0 : f32
  %c41 = arith.constant 41.0 : f32
  %c10 = arith.constant 10.0 : f32
  %cminus_19 = arith.constant -19.0 : f32
  %c21 = arith.constant 21.0 : f32
  %cminus_39 = arith.constant -39.0 : f32
  affine.for %t = 1 to 21 {
    affine.for %i = 1 to 19 {
      affine.store %one, %v[0, %i] : memref<20x20xf32>
      affine.store %zero, %p[%i, 0] : memref<20x20xf32>
      %v_0i = affine.load %v[0, %i] : memref<20x20xf32>
      affine.store %v_0i, %q[%i, 0] : memref<20x20xf32>
      affine.for %j = 1 to 19 {
        %p_ijm1 = affine.load %p[%i, %j - 1] : memref<20x20xf32>
        %prod = arith.mulf %c20, %p_ijm1 : f32
        %diff = arith.subf %c41, %prod : f32
        %quot = arith.divf %c20, %diff : f32
        affine.store %quot, %p[%i, %j] : memref<20x20xf32>
        %u_jim1 = affine.load %u[%j, %i - 1] : memref<20x20xf32>
        %prod0 = arith.mulf %c10, %u_jim1 : f32
        %u_ji = affine.load %u[%j, %i] : memref<20x20xf32>
        %prod1 = arith.mulf %cminus_19, %u_ji : f32
        %sum = arith.addf %prod0, %prod1 : f32
        %u_jip1 = affine.load %u[%j, %i + 1] : memref<20x20xf32>
        %prod2 = arith.mulf %c10, %u_jip1 : f32
        %sum0 = arith.addf %sum, %prod2 : f32
        %q_ijm1 = affine.load %q[%i, %j - 1] : memref<20x20xf32>
        %prod3 = arith.mulf %c20, %q_ijm1 : f32
        %sum1 = arith.addf %sum0, %prod3 : f32
        %p_ijm1_0 = affine.load %p[%i, %j - 1] : memref<20x20xf32>
        %prod4 = arith.mulf %c20, %p_ijm1_0 : f32
        %diff0 = arith.subf %c41, %prod4 : f32
        %quot0 = arith.divf %sum1, %diff0 : f32
        affine.store %quot0, %q[%i, %j] : memref<20x20xf32>
      }
      affine.store %one, %v[19, %i] : memref<20x20xf32>
      affine.for %j = 1 to 19 {
        %p_i19mj = affine.load %p[%i, 19 - %j] : memref<20x20xf32>
        %v_20mji = affine.load %v[20 - %j, %i] : memref<20x20xf32>
        %prod = arith.mulf %p_i19mj, %v_20mji : f32
        %q_i19mj = affine.load %q[%i, 19 - %j] : memref<20x20xf32>
        %sum = arith.addf %prod, %q_i19mj : f32
        affine.store %sum, %v[19 - %j, %i] : memref<20x20xf32>
      }
    }
    affine.for %i = 1 to 19 {
      affine.store %one, %u[%i, 0] : memref<20x20xf32>
      affine.store %zero, %p[%i, 0] : memref<20x20xf32>
      %u_i0 = affine.load %u[%i, 0] : memref<20x20xf32>
      affine.store %u_i0, %q[%i, 0] : memref<20x20xf32>
      affine.for %j = 1 to 19 {
        %p_ijm1 = affine.load %p[%i, %j - 1] : memref<20x20xf32>
        %prod = arith.mulf %c10, %p_ijm1 : f32
        %diff = arith.subf %c21, %prod : f32
        %quot = arith.divf %c10, %diff : f32
        affine.store %quot, %p[%i, %j] : memref<20x20xf32>
        %v_im1j = affine.load %v[%i - 1, %j] : memref<20x20xf32>
        %prod0 = arith.mulf %c20, %v_im1j : f32
        %v_ij = affine.load %v[%i, %j] : memref<20x20xf32>
        %prod1 = arith.mulf %cminus_39, %v_ij : f32
        %sum = arith.addf %prod0, %prod1 : f32
        %v_ip1j = affine.load %v[%i + 1, %j] : memref<20x20xf32>
        %prod2 = arith.mulf %c20, %v_ip1j : f32
        %sum0 = arith.addf %sum, %prod2 : f32
        %q_ijm1 = affine.load %q[%i, %j - 1] : memref<20x20xf32>
        %prod3 = arith.mulf %c10, %q_ijm1 : f32
        %sum1 = arith.addf %sum0, %prod3 : f32
        %p_ijm1_0 = affine.load %p[%i, %j - 1] : memref<20x20xf32>
        %prod4 = arith.mulf %c10, %p_ijm1_0 : f32
        %diff0 = arith.subf %c21, %prod4 : f32
        %quot0 = arith.divf %sum1, %diff0 : f32
        affine.store %quot0, %q[%i, %j] : memref<20x20xf32>
      }
      affine.store %one, %u[%i, 19] : memref<20x20xf32>
      affine.for %j = 1 to 19 {
        %p_i19mj = affine.load %p[%i, 19 - %j] : memref<20x20xf32>
        %u_i20mj = affine.load %u[%i, 20 - %j] : memref<20x20xf32>
        %prod = arith.mulf %p_i19mj, %u_i20mj : f32
        %q_i19mj = affine.load %q[%i, 19 - %j] : memref<20x20xf32>
        %sum = arith.addf %prod, %q_i19mj : f32
        affine.store %sum, %u[%i, 19 - %j] : memref<20x20xf32>
      }
    }
  }
  return
}
