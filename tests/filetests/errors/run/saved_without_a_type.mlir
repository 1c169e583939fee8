// test: error run --device=cpu --save-result=0=@target/none.npy
// error: result 0: NumPy has no element type of this width
func.func @f() -> complex<f16> {
  %x = complex.constant [1.0 : f16, -1.0 : f16] : complex<f16>
  return %x : complex<f16>
}
