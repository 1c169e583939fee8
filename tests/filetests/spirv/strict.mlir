// The capabilities and execution modes of strict floats.
//
// test: spirv --fp=strict
func.func @f(%x: memref<64xf32>, %y: memref<64xf64>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 64 {
    %v = affine.load %x[%i] : memref<64xf32>
    %w = arith.addf %v, %zero : f32
    affine.store %w, %x[%i] : memref<64xf32>
  }
  affine.for %i = 0 to 64 {
    %v = affine.load %y[%i] : memref<64xf64>
    %w = arith.mulf %v, %v : f64
    affine.store %w, %y[%i] : memref<64xf64>
  }
  return
}
