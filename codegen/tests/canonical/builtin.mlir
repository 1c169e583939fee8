// test: canonical
func.func @conversions(%x: i32, %y: i64) -> (i32, i32, i64, f32) {
  %a = builtin.unrealized_conversion_cast %x : i32 to i32
  %b = builtin.unrealized_conversion_cast %x, %y : i32, i64 to f32
  %c:2 = builtin.unrealized_conversion_cast %b : f32 to i32, i64
  return %a, %c#0, %c#1, %b : i32, i32, i64, f32
}
