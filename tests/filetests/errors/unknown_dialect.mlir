// test: error
// error: 4:8: test.thing
func.func @f() -> i32 {
  %x = "test.thing"() : () -> i32
  return %x : i32
}
