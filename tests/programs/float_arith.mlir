// Division, remainder and negation of floats.
//     out[i, 0] = x / y;  out[i, 1] = x - y * (x / y, towards zero);  out[i, 2] = -x
//     for 0 <= i < 48

func.func @float_arith(%x: memref<48xf32>, %y: memref<48xf32>, %out: memref<48x3xf32>) {
  affine.for %i = 0 to 48 {
    %a = affine.load %x[%i] : memref<48xf32>
    %b = affine.load %y[%i] : memref<48xf32>
    %r0 = arith.divf %a, %b : f32
    affine.store %r0, %out[%i, 0] : memref<48x3xf32>
    %r1 = arith.remf %a, %b : f32
    affine.store %r1, %out[%i, 1] : memref<48x3xf32>
    %r2 = arith.negf %a : f32
    affine.store %r2, %out[%i, 2] : memref<48x3xf32>
  }
  return
}
