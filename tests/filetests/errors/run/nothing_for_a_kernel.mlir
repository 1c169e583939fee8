// test: error compile --emit=spirv
// error: no loop of this program was mapped to a kernel
func.func @f() {
  return
}
