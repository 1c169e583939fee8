// test: error
// error: 4:8: operation being parsed with an unregistered dialect
func.func @f() -> i32 {
  %x = "test.thing"() : () -> i32
  return %x : i32
}
