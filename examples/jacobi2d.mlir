// jacobi2d: twenty steps of the five-point Jacobi stencil on a square grid.
//
//     every step:  b[i, j] = (a[i, j] + a[i, j-1] + a[i, j+1] + a[i-1, j] + a[i+1, j]) / 5
//                  a[i, j] = (b[i, j] + b[i, j-1] + b[i, j+1] + b[i-1, j] + b[i+1, j]) / 5
//     for 1 <= i, j < 127; the border of both arrays keeps its values.
//
// Arguments: a, b (128 × 128 × f32, read and written; a holds the result).
// The time loop is sequential; each of the two nests inside it is parallel and
// runs as one launch per step.
//
// Run:  gridloom run examples/jacobi2d.mlir --arg random:1 --arg random:2

func.func @jacobi2d(%a: memref<128x128xf32>, %b: memref<128x128xf32>) {
  %fifth = arith.constant 0.2 : f32
  affine.for %t = 0 to 20 {
    affine.for %i = 1 to 127 {
      affine.for %j = 1 to 127 {
        %centre = affine.load %a[%i, %j] : memref<128x128xf32>
        %west = affine.load %a[%i, %j - 1] : memref<128x128xf32>
        %east = affine.load %a[%i, %j + 1] : memref<128x128xf32>
        %north = affine.load %a[%i - 1, %j] : memref<128x128xf32>
        %south = affine.load %a[%i + 1, %j] : memref<128x128xf32>
        %s0 = arith.addf %centre, %west : f32
        %s1 = arith.addf %s0, %east : f32
        %s2 = arith.addf %s1, %north : f32
        %s3 = arith.addf %s2, %south : f32
        %mean = arith.mulf %s3, %fifth : f32
        affine.store %mean, %b[%i, %j] : memref<128x128xf32>
      }
    }
    affine.for %i = 1 to 127 {
      affine.for %j = 1 to 127 {
        %centre = affine.load %b[%i, %j] : memref<128x128xf32>
        %west = affine.load %b[%i, %j - 1] : memref<128x128xf32>
        %east = affine.load %b[%i, %j + 1] : memref<128x128xf32>
        %north = affine.load %b[%i - 1, %j] : memref<128x128xf32>
        %south = affine.load %b[%i + 1, %j] : memref<128x128xf32>
        %s0 = arith.addf %centre, %west : f32
        %s1 = arith.addf %s0, %east : f32
        %s2 = arith.addf %s1, %north : f32
        %s3 = arith.addf %s2, %south : f32
        %mean = arith.mulf %s3, %fifth : f32
        affine.store %mean, %a[%i, %j] : memref<128x128xf32>
      }
    }
  }
  return
}
