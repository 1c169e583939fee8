// test: error
// error: 6:5: same number of results
func.func @f() -> f32 {
  %zero = arith.constant 0.0 : f32
  %sum = affine.for %i = 0 to 4 iter_args(%s = %zero) -> (f32) {
    affine.yield
  }
  return %sum : f32
}
