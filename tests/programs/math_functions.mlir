// The elementary functions, one column of out each, for 0 <= i < 64:
//     of p > 0:       sqrt, rsqrt, log, log2, p to the power x
//     of x in ±4:     exp, exp2, sin, cos, tanh, atan
//     of both:        atan2(x, p)

func.func @math_functions(%p: memref<64xf32>, %x: memref<64xf32>, %out: memref<64x12xf32>) {
  affine.for %i = 0 to 64 {
    %a = affine.load %p[%i] : memref<64xf32>
    %b = affine.load %x[%i] : memref<64xf32>
    %r0 = math.sqrt %a : f32
    affine.store %r0, %out[%i, 0] : memref<64x12xf32>
    %r1 = math.rsqrt %a : f32
    affine.store %r1, %out[%i, 1] : memref<64x12xf32>
    %r2 = math.log %a : f32
    affine.store %r2, %out[%i, 2] : memref<64x12xf32>
    %r3 = math.log2 %a : f32
    affine.store %r3, %out[%i, 3] : memref<64x12xf32>
    %r4 = math.powf %a, %b : f32
    affine.store %r4, %out[%i, 4] : memref<64x12xf32>
    %r5 = math.exp %b : f32
    affine.store %r5, %out[%i, 5] : memref<64x12xf32>
    %r6 = math.exp2 %b : f32
    affine.store %r6, %out[%i, 6] : memref<64x12xf32>
    %r7 = math.sin %b : f32
    affine.store %r7, %out[%i, 7] : memref<64x12xf32>
    %r8 = math.cos %b : f32
    affine.store %r8, %out[%i, 8] : memref<64x12xf32>
    %r9 = math.tanh %b : f32
    affine.store %r9, %out[%i, 9] : memref<64x12xf32>
    %r10 = math.atan %b : f32
    affine.store %r10, %out[%i, 10] : memref<64x12xf32>
    %r11 = math.atan2 %b, %a : f32
    affine.store %r11, %out[%i, 11] : memref<64x12xf32>
  }
  return
}
