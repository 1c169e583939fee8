// An error does not hide the next one.
//
// test: error
// error: 7:31: step
// error: 9:19: %b
func.func @f() -> i32 {
  affine.for %i = 0 to 4 step 0 {
  }
  %a = arith.addi %b, %b : i32
  return %a : i32
}
