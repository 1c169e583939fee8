// Each of 4096 rows of 1024 elements, shifted to mean 0 and scaled to variance 1, then scaled and
// shifted by column.
func.func @layernorm(%x: memref<4096x1024xf32>, %scale: memref<1024xf32>, %shift: memref<1024xf32>, %y: memref<4096x1024xf32>) {
  %zero = arith.constant 0.0 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %c1 = arith.constant 1 : index
  %columns = memref.dim %x, %c1 : memref<4096x1024xf32>
  %count = arith.index_cast %columns : index to i32
  %n = arith.sitofp %count : i32 to f32
  affine.for %i = 0 to 4096 {
    %sum = affine.for %j = 0 to 1024 iter_args(%s = %zero) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<4096x1024xf32>
      %t = arith.addf %s, %v : f32
      affine.yield %t : f32
    }
    %mean = arith.divf %sum, %n : f32
    %squares = affine.for %j = 0 to 1024 iter_args(%s = %zero) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<4096x1024xf32>
      %d = arith.subf %v, %mean : f32
      %q = arith.mulf %d, %d : f32
      %t = arith.addf %s, %q : f32
      affine.yield %t : f32
    }
    %variance = arith.divf %squares, %n : f32
    %shifted = arith.addf %variance, %epsilon : f32
    %deviation = math.sqrt %shifted : f32
    affine.for %j = 0 to 1024 {
      %v = affine.load %x[%i, %j] : memref<4096x1024xf32>
      %g = affine.load %scale[%j] : memref<1024xf32>
      %b = affine.load %shift[%j] : memref<1024xf32>
      %d = arith.subf %v, %mean : f32
      %q = arith.divf %d, %deviation : f32
      %p = arith.mulf %q, %g : f32
      %r = arith.addf %p, %b : f32
      affine.store %r, %y[%i, %j] : memref<4096x1024xf32>
    }
  }
  return
}
