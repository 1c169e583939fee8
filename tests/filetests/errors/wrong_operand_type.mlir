// test: error
// error: 4:23: `%x` has type `f32`, but `i32` is expected
func.func @f(%x: f32, %k: i32) -> i32 {
  %y = arith.addi %k, %x : i32
  return %y : i32
}
