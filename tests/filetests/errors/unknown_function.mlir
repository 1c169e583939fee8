// test: error
// error: 4:3: 'g' does not reference a valid function
func.func @f() {
  func.call @g() : () -> ()
  return
}
