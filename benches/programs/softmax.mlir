// The softmax of each of 4096 rows of 1024 elements.
func.func @softmax(%x: memref<4096x1024xf32>, %y: memref<4096x1024xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 4096 {
    %max = affine.for %j = 0 to 1024 iter_args(%m = %low) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<4096x1024xf32>
      %n = arith.maximumf %m, %v : f32
      affine.yield %n : f32
    }
    %sum = affine.for %j = 0 to 1024 iter_args(%s = %zero) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<4096x1024xf32>
      %d = arith.subf %v, %max : f32
      %e = math.exp %d : f32
      affine.store %e, %y[%i, %j] : memref<4096x1024xf32>
      %n = arith.addf %s, %e : f32
      affine.yield %n : f32
    }
    affine.for %j = 0 to 1024 {
      %e = affine.load %y[%i, %j] : memref<4096x1024xf32>
      %q = arith.divf %e, %sum : f32
      affine.store %q, %y[%i, %j] : memref<4096x1024xf32>
    }
  }
  return
}
