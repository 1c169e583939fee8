// Functions of floats with exact results, halves and both signs among the inputs.
//     out[i] = floor x, ceil x, trunc x, round x (halves away from zero),
//              roundeven x (halves to even), |x|, copysign(x, y), fma(x, y, x)
//     for 0 <= i < 64

func.func @math_rounding(%x: memref<64xf32>, %y: memref<64xf32>, %out: memref<64x8xf32>) {
  affine.for %i = 0 to 64 {
    %a = affine.load %x[%i] : memref<64xf32>
    %b = affine.load %y[%i] : memref<64xf32>
    %r0 = math.floor %a : f32
    affine.store %r0, %out[%i, 0] : memref<64x8xf32>
    %r1 = math.ceil %a : f32
    affine.store %r1, %out[%i, 1] : memref<64x8xf32>
    %r2 = math.trunc %a : f32
    affine.store %r2, %out[%i, 2] : memref<64x8xf32>
    %r3 = math.round %a : f32
    affine.store %r3, %out[%i, 3] : memref<64x8xf32>
    %r4 = math.roundeven %a : f32
    affine.store %r4, %out[%i, 4] : memref<64x8xf32>
    %r5 = math.absf %a : f32
    affine.store %r5, %out[%i, 5] : memref<64x8xf32>
    %r6 = math.copysign %a, %b : f32
    affine.store %r6, %out[%i, 6] : memref<64x8xf32>
    %r7 = math.fma %a, %b, %a : f32
    affine.store %r7, %out[%i, 7] : memref<64x8xf32>
  }
  return
}
