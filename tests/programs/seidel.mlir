// Gauss-Seidel: both loops carry a dependence, no loop is parallel as it stands.
//     a[i, j] = 0.25 * (a[i-1, j] + a[i, j-1] + a[i, j+1] + a[i+1, j])
//     for 1 <= i < 23, 1 <= j < 100, three sweeps

func.func @seidel(%a: memref<24x101xf32>) {
  %quarter = arith.constant 0.25 : f32
  affine.for %t = 0 to 3 {
    affine.for %i = 1 to 23 {
      affine.for %j = 1 to 100 {
        %n = affine.load %a[%i - 1, %j] : memref<24x101xf32>
        %w = affine.load %a[%i, %j - 1] : memref<24x101xf32>
        %e = affine.load %a[%i, %j + 1] : memref<24x101xf32>
        %s = affine.load %a[%i + 1, %j] : memref<24x101xf32>
        %nw = arith.addf %n, %w : f32
        %es = arith.addf %e, %s : f32
        %all = arith.addf %nw, %es : f32
        %mean = arith.mulf %quarter, %all : f32
        affine.store %mean, %a[%i, %j] : memref<24x101xf32>
      }
    }
  }
  return
}
