// The four extrema of floats, which differ in what they do with a NaN.
//     out[i, 0], [i, 1] = max, min of x and y, NaN if either is
//     out[i, 2], [i, 3] = max, min of x and y, the other one if one is NaN
//     for 0 <= i < 49

func.func @float_extrema(%x: memref<49xf32>, %y: memref<49xf32>, %out: memref<49x4xf32>) {
  affine.for %i = 0 to 49 {
    %a = affine.load %x[%i] : memref<49xf32>
    %b = affine.load %y[%i] : memref<49xf32>
    %r0 = arith.maximumf %a, %b : f32
    affine.store %r0, %out[%i, 0] : memref<49x4xf32>
    %r1 = arith.minimumf %a, %b : f32
    affine.store %r1, %out[%i, 1] : memref<49x4xf32>
    %r2 = arith.maxnumf %a, %b : f32
    affine.store %r2, %out[%i, 2] : memref<49x4xf32>
    %r3 = arith.minnumf %a, %b : f32
    affine.store %r3, %out[%i, 3] : memref<49x4xf32>
  }
  return
}
