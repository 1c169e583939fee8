// The mean of the 27 points around each: 4.1 million points, 27 loads and 26 additions a point.
func.func @heat_3d(%a: memref<162x162x162xf32>, %b: memref<162x162x162xf32>) {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant 0.037037037 : f32
  affine.for %i = 1 to 161 {
    affine.for %j = 1 to 161 {
      affine.for %k = 1 to 161 {
        %s = affine.for %x = -1 to 2 iter_args(%s0 = %zero) -> (f32) {
          %s1 = affine.for %y = -1 to 2 iter_args(%s2 = %s0) -> (f32) {
            %s3 = affine.for %z = -1 to 2 iter_args(%s4 = %s2) -> (f32) {
              %v = affine.load %a[%i + %x, %j + %y, %k + %z] : memref<162x162x162xf32>
              %n = arith.addf %s4, %v : f32
              affine.yield %n : f32
            }
            affine.yield %s3 : f32
          }
          affine.yield %s1 : f32
        }
        %m = arith.mulf %s, %w : f32
        affine.store %m, %b[%i, %j, %k] : memref<162x162x162xf32>
      }
    }
  }
  return
}
