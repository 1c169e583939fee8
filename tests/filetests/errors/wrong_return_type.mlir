// test: error
// error: 4:3: doesn't match function result type
func.func @f(%x: i32) -> f32 {
  return %x : i32
}
