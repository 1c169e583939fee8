// heat3d: heat spreading through a cube, ten explicit steps of two half steps.
//
//     u'[i, j, k] = u[i, j, k] + 0.125 * (second difference along i
//                                       + second difference along j
//                                       + second difference along k)
//     where the second difference along i is
//         u[i+1, j, k] - 2 * u[i, j, k] + u[i-1, j, k],   and so on,
//     for 1 <= i, j, k < 31; the faces of the cube keep their values.
//
// Arguments: u, v (32 × 32 × 32 × f32, read and written; u holds the result,
// v is the other half step and must carry the same faces).
// The three space loops are parallel, the time loop is not.
//
// Run:  gridloom run examples/heat3d.mlir --arg random:1 --arg random:1

func.func @heat3d(%u: memref<32x32x32xf32>, %v: memref<32x32x32xf32>) {
  %eighth = arith.constant 0.125 : f32
  %two = arith.constant 2.0 : f32
  affine.for %t = 0 to 10 {
    affine.for %i = 1 to 31 {
      affine.for %j = 1 to 31 {
        affine.for %k = 1 to 31 {
          %here = affine.load %u[%i, %j, %k] : memref<32x32x32xf32>
          %twice = arith.mulf %two, %here : f32
          %i1 = affine.load %u[%i + 1, %j, %k] : memref<32x32x32xf32>
          %i0 = affine.load %u[%i - 1, %j, %k] : memref<32x32x32xf32>
          %di0 = arith.subf %i1, %twice : f32
          %di = arith.addf %di0, %i0 : f32
          %j1 = affine.load %u[%i, %j + 1, %k] : memref<32x32x32xf32>
          %j0 = affine.load %u[%i, %j - 1, %k] : memref<32x32x32xf32>
          %dj0 = arith.subf %j1, %twice : f32
          %dj = arith.addf %dj0, %j0 : f32
          %k1 = affine.load %u[%i, %j, %k + 1] : memref<32x32x32xf32>
          %k0 = affine.load %u[%i, %j, %k - 1] : memref<32x32x32xf32>
          %dk0 = arith.subf %k1, %twice : f32
          %dk = arith.addf %dk0, %k0 : f32
          %dij = arith.addf %di, %dj : f32
          %dijk = arith.addf %dij, %dk : f32
          %flow = arith.mulf %eighth, %dijk : f32
          %next = arith.addf %here, %flow : f32
          affine.store %next, %v[%i, %j, %k] : memref<32x32x32xf32>
        }
      }
    }
    affine.for %i = 1 to 31 {
      affine.for %j = 1 to 31 {
        affine.for %k = 1 to 31 {
          %here = affine.load %v[%i, %j, %k] : memref<32x32x32xf32>
          %twice = arith.mulf %two, %here : f32
          %i1 = affine.load %v[%i + 1, %j, %k] : memref<32x32x32xf32>
          %i0 = affine.load %v[%i - 1, %j, %k] : memref<32x32x32xf32>
          %di0 = arith.subf %i1, %twice : f32
          %di = arith.addf %di0, %i0 : f32
          %j1 = affine.load %v[%i, %j + 1, %k] : memref<32x32x32xf32>
          %j0 = affine.load %v[%i, %j - 1, %k] : memref<32x32x32xf32>
          %dj0 = arith.subf %j1, %twice : f32
          %dj = arith.addf %dj0, %j0 : f32
          %k1 = affine.load %v[%i, %j, %k + 1] : memref<32x32x32xf32>
          %k0 = affine.load %v[%i, %j, %k - 1] : memref<32x32x32xf32>
          %dk0 = arith.subf %k1, %twice : f32
          %dk = arith.addf %dk0, %k0 : f32
          %dij = arith.addf %di, %dj : f32
          %dijk = arith.addf %dij, %dk : f32
          %flow = arith.mulf %eighth, %dijk : f32
          %next = arith.addf %here, %flow : f32
          affine.store %next, %u[%i, %j, %k] : memref<32x32x32xf32>
        }
      }
    }
  }
  return
}
