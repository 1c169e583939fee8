// Arithmetic of floats: division, remainder, negation and the four extrema,
// which differ in what they do with a NaN.
//     out[i, 0] = x / y;  out[i, 1] = the remainder of x / y with the sign of x;  out[i, 2] = -x
//     out[i, 3], [i, 4] = max, min of x and y, NaN if either is
//     out[i, 5], [i, 6] = max, min of x and y, the other one if one is NaN
//     for 0 <= i < 48

func.func @float_arith(%x: memref<48xf32>, %y: memref<48xf32>, %out: memref<48x7xf32>) {
  affine.for %i = 0 to 48 {
    %a = affine.load %x[%i] : memref<48xf32>
    %b = affine.load %y[%i] : memref<48xf32>
    %r0 = arith.divf %a, %b : f32
    affine.store %r0, %out[%i, 0] : memref<48x7xf32>
    %r1 = arith.remf %a, %b : f32
    affine.store %r1, %out[%i, 1] : memref<48x7xf32>
    %r2 = arith.negf %a : f32
    affine.store %r2, %out[%i, 2] : memref<48x7xf32>
    %r3 = arith.maximumf %a, %b : f32
    affine.store %r3, %out[%i, 3] : memref<48x7xf32>
    %r4 = arith.minimumf %a, %b : f32
    affine.store %r4, %out[%i, 4] : memref<48x7xf32>
    %r5 = arith.maxnumf %a, %b : f32
    affine.store %r5, %out[%i, 5] : memref<48x7xf32>
    %r6 = arith.minnumf %a, %b : f32
    affine.store %r6, %out[%i, 6] : memref<48x7xf32>
  }
  return
}
