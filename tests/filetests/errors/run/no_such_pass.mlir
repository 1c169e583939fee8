// test: error opt --affine-loop-tyle
// exit: 2
// error: no option or pass '--affine-loop-tyle'
func.func @f() {
  return
}
