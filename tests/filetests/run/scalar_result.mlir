// A reduction to a result of the function.
//
// test: run --arg=iota
// expect: result 0 = 45
func.func @f(%x: memref<10xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %sum = affine.for %i = 0 to 10 iter_args(%before = %zero) -> (f32) {
    %v = affine.load %x[%i] : memref<10xf32>
    %after = arith.addf %before, %v : f32
    affine.yield %after : f32
  }
  return %sum : f32
}
