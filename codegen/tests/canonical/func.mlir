// test: canonical
func.func private @id(i32) -> i32
func.func @known_callee(%x: i32) -> i32 {
  %f = func.constant @id : (i32) -> i32
  %r = func.call_indirect %f(%x) : (i32) -> i32
  return %r : i32
}

func.func @casts(%x: i32, %y: f32) -> (i32, i32, f32) {
  %a = builtin.unrealized_conversion_cast %x : i32 to i64
  %0 = builtin.unrealized_conversion_cast %a : i64 to i32
  %1 = builtin.unrealized_conversion_cast %x : i32 to i32
  %b:2 = builtin.unrealized_conversion_cast %x, %y : i32, f32 to i64, f64
  %c:2 = builtin.unrealized_conversion_cast %b#0, %b#1 : i64, f64 to i32, f32
  return %0, %c#0, %c#1 : i32, i32, f32
}
