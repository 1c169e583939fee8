// The sum of each column of a 4096 by 4096 matrix.
func.func @colsum(%a: memref<4096x4096xf32>, %s: memref<4096xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %j = 0 to 4096 {
    %sum = affine.for %i = 0 to 4096 iter_args(%acc = %zero) -> (f32) {
      %v = affine.load %a[%i, %j] : memref<4096x4096xf32>
      %n = arith.addf %acc, %v : f32
      affine.yield %n : f32
    }
    affine.store %sum, %s[%j] : memref<4096xf32>
  }
  return
}
