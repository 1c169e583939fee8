// The running sums of 4 Mi elements.
func.func @scan(%x: memref<4194304xf32>, %y: memref<4194304xf32>) {
  %zero = arith.constant 0.0 : f32
  %last = affine.for %i = 0 to 4194304 iter_args(%s = %zero) -> (f32) {
    %v = affine.load %x[%i] : memref<4194304xf32>
    %n = arith.addf %s, %v : f32
    affine.store %n, %y[%i] : memref<4194304xf32>
    affine.yield %n : f32
  }
  return
}
