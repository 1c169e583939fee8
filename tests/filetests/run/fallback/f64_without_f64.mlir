// SwiftShader has no 64-bit floats: the first nest stays on the host there, and the second is a kernel all the same.
//     y = a * x + y,  z = z + z
//
// test: run --arg=2 --arg=iota --arg=ones --arg=iota
// expect: arg 2 = [1, 3, 5, 7, 9, 11]
// expect: arg 3 = [0, 2, 4, 6, 8, 10]
func.func @axpy(%a: f64, %x: memref<6xf64>, %y: memref<6xf64>, %z: memref<6xf32>) {
  affine.for %i = 0 to 6 {
    %v = affine.load %x[%i] : memref<6xf64>
    %w = affine.load %y[%i] : memref<6xf64>
    %m = arith.mulf %a, %v : f64
    %s = arith.addf %m, %w : f64
    affine.store %s, %y[%i] : memref<6xf64>
  }
  affine.for %i = 0 to 6 {
    %w = affine.load %z[%i] : memref<6xf32>
    %s = arith.addf %w, %w : f32
    affine.store %s, %z[%i] : memref<6xf32>
  }
  return
}
