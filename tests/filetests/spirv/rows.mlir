// test: spirv
func.func @rows(%x: memref<20x7xf32>, %y: memref<20xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 20 {
    %sum = affine.for %j = 0 to 7 iter_args(%before = %zero) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<20x7xf32>
      %after = arith.addf %before, %v : f32
      affine.yield %after : f32
    }
    affine.store %sum, %y[%i] : memref<20xf32>
  }
  return
}
