// Weights of four bits, two in a byte, with a scale for each group of four: `arith.trunci` to i4 and back, in kernels. The bytes
// are -3, 0, 3, …, and the lower half of each is the first weight. The expected values are those of NumPy: the sum over k of
// x[k] * (q[r, k] - 8) * s[r, k floordiv 4], with x[k] = k and s[r, g] = 2 * r + g, and the weights as signed numbers.
// test: run --entry=main --arg=zeros --arg=iota --arg=iota --arg=zeros --arg=zeros
// expect: arg 3 = [-128, -339, -292]
// expect: arg 4 = [-3, -1, 0, 0, 3, 0, 6, 0, -7, 0, -4, 0, -1, 0, 2, 1, 5, 1, -8, 1, -5, 1, -2, 1]
func.func @main(%w: memref<3x4xi8>, %s: memref<3x2xf32>, %x: memref<8xf32>, %y: memref<3xf32>, %signed: memref<3x8xi8>) {
  %zero = arith.constant 0.0 : f32
  %c8 = arith.constant 8 : i32
  affine.for %r = 0 to 3 {
    affine.for %b = 0 to 4 {
      %v = affine.apply affine_map<(r, b) -> (12 * r + 3 * b - 3)>(%r, %b)
      %byte = arith.index_cast %v : index to i8
      affine.store %byte, %w[%r, %b] : memref<3x4xi8>
    }
  }
  affine.for %r = 0 to 3 {
    %sum = affine.for %k = 0 to 8 iter_args(%acc = %zero) -> f32 {
      %byte = affine.load %w[%r, %k floordiv 2] : memref<3x4xi8>
      %half = affine.apply affine_map<(k) -> ((k mod 2) * 4)>(%k)
      %shift = arith.index_cast %half : index to i8
      %shifted = arith.shrui %byte, %shift : i8
      %four = arith.trunci %shifted : i8 to i4
      %back = arith.extsi %four : i4 to i8
      affine.store %back, %signed[%r, %k] : memref<3x8xi8>
      %q = arith.extui %four : i4 to i32
      %d = arith.subi %q, %c8 : i32
      %f = arith.sitofp %d : i32 to f32
      %scale = affine.load %s[%r, %k floordiv 4] : memref<3x2xf32>
      %xk = affine.load %x[%k] : memref<8xf32>
      %p = arith.mulf %f, %scale : f32
      %m = arith.mulf %p, %xk : f32
      %t = arith.addf %acc, %m : f32
      affine.yield %t : f32
    }
    affine.store %sum, %y[%r] : memref<3xf32>
  }
  return
}
