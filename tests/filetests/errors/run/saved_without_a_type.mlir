// test: error run --device=cpu --save-result=0=@target/none.npy
// error: result 0: NumPy has no element type of this width
func.func @f() -> i7 {
  %x = arith.constant -1 : i7
  return %x : i7
}
